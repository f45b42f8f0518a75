//! Rows become pairs: a row is a whole pair, or one claim whose twin stands in another row.

use std::collections::BTreeMap;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{
    Read, Response, Row, Table,
    column::{self, OF_BOOKS, OF_PAIRS, is_response},
};
use crate::{
    mistake::{Mistake, Mistakes},
    pair::{BookFacts, Half, Pair, Scope, is_book_id, is_pair_id},
};

/// The pairs of a table, what it says of books, and answers beside them.
pub(super) fn read(table: Table) -> Result<Read, Mistakes> {
    if let Some(missing) = missing(&table) {
        let unknown = table.warnings.into_iter();
        let unknown = unknown.filter(|one| one.reason.starts_with(column::UNKNOWN));
        return Err(std::iter::once(missing).chain(unknown).collect());
    }
    let mut read =
        Read { warnings: table.warnings, columns: Some(table.columns), ..Read::default() };
    let mut faults = Vec::new();
    let mut halves: BTreeMap<String, Halves> = BTreeMap::new();
    for row in &table.rows {
        faults.extend(of_row(row, &mut halves, &mut read).err());
    }
    for halves in halves.into_values() {
        let missing = match halves.rows {
            [Some(_), Some(_)] => continue,
            [Some(_), None] => Half::False,
            _ => Half::True,
        };
        let row = halves.rows.into_iter().flatten().next().unwrap_or(0);
        let known = Some(halves.id).filter(|id| is_pair_id(id));
        let fault =
            Mistake::new(format!("a claim without its twin: the {missing} claim is missing"));
        faults.push(Mistake { pair: known, ..fault.row(row) });
    }
    faults.sort_by_key(|fault| fault.row);
    if !faults.is_empty() {
        return Err(faults);
    }
    if read.pairs.is_empty() {
        return Err(vec![Mistake::new("the file has no claims")]);
    }
    Ok(read)
}

/// What is wrong where no row has a column that all must have.
fn missing(table: &Table) -> Option<Mistake> {
    let has = |column: &&str| table.columns.contains(*column);
    let must: &[&str] = match (has(&"true_claim") || has(&"false_claim"), has(&"claim")) {
        (true, false) => &["book", "true_claim", "false_claim"],
        (false, true) => &["book", "type"],
        _ => return None,
    };
    let missing: Vec<String> =
        must.iter().filter(|one| !has(one)).map(|one| format!("`{one}`")).collect();
    let missing = match &missing[..] {
        [] => return None,
        [one] => format!("the column {one} is missing"),
        more => format!("the columns {} are missing", more.join(" and ")),
    };
    (!table.rows.is_empty()).then(|| Mistake::new(missing))
}

/// Takes in a row, which holds a pair or a claim.
fn of_row(
    row: &Row,
    halves: &mut BTreeMap<String, Halves>,
    read: &mut Read,
) -> Result<(), Mistake> {
    let has = |column: &str| row.cells.iter().any(|(known, _)| known == column);
    let wrong = |reason: &str| Err(Mistake::new(reason).row(row.number));
    let is_pair = match (has("true_claim") || has("false_claim"), has("claim")) {
        (true, true) => {
            return wrong("holds a pair (`true_claim`, `false_claim`) and a single `claim`");
        }
        (false, false) => {
            return wrong(
                "holds no claim: give `true_claim` and `false_claim`, or `claim` and `type`",
            );
        }
        (is_pair, _) => is_pair,
    };
    let cells = Cells::of(row)?;
    if is_pair {
        pair(&cells, read)?;
    } else {
        claim(&cells, halves, read)?;
    }
    facts(&cells, read)
}

/// One claim's place among its twins' rows: the true and the false one.
struct Halves {
    id: String,
    /// Where the pair stands in what was read.
    at: usize,
    rows: [Option<usize>; 2],
}

/// What a row says, by the own names of columns.
struct Cells<'r> {
    row: &'r Row,
    values: Map<String, Value>,
}

impl<'r> Cells<'r> {
    fn of(row: &'r Row) -> Result<Self, Mistake> {
        let mut cells = Self { row, values: Map::new() };
        for (name, cell) in &row.cells {
            let value = column::read(name, cell).map_err(|reason| cells.fault(name, reason))?;
            cells.values.insert(name.clone(), value);
        }
        Ok(cells)
    }

    fn must(&self, column: &str) -> Result<&Value, Mistake> {
        self.values.get(column).ok_or_else(|| self.fault(column, "is missing"))
    }

    fn fault(&self, column: &str, reason: &str) -> Mistake {
        let fault = Mistake::new(reason).row(self.row.number).column(column);
        // A shifted row may hold a claim where the id should be.
        let id = self.row.cells.iter().find(|(known, _)| known == "id");
        let id = id.and_then(|(_, id)| id.as_str()).filter(|id| is_pair_id(id));
        Mistake { pair: id.map(str::to_owned), ..fault }
    }

    /// What it says of a pair, whose claims may be blank yet.
    fn pair(&self) -> Result<Pair, Mistake> {
        let mut fields = self.values.clone();
        fields.retain(|name, _| OF_PAIRS.iter().any(|(own, ..)| own == name));
        for claim in ["true_claim", "false_claim"] {
            fields.entry(claim).or_insert_with(|| "".into());
        }
        self.must("book")?;
        let pair: Pair = from(fields);
        if !is_book_id(&pair.book) {
            let reason = "is not an id of a book: 1 to 64 of A-Z a-z 0-9 . _ - and no leading dot";
            return Err(self.fault("book", reason));
        }
        if !pair.id.is_empty() && !is_pair_id(&pair.id) {
            let reason = "is not an id of a pair: letters, digits and . _ - with at most one slash";
            return Err(self.fault("id", reason));
        }
        Ok(pair)
    }
}

/// A record of fields that are each as their column has them.
pub(crate) fn from<T: DeserializeOwned>(fields: Map<String, Value>) -> T {
    serde_json::from_value(Value::Object(fields)).expect("each cell is of its column's kind")
}

/// A row that is a whole pair.
fn pair(cells: &Cells<'_>, read: &mut Read) -> Result<(), Mistake> {
    cells.must("true_claim")?;
    cells.must("false_claim")?;
    let mut pair = cells.pair()?;
    let scope = cells.values.get("scope").and_then(Value::as_str).and_then(Scope::named);
    for half in Half::BOTH {
        let own = pair.scope_mut(half);
        *own = own.or(scope);
    }
    read.pairs.push(pair);
    read.rows.push(cells.row.number);
    Ok(())
}

/// A row that is one claim, as in NoCha's file.
fn claim(
    cells: &Cells<'_>,
    halves: &mut BTreeMap<String, Halves>,
    read: &mut Read,
) -> Result<(), Mistake> {
    let number = cells.row.number;
    cells.must("claim")?;
    let half = Half::of(cells.must("type")? == true);
    let mut row_pair = cells.pair()?;
    row_pair.id = match (row_pair.id, &row_pair.index) {
        (id, None) if id.is_empty() => {
            let reason = "is missing: `index` or `id` tells which two claims are twins";
            return Err(cells.fault("index", reason));
        }
        (id, Some(index)) if id.is_empty() => numbered(&row_pair.book, index)
            .ok_or_else(|| cells.fault("index", "is not a number and no id of a pair"))?,
        (id, _) => id,
    };
    let at = read.pairs.len();
    let entry = halves.entry(row_pair.id.clone()).or_insert_with(|| Halves {
        id: row_pair.id.clone(),
        at,
        rows: [None, None],
    });
    let place = usize::from(half == Half::False);
    if let Some(first) = entry.rows[place] {
        let reason = format!("the pair has its {half} claim already, in row {first}");
        return Err(Mistake::new(reason).row(number).pair(&entry.id));
    }
    entry.rows[place] = Some(number);
    if entry.at == read.pairs.len() {
        read.pairs.push(row_pair);
        read.rows.push(number);
    } else if read.pairs[entry.at].book != row_pair.book {
        return Err(Mistake::new("the twins name different books").row(number).pair(&entry.id));
    } else if read.pairs[entry.at].explanation.is_empty() {
        read.pairs[entry.at].explanation = row_pair.explanation;
    }
    // What the row says of its claim is what it says of that half of the pair.
    let pair = &mut read.pairs[entry.at];
    let mut fields = object(pair);
    for field in ["claim", "scope", "evidence"] {
        let value = cells.values.get(field);
        fields.extend(value.map(|value| (format!("{half}_{field}"), value.clone())));
    }
    *pair = from(fields);
    for (column, answer) in cells.values.iter().filter(|(column, _)| is_response(column)) {
        read.responses.push(Response {
            system: column.clone(),
            pair: pair.id.clone(),
            claim: half,
            answer: answer.as_str().map(str::to_owned),
            prompt: None,
        });
    }
    Ok(())
}

/// The id that a number of an original file gives: `gatsby/0298`.
pub(crate) fn numbered(book: &str, index: &str) -> Option<String> {
    if is_pair_id(index) && index.contains('/') {
        return Some(index.to_owned());
    }
    let index =
        index.parse::<u64>().map_or_else(|_| index.to_owned(), |number| format!("{number:04}"));
    Some(format!("{book}/{index}")).filter(|id| is_pair_id(id))
}

/// What a row says of its book. Two rows that disagree are a mistake.
fn facts(cells: &Cells<'_>, read: &mut Read) -> Result<(), Mistake> {
    let mut fields = Map::new();
    fields.extend(cells.values.get("book").map(|book| ("id".to_owned(), book.clone())));
    for (column, ..) in OF_BOOKS {
        let value = cells.values.get(column).cloned();
        fields.extend(value.map(|value| (field_of_book(column).to_owned(), value)));
    }
    let mut facts: BookFacts = from(fields);
    // `127k_180k` and `127k-180k` are the same group.
    facts.length_group = facts.length_group.map(|group| group.replace('_', "-"));
    let Some(known) = read.books.iter_mut().find(|book| book.id == facts.id) else {
        read.books.push(facts);
        return Ok(());
    };
    merge_facts(known, &facts).map_err(|column| {
        let reason = "says otherwise of the book than an earlier row does";
        Mistake::new(reason).row(cells.row.number).column(column)
    })
}

fn field_of_book(column: &str) -> &str {
    if column == "book_author" { "author" } else { column }
}

/// Adds what is new to what is known of a book; an error names the column that disagrees.
pub(crate) fn merge_facts(known: &mut BookFacts, more: &BookFacts) -> Result<(), &'static str> {
    let (mut all, mut more) = (object(known), object(more));
    for (column, ..) in OF_BOOKS {
        let field = field_of_book(column);
        match (all.get(field), more.remove(field)) {
            (Some(old), Some(new)) if *old != new => return Err(column),
            (_, new) => all.extend(new.map(|new| (field.to_owned(), new))),
        }
    }
    if let (None, Some(stories)) = (all.get("stories"), more.remove("stories")) {
        all.insert("stories".to_owned(), stories);
    }
    *known = from(all);
    Ok(())
}

/// The fields of a record that say something.
pub(crate) fn object(record: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(record) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

//! Rows become pairs: a row is a whole pair, or one claim whose twin stands in another row.

use std::collections::BTreeMap;

use super::{Column, Read, Response, Row, Table, cell::Cell};
use crate::{
    mistake::{Mistake, Mistakes},
    pair::{BookFacts, Half, Pair, is_book_id, is_pair_id},
};

/// The pairs of a table, what it says of books, and answers beside them.
pub(super) fn read(table: Table) -> Result<Read, Mistakes> {
    let mut read =
        Read { warnings: table.warnings, columns: Some(table.columns), ..Read::default() };
    let mut faults = Vec::new();
    let mut halves: BTreeMap<String, Halves> = BTreeMap::new();
    for row in &table.rows {
        let result = match shape(row) {
            Ok(Shape::Pair) => pair(row, &mut read),
            Ok(Shape::Claim) => claim(row, &mut halves, &mut read),
            Err(fault) => Err(fault),
        };
        match result {
            Ok(()) => facts(row, &mut read, &mut faults),
            Err(fault) => faults.push(fault),
        }
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

/// What a row holds.
enum Shape {
    Pair,
    Claim,
}

fn shape(row: &Row) -> Result<Shape, Mistake> {
    let has = |column: &Column| row.cells.iter().any(|(known, _)| known == column);
    let pair = has(&Column::TrueClaim) || has(&Column::FalseClaim);
    match (pair, has(&Column::Claim)) {
        (true, false) => Ok(Shape::Pair),
        (false, true) => Ok(Shape::Claim),
        (true, true) => {
            Err(Mistake::new("holds a pair (`true_claim`, `false_claim`) and a single `claim`")
                .row(row.number))
        }
        (false, false) => Err(Mistake::new(
            "holds no claim: give `true_claim` and `false_claim`, or `claim` and `type`",
        )
        .row(row.number)),
    }
}

/// One claim's place among its twins' rows: the true and the false one.
struct Halves {
    id: String,
    /// Where the pair stands in what was read.
    at: usize,
    rows: [Option<usize>; 2],
}

/// Looks cells up and tells which one is unfit.
struct Cells<'r> {
    row: &'r Row,
}

impl<'r> Cells<'r> {
    fn get<T>(
        &self,
        column: &Column,
        read: impl Fn(&'r Cell) -> Result<T, &'static str>,
    ) -> Result<Option<T>, Mistake> {
        let cell = self.row.cells.iter().find(|(known, _)| known == column);
        cell.map(|(_, cell)| read(cell).map_err(|reason| self.fault(column, reason))).transpose()
    }

    fn must<T>(
        &self,
        column: &Column,
        read: impl Fn(&'r Cell) -> Result<T, &'static str>,
    ) -> Result<T, Mistake> {
        self.get(column, read)?.ok_or_else(|| self.fault(column, "is missing"))
    }

    fn fault(&self, column: &Column, reason: &str) -> Mistake {
        let fault = Mistake::new(reason).row(self.row.number).column(column.name());
        // A shifted row may hold a claim where the id should be.
        let id = self.row.cells.iter().find_map(|(known, cell)| match (known, cell) {
            (Column::Id, Cell::Text(id)) if is_pair_id(id) => Some(id),
            _ => None,
        });
        Mistake { pair: id.cloned(), ..fault }
    }
}

/// What every row of a pair may say of it.
fn common(cells: &Cells<'_>) -> Result<Pair, Mistake> {
    let text = |column| cells.get(column, Cell::as_text);
    let truth = |column| cells.get(column, Cell::as_truth);
    let date = |column| cells.get(column, Cell::as_date);
    let book = cells.must(&Column::Book, Cell::as_text)?;
    if !is_book_id(&book) {
        return Err(cells.fault(
            &Column::Book,
            "is not an id of a book: 1 to 64 of A-Z a-z 0-9 . _ - and no leading dot",
        ));
    }
    let id = text(&Column::Id)?.unwrap_or_default();
    if !id.is_empty() && !is_pair_id(&id) {
        return Err(cells.fault(
            &Column::Id,
            "is not an id of a pair: letters, digits and . _ - with at most one slash",
        ));
    }
    Ok(Pair {
        id,
        book,
        story: text(&Column::Story)?,
        explanation: text(&Column::Explanation)?.unwrap_or_default(),
        written_by: text(&Column::WrittenBy)?,
        model_written: truth(&Column::ModelWritten)?,
        this_volume_alone: truth(&Column::ThisVolumeAlone)?,
        writer_has_read: truth(&Column::WriterHasRead)?,
        consent: truth(&Column::Consent)?,
        published_on: date(&Column::PublishedOn)?,
        added_in: cells.get(&Column::AddedIn, Cell::as_version)?,
        retire_after: date(&Column::RetireAfter)?,
        index: text(&Column::Index)?,
        ..Pair::default()
    })
}

/// A row that is a whole pair.
fn pair(row: &Row, read: &mut Read) -> Result<(), Mistake> {
    let cells = Cells { row };
    let scope = cells.get(&Column::Scope, Cell::as_scope)?;
    let pair = Pair {
        true_claim: cells.must(&Column::TrueClaim, Cell::as_text)?,
        false_claim: cells.must(&Column::FalseClaim, Cell::as_text)?,
        true_scope: cells.get(&Column::TrueScope, Cell::as_scope)?.or(scope),
        false_scope: cells.get(&Column::FalseScope, Cell::as_scope)?.or(scope),
        true_evidence: cells.get(&Column::TrueEvidence, Cell::as_stretches)?.unwrap_or_default(),
        false_evidence: cells.get(&Column::FalseEvidence, Cell::as_stretches)?.unwrap_or_default(),
        ..common(&cells)?
    };
    read.pairs.push(pair);
    read.rows.push(row.number);
    Ok(())
}

/// A row that is one claim, as in NoCha's file.
fn claim(row: &Row, halves: &mut BTreeMap<String, Halves>, read: &mut Read) -> Result<(), Mistake> {
    let cells = Cells { row };
    let text = cells.must(&Column::Claim, Cell::as_text)?;
    let half = Half::of(cells.must(&Column::Type, Cell::as_truth)?);
    let scope = cells.get(&Column::Scope, Cell::as_scope)?;
    let evidence = cells.get(&Column::Evidence, Cell::as_stretches)?.unwrap_or_default();
    let mut row_pair = common(&cells)?;
    if row_pair.id.is_empty() && row_pair.index.is_none() {
        return Err(cells.fault(
            &Column::Index,
            "is missing: `index` or `id` tells which two claims are twins",
        ));
    }
    row_pair.id = match (&row_pair.id, &row_pair.index) {
        (id, Some(index)) if id.is_empty() => numbered(&row_pair.book, index)
            .ok_or_else(|| cells.fault(&Column::Index, "is not a number and no id of a pair"))?,
        (id, _) => id.clone(),
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
        return Err(Mistake::new(reason).row(row.number).pair(&entry.id));
    }
    entry.rows[place] = Some(row.number);
    if entry.at == read.pairs.len() {
        read.pairs.push(row_pair);
        read.rows.push(row.number);
    } else if read.pairs[entry.at].book != row_pair.book {
        return Err(Mistake::new("the twins name different books").row(row.number).pair(&entry.id));
    } else if read.pairs[entry.at].explanation.is_empty() {
        read.pairs[entry.at].explanation = row_pair.explanation;
    }
    let pair = &mut read.pairs[entry.at];
    match half {
        Half::True => {
            (pair.true_claim, pair.true_scope, pair.true_evidence) = (text, scope, evidence);
        }
        Half::False => {
            (pair.false_claim, pair.false_scope, pair.false_evidence) = (text, scope, evidence);
        }
    }
    for (column, cell) in &row.cells {
        let Column::Response(system) = column else { continue };
        let answer = cell.as_text().map_err(|reason| cells.fault(column, reason))?;
        read.responses.push(Response {
            system: system.clone(),
            pair: pair.id.clone(),
            claim: half,
            answer: Some(answer),
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
fn facts(row: &Row, read: &mut Read, faults: &mut Mistakes) {
    let cells = Cells { row };
    let found = || -> Result<BookFacts, Mistake> {
        let text = |column| cells.get(column, Cell::as_text);
        Ok(BookFacts {
            id: text(&Column::Book)?.unwrap_or_default(),
            title: text(&Column::Title)?,
            author: text(&Column::BookAuthor)?,
            genre: text(&Column::Genre)?,
            publication_year: text(&Column::PublicationYear)?,
            series: text(&Column::Series)?,
            words: cells.get(&Column::Words, Cell::as_number)?,
            tokens: cells.get(&Column::Tokens, Cell::as_number)?,
            // `127k_180k` and `127k-180k` are the same group.
            length_group: text(&Column::LengthGroup)?.map(|group| group.replace('_', "-")),
            stories: Vec::new(),
        })
    };
    let facts = match found() {
        Ok(facts) => facts,
        Err(fault) => return faults.push(fault),
    };
    let Some(known) = read.books.iter_mut().find(|book| book.id == facts.id) else {
        return read.books.push(facts);
    };
    if let Err(field) = merge_facts(known, facts) {
        let reason = "says otherwise of the book than an earlier row does";
        faults.push(Mistake::new(reason).row(row.number).column(field));
    }
}

/// Adds what is new to what is known of a book; an error names what disagrees.
pub(crate) fn merge_facts(known: &mut BookFacts, more: BookFacts) -> Result<(), &'static str> {
    fn one<T: PartialEq>(
        known: &mut Option<T>,
        more: Option<T>,
        name: &'static str,
    ) -> Result<(), &'static str> {
        match (&known, more) {
            (Some(old), Some(new)) if *old != new => Err(name),
            (None, Some(new)) => {
                *known = Some(new);
                Ok(())
            }
            _ => Ok(()),
        }
    }
    one(&mut known.title, more.title, "title")?;
    one(&mut known.author, more.author, "book_author")?;
    one(&mut known.genre, more.genre, "genre")?;
    one(&mut known.publication_year, more.publication_year, "publication_year")?;
    one(&mut known.series, more.series, "series")?;
    one(&mut known.words, more.words, "words")?;
    one(&mut known.tokens, more.tokens, "tokens")?;
    one(&mut known.length_group, more.length_group, "length_group")?;
    if known.stories.is_empty() {
        known.stories = more.stories;
    }
    Ok(())
}

//! Items and votes as CSV, for people who have to work in a spreadsheet, and back without loss.
//!
//! One row for each vote, and one for each item that nobody voted on. Who votes in a spreadsheet fills in `choice` and
//! `by`, and `note` or `text` where they want to. A row that was not touched gives back the line that it was made of.

use storymill_core::{Decision, Digest, Fault, ReviewText, Said, canonical, person};

use crate::{Ballot, Desk, Item, Shown, ballot::input, desk::Placed, queue, sight};

/// The columns, in order.
pub const COLUMNS: [&str; 21] = [
    "review", "queue", "step", "unit", "item", "code", "question", "excerpt", "choices", "default",
    "choice", "text", "note", "by", "said", "protocol", "seconds", "shown", "seen", "replaces",
    "line",
];

/// All lines as CSV, item by item, those on items that are gone at the end; or one person's votes alone, with a row for
/// each item that they have not voted on, and with the letters that their pages have. Of a desk of one queue, lines of that queue.
///
/// # Errors
///
/// A line cannot be written as CSV.
pub fn export(desk: &Desk, person: Option<&str>, queue: Option<&str>) -> Result<Vec<u8>, Fault> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |error: csv::Error| input(format!("this cannot be written as CSV: {error}"));
    writer.write_record(COLUMNS).map_err(failed)?;
    let mut write = |row: Vec<String>| {
        let cells = row.iter().map(|cell| guarded(cell));
        writer.write_record(cells).map_err(failed)
    };
    for placed in &desk.items {
        let mut lines: Vec<&Decision> = match person {
            Some(person) => {
                let last = desk.decisions.last_of_ids(&placed.ids, person).into_iter();
                last.map(|(_, line)| line).collect()
            }
            None => desk
                .decisions
                .all_on(&placed.item.review)
                .into_iter()
                .map(|(_, line)| line)
                .collect(),
        };
        lines.sort_by_key(|line| line.id());
        let item = Some((placed.ids[0], &placed.item, &letters(placed, person)[..]));
        if lines.is_empty() {
            write(row(item, None))?;
        }
        lines.iter().try_for_each(|line| write(row(item, Some(line))))?;
    }
    let known: std::collections::BTreeSet<Digest> =
        desk.items.iter().flat_map(|placed| placed.ids).collect();
    let gone = desk.lines().filter(|line| !known.contains(&line.review));
    let gone = gone.filter(|line| person.is_none_or(|person| line.by == person));
    let is_of = |line: &&Decision| queue.is_none_or(|name| queue::of(&line.code).name == name);
    for line in gone.filter(is_of) {
        write(row(None, Some(line)))?;
    }
    writer.into_inner().map_err(|error| input(format!("this cannot be written as CSV: {error}")))
}

/// What a table calls the choices of an item: as one person's pages do, else as the item does.
fn letters(placed: &Placed, person: Option<&str>) -> Vec<Shown> {
    let review = &placed.item.review;
    if let Some(person) = person {
        return sight::shuffled(review, placed.ids[0], person);
    }
    let as_it_is = |choice: &String| Shown { choice: choice.clone(), called: choice.clone() };
    review.choices.iter().map(as_it_is).collect()
}

fn row(item: Option<(Digest, &Item, &[Shown])>, line: Option<&Decision>) -> Vec<String> {
    let digests =
        |all: &[Digest]| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let review = line.map(|line| line.review).or(item.map(|(id, ..)| id));
    let of = |get: fn(&Item) -> String| item.map(|(_, item, _)| get(item)).unwrap_or_default();
    let shown = item.map_or(&[][..], |(_, _, shown)| shown);
    let said = |get: &dyn Fn(&Decision) -> String| line.map(get).unwrap_or_default();
    // A line says of which item it is, and one of an older version does not.
    let (name, code) = match (line, item) {
        (Some(line), _) => (line.item.clone(), line.code.clone()),
        (None, Some((_, item, _))) => (item.review.item.clone(), item.review.code.to_string()),
        (None, None) => (String::new(), String::new()),
    };
    let queue = item.map_or(code.clone(), |(_, item, _)| item.review.code.to_string());
    vec![
        review.map(|id| id.to_string()).unwrap_or_default(),
        queue::of(&queue).name.to_owned(),
        of(|item| item.step.clone()),
        of(|item| item.unit.to_string()),
        name,
        code,
        of(|item| item.review.question.clone()),
        item.map(|(_, item, shown)| about(item, shown)).unwrap_or_default(),
        shown.iter().map(|one| one.called.as_str()).collect::<Vec<_>>().join(" | "),
        of(|item| item.review.default.clone()),
        said(&|line| sight::called(shown, &line.choice).to_owned()),
        said(&|line| match &line.said {
            Said::Text(text) => text.clone(),
            _ => String::new(),
        }),
        said(&|line| line.note.clone()),
        said(&|line| line.by.clone()),
        said(&|line| match &line.said {
            Said::Nothing | Said::Text(_) => String::new(),
            other => canonical::json(other),
        }),
        said(&|line| match (line.protocol.as_str(), line.proposal_shown) {
            (protocol, false) => protocol.to_owned(),
            (protocol, true) => format!("{protocol} (proposal shown)"),
        }),
        said(&|line| line.seconds.to_string()),
        said(&|line| line.shown.clone()),
        said(&|line| line.seen.map(|seen| seen.to_string()).unwrap_or_default()),
        said(&|line| digests(&line.replaces)),
        said(&|line| line.id().to_string()),
    ]
}

/// What an item is about, with the text that must be read to decide it.
fn about(item: &Item, shown: &[Shown]) -> String {
    let excerpt = sight::excerpt(&item.review, shown);
    if item.review.text.is_empty() { excerpt } else { format!("{excerpt}\n\n{}", item.review.text) }
}

/// The lines that a table says and a desk does not have yet. A row that was changed, or filled in, is a vote of the
/// person it names, in the place of theirs before; `by` is who votes where a row names nobody.
///
/// # Errors
///
/// What cannot be read, with its row; a vote that cannot be cast.
pub fn import(desk: &Desk, bytes: &[u8], by: &str) -> Result<Vec<Decision>, Fault> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    // Column names have neither in them.
    let first = head.iter().find(|byte| [b';', b','].contains(byte));
    let delimiter = first.copied().unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(bytes);
    let unreadable = |error: csv::Error| input(format!("this is not CSV: {error}"));
    let columns = Columns::of(reader.headers().map_err(unreadable)?)?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(unreadable)?;
        let place = record.position().map_or(0, csv::Position::line);
        let mut row = columns.read(&record).map_err(|fault| placed(fault, place))?;
        row.unletter(desk);
        rows.push((row, place));
    }
    let mut scratch = Desk::new(
        desk.items.iter().map(|placed| placed.item.clone()).collect(),
        desk.lines().cloned().collect(),
        desk.decisions.rule().clone(),
    );
    let mut new = Vec::new();
    let mut take = |scratch: &mut Desk, line: Decision| {
        if scratch.take(line.clone()) {
            new.push(line);
        }
    };
    // What stands in the table as it was comes first: votes are cast on top of it.
    let (kept, cast): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(row, _)| row.line == Some(row.as_line().id()));
    for (row, _) in kept {
        take(&mut scratch, row.as_line());
    }
    for (row, place) in cast {
        if let Some(line) = row.cast(&scratch, by).map_err(|fault| placed(fault, place))? {
            take(&mut scratch, line);
        }
    }
    Ok(new)
}

fn placed(mut fault: Fault, line: u64) -> Fault {
    fault.message = format!("line {line}: {}", fault.message);
    fault
}

/// Where the columns stand.
struct Columns(Vec<Option<usize>>);

struct Row {
    review: Digest,
    item: String,
    code: String,
    excerpt: String,
    choice: String,
    note: String,
    by: String,
    said: Said,
    protocol: String,
    proposal_shown: bool,
    seconds: u32,
    shown: String,
    seen: Option<Digest>,
    replaces: Vec<Digest>,
    line: Option<Digest>,
}

impl Columns {
    fn of(head: &csv::StringRecord) -> Result<Self, Fault> {
        let at = |name: &&str| head.iter().position(|own| own.trim() == *name);
        let columns = Self(COLUMNS.iter().map(at).collect());
        for wanted in ["review", "choice"] {
            if head.iter().all(|own| own.trim() != wanted) {
                let hint = format!("columns: {}", COLUMNS.join(", "));
                return Err(input(format!("the column `{wanted}` is missing")).hint(hint));
            }
        }
        Ok(columns)
    }

    fn read(&self, record: &csv::StringRecord) -> Result<Row, Fault> {
        let cell = |name: &str| {
            let at = COLUMNS.iter().position(|own| *own == name).and_then(|at| self.0[at]);
            at.and_then(|at| record.get(at)).map(unguarded).unwrap_or_default()
        };
        let digest = |text: &str, what: &str| {
            text.parse::<Digest>().map_err(|_| {
                input(format!("`{text}` in the column `{what}` is not an id"))
                    .hint("leave ids as they were exported")
            })
        };
        let optional = |name: &str| match cell(name).trim() {
            "" => Ok(None),
            text => digest(text, name).map(Some),
        };
        let replaces = cell("replaces");
        let replaces = replaces.split_whitespace().map(|id| digest(id, "replaces"));
        let (text, said) = (cell("text"), cell("said"));
        let said = match (said.trim(), text.is_empty()) {
            ("", true) => Said::Nothing,
            ("", false) => Said::Text(text),
            (json, true) => serde_json::from_str(json)
                .map_err(|error| input(format!("the column `said` cannot be read: {error}")))?,
            _ => {
                let hint = "an edited text stands in `text`, everything else in `said`";
                return Err(input("both `text` and `said` are filled in").hint(hint));
            }
        };
        let protocol = cell("protocol");
        let (protocol, proposal_shown) = match protocol.strip_suffix(" (proposal shown)") {
            Some(protocol) => (protocol.to_owned(), true),
            None => (protocol, false),
        };
        let seconds = match cell("seconds").trim() {
            "" => 0,
            text => text.parse().map_err(|_| {
                input(format!("`{text}` in the column `seconds` is not a whole number"))
            })?,
        };
        Ok(Row {
            review: digest(cell("review").trim(), "review")?,
            item: cell("item"),
            code: cell("code"),
            excerpt: cell("excerpt"),
            choice: cell("choice"),
            note: cell("note"),
            by: cell("by"),
            said,
            protocol,
            proposal_shown,
            seconds,
            shown: cell("shown"),
            seen: optional("seen")?,
            replaces: replaces.collect::<Result<_, _>>()?,
            line: optional("line")?,
        })
    }
}

impl Row {
    /// Turns a letter into what is kept: the table says itself which text it calls A. Where it does not, it is the item's.
    fn unletter(&mut self, desk: &Desk) {
        let Ok(at) = desk.at(self.review) else { return };
        let review = &desk.items[at].item.review;
        let texts = review.form.texts();
        let turned = |(one, other): (&ReviewText, &ReviewText)| Shown {
            choice: other.choice.clone(),
            called: one.choice.clone(),
        };
        let turned: Vec<Shown> = texts.iter().zip(texts.iter().rev()).map(turned).collect();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !texts.is_empty() && words(&self.excerpt) == words(&sight::excerpt(review, &turned)) {
            let own = turned.into_iter().find(|one| one.called == self.choice.trim());
            self.choice = own.map_or_else(|| self.choice.clone(), |one| one.choice);
        }
    }

    /// The line that the row says as it stands.
    fn as_line(&self) -> Decision {
        Decision {
            review: self.review,
            item: self.item.clone(),
            code: self.code.clone(),
            choice: self.choice.clone(),
            by: self.by.clone(),
            note: self.note.clone(),
            replaces: self.replaces.clone(),
            protocol: self.protocol.clone(),
            shown: self.shown.clone(),
            seen: self.seen,
            proposal_shown: self.proposal_shown,
            seconds: self.seconds,
            said: self.said.clone(),
        }
    }

    /// The vote that somebody wrote into the row; none if they wrote nothing, or nothing new.
    fn cast(&self, desk: &Desk, by: &str) -> Result<Option<Decision>, Fault> {
        let named = match self.by.trim() {
            "" => None,
            own => Some(person::named(own).map_err(|why| input(format!("the person {why}")))?),
        };
        let by = named.as_deref().unwrap_or(by);
        let choice = self.choice.trim();
        let own = desk.sight(self.review, by).and_then(|sight| sight.own);
        let blank = choice.is_empty();
        if blank && (self.line.is_none() || own.is_none()) {
            return Ok(None);
        }
        if blank {
            return Ok(desk.take_back(by, self.review));
        }
        let same =
            |own: &Decision| own.choice == choice && own.note == self.note && own.said == self.said;
        if own.is_some_and(same) {
            return Ok(None);
        }
        let ballot = Ballot {
            choice: choice.to_owned(),
            said: self.said.clone(),
            note: self.note.clone(),
            protocol: self.protocol.clone(),
            proposal_shown: self.proposal_shown,
            seconds: self.seconds,
        };
        desk.vote(by, self.review, ballot).map(Some)
    }
}

/// Whether a spreadsheet would take a cell for a formula, whatever apostrophes stand before it.
fn is_formula(cell: &str) -> bool {
    // The wide signs are those of East Asian keyboards, which spreadsheets read as the plain ones.
    cell.trim_start_matches('\'')
        .starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
}

/// A cell that no spreadsheet takes for a formula.
pub(crate) fn guarded(cell: &str) -> String {
    if is_formula(cell) { format!("'{cell}") } else { cell.to_owned() }
}

fn unguarded(cell: &str) -> String {
    let rest = cell.strip_prefix('\'').filter(|rest| is_formula(rest));
    rest.unwrap_or(cell).to_owned()
}

#[cfg(test)]
mod tests;

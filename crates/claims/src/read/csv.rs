//! Tables: what stands between commas, semicolons or tabs.

use super::{Row, Table, column, quoting};
use crate::mistake::{Mistake, Mistakes};

/// The rows of a table with a head.
pub(super) fn read(text: &str) -> Result<Table, Mistakes> {
    let mut rows = cells(text)?.into_iter();
    let Some((_, head)) = rows.next() else {
        return Err(vec![Mistake::new("the file is empty")]);
    };
    let mut table = Table::default();
    let columns = columns(&head, &mut table)?;
    table.columns = columns.iter().flatten().cloned().collect();
    for (number, row) in rows {
        let cells = columns.iter().zip(row);
        let cells =
            cells.filter_map(|(column, text)| Some((column.clone()?, column::text(&text)?)));
        let row = Row { number, cells: cells.collect() };
        if !row.cells.is_empty() {
            table.rows.push(row);
        }
    }
    Ok(table)
}

/// The cells of a table by row as a spreadsheet counts: the head is row 1, and blank rows count.
/// Rows of blank cells are left out; all others have as many as the head, or blank ones more.
pub(crate) fn cells(text: &str) -> Result<Vec<(usize, Vec<String>)>, Mistakes> {
    let delimiter = delimiter(text);
    let faults = quoting::faults(text, delimiter);
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(u8::try_from(delimiter).expect("one of three ASCII letters"))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut counter = RowCounter::new(text);
    let (mut rows, mut faults): (Vec<(usize, Vec<String>)>, Mistakes) = (Vec::new(), Vec::new());
    for record in reader.records() {
        // The text is UTF-8 and rows may be of any length, so none can fail to be read.
        let record = record.map_err(|_| vec![Mistake::new("the table cannot be read")])?;
        let number = counter.row_of(record.position().map_or(0, csv::Position::byte));
        let row: Vec<String> = record.iter().map(str::to_owned).collect();
        if row.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let wanted = rows.first().map_or(row.len(), |(_, head)| head.len());
        if row.len() < wanted || row.iter().skip(wanted).any(|cell| !cell.trim().is_empty()) {
            let reason = format!(
                "the row has {} cells, the head {wanted}: a cell that holds the delimiter must stand in quotation marks",
                row.len()
            );
            faults.push(Mistake::new(reason).row(number));
        } else {
            rows.push((number, row));
        }
    }
    if faults.is_empty() { Ok(rows) } else { Err(faults) }
}

/// What parts the cells of the head.
fn delimiter(text: &str) -> char {
    let head = text.lines().next().unwrap_or("");
    let count = |c: char| head.matches(c).count();
    // The first of the most frequent; a head of one column has none.
    [',', ';', '\t'].into_iter().rev().max_by_key(|c| count(*c)).unwrap_or(',')
}

/// The known columns of the head; none where a column is not known.
fn columns(head: &[String], table: &mut Table) -> Result<Vec<Option<String>>, Mistakes> {
    let mut columns: Vec<Option<String>> = Vec::new();
    let mut faults = Vec::new();
    for (at, name) in head.iter().enumerate() {
        let place = |reason: String| Mistake::new(reason).row(1).column((at + 1).to_string());
        let column = column::named(name);
        match &column {
            None if name.trim().is_empty() => {}
            None => {
                let meant = column::meant(name).map(|meant| format!("; {meant}"));
                let meant = meant.unwrap_or_default();
                table
                    .warnings
                    .push(place(format!("{}, so it is left out{meant}", column::UNKNOWN)));
            }
            Some((column, _)) if columns.iter().flatten().any(|known| known == column) => {
                faults.push(place(format!("`{column}` stands here a second time")));
            }
            Some((column, other)) => table.warnings.extend(renamed(column, *other).map(place)),
        }
        columns.push(column.map(|(column, _)| column));
    }
    if columns.iter().all(Option::is_none) {
        faults.push(Mistake::new("no column of the head is known: the first row must name the columns, such as `book`, `true_claim`, `false_claim`").row(1));
    }
    if faults.is_empty() { Ok(columns) } else { Err(faults) }
}

/// What to say of a column that stands under a name of NoCha's README.
pub(super) fn renamed(column: &str, other: bool) -> Option<String> {
    (column == "length_group" && other).then(|| {
        format!(
            "`length_bucket`, as NoCha's README has it, is read as `{column}`, as its file has it"
        )
    })
}

/// Tells rows as a spreadsheet counts them by the byte they begin at.
struct RowCounter<'t> {
    text: &'t str,
    at: usize,
    row: usize,
}

impl<'t> RowCounter<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0, row: 1 }
    }

    /// The row that begins at a byte, or at the first letter behind it; bytes must not fall.
    fn row_of(&mut self, byte: u64) -> usize {
        let byte = usize::try_from(byte).unwrap_or(usize::MAX).min(self.text.len());
        let mut quoted = false;
        let bytes = self.text.as_bytes();
        // The reader's place is before the blank lines that it leaves out.
        let byte = byte + bytes[byte..].iter().take_while(|b| matches!(b, b'\n' | b'\r')).count();
        while self.at < byte {
            let letter = bytes[self.at];
            let alone = letter == b'\r' && bytes.get(self.at + 1) != Some(&b'\n');
            quoted ^= letter == b'"';
            self.row += usize::from(!quoted && (letter == b'\n' || alone));
            self.at += 1;
        }
        self.row
    }
}

//! What is wrong with a file of claims, told without a word of it.
//!
//! The same code reads private sets, so a mistake names the row, the column by its number or by
//! one of our own names, the pair by its id, and the reason. It never quotes a cell: a shifted
//! row may hold a claim where an id or a column's name should be.

use std::fmt;

use serde::Serialize;

/// One mistake, or one thing that was read with a shrug.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Mistake {
    /// The row: of a table as a spreadsheet counts, the head being row 1; of JSON lines the line;
    /// of a JSON list the element, from 1.
    pub row: Option<usize>,
    /// The column: one of our names, or a number from 1.
    pub column: Option<String>,
    /// The pair, if its id is one.
    pub pair: Option<String>,
    /// What is wrong, without quoting anything.
    pub reason: String,
}

impl Mistake {
    /// A mistake of the file as a whole.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..Self::default() }
    }

    /// Names the row.
    pub fn row(self, row: usize) -> Self {
        Self { row: Some(row), ..self }
    }

    /// Names the column.
    pub fn column(self, column: impl Into<String>) -> Self {
        Self { column: Some(column.into()), ..self }
    }

    /// Names the pair.
    pub fn pair(self, id: &str) -> Self {
        Self { pair: Some(id.to_owned()), ..self }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut places = Vec::new();
        places.extend(self.row.map(|row| format!("row {row}")));
        places.extend(self.column.as_ref().map(|column| {
            if column.bytes().all(|byte| byte.is_ascii_digit()) {
                format!("column {column}")
            } else {
                format!("`{column}`")
            }
        }));
        places.extend(self.pair.as_ref().map(|pair| format!("pair {pair}")));
        if !places.is_empty() {
            write!(f, "{}: ", places.join(", "))?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Mistake {}

/// All mistakes of a file.
pub type Mistakes = Vec<Mistake>;

//! Reading claims: CSV, JSON lines, NoCha's own JSON. Every row becomes the same list of cells
//! under known columns, and rows become pairs.

mod clipper;
pub(crate) mod column;
mod csv;
mod json;
mod pairs;
mod quoting;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use clipper::Clipper;
pub(crate) use csv::cells;
pub(crate) use pairs::{from, merge_facts, numbered, object};

use crate::{
    mistake::{Mistake, Mistakes},
    pair::{BookFacts, Half, Pair},
};

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table with a head; cells separated by commas, semicolons or tabs.
    Csv,
    /// One JSON object a line.
    Jsonl,
    /// A JSON list of objects, as NoCha's `data_sample.json`.
    Json,
}

impl Format {
    /// The format of a file by the ending of its name.
    pub fn of_name(name: &str) -> Option<Self> {
        match name.rsplit('.').next()?.to_ascii_lowercase().as_str() {
            "csv" | "tsv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// What a system answered to one claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// The system.
    pub system: String,
    /// The pair.
    pub pair: String,
    /// Which claim of it.
    pub claim: Half,
    /// Its words, or one of NoCha's words in place of an answer; none if it was not asked.
    pub answer: Option<String>,
    /// The prompt it was asked with, if known: its form and digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

impl Response {
    /// The system, with the prompt where it is known.
    pub fn named(&self) -> String {
        match &self.prompt {
            Some(prompt) => format!("{} ({prompt})", self.system),
            None => self.system.clone(),
        }
    }
}

/// A file of claims as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// The pairs in order of their first row. An id is blank where the file gives none and no
    /// number to make one from.
    pub pairs: Vec<Pair>,
    /// The row of each pair, the first of two.
    pub rows: Vec<usize>,
    /// What the rows say of books, in order.
    pub books: Vec<BookFacts>,
    /// Answers that stand beside the claims (`response-*`), row by row.
    pub responses: Vec<Response>,
    /// What was read otherwise than it is written, or left out.
    pub warnings: Vec<Mistake>,
    /// The columns that the file has: what stands in others is not touched. None says all.
    pub columns: Option<BTreeSet<String>>,
}

/// Reads a file of claims. All mistakes come at once.
///
/// A row holds a whole pair (`true_claim`, `false_claim`) or one claim (`claim`, `type`, and
/// `index` or `id` to tell which rows are twins).
pub fn claims(bytes: &[u8], format: Format) -> Result<Read, Mistakes> {
    let text = text(bytes).map_err(|mistake| vec![mistake])?;
    let table = match format {
        Format::Csv => csv::read(text)?,
        Format::Jsonl => json::table(json_lines(bytes, |number, value| Ok((number, value)))?)?,
        Format::Json => json::list(text)?,
    };
    pairs::read(table)
}

/// The text of a file, without a byte order mark.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Mistake> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(Mistake::new("the file is UTF-16: save it as UTF-8"));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
        Mistake::new(format!("line {line} is not UTF-8 text"))
    })
}

/// What lines of JSON say, each under its number; blank ones are passed over.
pub(crate) fn json_lines<T>(
    bytes: &[u8],
    mut of: impl FnMut(usize, Value) -> Result<T, Mistake>,
) -> Result<Vec<T>, Mistakes> {
    let text = text(bytes).map_err(|fault| vec![fault])?;
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value = serde_json::from_str(line).map_err(|error| json::syntax(&error));
        match value.and_then(|value| of(at + 1, value)) {
            Ok(row) => rows.push(row),
            Err(fault) => faults.push(fault.row(at + 1)),
        }
    }
    if faults.is_empty() { Ok(rows) } else { Err(faults) }
}

/// Rows under known columns.
#[derive(Debug, Default)]
struct Table {
    columns: BTreeSet<String>,
    rows: Vec<Row>,
    warnings: Vec<Mistake>,
}

/// One row: its number, and its cells that are not blank, each under the own name of its column.
#[derive(Debug, Default)]
struct Row {
    number: usize,
    cells: Vec<(String, Value)>,
}

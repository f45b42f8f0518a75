//! A released table: a CSV whose columns are found by name, in any order.

use std::path::{Path, PathBuf};

use storymill_core::{Fault, FaultKind};
use storymill_disk::most;

use crate::catalog::quotes_close;

/// A table that was read whole.
pub(super) struct Table {
    pub(super) path: PathBuf,
    header: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// A row with the line that it begins in.
pub(super) struct Row {
    pub(super) line: u64,
    cells: Vec<String>,
}

impl Table {
    /// Reads a table that must have these columns.
    pub(super) fn read(path: &Path, columns: &[&str]) -> Result<Self, Fault> {
        let bytes = storymill_disk::read(path, most::TABLE).map_err(|error| {
            Fault::io("cannot read the table", path, error).input().hint(
                "`path` is a folder with documents.csv and qaps.csv, as NarrativeQA releases them",
            )
        })?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            let line = before.split(|byte| *byte == b'\n').count();
            wrong(path, line as u64, "is not UTF-8")
        })?;
        let text = text.trim_start_matches('\u{feff}');
        quotes_close(text).map_err(|fault| fault.at(path))?;
        let broken = |error: csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            wrong(path, line, "is not a row of a CSV").because(error)
        };
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        let header = reader.headers().map_err(broken)?;
        let header: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
        for (at, name) in header.iter().enumerate() {
            if header[..at].contains(name) && columns.contains(&&**name) {
                return Err(wrong(path, 1, &format!("names the column `{name}` twice")));
            }
        }
        let missing: Vec<String> = columns
            .iter()
            .filter(|name| !header.iter().any(|own| own == *name))
            .map(|name| format!("`{name}`"))
            .collect();
        if !missing.is_empty() {
            let message = format!("names no column {}", missing.join(", "));
            return Err(wrong(path, 1, &message)
                .hint(format!("the columns that are read are {}", columns.join(", "))));
        }
        let mut rows = Vec::new();
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(broken)? {
            let line = record.position().map_or(0, csv::Position::line);
            if record.len() != header.len() {
                let message =
                    format!("has {} fields, and the header names {}", record.len(), header.len());
                return Err(wrong(path, line, &message).hint(
                    "put a field that has a comma into double quotes, without a blank before them",
                ));
            }
            let cells = record.iter().map(|cell| cell.trim().to_owned()).collect();
            rows.push(Row { line, cells });
        }
        Ok(Self { path: path.to_owned(), header, rows })
    }

    /// A cell of a row; blank where the table has no such column.
    pub(super) fn cell<'r>(&self, row: &'r Row, column: &str) -> &'r str {
        let at = self.header.iter().position(|name| name == column);
        at.and_then(|at| row.cells.get(at)).map_or("", String::as_str)
    }

    /// What is wrong in a row.
    pub(super) fn wrong(&self, row: &Row, what: &str) -> Fault {
        wrong(&self.path, row.line, what)
    }
}

fn wrong(path: &Path, line: u64, what: &str) -> Fault {
    Fault::new(FaultKind::Input, format!("line {line} {what}")).at(path)
}

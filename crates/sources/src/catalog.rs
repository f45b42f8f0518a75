//! Catalogs: CSV files that say what the pages are.
//!
//! Two forms are read: Project Gutenberg's own (`Text#,Type,Issued,Title,…`) and a plain one
//! (`id,title,author,…`) whose further columns are free. A catalog knows nothing of files on disk
//! beyond the names in its `file` column.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Serialize;
use storymill_core::{Author, BookId, Fault, FaultKind, canonical};

use crate::{authors, clean::PageSays};

/// What a catalog says of one book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The book's id.
    pub id: BookId,
    /// The file it is tied to. No part of the row's digest: renaming a file changes no book.
    #[serde(skip_serializing)]
    pub file: Option<String>,
    /// Title in one line.
    pub title: String,
    /// Authors in the catalog's order.
    pub authors: Vec<Author>,
    /// Language tags.
    pub language: String,
    /// What it is: `novel`, `stories`.
    pub kind: String,
    /// Rights as the catalog puts them.
    pub rights: String,
    /// Where the page came from.
    pub source_url: String,
}

impl Row {
    /// A row made from what the page says, for want of a catalog.
    pub fn of_page(id: &BookId, says: &PageSays) -> Self {
        Self {
            id: id.clone(),
            file: None,
            title: says.title.clone(),
            authors: says.authors.iter().map(|name| authors::named(name, None, None)).collect(),
            language: says.language.clone(),
            kind: String::new(),
            rights: String::new(),
            source_url: String::new(),
        }
    }

    /// The bytes by which the row enters a digest.
    pub(crate) fn canonical(&self) -> String {
        canonical::json(self)
    }
}

/// A catalog, its rows found by file and by id.
#[derive(Debug, Default)]
pub struct Catalog {
    rows: Vec<Row>,
    by_file: BTreeMap<String, usize>,
    by_id: BTreeMap<BookId, Vec<usize>>,
}

impl Catalog {
    /// Reads a catalog file.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let bytes = fs::read(path).map_err(|error| {
            Fault::io("cannot read the catalog", path, error)
                .input()
                .hint("`catalog` is a path relative to the workflow file")
        })?;
        let bytes = crate::unpack::unpack(&bytes).map_err(|reason| {
            Fault::new(FaultKind::Input, format!("cannot read the catalog: {}", reason.detail))
                .at(path)
        })?;
        Self::parse(&bytes).map_err(|fault| fault.at(path))
    }

    /// Reads a catalog from its bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let text = crate::encoding::decode(bytes).text;
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        let header = reader.headers().map_err(broken)?.clone();
        let columns = Columns::of(&header)?;
        let mut catalog = Self::default();
        for record in reader.records() {
            let record = record.map_err(broken)?;
            let line = record.position().map_or(0, csv::Position::line);
            let row = columns.row(&record, line)?;
            catalog.add(row, line)?;
        }
        Ok(catalog)
    }

    fn add(&mut self, row: Row, line: u64) -> Result<(), Fault> {
        let at = self.rows.len();
        if let Some(file) = &row.file
            && self.by_file.insert(file.clone(), at).is_some()
        {
            let message = format!("line {line}, column `file`: `{file}` has a row already");
            return Err(Fault::new(FaultKind::Input, message).hint("give each file one row"));
        }
        let twins = self.by_id.entry(row.id.clone()).or_default();
        if row.file.is_none() && twins.iter().any(|twin| self.rows[*twin].file.is_none()) {
            let message = format!("line {line}, column `id`: `{}` has a row already", row.id);
            let hint = "ids may repeat only where a column `file` tells the rows apart";
            return Err(Fault::new(FaultKind::Input, message).hint(hint));
        }
        twins.push(at);
        self.rows.push(row);
        Ok(())
    }

    /// All rows in order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row of a file: by its name, else by the id that its name holds.
    pub fn find(&self, file: &str, id: Option<&BookId>) -> Option<&Row> {
        if let Some(at) = self.by_file.get(file) {
            return Some(&self.rows[*at]);
        }
        match self.by_id.get(id?)?.as_slice() {
            [only] => Some(&self.rows[*only]),
            several => several.iter().map(|at| &self.rows[*at]).find(|row| row.file.is_none()),
        }
    }
}

fn broken(error: csv::Error) -> Fault {
    let place = error.position().map(|at| format!("line {}: ", at.line())).unwrap_or_default();
    Fault::new(FaultKind::Input, format!("{place}the catalog is no valid CSV"))
        .because(error)
        .hint("fields with commas or line breaks stand in double quotes")
}

/// Which column holds what.
struct Columns {
    id: usize,
    title: usize,
    gutenberg: bool,
    optional: BTreeMap<&'static str, usize>,
}

const OPTIONAL: &[&str] = &[
    "file",
    "author",
    "authors",
    "author_birth",
    "author_death",
    "language",
    "kind",
    "rights",
    "source_url",
];

impl Columns {
    fn of(header: &csv::StringRecord) -> Result<Self, Fault> {
        let find = |name: &str| {
            header.iter().position(|column| {
                column.trim_start_matches('\u{feff}').trim().eq_ignore_ascii_case(name)
            })
        };
        let missing = |name: &str| {
            let have: Vec<_> = header.iter().map(|column| format!("`{column}`")).collect();
            let message =
                format!("line 1: the catalog has no column `{name}` among {}", have.join(", "));
            Fault::new(FaultKind::Input, message).hint(
                "a catalog has at least the columns `id` and `title`, or is Project Gutenberg's pg_catalog.csv",
            )
        };
        let gutenberg = find("Text#").is_some();
        let id = find("Text#").or_else(|| find("id")).ok_or_else(|| missing("id"))?;
        let title = find("title").ok_or_else(|| missing("title"))?;
        let optional = OPTIONAL.iter().filter_map(|name| Some((*name, find(name)?))).collect();
        Ok(Self { id, title, gutenberg, optional })
    }

    fn row(&self, record: &csv::StringRecord, line: u64) -> Result<Row, Fault> {
        let cell = |at: usize| record.get(at).unwrap_or("").trim();
        let column = |name: &str| self.optional.get(name).map_or("", |at| cell(*at));
        let fault = |name: &str, what: String| {
            Fault::new(FaultKind::Input, format!("line {line}, column `{name}`: {what}"))
        };
        let id = cell(self.id).parse::<BookId>().map_err(|error| {
            fault(if self.gutenberg { "Text#" } else { "id" }, error.to_string())
        })?;
        let year = |name: &str| -> Result<Option<i32>, Fault> {
            let cell = column(name);
            if cell.is_empty() || cell == "?" {
                return Ok(None);
            }
            authors::year(cell).map(Some).ok_or_else(|| fault(name, format!("`{cell}` is no year")))
        };
        let authors = if self.gutenberg || self.optional.contains_key("authors") {
            authors::list(column("authors"))
        } else {
            let names: Vec<_> = column("author")
                .split(';')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .collect();
            match names.as_slice() {
                [one] => vec![authors::named(one, year("author_birth")?, year("author_death")?)],
                several => several.iter().map(|name| authors::named(name, None, None)).collect(),
            }
        };
        let file = Some(column("file")).filter(|file| !file.is_empty()).map(str::to_owned);
        Ok(Row {
            id,
            file,
            title: cell(self.title).split_whitespace().collect::<Vec<_>>().join(" "),
            authors,
            language: column("language").to_owned(),
            kind: column("kind").to_owned(),
            rights: column("rights").to_owned(),
            source_url: column("source_url").to_owned(),
        })
    }
}

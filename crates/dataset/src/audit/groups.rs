//! Books that share an author, and what else the folder says of its books.

use std::collections::BTreeMap;

use serde_json::Value;
use storymill_core::Fault;
use storymill_metrics::shortcut::components;

use super::AuditedFile;
use crate::{
    reading::{each_row, only, open},
    site::Site,
};

/// Names that many books share without having an author in common.
const NOBODY: [&str; 3] = ["anonymous", "unknown", "various"];

/// What a folder says of its books.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    books: BTreeMap<String, Known>,
    /// The component of each book among `books`, by its place.
    group_of: BTreeMap<String, usize>,
}

#[derive(Debug, Default)]
struct Known {
    authors: Vec<String>,
    flags: Vec<String>,
}

impl Shelf {
    /// Reads every table that has books with their authors.
    pub(super) fn read(files: &[AuditedFile]) -> Result<Self, Fault> {
        let mut shelf = Self::default();
        for file in files {
            shelf.add(&file.path)?;
        }
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        let mut links = Vec::new();
        for (at, known) in shelf.books.values().enumerate() {
            for author in &known.authors {
                links.push((at, *first.entry(author).or_insert(at)));
            }
        }
        let groups = components(shelf.books.len(), links);
        shelf.group_of = shelf.books.keys().cloned().zip(groups).collect();
        Ok(shelf)
    }

    fn add(&mut self, path: &Site) -> Result<(), Fault> {
        let reader = open(path)?;
        let schema = reader.schema();
        if ["book_id", "authors"].iter().any(|name| schema.index_of(name).is_err()) {
            return Ok(());
        }
        each_row(only(reader, ["book_id", "authors", "flags"]), path, |row: Value| {
            let Some(book) = row["book_id"].as_str() else { return Ok(()) };
            // A book may stand in two tables; under other names it has no authors.
            let known = self.books.entry(book.to_owned()).or_default();
            for author in row["authors"].as_array().into_iter().flatten() {
                let name = author["name"].as_str().unwrap_or_default().trim().to_lowercase();
                if NOBODY.contains(&name.as_str()) {
                    continue;
                }
                // A catalog may know one person by two ids, or by two spellings.
                for key in ["agent_id", "name"] {
                    let text = author[key].as_str().unwrap_or_default().trim().to_lowercase();
                    if !text.is_empty() {
                        known.authors.push(format!("{key} {text}"));
                    }
                }
            }
            let flags = row["flags"].as_array().into_iter().flatten();
            known.flags.extend(flags.filter_map(|flag| flag.as_str().map(str::to_owned)));
            known.flags.sort();
            known.flags.dedup();
            Ok(())
        })
    }

    /// Whether it tells who wrote any book.
    pub(super) fn tells_authors(&self) -> bool {
        self.books.values().any(|known| !known.authors.is_empty())
    }

    /// The group of each of some books, from 0; a book that the folder does not tell of is one by itself.
    pub(super) fn groups(&self, books: &[String]) -> Vec<usize> {
        let mut known: BTreeMap<Result<usize, &str>, usize> = BTreeMap::new();
        let mut group = |book| {
            let key = self.group_of.get(book).copied().ok_or(book);
            let next = known.len();
            *known.entry(key).or_insert(next)
        };
        books.iter().map(|book| group(book.as_str())).collect()
    }

    /// A name for what is kept together in a resampling: the authors of a book, else the book.
    pub(super) fn author(&self, book: &str) -> String {
        self.group_of.get(book).map_or_else(|| book.to_owned(), |group| format!("author {group}"))
    }

    /// The flags of a book.
    pub(super) fn flags(&self, book: &str) -> &[String] {
        self.books.get(book).map_or(&[], |known| &known.flags)
    }
}

//! What the data card tells of the rows, noted while they are written.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;
use storymill_core::{Book, Record};

/// What was noted of the rows of all tables.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The books, in the order in which they were written.
    pub(crate) books: Vec<BookFact>,
    /// The books' languages.
    pub(crate) languages: BTreeSet<String>,
    /// Retention demand in words of every row that has one, by config.
    pub(crate) demand: BTreeMap<String, Vec<u64>>,
    config: String,
    /// The config whose books are listed: the first that has any.
    books_of: Option<String>,
}

/// A book, as the card lists it.
#[derive(Debug, Serialize)]
pub(crate) struct BookFact {
    pub(crate) id: String,
    title: String,
    authors: String,
    pub(crate) rights: String,
    source: String,
}

impl Facts {
    /// The rows that follow are of this config and record.
    pub(crate) fn begin(&mut self, config: &str, record: &str) {
        config.clone_into(&mut self.config);
        if record == Book::NAME && self.books_of.is_none() {
            self.books_of = Some(config.to_owned());
        }
    }

    /// Notes a row.
    pub(crate) fn note(&mut self, row: &Value) {
        if let Some(words) = row["demand_words"].as_u64() {
            match self.demand.get_mut(&self.config) {
                Some(all) => all.push(words),
                None => _ = self.demand.insert(self.config.clone(), vec![words]),
            }
        }
        if self.books_of.as_ref() == Some(&self.config) {
            self.note_book(row);
        }
    }

    fn note_book(&mut self, row: &Value) {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let authors = row["authors"].as_array().into_iter().flatten();
        let names: Vec<_> = authors.filter_map(|author| author["name"].as_str()).collect();
        let language = text("language");
        let tags = language.split(';').map(str::trim).filter(|tag| !tag.is_empty());
        self.languages.extend(tags.map(str::to_owned));
        self.books.push(BookFact {
            id: text("book_id"),
            title: text("title"),
            authors: names.join("; "),
            rights: text("rights"),
            source: text("source_url"),
        });
    }
}

/// Smallest, middle and largest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Spread {
    pub(crate) min: u64,
    pub(crate) median: u64,
    pub(crate) max: u64,
}

impl Spread {
    /// The spread of some numbers; none if there are none. Of two middle ones the smaller.
    pub(crate) fn of(mut numbers: Vec<u64>) -> Option<Self> {
        numbers.sort_unstable();
        let (min, max) = (*numbers.first()?, *numbers.last()?);
        Some(Self { min, median: numbers[(numbers.len() - 1) / 2], max })
    }
}

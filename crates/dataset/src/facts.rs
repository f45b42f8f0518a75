//! What the data card tells of the rows, noted while they are written.

use std::collections::{BTreeMap, BTreeSet};

use arrow_array::{Int32Array, RecordBatch, StringArray, cast::AsArray, types::Int32Type};
use serde::Serialize;
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

    /// Notes the rows of a batch.
    pub(crate) fn note(&mut self, rows: &RecordBatch) {
        if let Some(words) = numbers(rows, "demand_words") {
            let known = words.iter().flatten().filter_map(|words| u64::try_from(words).ok());
            self.demand.entry(self.config.clone()).or_default().extend(known);
        }
        if self.books_of.as_ref() == Some(&self.config) {
            (0..rows.num_rows()).for_each(|at| self.note_book(rows, at));
        }
    }

    fn note_book(&mut self, rows: &RecordBatch, at: usize) {
        let text = |name: &str| {
            texts(rows, name).map(|texts| texts.value(at).to_owned()).unwrap_or_default()
        };
        let language = text("language");
        let tags = language.split(';').map(str::trim).filter(|tag| !tag.is_empty());
        self.languages.extend(tags.map(str::to_owned));
        self.books.push(BookFact {
            id: text("book_id"),
            title: text("title"),
            authors: author_names(rows, at).unwrap_or_default(),
            rights: text("rights"),
            source: text("source_url"),
        });
    }
}

/// A column of numbers, if there is one of this name.
fn numbers<'a>(rows: &'a RecordBatch, name: &str) -> Option<&'a Int32Array> {
    rows.column_by_name(name)?.as_primitive_opt::<Int32Type>()
}

/// A column of texts, if there is one of this name.
fn texts<'a>(rows: &'a RecordBatch, name: &str) -> Option<&'a StringArray> {
    rows.column_by_name(name)?.as_string_opt::<i32>()
}

fn author_names(rows: &RecordBatch, at: usize) -> Option<String> {
    let authors = rows.column_by_name("authors")?.as_list_opt::<i32>()?.value(at);
    let names = authors.as_struct_opt()?.column_by_name("name")?;
    let names: Vec<_> = names.as_string_opt::<i32>()?.iter().flatten().collect();
    Some(names.join("; "))
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

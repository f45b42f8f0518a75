//! Pages of rows, all or some.

use serde_json::Value;
use storymill_core::Fault;

use super::{Look, no_config};
use crate::{
    exams::index::Run,
    reading::{each_row, only, open},
};

/// Which rows are wanted. What is none or blank does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Rows of this split.
    pub split: Option<String>,
    /// Questions of this type.
    pub kind: Option<String>,
    /// Rows about this book, or of this question set.
    pub of: Option<String>,
    /// Questions whose answer begins at least so many words back.
    pub least_words: Option<u64>,
    /// Questions whose answer begins at most so many words back.
    pub most_words: Option<u64>,
    /// Rows that say this somewhere, in whatever case.
    pub says: Option<String>,
}

/// A row as readers see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its id: the value of its first column.
    pub id: String,
    /// Its split.
    pub split: String,
    /// Columns and values.
    pub values: Value,
}

/// A page of rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// How many rows are wanted in all.
    pub wanted: u64,
    /// Those of the page.
    pub rows: Vec<Row>,
}

/// Columns that a search looks into.
const SAID: [&str; 12] = [
    "title",
    "question",
    "options",
    "distorted",
    "answer",
    "answers",
    "reference",
    "text",
    "twin_text",
    "name",
    "claim",
    "summary",
];

impl Filter {
    fn is_all(&self) -> bool {
        *self == Self { split: self.split.clone(), ..Self::default() }
    }

    /// The columns that it looks at.
    fn columns(&self) -> Vec<&'static str> {
        let mut columns = Vec::new();
        if self.kind.is_some() {
            columns.push("type");
        }
        if self.of.is_some() {
            columns.extend(["book_id", "set"]);
        }
        if self.least_words.or(self.most_words).is_some() {
            columns.push("demand_words");
        }
        if self.says.is_some() {
            columns.extend(SAID);
        }
        columns
    }

    fn wants(&self, row: &Value) -> bool {
        let is = |column: &str, wanted: &Option<String>| {
            wanted.as_deref().is_none_or(|wanted| row[column].as_str() == Some(wanted))
        };
        let words = row["demand_words"].as_u64();
        let of = is("book_id", &self.of) || (row["set"].is_string() && is("set", &self.of));
        is("type", &self.kind)
            && of
            && self.least_words.is_none_or(|least| words.is_some_and(|words| words >= least))
            && self.most_words.is_none_or(|most| words.is_some_and(|words| words <= most))
            && self.says.as_deref().is_none_or(|wanted| says(row, &wanted.to_lowercase()))
    }
}

fn says(value: &Value, wanted: &str) -> bool {
    match value {
        Value::String(text) => text.to_lowercase().contains(wanted),
        Value::Array(values) => values.iter().any(|value| says(value, wanted)),
        Value::Object(values) => values.values().any(|value| says(value, wanted)),
        _ => false,
    }
}

impl Look {
    /// A page of the rows of a config that are wanted: `count` of them from the one at `from`.
    ///
    /// # Errors
    ///
    /// There is no such config, or a file cannot be read.
    pub fn list(
        &self,
        config: &str,
        filter: &Filter,
        from: u64,
        count: usize,
    ) -> Result<Listing, Fault> {
        if self.config(config).is_none() {
            return Err(no_config(self, config));
        }
        let mut listing = Listing::default();
        let mut places = Vec::new();
        for file in self.files(config).collect::<Vec<_>>() {
            let table = &self.tables.0[file];
            if filter.split.as_ref().is_some_and(|split| *split != table.split) {
                continue;
            }
            let mut wanted = |at: usize| {
                if listing.wanted >= from && places.len() < count {
                    places.push((file, at));
                }
                listing.wanted += 1;
            };
            if filter.is_all() {
                // Rows that nobody looks at need not be walked over.
                let rows = self.counts[file];
                let (first, last) = (listing.wanted, listing.wanted + rows);
                let some = from.max(first)..last.min(from.saturating_add(count as u64));
                places.extend(some.map(|at| (file, usize::try_from(at - first).unwrap_or(0))));
                listing.wanted = last;
                continue;
            }
            let own = filter.columns().into_iter().filter(|name| table.has(&[*name]));
            let own: Vec<&str> = own.collect();
            if own.is_empty() {
                continue;
            }
            let reader = open(&table.path)?;
            let mut at = 0;
            each_row(only(reader, own), &table.path, |row| {
                if filter.wants(&row) {
                    wanted(at);
                }
                at += 1;
                Ok(())
            })?;
        }
        let mut runs = Vec::new();
        for (file, at) in places {
            Run::add(&mut runs, file, at);
        }
        listing.rows = self.rows_at(&runs, None)?;
        Ok(listing)
    }
}

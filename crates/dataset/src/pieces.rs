//! Texts of books as tables hold them: in scenes, in pieces, or whole, as versions of the columns up to 4 had them.

use std::collections::BTreeMap;

use serde_json::Value;
use storymill_core::Fault;

use crate::exams::index::{Run, Tables};

/// The columns that tables with the texts of books are known by: those of whole books, of their pieces, and of scenes.
/// Retellings have texts and no place of their own in the book.
pub(crate) const TEXTS: [&[&str]; 3] = [
    &["book_id", "text", "text_sha256"],
    &["text_id", "book_id", "text", START],
    &["scene_id", "book_id", "text", START],
];
/// Where a piece begins in its book. A whole book has no such column, and begins at 0.
pub(crate) const START: &str = "start_symbols";

/// Pieces of the text of a book by their first symbols.
#[derive(Debug, Default)]
pub(crate) struct Pieces(BTreeMap<u64, String>);

impl Pieces {
    /// Adds a piece; of two at one place the first stays.
    pub(crate) fn add(&mut self, start: u64, text: String) {
        self.0.entry(start).or_insert(text);
    }

    /// The text from its first symbol on; none if there is none, or a piece is missing.
    pub(crate) fn text(self) -> Option<String> {
        let (mut text, mut symbols) = (String::new(), 0);
        for (start, piece) in self.0 {
            if start != symbols {
                return None;
            }
            symbols += piece.chars().count() as u64;
            text += &piece;
        }
        (symbols > 0).then_some(text)
    }
}

impl Tables {
    /// The configs that hold texts of books: whole ones first, scenes last.
    pub(crate) fn with_texts(&self) -> Vec<&str> {
        TEXTS.iter().flat_map(|columns| self.configs(columns)).collect()
    }

    /// The text of the book whose rows in a config with texts these are; none if a piece is missing.
    pub(crate) fn text(&self, runs: &[Run]) -> Result<Option<String>, Fault> {
        let mut pieces = Pieces::default();
        self.rows(runs, Some(&["text", START]), |_, mut row| {
            if let Value::String(text) = row["text"].take() {
                pieces.add(row[START].as_u64().unwrap_or(0), text);
            }
            Ok(())
        })?;
        Ok(pieces.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pieces: &[(u64, &str)], expected: Option<&str>) {
        let mut all = Pieces::default();
        for (start, text) in pieces {
            all.add(*start, (*text).to_owned());
        }
        assert_eq!(all.text().as_deref(), expected);
    }

    #[test]
    fn pieces_are_put_together_where_all_are_there() {
        check(&[(2, "bc"), (0, "éa"), (4, "d")], Some("éabcd"));
        check(&[(0, "ab"), (0, "ab"), (2, "c")], Some("abc"));
        check(&[(0, "ab"), (3, "d")], None);
        check(&[(2, "c")], None);
        check(&[], None);
    }
}

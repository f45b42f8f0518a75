//! The table of evidence that people found for questions about whole books.

use serde::Serialize;
use storymill_core::{BookId, Encoding, Located};

use super::span::SpanRow;
use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct LocatedRow {
    evidence_of: String,
    book_id: BookId,
    split: String,
    found: i8,
    passages: Vec<SpanRow>,
    back_words: i64,
    back_symbols: i64,
    back_end_symbols: i64,
    canary: String,
}

impl Table for Located {
    type Row = LocatedRow;
    const ABOUT: &'static str = "where people say that the answer to a question stands";
    const EVALUATION: bool = true;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let word = |name, about| Column::new(name, Type::Word, about);
        let int = |name, about| Column::new(name, Type::Int, about);
        vec![
            Column::new("evidence_of", Type::Line, "the question: `541/q003`"),
            word("book_id", "the book"),
            word("split", "train, validation or test"),
            int("found", "1 if people found evidence, 0 if there is none, -1 if nobody decided"),
            Column::new("passages", Type::spans(), "the evidence, in the book's text"),
            int("back_words", "words from its first symbol to the end of the book; -1 without any"),
            int("back_symbols", "the same in symbols"),
            int("back_end_symbols", "symbols from behind its last one to the end of the book"),
            Column::canary(),
        ]
    }

    fn row(self, added: &Added<'_>) -> LocatedRow {
        let known = |number: u32| if self.evidence.is_empty() { -1 } else { i64::from(number) };
        LocatedRow {
            split: added.split.to_owned(),
            found: self.found.map_or(-1, i8::from),
            back_words: known(self.demand.to_start.words),
            back_symbols: known(self.demand.to_start.symbols),
            back_end_symbols: known(self.demand.to_end_symbols),
            canary: added.canary.to_owned(),
            evidence_of: self.question,
            book_id: self.book,
            passages: self.evidence.into_iter().map(SpanRow::from).collect(),
        }
    }
}

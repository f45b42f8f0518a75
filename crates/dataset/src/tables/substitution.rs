//! The table of substitutes: which name stands for which.

use serde::Serialize;
use storymill_core::{BookId, Encoding, Substitution};

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct SubstitutionRow {
    substitution_id: String,
    book_id: BookId,
    split: String,
    part: String,
    substitute: String,
    role: String,
    written: Vec<String>,
    count: u32,
    replaced: &'static str,
}

impl Table for Substitution {
    type Row = SubstitutionRow;
    const ABOUT: &'static str = "a part of names and its substitute";
    const EVALUATION: bool = false;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        vec![
            Column::new("substitution_id", Type::Line, "book and part: `84/Bennet`"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("split", Type::Word, "train, validation or test"),
            Column::new("part", Type::Line, "the part, a word: `Bennet`"),
            Column::new("substitute", Type::Line, "what stands for it, everywhere"),
            Column::new("role", Type::Word, "female, male, given, family or place"),
            Column::new(
                "written",
                Type::list(Type::Line),
                "other ways in which the book writes it",
            ),
            Column::new("count", Type::Int, "places of the book's text where it is replaced"),
            Column::new(
                "replaced",
                Type::Word,
                "everywhere, or at-places: only where it is surely a name, being a common word too",
            ),
        ]
    }

    fn row(self, added: &Added<'_>) -> SubstitutionRow {
        SubstitutionRow {
            substitution_id: format!("{}/{}", self.book, self.part),
            book_id: self.book,
            split: added.split.to_owned(),
            part: self.part,
            substitute: self.substitute,
            role: self.role,
            written: self.written,
            count: self.count,
            replaced: if self.careful { "at-places" } else { "everywhere" },
        }
    }
}

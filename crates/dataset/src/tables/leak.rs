//! The table of leaks: names that still stand where they should be replaced.

use serde::Serialize;
use storymill_core::{BookId, Encoding, Leak};

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct LeakRow {
    leak_id: String,
    book_id: BookId,
    split: String,
    record: String,
    row_id: String,
    part: String,
    excerpt: String,
}

impl Table for Leak {
    type Row = LeakRow;
    const ABOUT: &'static str = "a name that still stands in a row with other names";
    const EVALUATION: bool = false;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        vec![
            Column::new("leak_id", Type::Line, "the leak: `84/leak/0003`"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("split", Type::Word, "train, validation or test"),
            Column::new("record", Type::Word, "the kind of row it stands in: `scene`"),
            Column::new("row_id", Type::Line, "the row"),
            Column::new("part", Type::Line, "the part of a name"),
            Column::new("excerpt", Type::Text, "a few words around it"),
        ]
    }

    fn row(self, added: &Added<'_>) -> LeakRow {
        LeakRow {
            leak_id: self.id(),
            book_id: self.book,
            split: added.split.to_owned(),
            record: self.record,
            row_id: self.row,
            part: self.part,
            excerpt: self.excerpt,
        }
    }
}

//! The tables of leaks: names that still stand where they should be replaced, and how many there are.

use serde::Serialize;
use storymill_core::{BookId, Encoding, Leak, NameCount};

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
    sign: String,
    has_substitute: u32,
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
            Column::new("sign", Type::Word, SIGN),
            Column::new(
                "has_substitute",
                Type::Int,
                "1 if the part has a substitute, and so should have been replaced",
            ),
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
            sign: self.sign,
            has_substitute: self.has_substitute.into(),
        }
    }
}

const SIGN: &str = "what tells that it is left, found without the cast: `gone-elsewhere`, `gone-in-places`, `word-and-name`, `plural`, \
    `as-persons`, `first-name`, `beside-new-name`, `other-book`; blank if only the substitutes tell";

/// A row of the table of counts.
#[derive(Debug, Serialize)]
pub struct NameCountRow {
    name_count_id: String,
    book_id: BookId,
    split: String,
    record: String,
    words: u32,
    capitals: u32,
    left: u32,
}

impl Table for NameCount {
    type Row = NameCountRow;
    const ABOUT: &'static str = "how many names are left in rows with other names";
    const EVALUATION: bool = false;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        vec![
            Column::new("name_count_id", Type::Line, "the count: `84/names/scene`"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("split", Type::Word, "train, validation or test"),
            Column::new("record", Type::Word, "the kind of rows that were looked through: `scene`"),
            Column::new("words", Type::Int, "words that were looked at"),
            Column::new(
                "capitals",
                Type::Int,
                "those of them that look like names: a capital inside a sentence, or behind a title",
            ),
            Column::new("left", Type::Int, "names that are left, found without the cast"),
        ]
    }

    fn row(self, added: &Added<'_>) -> NameCountRow {
        NameCountRow {
            name_count_id: self.id(),
            book_id: self.book,
            split: added.split.to_owned(),
            record: self.record,
            words: self.words,
            capitals: self.capitals,
            left: self.left,
        }
    }
}

//! The table of recognitions: what a model takes passages for.

use serde::Serialize;
use storymill_core::{BookId, Encoding, Recognition, Scene};

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct RecognitionRow {
    recognition_id: String,
    book_id: BookId,
    split: String,
    scene: u32,
    title: String,
    author: String,
    title_right: u32,
    author_right: u32,
}

impl Table for Recognition {
    type Row = RecognitionRow;
    const ABOUT: &'static str = "what a model takes a passage for";
    const EVALUATION: bool = false;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        vec![
            Column::new("recognition_id", Type::Line, "the scene that was shown: `84/0012`"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("split", Type::Word, "train, validation or test"),
            Column::new("scene", Type::Int, "the scene that was shown"),
            Column::new(
                "title",
                Type::Line,
                "the title that the model named; blank if it knew none",
            ),
            Column::new("author", Type::Line, "the author that it named; blank if it knew none"),
            Column::new(
                "title_right",
                Type::Int,
                "1 if that is the book's title, up to a subtitle",
            ),
            Column::new(
                "author_right",
                Type::Int,
                "1 if that is an author of the book, by the family name",
            ),
        ]
    }

    fn row(self, added: &Added<'_>) -> RecognitionRow {
        RecognitionRow {
            recognition_id: Scene::id_of(&self.book, self.scene),
            book_id: self.book,
            split: added.split.to_owned(),
            scene: self.scene,
            title: self.title,
            author: self.author,
            title_right: self.title_right.into(),
            author_right: self.author_right.into(),
        }
    }
}

//! The table of scenes.

use storymill_core::{BookId, Encoding, Scene, Tokens};

use super::{
    row::row,
    tokens::{Counted, TokenCells},
};
use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

row! {
    /// A row of the table.
    pub struct SceneRow {
        scene_id: String,
        book_id: BookId,
        scene: u32,
        chapter: i64,
        start_symbols: u32,
        end_symbols: u32,
        start_bytes: u32,
        end_bytes: u32,
        words: u32,
        text: String;
        more: TokenCells
    }
}

impl Table for Scene {
    type Row = SceneRow;
    const ABOUT: &'static str = "a scene";
    const EVALUATION: bool = false;

    fn columns(encodings: &[Encoding]) -> Vec<Column> {
        let mut columns = vec![
            Column::new("scene_id", Type::Line, "the scene: `84/0012`"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("scene", Type::Int, "position in the book, from 0"),
            Column::new("chapter", Type::Int, "position in `chapters`; -1 before the first"),
            Column::new("start_symbols", Type::Int, "first symbol in the book's text"),
            Column::new("end_symbols", Type::Int, "the first symbol that is no longer in it"),
            Column::new("start_bytes", Type::Int, "first byte of the book's text in UTF-8"),
            Column::new("end_bytes", Type::Int, "the first byte that is no longer in it"),
            Column::new("words", Type::Int, "words, split on whitespace"),
        ];
        columns.extend(Counted::Text.columns(encodings));
        columns.push(Column::new("text", Type::Text, "the text; scenes joined are the book"));
        columns
    }

    fn row(self, added: &Added<'_>) -> SceneRow {
        let tokens = self.tokens.iter();
        let tokens: Vec<Tokens> =
            tokens.map(|one| Tokens { encoding: one.encoding, count: one.count }).collect();
        SceneRow {
            scene_id: Self::id_of(&self.book, self.scene),
            book_id: self.book,
            scene: self.scene,
            chapter: self.chapter.map_or(-1, i64::from),
            start_symbols: self.span.start.symbol,
            end_symbols: self.span.end.symbol,
            start_bytes: self.span.start.byte,
            end_bytes: self.span.end.byte,
            words: self.words,
            more: TokenCells::default().with(Counted::Text, &tokens, added.encodings),
            text: self.text,
        }
    }
}

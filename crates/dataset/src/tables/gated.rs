//! The table of what a gate kept and dropped.

use serde::Serialize;
use storymill_core::{BookId, Encoding, Gated};

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct GatedRow {
    retelling_id: String,
    book_id: BookId,
    split: String,
    first_scene: u32,
    last_scene: u32,
    layer: u8,
    protocol: String,
    told_by: &'static str,
    meant_false: u8,
    words: u32,
    symbols: u32,
    place_pm: u16,
    to_end_words: u32,
    to_end_symbols: u32,
    kept: u8,
    said: Vec<FlagRow>,
}

/// What one judge said.
#[derive(Debug, Serialize)]
struct FlagRow {
    judge: String,
    protocol: String,
    flagged: i8,
}

impl Table for Gated {
    type Row = GatedRow;
    const ABOUT: &'static str = "a retelling that a gate kept or dropped";
    const EVALUATION: bool = false;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let word = |name, about| Column::new(name, Type::Word, about);
        let int = |name, about| Column::new(name, Type::Int, about);
        let said = Type::records(vec![
            word("judge", "who judged"),
            word("protocol", "how it was judged"),
            int("flagged", "1 if the judge speaks against it, 0 if not, -1 without a verdict"),
        ]);
        vec![
            Column::new("retelling_id", Type::Line, "the retelling"),
            word("book_id", "the book"),
            word("split", "train, validation or test"),
            int("first_scene", "first scene covered"),
            int("last_scene", "last scene covered"),
            int("layer", "0 for a scene, 1 for retellings of retellings, ..."),
            word("protocol", "how it was made: `extract`, `tag`, `swap-facts`, ..."),
            word("told_by", "`rule`, or `model` where a model wrote it"),
            int("meant_false", "1 if it was meant to be false, else 0"),
            int("words", "words, split on whitespace"),
            int("symbols", "length of the text"),
            int("place_pm", "where its first scene begins, of 1,000 symbols of the book"),
            int("to_end_words", "from there to the end of the book, in words"),
            int("to_end_symbols", "from there to the end of the book"),
            int("kept", "1 if the gate kept it, 0 if it was dropped"),
            Column::new("said", said, "what judges said; empty where none was asked"),
        ]
    }

    fn row(self, added: &Added<'_>) -> GatedRow {
        let said = self.said.into_iter().map(|flag| FlagRow {
            judge: flag.judge,
            protocol: flag.protocol,
            flagged: flag.flagged.map_or(-1, i8::from),
        });
        GatedRow {
            retelling_id: self.id,
            book_id: self.book,
            split: added.split.to_owned(),
            first_scene: self.scenes.0,
            last_scene: self.scenes.1,
            layer: self.level,
            protocol: self.protocol,
            told_by: self.made_by.name(),
            meant_false: u8::from(self.meant_false),
            words: self.words,
            symbols: self.symbols,
            place_pm: self.place_pm,
            to_end_words: self.to_end_words,
            to_end_symbols: self.to_end_symbols,
            kept: u8::from(self.kept),
            said: said.collect(),
        }
    }
}

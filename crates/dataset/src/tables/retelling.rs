//! The tables of retellings: summaries, and distortions of them.

use serde::Serialize;
use storymill_core::{BookId, Digest, Distortion, Edit, Encoding, MadeBy, Summary};
use storymill_text::word_count;

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table of summaries.
#[derive(Debug, Serialize)]
pub struct SummaryRow {
    summary_id: String,
    book_id: BookId,
    level: u8,
    first_scene: u32,
    last_scene: u32,
    text: String,
    words: u32,
    protocol: String,
    answer_ids: Vec<Digest>,
    made_by: &'static str,
}

impl Table for Summary {
    type Row = SummaryRow;
    const ABOUT: &'static str = "a true retelling";
    const EVALUATION: bool = false;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        vec![
            Column::new("summary_id", Type::Line, "the summary: `84/0012/s0`, `84/L1/003`"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("level", Type::Int, "0 for a scene, 1 for summaries of summaries, ..."),
            Column::new("first_scene", Type::Int, "first scene covered"),
            Column::new("last_scene", Type::Int, "last scene covered"),
            Column::new("text", Type::Text, "the retelling"),
            Column::new("words", Type::Int, "words, split on whitespace"),
            Column::new("protocol", Type::Word, "how it was made: `extract`, `tag`, `json`"),
            answer_ids(),
            made_by_column(),
        ]
    }

    fn row(self, _: &Added<'_>) -> SummaryRow {
        SummaryRow {
            summary_id: self.id(),
            book_id: self.book,
            level: self.level,
            first_scene: self.first_scene,
            last_scene: self.last_scene,
            words: word_count(&self.text),
            text: self.text,
            protocol: self.protocol,
            made_by: MadeBy::of(&self.answers).name(),
            answer_ids: self.answers,
        }
    }
}

/// A row of the table of distortions.
#[derive(Debug, Serialize)]
pub struct DistortionRow {
    distortion_id: String,
    summary_id: String,
    book_id: BookId,
    sample: u32,
    protocol: String,
    text: String,
    twin_text: String,
    edits: Vec<Edit>,
    similarity_pm: u16,
    answer_ids: Vec<Digest>,
    made_by: &'static str,
}

impl Table for Distortion {
    type Row = DistortionRow;
    const ABOUT: &'static str = "a false retelling";
    const EVALUATION: bool = false;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let edits = Type::records(vec![
            Column::new("true_event", Type::Text, "what happens, in words of the summary"),
            Column::new("false_event", Type::Text, "what is told instead"),
        ]);
        vec![
            Column::new("distortion_id", Type::Line, "the distortion: `84/0012/d2`"),
            Column::new("summary_id", Type::Line, "the true retelling it was made from"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("sample", Type::Int, "which of several of one summary, from 0"),
            Column::new("protocol", Type::Word, "how it was made: `swap-facts`, `edits`, ..."),
            Column::new("text", Type::Text, "the false retelling"),
            Column::new("twin_text", Type::Text, "the true retelling of the same process"),
            Column::new("edits", edits, "the changes"),
            Column::new(
                "similarity_pm",
                Type::Int,
                "likeness to the true text by words, per mille",
            ),
            answer_ids(),
            made_by_column(),
        ]
    }

    fn row(self, _: &Added<'_>) -> DistortionRow {
        DistortionRow {
            distortion_id: self.id(),
            summary_id: self.summary,
            book_id: self.book,
            sample: self.sample,
            protocol: self.protocol,
            text: self.text,
            twin_text: self.twin,
            edits: self.edits,
            similarity_pm: self.similarity_pm,
            made_by: MadeBy::of(&self.answers).name(),
            answer_ids: self.answers,
        }
    }
}

fn made_by_column() -> Column {
    Column::new("made_by", Type::Word, "`rule`, or `model` where a model wrote it")
}

fn answer_ids() -> Column {
    let about = "answers of a model it was made from; none where made by rule";
    Column::new("answer_ids", Type::list(Type::Line), about)
}

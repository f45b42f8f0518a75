//! The table of reconstruction questions.

use storymill_core::{BookId, Encoding, Reconstruction};

use super::{measured::Measured, row::row, span::SpanRow};
use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

row! {
    /// A row of the table.
    pub struct ReconstructionRow {
        question_id: String,
        book_id: BookId,
        split: String,
        level: u8,
        first_scene: u32,
        last_scene: u32,
        question: String,
        distorted: String,
        answer: String,
        evidence: Vec<SpanRow>,
        canary: String;
        more: Measured
    }
}

impl Table for Reconstruction {
    type Row = ReconstructionRow;
    const ABOUT: &'static str = "a question: rewrite a distorted summary so that it fits the book";
    const EVALUATION: bool = true;

    fn columns(encodings: &[Encoding]) -> Vec<Column> {
        let mut columns = vec![
            Column::new("question_id", Type::Line, "the question: `84/0012/d2/reconstruct`"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("split", Type::Word, "train, validation or test"),
            Column::new("level", Type::Int, "level of the summary"),
            Column::new("first_scene", Type::Int, "first scene covered"),
            Column::new("last_scene", Type::Int, "last scene covered"),
            Column::new("question", Type::Text, "the task in words"),
            Column::new("distorted", Type::Text, "the false retelling to be put right"),
            Column::new("answer", Type::Text, "the true twin of `distorted`: a perfect repair"),
            Column::new("evidence", Type::spans(), "where the answer stands in the book's text"),
        ];
        columns.extend(Measured::demand_columns(encodings));
        columns.extend(Measured::context_columns(encodings));
        columns.push(Column::canary());
        columns
    }

    fn row(self, added: &Added<'_>) -> ReconstructionRow {
        let more = Measured::of(self.demand, self.context, added.encodings);
        ReconstructionRow {
            question_id: self.id,
            book_id: self.book,
            split: added.split.to_owned(),
            level: self.level,
            first_scene: self.first_scene,
            last_scene: self.last_scene,
            question: self.question,
            distorted: self.distorted,
            answer: self.answer,
            evidence: self.evidence.into_iter().map(SpanRow::from).collect(),
            more,
            canary: added.canary.to_owned(),
        }
    }
}

//! The table of reconstruction questions.

use storymill_core::{BookId, Encoding, MadeBy, Reconstruction, Stretch};

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
        made_by: &'static str,
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
        columns.extend([Column::made_by(), Column::canary()]);
        columns
    }

    fn row(self, added: &Added<'_>) -> ReconstructionRow {
        let question = self.0;
        let [distorted, answer] = [question.given(), question.reference()].map(str::to_owned);
        let about = question.about;
        let scene = |of: fn(&Stretch) -> u32| about.as_ref().map_or(0, of);
        ReconstructionRow {
            level: question.level(),
            first_scene: scene(|about| about.first_scene),
            last_scene: scene(|about| about.last_scene),
            made_by: question.made_by.map_or("", MadeBy::name),
            more: Measured::of(question.demand, question.context.length(), added.encodings),
            question_id: question.id,
            book_id: question.of,
            split: added.split.to_owned(),
            question: question.task,
            distorted,
            answer,
            evidence: question.evidence.into_iter().map(SpanRow::from).collect(),
            canary: added.canary.to_owned(),
        }
    }
}

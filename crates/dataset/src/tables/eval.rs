//! The table of questions that models are evaluated on.

use storymill_core::{BookId, Encoding, EvalItem, MadeBy};

use super::{measured::Measured, row::row, span::SpanRow};
use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

row! {
    /// A row of the table.
    pub struct EvalRow {
        question_id: String,
        source_config: &'static str,
        book_id: BookId,
        split: String,
        r#type: String,
        level: u8,
        asked_at_scene: u32,
        question: String,
        options: Vec<String>,
        answer: i64,
        reference: String,
        evidence: Vec<SpanRow>,
        made_by: &'static str,
        canary: String;
        more: Measured
    }
}

impl Table for EvalItem {
    type Row = EvalRow;
    const ABOUT: &'static str = "a question to evaluate models on";
    const EVALUATION: bool = true;

    fn columns(encodings: &[Encoding]) -> Vec<Column> {
        let int = |name, about| Column::new(name, Type::Int, about);
        let mut columns = vec![
            Column::new("question_id", Type::Line, "the question, as in its own config"),
            Column::new(
                "source_config",
                Type::Word,
                "the kind of question, as its config is usually called: read-along or reconstruction",
            ),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("split", Type::Word, "train, validation or test"),
            Column::new(
                "type",
                Type::Word,
                "lookahead, scene-distortion, other-book or reconstruction",
            ),
            int("level", "level of the retelling it is about; 0 for a scene"),
            int("asked_at_scene", "the last scene that was read when it is asked"),
            Column::new("question", Type::Text, "the task, without context and options"),
            Column::new("options", Type::list(Type::Text), "the options; none for free text"),
            int("answer", "position of the right option, from 0; -1 for free text"),
            Column::new("reference", Type::Text, "the right option, or the text to be restored"),
            Column::new("evidence", Type::spans(), "where the answer stands in the book's text"),
        ];
        columns.extend(Measured::demand_columns(encodings));
        columns.extend(Measured::context_columns(encodings));
        columns.extend([Column::made_by(), Column::canary()]);
        columns
    }

    fn row(self, added: &Added<'_>) -> EvalRow {
        let question = self.0;
        let task = match question.given() {
            "" => question.task.clone(),
            given => format!("{}\n\n{given}", question.task),
        };
        EvalRow {
            source_config: if question.right().is_some() { "read-along" } else { "reconstruction" },
            level: question.level(),
            asked_at_scene: question.asked_at(),
            options: question.options().iter().map(|option| option.text.clone()).collect(),
            answer: question.right().map_or(-1, i64::from),
            reference: question.reference().to_owned(),
            made_by: question.made_by.map_or("", MadeBy::name),
            more: Measured::of(question.demand, question.context.length(), added.encodings),
            question_id: question.id,
            book_id: question.of,
            split: added.split.to_owned(),
            r#type: question.kind,
            question: task,
            evidence: question.evidence.into_iter().map(SpanRow::from).collect(),
            canary: added.canary.to_owned(),
        }
    }
}

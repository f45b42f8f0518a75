//! The table of claims: pairs of which one is true and one is false.

use storymill_core::{BookId, ClaimQuestion, Encoding, Form};

use super::{measured::Measured, row::row, span::SpanRow};
use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

row! {
    /// A row of the table.
    pub struct ClaimRow {
        question_id: String,
        book_id: BookId,
        split: String,
        pair: String,
        question: String,
        claim: String,
        answer: String,
        evidence: Vec<SpanRow>,
        canary: String;
        more: Measured
    }
}

impl Table for ClaimQuestion {
    type Row = ClaimRow;
    const ABOUT: &'static str = "a claim about a book, true or false";
    const EVALUATION: bool = true;

    fn columns(encodings: &[Encoding]) -> Vec<Column> {
        let mut columns = vec![
            Column::new("question_id", Type::Line, "the claim: `n01/0003/true`"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("split", Type::Word, "train, validation or test"),
            Column::new("pair", Type::Line, "the pair that it is one of: one claim holds"),
            Column::new("question", Type::Text, "the task in words"),
            Column::new("claim", Type::Text, "the claim"),
            Column::new("answer", Type::Word, "`true` or `false`"),
            Column::new("evidence", Type::spans(), "where the book's text decides it, if known"),
        ];
        columns.extend(Measured::demand_columns(encodings));
        columns.extend(Measured::context_columns(encodings));
        columns.push(Column::canary());
        columns
    }

    fn row(self, added: &Added<'_>) -> ClaimRow {
        let question = self.0;
        let pair = match &question.form {
            Form::Verdict { pair, .. } => pair.clone(),
            Form::Options { .. } | Form::FreeText { .. } => String::new(),
        };
        ClaimRow {
            pair,
            claim: question.given().to_owned(),
            answer: question.reference().to_owned(),
            more: Measured::of(question.demand, question.context.length(), added.encodings),
            question_id: question.id,
            book_id: question.of,
            split: added.split.to_owned(),
            question: question.task,
            evidence: question.evidence.into_iter().map(SpanRow::from).collect(),
            canary: added.canary.to_owned(),
        }
    }
}

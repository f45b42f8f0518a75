//! The table of answers of a model.

use serde::Serialize;
use storymill_core::{Encoding, ModelAnswer, Spent, UnitId};

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct AnswerRow {
    answer_id: String,
    question_id: String,
    config: String,
    of: UnitId,
    split: String,
    model: String,
    setting: String,
    status: &'static str,
    said: String,
    answer: String,
    offered_tokens: i64,
    shown_tokens: i64,
    cut: String,
    output_tokens: i64,
    thinking_tokens: i64,
    limit_tokens: i64,
    request_place: u8,
    canary: String,
}

/// The id of an answer: of all that makes it one.
pub(super) fn id(config: &str, question: &str, setting: &str, model: &str) -> String {
    format!("{config}/{question}/{setting}/{model}")
}

/// A count; -1 where nobody counted.
pub(super) fn counted(count: Option<u32>) -> i64 {
    count.map_or(-1, i64::from)
}

/// The columns of what was shown and written.
pub(super) fn spent() -> Vec<Column> {
    let int = |name, about| Column::new(name, Type::Int, about);
    vec![
        int("offered_tokens", "tokens of context that the setting offers; -1 if not counted"),
        int("shown_tokens", "tokens of it that were shown; -1 if not counted"),
        Column::new("cut", Type::Word, "where it was cut: front, middle; blank if it was not"),
        int("output_tokens", "tokens that the model wrote, thinking apart; -1 if not known"),
        int("thinking_tokens", "tokens of thinking; -1 if not known"),
        int("limit_tokens", "how many tokens might be written; -1 if there was no model"),
        int("request_place", "the place of the question in its request, from 0"),
    ]
}

impl Table for ModelAnswer {
    type Row = AnswerRow;
    const ABOUT: &'static str = "what a model said to a question";
    const EVALUATION: bool = true;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let word = |name, about| Column::new(name, Type::Word, about);
        let mut columns = vec![
            Column::new("answer_id", Type::Line, "config, question, setting and model"),
            Column::new("question_id", Type::Line, "the question"),
            word("config", "the config that it is published in"),
            word("of", "what it is of: a book, or a question set"),
            word("split", "train, validation or test"),
            word("model", "the model"),
            word("setting", "what was shown: full, none, title, evidence, recent-N, ..."),
            word("status", "answered, unparsed, refused, cut, does-not-fit or failed"),
            Column::new("said", Type::Text, "what the model wrote, whole"),
            Column::new("answer", Type::Text, "the answer read from it; an option from 0"),
        ];
        columns.extend(spent());
        columns.push(Column::canary());
        columns
    }

    fn row(self, added: &Added<'_>) -> AnswerRow {
        let Spent { offered, shown, cut, output, thinking, limit, place } = self.spent;
        AnswerRow {
            answer_id: id(&self.config, &self.question, &self.setting, &self.model),
            question_id: self.question,
            config: self.config,
            of: self.of,
            split: added.split.to_owned(),
            model: self.model,
            setting: self.setting,
            status: self.status.name(),
            said: self.said,
            answer: self.answer,
            offered_tokens: counted(offered),
            shown_tokens: counted(shown),
            cut,
            output_tokens: counted(output),
            thinking_tokens: counted(thinking),
            limit_tokens: counted(limit),
            request_place: place,
            canary: added.canary.to_owned(),
        }
    }
}

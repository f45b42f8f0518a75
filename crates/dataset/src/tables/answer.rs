//! The table of answers of a model.

use serde::ser::SerializeStruct;
use storymill_core::{Encoding, ModelAnswer, Spent};

use super::row::{Group, Pass, SPLIT};
use crate::{
    column::{Column, Type},
    table,
};

/// The id of an answer: of all that makes it one.
pub(super) fn id(config: &str, question: &str, setting: &str, model: &str) -> String {
    format!("{config}/{question}/{setting}/{model}")
}

/// What was shown and written.
pub(super) struct Shown<'a>(pub(super) &'a Spent);

impl Group for Shown<'_> {
    fn columns(_: &[Encoding]) -> Vec<Column> {
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

    fn cells<S: SerializeStruct>(
        &self,
        pass: Pass,
        _: &[Encoding],
        row: &mut S,
    ) -> Result<(), S::Error> {
        if pass != Pass::Here {
            return Ok(());
        }
        let Spent { offered, shown, cut, output, thinking, limit, place } = self.0;
        let counted = |count: &Option<u32>| count.map_or(-1, i64::from);
        row.serialize_field("offered_tokens", &counted(offered))?;
        row.serialize_field("shown_tokens", &counted(shown))?;
        row.serialize_field("cut", cut)?;
        row.serialize_field("output_tokens", &counted(output))?;
        row.serialize_field("thinking_tokens", &counted(thinking))?;
        row.serialize_field("limit_tokens", &counted(limit))?;
        row.serialize_field("request_place", place)
    }
}

table! { ModelAnswer, "what a model said to a question", evaluation, |answer, added| {}
    "answer_id": Line => id(&answer.config, &answer.question, &answer.setting, &answer.model), "config, question, setting and model";
    "question_id": Line => answer.question, "the question";
    "config": Word => answer.config, "the config that it is published in";
    "of": Word => answer.of, "what it is of: a book, or a question set";
    "split": Word => added.split, SPLIT;
    "model": Word => answer.model, "the model";
    "setting": Word => answer.setting, "what was shown: full, none, title, evidence, recent-N, ...";
    "status": Word => answer.status.name(), "answered, unparsed, refused, cut, does-not-fit or failed";
    "said": Text => answer.said, "what the model wrote, whole";
    "answer": Text => answer.answer, "the answer read from it; an option from 0";
    ..Shown(&answer.spent);
}

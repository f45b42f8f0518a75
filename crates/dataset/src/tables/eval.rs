//! The table of questions that models are evaluated on.

use storymill_core::{EvalItem, MadeBy};

use super::{
    measured::{Back, Before, EachBack},
    row::{MADE_BY, SPLIT},
    span::SpanRow,
};
use crate::table;

table! { EvalItem, "a question to evaluate models on", evaluation, |item, added| {
        let question = &item.0;
        let source = if question.right().is_some() { "read-along" } else { "reconstruction" };
        let options: Vec<&String> = question.options().iter().map(|option| &option.text).collect();
    }
    "question_id": Line => question.id, "the question, as in its own config";
    "source_config": Word => source, "the kind of question, as its config is usually called: read-along or reconstruction";
    "book_id": Word => question.of, "the book";
    "split": Word => added.split, SPLIT;
    "type": Word => question.kind, "what is asked, as `lookahead` or `told-order-last`; or reconstruction";
    "level": Int => question.level(), "level of the retelling it is about; 0 for a scene";
    "asked_at_scene": Int => question.asked_at(), "the last scene that was read when it is asked";
    "question": Text => question.asked(), "the task, without context and options";
    "options": list(Text) => options, "the options; none for free text";
    "answer": Int => question.right().map_or(-1, i64::from), "position of the right option, from 0; -1 for free text";
    "reference": Text => question.reference(), "the right option, or the text to be restored";
    "evidence": SpanRow::kind() => SpanRow::each(&question.evidence), "where the answer stands in the book's text";
    ..EachBack(&question.demands);
    ..Back(&question.demand);
    ..Before(&question.context.length());
    "made_by": Word => question.made_by.map_or("", MadeBy::name), MADE_BY;
}

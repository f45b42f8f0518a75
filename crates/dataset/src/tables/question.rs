//! The table of read-along questions.

use storymill_core::{Choice, Form, Given, Length, MadeBy, ReadAlongQuestion};

use super::{
    measured::{Back, Before, EachBack},
    row::{MADE_BY, SPLIT},
    span::SpanRow,
    tokens::OptionTokens,
};
use crate::{asked::written, table};

/// What the columns of the options' demands say.
const EACH: &str = "the same for each option; -1 if it was not read";

/// Something of each option.
fn each<'q, T>(all: &'q [Choice], of: impl FnMut(&'q Choice) -> T) -> Vec<T> {
    all.iter().map(of).collect()
}

table! { ReadAlongQuestion, "a question while reading: which scene was in what was read", evaluation, |asked, added| {
        let question = &asked.0;
        let options = question.options();
        let given = match &question.form {
            Form::Options { given, .. } => &given[..],
            Form::FreeText { .. } | Form::Verdict { .. } => &[],
        };
        let given = |of: fn(&Given) -> &String| given.iter().map(of).collect::<Vec<_>>();
        let demands = |of: fn(&Length) -> u32| -> Vec<i64> {
            let demand = |option: &Choice| option.demand.as_ref().map(|demand| of(&demand.to_start));
            each(options, |option| demand(option).map_or(-1, i64::from))
        };
    }
    "question_id": Line => question.id, "the question: `84/0040/lookahead`";
    "book_id": Word => question.of, "the book";
    "split": Word => added.split, SPLIT;
    "asked_at_scene": Int => question.asked_at(), "the last scene that was read when it is asked";
    "type": Word => question.kind, "what is asked: lookahead, scene-distortion, other-book, since, told-order-last, ...";
    "question": Text => question.task, "the question in words, without the options";
    "given": list(Text) => given(|one| &one.text), "retellings that stand in the question, called A, B, ... where there are several";
    "given_ids": list(Line) => given(|one| &one.from), "the summaries that these are";
    "options": list(Text) => each(options, |option| &option.text), "the options; none of the above, where it is one, is the last";
    "answer": Int => question.right().unwrap_or_default(), "position of the right option, from 0";
    "none_of_the_above": Int => u8::from(question.none_is_right()), "1 if none of the above is right, else 0";
    "option_kinds": list(Word) => each(options, |option| option.kind.name()), "true, the type of the question, none";
    "option_books": list(Word) => each(options, |option| option.book.as_ref().map_or("", |book| book.as_str())), "the book that each option tells of; blank for none";
    "option_scenes": list(Int) => each(options, |option| option.scene.map_or(-1, i64::from)), "the scene that each option tells of; -1 for none";
    "option_ids": list(Line) => each(options, |option| &option.from), "the summary or distortion that each option is; blank for none";
    "option_names": list(Line) => each(options, |option| written(&option.names)), "names exchanged in each option: `Jane -> Lucy; Mr. Darcy -> Mr. Harker`; blank for none";
    "evidence": SpanRow::kind() => SpanRow::each(&question.evidence), "the scenes that are needed in the book's text; the true one, where only one is";
    ..EachBack(&question.demands);
    ..Back(&question.demand);
    "option_demand_scenes": list(Int) => demands(|length| length.scenes), EACH;
    "option_demand_words": list(Int) => demands(|length| length.words), EACH;
    "option_demand_symbols": list(Int) => demands(|length| length.symbols), EACH;
    ..OptionTokens(options);
    "memload": Int => question.memload(), "NarrativeXL's own figure: scenes read behind the true one";
    ..Before(&question.context.length());
    "made_by": Word => question.made_by.map_or("", MadeBy::name), MADE_BY;
}

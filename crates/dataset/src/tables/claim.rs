//! The table of claims: pairs of which one is true and one is false.

use storymill_core::{ClaimQuestion, Form};

use super::{
    measured::{Back, Before},
    row::SPLIT,
    span::SpanRow,
};
use crate::table;

table! { ClaimQuestion, "a claim about a book, true or false", evaluation, |claim, added| {
        let question = &claim.0;
        let pair = match &question.form {
            Form::Verdict { pair, .. } => pair,
            Form::Options { .. } | Form::FreeText { .. } => "",
        };
    }
    "question_id": Line => question.id, "the claim: `n01/0003/true`";
    "book_id": Word => question.of, "the book";
    "split": Word => added.split, SPLIT;
    "pair": Line => pair, "the pair that it is one of: one claim holds";
    "question": Text => question.task, "the task in words";
    "claim": Text => question.given(), "the claim";
    "answer": Word => question.reference(), "`true` or `false`";
    "evidence": SpanRow::kind() => SpanRow::each(&question.evidence), "where the book's text decides it, if known";
    ..Back(&question.demand);
    ..Before(&question.context.length());
}

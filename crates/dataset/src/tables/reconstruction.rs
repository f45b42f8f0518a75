//! The table of reconstruction questions.

use storymill_core::{MadeBy, Reconstruction, Stretch};

use super::{
    measured::{Back, Before},
    row::{MADE_BY, SPLIT},
    span::SpanRow,
};
use crate::table;

table! { Reconstruction, "a question: rewrite a distorted summary so that it fits the book", evaluation, |asked, added| {
        let question = &asked.0;
        let scene = |of: fn(&Stretch) -> u32| question.about.first().map_or(0, of);
    }
    "question_id": Line => question.id, "the question: `84/0012/d2/reconstruct`";
    "book_id": Word => question.of, "the book";
    "split": Word => added.split, SPLIT;
    "level": Int => question.level(), "level of the summary";
    "first_scene": Int => scene(|about| about.first_scene), "first scene covered";
    "last_scene": Int => scene(|about| about.last_scene), "last scene covered";
    "question": Text => question.task, "the task in words";
    "distorted": Text => question.given(), "the false retelling to be put right";
    "answer": Text => question.reference(), "the true twin of `distorted`: a perfect repair";
    "evidence": SpanRow::kind() => SpanRow::each(&question.evidence), "where the answer stands in the book's text";
    ..Back(&question.demand);
    ..Before(&question.context.length());
    "made_by": Word => question.made_by.map_or("", MadeBy::name), MADE_BY;
}

//! The tables of retellings: summaries, and distortions of them.

use storymill_core::{Distortion, Edit, MadeBy, Summary};
use storymill_text::word_count;

use super::row::records;
use crate::table;

const MADE_BY: &str = "`rule`, or `model` where a model wrote it";
const ANSWERS: &str = "answers of a model it was made from; none where made by rule";

records! { EditRow(Edit), |edit|
    "true_event": Text => edit.true_event, "what happens, in words of the summary";
    "false_event": Text => edit.false_event, "what is told instead";
}

table! { Summary, "a true retelling", plain, |summary, _added| {}
    "summary_id": Line => summary.id(), "the summary: `84/0012/s0`, `84/L1/003`";
    "book_id": Word => summary.book, "the book";
    "level": Int => summary.level, "0 for a scene, 1 for summaries of summaries, ...";
    "first_scene": Int => summary.first_scene, "first scene covered";
    "last_scene": Int => summary.last_scene, "last scene covered";
    "text": Text => summary.text, "the retelling";
    "words": Int => word_count(&summary.text), "words, split on whitespace";
    "protocol": Word => summary.protocol, "how it was made: `extract`, `tag`, `json`";
    "answer_ids": list(Line) => summary.answers, ANSWERS;
    "made_by": Word => MadeBy::of(&summary.answers).name(), MADE_BY;
}

table! { Distortion, "a false retelling", plain, |distortion, _added| {}
    "distortion_id": Line => distortion.id(), "the distortion: `84/0012/d2`";
    "summary_id": Line => distortion.summary, "the true retelling it was made from";
    "book_id": Word => distortion.book, "the book";
    "sample": Int => distortion.sample, "which of several of one summary, from 0";
    "protocol": Word => distortion.protocol, "how it was made: `swap-facts`, `edits`, ...";
    "text": Text => distortion.text, "the false retelling";
    "twin_text": Text => distortion.twin, "the true retelling of the same process";
    "edits": EditRow::kind() => EditRow::each(&distortion.edits), "the changes";
    "similarity_pm": Int => distortion.similarity_pm, "likeness to the true text by words, per mille";
    "answer_ids": list(Line) => distortion.answers, ANSWERS;
    "made_by": Word => MadeBy::of(&distortion.answers).name(), MADE_BY;
}

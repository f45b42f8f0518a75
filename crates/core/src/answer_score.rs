//! What a judge says an answer is worth.

use serde::{Deserialize, Serialize};

use crate::{Digest, Item, Status, UnitId, record};

/// A judge's score of an answer, from 1 to 5. Whatever came of the asking, there is a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerScore {
    /// The question's id.
    pub question: String,
    /// The config that the question is published in.
    pub config: String,
    /// What it is of.
    pub of: UnitId,
    /// `train`, `validation` or `test`.
    pub split: String,
    /// The model that answered.
    pub system: String,
    /// What it was shown: the name of a [`crate::Setting`].
    pub setting: String,
    /// What rows call the judge.
    pub judge: String,
    /// What the judge was shown beside question and answer: `references`, or `summary` for these and a summary of the book.
    pub shown: String,
    /// How the asking ended; that of the answer where there was none to judge.
    pub status: Status,
    /// From 1 to 5; none if there is no verdict. What was not answered has 1, and nobody was asked.
    pub score: Option<u8>,
    /// The judge's reason; blank where it gives none.
    pub reason: String,
    /// The judge's answer, if one was asked for.
    pub answer: Option<Digest>,
}

record!(AnswerScore, "answer-score", 1);

impl Item for AnswerScore {
    fn item_id(&self) -> String {
        format!("{}/{}/{}/{}", self.config, self.question, self.setting, self.shown)
    }
}

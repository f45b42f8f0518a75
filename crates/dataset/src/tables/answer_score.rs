//! The table of what judges say answers are worth.

use serde::Serialize;
use storymill_core::{AnswerScore, Encoding, UnitId};

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct AnswerScoreRow {
    score_id: String,
    question_id: String,
    config: String,
    of: UnitId,
    split: String,
    system: String,
    setting: String,
    judge: String,
    shown: String,
    status: &'static str,
    score: i32,
    reason: String,
    canary: String,
}

impl Table for AnswerScore {
    type Row = AnswerScoreRow;
    const ABOUT: &'static str = "what a judge says an answer is worth, from 1 to 5";
    const EVALUATION: bool = true;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let word = |name, about| Column::new(name, Type::Word, about);
        vec![
            Column::new(
                "score_id",
                Type::Line,
                "config, question, setting, system, judge and what it was shown",
            ),
            Column::new("question_id", Type::Line, "the question"),
            word("config", "the config that it is published in"),
            word("of", "what it is of: a book, or a question set"),
            word("split", "train, validation or test"),
            word("system", "the model that answered"),
            word("setting", "what it was shown: full, none, title, evidence, recent-N, ..."),
            word("judge", "the model that judged"),
            word(
                "shown",
                "what the judge was shown: references, or summary for these and a summary",
            ),
            word("status", "answered, unparsed, refused, cut, does-not-fit or failed"),
            Column::new("score", Type::Int, "from 1 to 5; -1 if there is no verdict"),
            Column::new("reason", Type::Text, "the judge's reason"),
            Column::canary(),
        ]
    }

    fn row(self, added: &Added<'_>) -> AnswerScoreRow {
        let Self { config, question, setting, system, judge, shown, .. } = &self;
        AnswerScoreRow {
            score_id: format!("{config}/{question}/{setting}/{system}/{judge}/{shown}"),
            question_id: self.question,
            config: self.config,
            of: self.of,
            split: self.split,
            system: self.system,
            setting: self.setting,
            judge: self.judge,
            shown: self.shown,
            status: self.status.name(),
            score: self.score.map_or(-1, i32::from),
            reason: self.reason,
            canary: added.canary.to_owned(),
        }
    }
}

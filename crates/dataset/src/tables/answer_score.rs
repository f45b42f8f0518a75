//! The table of what judges say answers are worth.

use storymill_core::AnswerScore;

use super::row::SPLIT;
use crate::table;

table! { AnswerScore, "what a judge says an answer is worth, from 1 to 5", evaluation, |score, _added| {
        let AnswerScore { config, question, setting, system, judge, shown, .. } = score;
    }
    "score_id": Line => format!("{config}/{question}/{setting}/{system}/{judge}/{shown}"), "config, question, setting, system, judge and what it was shown";
    "question_id": Line => question, "the question";
    "config": Word => config, "the config that it is published in";
    "of": Word => score.of, "what it is of: a book, or a question set";
    "split": Word => score.split, SPLIT;
    "system": Word => system, "the model that answered";
    "setting": Word => setting, "what it was shown: full, none, title, evidence, recent-N, ...";
    "judge": Word => judge, "the model that judged";
    "shown": Word => shown, "what the judge was shown: references, or summary for these and a summary";
    "status": Word => score.status.name(), "answered, unparsed, refused, cut, does-not-fit or failed";
    "score": Int => score.score.map_or(-1, i32::from), "from 1 to 5; -1 if there is no verdict";
    "reason": Text => score.reason, "the judge's reason";
}

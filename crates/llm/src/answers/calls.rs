//! How long models took for the answers of a log.

use serde::Serialize;
use storymill_core::Fault;

use crate::{AnswerLog, answers::notes};

/// One answer that a model gave while a run waited for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Call {
    /// The kind of stage.
    pub stage: String,
    /// The unit it was asked for.
    pub unit: String,
    /// The item of the unit; empty if the stage named none.
    pub item: String,
    /// Which wanted variant it is.
    pub sample: u32,
    /// Which re-ask it is.
    pub attempt: u32,
    /// The user's name for the model's weights.
    pub model_id: String,
    /// From sending the request that was answered to the last byte of the answer.
    pub millis: u64,
    /// Tokens of the request, if the server said so.
    pub tokens_in: Option<u64>,
    /// Tokens of the answer, if the server said so.
    pub tokens_out: Option<u64>,
}

/// The calls of a log, sorted. Answers that were imported, or came in a batch, took no time that is known,
/// and are left out.
pub fn calls(log: &AnswerLog) -> Result<Vec<Call>, Fault> {
    let mut calls = Vec::new();
    notes(log.folder(), &**log.disk(), None, |_, note| {
        if note.millis > 0 {
            calls.push(Call {
                stage: note.stage,
                unit: note.unit,
                item: note.item,
                sample: note.sample,
                attempt: note.attempt,
                model_id: note.model_id,
                millis: note.millis,
                tokens_in: note.usage.map(|usage| usage.prompt),
                tokens_out: note.usage.map(|usage| usage.completion),
            });
        }
    })?;
    calls.sort();
    Ok(calls)
}

//! What is kept of one answer: the answer itself, and a note of where it came from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use storymill_core::{Answer, Digest, Fault, FaultKind, RequestKey, Written};

use super::frame::{self, Frame, Kind};
use crate::Usage;

/// Where an answer came from. Notes stay in the local log; packs hold none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The unit it was asked for.
    pub unit: String,
    /// The item of the unit it was asked for, if the stage named one.
    pub item: String,
    /// The kind of stage that asked.
    pub stage: String,
    /// The model's name in the workflow.
    pub model: String,
    /// The user's name for exactly these weights.
    pub model_id: String,
    /// Which wanted variant it is.
    pub sample: u32,
    /// Which re-ask it is.
    pub attempt: u32,
    /// The body of the request, as canonical JSON; empty if it is not known.
    pub request: String,
    /// What it cost in tokens, if the server said so.
    pub usage: Option<Usage>,
    /// Where it came from: `http://127.0.0.1:8080/v1/chat/completions`, or an imported file.
    pub origin: String,
    /// How long the model took, in milliseconds.
    pub millis: u64,
    /// The few headers of the response that are kept.
    pub headers: BTreeMap<String, String>,
}

/// An answer to be stored, and its note.
#[derive(Clone, Debug)]
pub struct Record {
    /// The key.
    pub key: RequestKey,
    /// The answer.
    pub answer: Answer,
    /// Where it came from, if that is known.
    pub note: Option<Note>,
}

/// The tag of all notes of one unit.
pub(crate) fn unit_tag(unit: &str) -> Digest {
    Digest::of_parts("storymill 2026 note unit v1", [unit.as_bytes()])
}

/// Appends the frames of a record. The answer's frame begins where `out` ended.
pub(crate) fn write(out: &mut Vec<u8>, record: &Record) -> Result<Placed, Fault> {
    let key = record.key.0.as_bytes();
    let tag = record.answer.digest();
    let start = out.len();
    let mut body = postcard::to_stdvec(&record.answer).map_err(mistake)?;
    // Behind the answer, where readers before this one stop: it is no part of the answer's digest.
    if let Some(usage) = record.note.as_ref().and_then(|note| note.usage) {
        let count = |tokens| u32::try_from(tokens).unwrap_or(u32::MAX);
        let written = Written { output: count(usage.completion), thinking: count(usage.reasoning) };
        body = postcard::to_extend(&written, body).map_err(mistake)?;
    }
    frame::write(out, Kind::Answer, key, &tag, &body).map_err(mistake)?;
    let length = out.len() - start;
    if let Some(note) = &record.note {
        let body = postcard::to_stdvec(note).map_err(mistake)?;
        // A note that is too long is left out: the answer is what was paid for.
        let _ = frame::write(out, Kind::Note, key, &unit_tag(&note.unit), &body);
    }
    Ok(Placed { tag, start, length })
}

/// Where the answer's frame stands in the bytes written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) tag: Digest,
    pub(crate) start: usize,
    pub(crate) length: usize,
}

/// The answer in a frame; none if it is not what its tag says.
pub(crate) fn answer(frame: &Frame<'_>) -> Option<Answer> {
    let answer: Answer = postcard::from_bytes(&frame.body()?).ok()?;
    (answer.digest() == frame.tag()).then_some(answer)
}

/// How much was written for the answer in a frame; none in those of earlier versions, or if the server did not say.
pub(crate) fn written(frame: &Frame<'_>) -> Option<Written> {
    let body = frame.body()?;
    let (_, rest) = postcard::take_from_bytes::<Answer>(&body).ok()?;
    postcard::from_bytes(rest).ok().filter(|_| !rest.is_empty())
}

/// The note in a frame, if it can be read.
pub(crate) fn note(frame: &Frame<'_>) -> Option<Note> {
    postcard::from_bytes(&frame.body()?).ok()
}

fn mistake(error: impl std::error::Error + Send + Sync + 'static) -> Fault {
    Fault::new(FaultKind::Internal, "cannot encode an answer for the log").because(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_stands_behind_the_answer() {
        let answer = Answer { text: "Two.".to_owned(), finish_reason: "stop".to_owned() };
        let key = RequestKey(Digest::of(b"k"));
        let usage = Usage { prompt: 9, cached: 0, completion: 40, reasoning: 30 };
        let note = Note { usage: Some(usage), ..Note::default() };
        for (note, expected) in
            [(None, None), (Some(note), Some(Written { output: 40, thinking: 30 }))]
        {
            let mut bytes = Vec::new();
            write(&mut bytes, &Record { key, answer: answer.clone(), note }).unwrap();
            let frame = Frame::at(&bytes, 0).unwrap();
            assert_eq!(super::answer(&frame), Some(answer.clone()));
            assert_eq!(written(&frame), expected);
        }
    }
}

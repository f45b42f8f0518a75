//! What is kept of one answer: the answer itself, and a note of where it came from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use storymill_core::{Answer, Changes, Digest, Fault, FaultKind, RequestKey, Written};

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
    #[serde(with = "counts")]
    pub usage: Option<Usage>,
    /// Where it came from: `http://127.0.0.1:8080/v1/chat/completions`, or an imported file.
    pub origin: String,
    /// How long the model took, in milliseconds.
    pub millis: u64,
    /// The few headers of the response that are kept.
    pub headers: BTreeMap<String, String>,
    /// What of the request the endpoint refused. It is kept beside the answer, so that packs hold it too.
    #[serde(skip)]
    pub changes: Changes,
    /// How much was written for an answer from a pack, which holds this and no usage. It is kept in the same place.
    #[serde(skip)]
    pub written: Option<Written>,
}

/// Usage as notes have had it from the first version on. What was put into caches stands behind the note.
mod counts {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::Usage;

    #[derive(Serialize, Deserialize)]
    struct Counts {
        prompt: u64,
        cached: u64,
        completion: u64,
        reasoning: u64,
    }

    #[expect(clippy::ref_option, reason = "serde hands out references")]
    pub(super) fn serialize<S: Serializer>(
        usage: &Option<Usage>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let counts = usage.map(|Usage { prompt, cached, completion, reasoning, .. }| Counts {
            prompt,
            cached,
            completion,
            reasoning,
        });
        counts.serialize(to)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Usage>, D::Error> {
        let counts = Option::<Counts>::deserialize(from)?;
        Ok(counts.map(|Counts { prompt, cached, completion, reasoning }| Usage {
            prompt,
            cached,
            completion,
            reasoning,
            ..Usage::default()
        }))
    }
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
    if let Some(note) = &record.note {
        let count = |tokens| u32::try_from(tokens).unwrap_or(u32::MAX);
        let written = note.usage.map(|usage| Written {
            output: count(usage.completion),
            thinking: count(usage.reasoning),
        });
        let written = written.or(note.written);
        if written.is_some() || !note.changes.is_empty() {
            // Where changes follow, nothing written is a number that is not known.
            body = postcard::to_extend(&written.unwrap_or_default(), body).map_err(mistake)?;
        }
        if !note.changes.is_empty() {
            body = postcard::to_extend(&note.changes, body).map_err(mistake)?;
        }
    }
    frame::write(out, Kind::Answer, key, &tag, &body).map_err(mistake)?;
    let length = out.len() - start;
    if let Some(note) = &record.note {
        let mut body = postcard::to_stdvec(note).map_err(mistake)?;
        let put = note.usage.map_or(0, |usage| usage.cache_write);
        if put > 0 {
            body = postcard::to_extend(&put, body).map_err(mistake)?;
        }
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
    answer_sent(frame).map(|(answer, _)| answer)
}

/// The same with what of its request was refused.
pub(crate) fn answer_sent(frame: &Frame<'_>) -> Option<(Answer, Changes)> {
    let body = frame.body()?;
    let (answer, rest) = postcard::take_from_bytes::<Answer>(&body).ok()?;
    let changes = postcard::take_from_bytes::<Written>(rest).ok();
    let changes = changes.and_then(|(_, rest)| postcard::from_bytes(rest).ok());
    (answer.digest() == frame.tag()).then(|| (answer, changes.unwrap_or_default()))
}

/// How much was written for the answer in a frame; none in those of earlier versions, or if the server did not say.
pub(crate) fn written(frame: &Frame<'_>) -> Option<Written> {
    let body = frame.body()?;
    let (_, rest) = postcard::take_from_bytes::<Answer>(&body).ok()?;
    let (written, changes) = postcard::take_from_bytes::<Written>(rest).ok()?;
    (changes.is_empty() || written != Written::default()).then_some(written)
}

/// The note in a frame, if it can be read.
pub(crate) fn note(frame: &Frame<'_>) -> Option<Note> {
    let body = frame.body()?;
    let (mut note, rest) = postcard::take_from_bytes::<Note>(&body).ok()?;
    if let (Some(usage), Ok(put)) = (&mut note.usage, postcard::from_bytes(rest)) {
        usage.cache_write = put;
    }
    Some(note)
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
        let usage = Usage { prompt: 9, cached: 2, cache_write: 5, completion: 40, reasoning: 30 };
        let counted = Note { usage: Some(usage), ..Note::default() };
        let without = Changes::from([("seed".to_owned(), None)]);
        let changed = Note { changes: without.clone(), ..Note::default() };
        let both = Note { changes: without, ..counted.clone() };
        let known = Some(Written { output: 40, thinking: 30 });
        for (note, expected) in
            [(None, None), (Some(counted), known), (Some(changed), None), (Some(both), known)]
        {
            let changes = note.as_ref().map(|note| note.changes.clone()).unwrap_or_default();
            let mut bytes = Vec::new();
            write(&mut bytes, &Record { key, answer: answer.clone(), note: note.clone() }).unwrap();
            let frame = Frame::at(&bytes, 0).unwrap();
            assert_eq!(answer_sent(&frame), Some((answer.clone(), changes)));
            assert_eq!(written(&frame), expected);
            let usage = note.as_ref().and_then(|note| note.usage);
            let behind = Frame::at(&bytes, frame.bytes.len()).and_then(|frame| super::note(&frame));
            assert_eq!(behind.and_then(|note| note.usage), usage);
        }
    }
}

//! Questions to a model and their answers, as a stage sees them.

use serde::{Deserialize, Serialize};

use crate::{Digest, Fault, UnitId, canonical};

/// What to ask: what a stage says of one call, and who shall answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The model's name in the workflow: `default`.
    pub model: String,
    /// The part of the body that the stage decides, as a JSON object: `messages`, and what the
    /// stage insists on, such as `response_format`. Whoever asks adds the model's own parameters.
    pub body: serde_json::Value,
    /// How often to ask at most until an answer passes its check.
    pub tries: u32,
}

impl Request {
    /// The key of its answer: unit, whole body, sample, attempt.
    ///
    /// `sample` tells wanted variants apart, `attempt` re-asks after a failed check. `tries` is
    /// no part of the key: allowing more of them changes no answer that is there.
    pub fn key(&self, unit: &UnitId, sample: u32, attempt: u32) -> RequestKey {
        let body = canonical::json(&self.body);
        let (sample, attempt) = (sample.to_le_bytes(), attempt.to_le_bytes());
        let parts =
            [unit.as_str().as_bytes(), self.model.as_bytes(), body.as_bytes(), &sample, &attempt];
        RequestKey(Digest::of_parts("storymill 2026 answer key v1", parts))
    }

    /// How many symbols its texts have: what a model will read, without its own instructions.
    pub fn symbols(&self) -> u64 {
        text_symbols(&self.body)
    }
}

/// How many symbols all texts in a value have, names of fields apart.
pub fn text_symbols(value: &serde_json::Value) -> u64 {
    match value {
        serde_json::Value::String(text) => text.chars().count() as u64,
        serde_json::Value::Array(items) => items.iter().map(text_symbols).sum(),
        serde_json::Value::Object(map) => map.values().map(text_symbols).sum(),
        _ => 0,
    }
}

/// What was asked of one model and what it answered, counted.
///
/// Symbols, not tokens: they are the same whoever answers, and packs of answers keep no counts of tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchanged {
    /// Requests, each of which was answered.
    pub answers: u64,
    /// Symbols of the requests.
    pub symbols_in: u64,
    /// Symbols of the answers.
    pub symbols_out: u64,
}

impl std::ops::AddAssign for Exchanged {
    fn add_assign(&mut self, other: Self) {
        self.answers = self.answers.saturating_add(other.answers);
        self.symbols_in = self.symbols_in.saturating_add(other.symbols_in);
        self.symbols_out = self.symbols_out.saturating_add(other.symbols_out);
    }
}

/// The key of an answer in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestKey(pub Digest);

/// What a model said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The text of the first choice.
    pub text: String,
    /// Why it ended, in the server's word: `stop`, `length`.
    pub finish_reason: String,
}

impl Answer {
    /// The digest of the answer, kept in the trace of what read it.
    pub fn digest(&self) -> Digest {
        Digest::of_parts(
            "storymill 2026 answer v1",
            [self.text.as_bytes(), self.finish_reason.as_bytes()],
        )
    }
}

/// A request that waits for its answer, with the key it will be stored under.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The key.
    pub key: RequestKey,
    /// The kind of stage that asks, for the ledger; no part of the key.
    pub stage: &'static str,
    /// The unit it is asked for.
    pub unit: UnitId,
    /// The item it is asked for, where the stage works on items one by one; no part of the key.
    pub item: Option<String>,
    /// The request.
    pub request: Request,
    /// Which wanted variant it is.
    pub sample: u32,
    /// Which re-ask it is.
    pub attempt: u32,
}

/// Who answers: a log of answers, and perhaps a model behind it.
pub trait Asker: Sync {
    /// The key of a request. It must be taken over the whole body that would be sent, so whoever
    /// adds to the body overrides this.
    fn key(
        &self,
        unit: &UnitId,
        request: &Request,
        sample: u32,
        attempt: u32,
    ) -> Result<RequestKey, Fault> {
        Ok(request.key(unit, sample, attempt))
    }

    /// The answer under a key, if the log has it.
    fn get(&self, key: &RequestKey) -> Result<Option<Answer>, Fault>;
    /// Says that what was made before has read these answers: of several answers under one key
    /// these count.
    fn favour(&self, _reads: &[(RequestKey, Digest)]) {}
    /// Whether asking this model costs money or somebody's time. A run then looks at what becomes of the
    /// first answers before it asks for the rest.
    fn costs(&self, _model: &str) -> bool {
        false
    }
    /// Gets the answers of a whole wave into the log. On return each request has an answer, or
    /// the fault says why the run cannot go on.
    fn ask(&self, wave: &[Asked]) -> Result<(), Fault>;
}

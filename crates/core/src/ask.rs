//! Questions to a model and their answers, as a stage sees them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Digest, Fault, UnitId, canonical};

/// What to ask: what a stage says of one call, and who shall answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The model's name in the workflow: `default`.
    pub model: String,
    /// What the stage says. Whoever asks adds the model's own parameters.
    pub content: Content,
    /// How often to ask at most until an answer passes its check.
    pub tries: u32,
}

/// What a request says.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// A conversation, which every model that writes can go on with.
    Chat(Chat),
    /// What one model on this machine reads and no other: the window of a tagger. It is sent nowhere.
    Raw(Value),
}

/// A conversation so far, and what is wanted of the next turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Chat {
    /// What stands above the conversation.
    pub system: Option<String>,
    /// The turns, the last of which is to be answered.
    pub turns: Vec<Turn>,
    /// The schema that the answer is to keep to.
    pub schema: Option<Schema>,
    /// How long the answer may be, in tokens; none: as long as the model's description says.
    pub max_tokens: Option<u32>,
    /// How many bytes of the first turn other requests may begin with too. It changes no answer, so it is no part of
    /// any key.
    #[serde(skip)]
    pub shared: usize,
    /// Where in these marks for caching are set, for wires that want them: whoever asks knows what others begin with.
    #[serde(skip)]
    pub marks: Vec<usize>,
}

/// What one of the two says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Whether the model says it.
    pub role: Role,
    /// The text.
    pub text: String,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Whoever asks.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// The word that every wire format has for it.
    pub fn word(self) -> &'static str {
        crate::word(&self)
    }
}

/// The JSON schema of an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Schema {
    /// What it is called.
    pub name: String,
    /// The schema itself.
    pub schema: Value,
}

impl Chat {
    /// A conversation that begins with one text.
    pub fn new(text: impl Into<String>) -> Self {
        let turn = Turn { role: Role::User, text: text.into() };
        Self { turns: vec![turn], ..Self::default() }
    }

    /// The texts in order, what stands above them first.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.system.as_deref().into_iter().chain(self.turns.iter().map(|turn| &*turn.text))
    }
}

impl Request {
    /// The key of its answer: unit, whole content, sample, attempt.
    ///
    /// `sample` tells wanted variants apart, `attempt` re-asks after a failed check. `tries` is
    /// no part of the key: allowing more of them changes no answer that is there.
    pub fn key(&self, unit: &UnitId, sample: u32, attempt: u32) -> RequestKey {
        let content = canonical::json(&self.content);
        let (sample, attempt) = (sample.to_le_bytes(), attempt.to_le_bytes());
        let parts = [
            unit.as_str().as_bytes(),
            self.model.as_bytes(),
            content.as_bytes(),
            &sample,
            &attempt,
        ];
        RequestKey(Digest::of_parts("storymill 2026 answer key v1", parts))
    }

    /// The conversation, if it is one.
    pub fn chat(&self) -> Option<&Chat> {
        match &self.content {
            Content::Chat(chat) => Some(chat),
            Content::Raw(_) => None,
        }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        canonical::json(&self.content).len()
    }

    /// How many symbols its texts have: what a model will read, without its own instructions.
    ///
    /// Locks keep this number. The words that mark who speaks, and that a schema follows, have been
    /// part of it from the first lock on.
    pub fn symbols(&self) -> u64 {
        let chat = match &self.content {
            Content::Raw(value) => return text_symbols(value),
            Content::Chat(chat) => chat,
        };
        let count = |text: &str| text.chars().count() as u64;
        let system = chat.system.as_deref().map_or(0, |_| count("system"));
        let roles: u64 = chat.turns.iter().map(|turn| count(turn.role.word())).sum();
        let texts: u64 = chat.texts().map(count).sum();
        let schema = chat.schema.as_ref().map_or(0, |schema| {
            count("json_schema") + count(&schema.name) + text_symbols(&schema.schema)
        });
        system + roles + texts + schema
    }
}

/// How many symbols all texts in a value have, names of fields apart.
fn text_symbols(value: &Value) -> u64 {
    match value {
        Value::String(text) => text.chars().count() as u64,
        Value::Array(items) => items.iter().map(text_symbols).sum(),
        Value::Object(map) => map.values().map(text_symbols).sum(),
        _ => 0,
    }
}

/// What was asked of one model and what it answered, counted.
///
/// Symbols, not tokens: they are the same whoever answers, and packs of answers keep no counts of tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskTotals {
    /// Requests, each of which was answered.
    pub answers: u64,
    /// Symbols of the requests.
    pub symbols_in: u64,
    /// Symbols of the answers.
    pub symbols_out: u64,
}

impl std::ops::AddAssign for AskTotals {
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

/// Reasons for the end of an answer that is none: the model wants another turn, or something failed on the way.
pub const UNFINISHED: [&str; 6] =
    ["pause_turn", "compaction", "incomplete", "cancelled", "failed", "error"];

impl Answer {
    /// How many symbols its text has.
    pub fn symbols(&self) -> u64 {
        self.text.chars().count() as u64
    }

    /// The digest of the answer, kept in the trace of what read it.
    pub fn digest(&self) -> Digest {
        Digest::of_parts(
            "storymill 2026 answer v1",
            [self.text.as_bytes(), self.finish_reason.as_bytes()],
        )
    }
}

/// How much a model wrote, in its own tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// All of it, thinking among it.
    pub output: u32,
    /// Of these, tokens of thinking.
    pub thinking: u32,
}

/// Fields of requests that an endpoint refused: the name that each was sent under instead; none: it was left out.
pub type Changes = BTreeMap<String, Option<String>>;

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
    /// How much the model wrote for the answer under a key, where that is known.
    fn written(&self, _key: &RequestKey) -> Result<Option<Written>, Fault> {
        Ok(None)
    }
    /// What of the request for an answer that was read the endpoint refused.
    fn changes(&self, _key: &RequestKey) -> Changes {
        Changes::new()
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn symbols_are_counted_as_in_the_first_locks() {
        let symbols = |content| Request { model: "m".into(), content, tries: 1 }.symbols();
        let system = Some("ab".to_owned());
        let plain = Chat { system, ..Chat::new("cdé") };
        assert_eq!(symbols(Content::Chat(plain.clone())), 6 + 2 + 4 + 3);
        let schema = Schema { name: "n".to_owned(), schema: json!({ "type": ["object", 1] }) };
        let schema = Content::Chat(Chat { schema: Some(schema), ..plain });
        assert_eq!(symbols(schema), 15 + 11 + 1 + 6);
        assert_eq!(symbols(Content::Raw(json!({ "first": "101", "pieces": [7, 8] }))), 3);
    }
}

//! Wire formats: how a request, its answer and its errors look to one provider or another.
//!
//! Everything else in this crate speaks of requests, replies and failures. What a format has to say
//! stands in one file, a [`Wire`]; [`Wires`] finds it by its name. What all of them share is here: telling JSON from
//! pieces of it, and from what is neither.

mod anthropic;
pub(crate) mod mend;
pub(crate) mod openai;
mod responses;
mod wires;

use serde_json::{Map, Number, Value};
use storymill_core::{Answer, Chat};

pub use self::wires::Wires;
use crate::{
    ModelConfig, Usage,
    failure::{self, Failure},
};

/// How large one file of a batch may be.
///
/// ```
/// use storymill_llm::wire::Wires;
///
/// assert_eq!(Wires::default().of("openai").unwrap().limits().requests, 50_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileLimits {
    /// Bytes.
    pub bytes: u64,
    /// Requests.
    pub requests: u64,
}

/// A wire format. `integrations/own-stage` has one of its own.
pub trait Wire: Send + Sync {
    /// What workflows call it: `wire = "openai"`.
    fn name(&self) -> &'static str;
    /// Whose it is, for messages: `OpenAI`.
    fn whose(&self) -> &'static str;
    /// The path of the address that answers, below the one that the user wrote, which may be whole
    /// already and has no slash at its end.
    fn path(&self, base: &str) -> String;
    /// The header that a key is sent in, and what stands in it.
    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("authorization", format!("Bearer {key}"))
    }
    /// What else goes with every request.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// The body to send.
    ///
    /// # Errors
    ///
    /// A fragment, if the table of the model or the conversation holds what this format cannot say.
    fn body(
        &self,
        config: &ModelConfig,
        chat: &Chat,
        seed: u32,
    ) -> Result<Map<String, Value>, String>;
    /// Whether caches keep what is marked; else they keep whatever requests begin with alike.
    fn wants_marks(&self) -> bool {
        false
    }
    /// Where the schema of an answer stands in a body.
    fn schema_field(&self) -> &'static str {
        "response_format"
    }
    /// The reply in the body of a response.
    ///
    /// # Errors
    ///
    /// A fragment, if it is something else: `JSON without a choice`.
    fn whole(&self, body: &Value) -> Result<Reply, &'static str>;
    /// The reply in pieces, if they are all there. `done`: a line said that they are.
    fn joined(&self, pieces: &[Value], done: bool) -> Option<Reply>;
    /// The status that would come with an error of this kind, where it came with success.
    fn status(&self, _kind: &str) -> Option<u16> {
        None
    }
    /// What one file of a batch may hold.
    fn limits(&self) -> FileLimits {
        FileLimits { bytes: u64::MAX, requests: u64::MAX }
    }
    /// A request as a line of a batch, under its custom id (`custom_id`). Without this, it takes no batches.
    ///
    /// # Errors
    ///
    /// A fragment, if it cannot be said.
    fn line(
        &self,
        _id: &str,
        _config: &ModelConfig,
        _chat: &Chat,
        _seed: u32,
    ) -> Result<Value, String> {
        Err("it takes no batches".to_owned())
    }
    /// What a line of results says, if it is in this format; a fragment if it cannot be. [`Outcome::answered`] reads a
    /// response that such a line holds.
    fn outcome(&self, _line: &Value) -> Option<Result<Outcome, String>> {
        None
    }
}

/// A response that holds an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What was answered, and how it ended: `stop`, `length`, `content_filter`, or the format's own word.
    pub answer: Answer,
    /// The tokens that it took, if the response says so.
    pub usage: Option<Usage>,
}

impl Reply {
    /// Without its text where the model stopped before it had answered: to take its turn again, or to wait for
    /// something that nobody will send. Stages refuse it, with the reason for its end.
    pub(crate) fn settled(mut self) -> Self {
        if storymill_core::UNFINISHED.contains(&&*self.answer.finish_reason) {
            self.answer.text.clear();
        }
        self
    }
}

/// What the body of a successful response turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    Reply(Reply),
    /// An error after all, as some proxies send it.
    Error(Value),
    /// Neither; the fragment says what it looks like.
    Garbage(&'static str),
}

/// What became of a request of a batch.
#[derive(Debug)]
pub enum Outcome {
    /// It was answered.
    Reply(Reply),
    /// Its time was over before its turn came.
    Expired,
    /// The batch was stopped before its turn came.
    Canceled,
    /// It failed: perhaps not the next time, or for good.
    Failed(Failed),
}

/// Why a request failed, as the program sorts it out from a status and a body.
#[derive(Debug)]
pub struct Failed(pub(crate) Failure);

impl Outcome {
    /// A response of a batch as it would have come over the wire, with its status.
    pub fn answered(wire: &dyn Wire, status: u16, body: &Value) -> Self {
        let text = body.to_string();
        if !(200..300).contains(&status) {
            return Self::Failed(Failed(failure::classify(status, text.as_bytes(), None, None)));
        }
        match read(wire, text.as_bytes()) {
            Body::Reply(reply) => Self::Reply(reply),
            Body::Error(value) => Self::failed_inside(wire, &value),
            Body::Garbage(what) => {
                let what = format!("the result is {what}");
                Self::Failed(Failed(failure::Again::transport(what, true)))
            }
        }
    }

    /// An error that came without a status of its own.
    fn failed_inside(wire: &dyn Wire, value: &Value) -> Self {
        Self::Failed(Failed(failure::classify_inside(wire, value)))
    }
}

/// Reads the body of a successful response, whole or in pieces.
pub(crate) fn read(wire: &dyn Wire, body: &[u8]) -> Body {
    let body = body.trim_ascii_start();
    if body.starts_with(b"data:") || body.starts_with(b":") || body.starts_with(b"event:") {
        return read_pieces(wire, body);
    }
    if body.is_empty() {
        return Body::Garbage("an empty body");
    }
    if body.starts_with(b"<") {
        return Body::Garbage("HTML instead of JSON");
    }
    match serde_json::from_slice::<Value>(body) {
        Ok(value) if is_error(&value) => Body::Error(value),
        Ok(value) => match wire.whole(&value) {
            Ok(reply) => Body::Reply(reply.settled()),
            Err(what) => Body::Garbage(what),
        },
        Err(error) if error.is_eof() => Body::Garbage("JSON that is cut off"),
        Err(_) => Body::Garbage("no JSON"),
    }
}

/// Server-sent events: pieces of one answer, put together.
fn read_pieces(wire: &dyn Wire, body: &[u8]) -> Body {
    let (mut pieces, mut done) = (Vec::new(), false);
    let cut = Body::Garbage("an answer in pieces that is cut off");
    for line in body.split(|byte| *byte == b'\n') {
        let Some(event) = line.strip_prefix(b"data:").map(<[u8]>::trim_ascii) else { continue };
        if event == b"[DONE]" {
            done = true;
            break;
        }
        match serde_json::from_slice::<Value>(event) {
            Ok(value) if is_error(&value) => return Body::Error(value),
            Ok(value) if value.get("response").is_some_and(is_error) => {
                return Body::Error(value["response"].clone());
            }
            Ok(value) => pieces.push(value),
            Err(_) => return cut,
        }
    }
    wire.joined(&pieces, done).map_or(cut, |reply| Body::Reply(reply.settled()))
}

fn is_error(value: &Value) -> bool {
    let is_piece = value.get("type").is_some_and(|kind| kind == "error");
    is_piece || value.get("error").is_some_and(|error| !error.is_null())
}

/// A field of a line that is there and not null.
fn given<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.get(name).filter(|value| !value.is_null())
}

/// Puts a value into a field of a field, beside what is there.
fn inside(body: &mut Map<String, Value>, outer: &str, inner: &str, value: Value) -> Option<Value> {
    let outer = body.entry(outer).or_insert_with(|| Value::Object(Map::new()));
    outer.as_object_mut().and_then(|outer| outer.insert(inner.to_owned(), value))
}

/// The turns as most formats have them: a role and a text each.
pub fn messages(chat: &Chat) -> Vec<Value> {
    chat.turns.iter().map(|turn| message(turn.role.word(), &turn.text)).collect()
}

fn message(role: &str, text: &str) -> Value {
    serde_json::json!({ "role": role, "content": text })
}

/// A word that should be a string and may be a number, or missing.
pub fn word(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(word)) => word.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// Writes whole floats as integers, so that `0` and `0.0` are one request: the last thing that is done to a body.
pub fn plain_numbers(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().unwrap_or_default();
            if float.fract() == 0.0 && float.abs() < 9e15 {
                #[expect(clippy::cast_possible_truncation, reason = "it is whole and small")]
                let whole = float as i64;
                *number = Number::from(whole);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(plain_numbers),
        Value::Object(map) => map.values_mut().for_each(plain_numbers),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_has_a_name() {
        for wire in Wires::default().all() {
            for body in ["", "<html>", "{\"choices\":[", "{\"choices\":[]}", "hello", "[]", "null"]
            {
                assert!(matches!(read(wire, body.as_bytes()), Body::Garbage(_)), "{body}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn no_body_makes_it_panic(body in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
            for wire in Wires::default().all() {
                let _ = read(wire, &body);
                let _ = read(wire, &[b"data: ", &body[..]].concat());
            }
        }
    }
}

//! Keys of answers.
//!
//! A key is taken over the whole request that is wanted, field by field whatever it is called, less a
//! short list of fields that change no answer. (Lists of fields that *do* count are how caches come
//! to serve wrong answers.)
//!
//! The request as the key sees it has the form of a chat completion, whichever wire format is sent:
//! what somebody paid for is found again when an endpoint is asked in another format, live or in a
//! batch.

use serde_json::{Map, Value};
use storymill_core::{
    Chat, Content, Digest, Fault, FaultKind, Request, RequestKey, UnitId, canonical,
};

use crate::{
    ModelConfig,
    wire::{openai, plain_numbers},
};

/// Fields that change nothing about the answer: how it is sent, whom it is billed to.
pub const NOT_IN_KEY: [&str; 5] = ["metadata", "store", "stream", "stream_options", "user"];

/// The request as the key sees it: canonical JSON without [`NOT_IN_KEY`].
pub fn canonical_request(body: &Map<String, Value>) -> String {
    let mut body = body.clone();
    for field in NOT_IN_KEY {
        body.remove(field);
    }
    body.values_mut().for_each(plain_numbers);
    canonical::json(&Value::Object(body))
}

/// The same of what a model of the workflow is asked.
pub fn canonical_chat(config: &ModelConfig, chat: &Chat, sample: u32, attempt: u32) -> String {
    canonical_request(&openai::body(config, chat, seed(config, sample, attempt)))
}

/// The same of what a model on this machine is asked: what the stage says, and nothing else.
pub(crate) fn canonical_here(request: &Request) -> String {
    match &request.content {
        Content::Raw(value) => canonical::json(value),
        Content::Chat(chat) => canonical::json(&Value::Object(openai::said(chat))),
    }
}

/// The key of the answer to a canonical request.
pub fn key(
    unit: &UnitId,
    model_id: &str,
    canonical: &str,
    sample: u32,
    attempt: u32,
) -> RequestKey {
    let (sample, attempt) = (sample.to_le_bytes(), attempt.to_le_bytes());
    let parts =
        [unit.as_str().as_bytes(), model_id.as_bytes(), canonical.as_bytes(), &sample, &attempt];
    RequestKey(Digest::of_parts("storymill 2026 model answer key v1", parts))
}

/// The conversation of a request to an endpoint.
pub(crate) fn chat(request: &Request) -> Result<&Chat, Fault> {
    request.chat().ok_or_else(|| {
        let message = format!("what `{}` is asked can only be read on this machine", request.model);
        Fault::new(FaultKind::Input, message)
            .hint("a model of the workflow must not have the name of a tagger")
    })
}

/// The seed of one request. Servers take it as a hint; that two wanted variants differ is what
/// it is for.
pub(crate) fn seed(config: &ModelConfig, sample: u32, attempt: u32) -> u32 {
    config.seed.wrapping_add(sample.wrapping_mul(1000)).wrapping_add(attempt) & 0x7fff_ffff
}

//! The body of a request and its key.
//!
//! The key is taken over the whole body that is wanted, field by field whatever it is called,
//! less a short list of fields that change no answer. (Lists of fields that *do* count are how
//! caches come to serve wrong answers.)

use serde_json::{Map, Number, Value};
use storymill_core::{Digest, Fault, FaultKind, RequestKey, UnitId, canonical};

use crate::config::{Field, ModelConfig, ResponseFormat};

/// Fields that change nothing about the answer: how it is sent, whom it is billed to.
pub const NOT_IN_KEY: [&str; 5] = ["metadata", "store", "stream", "stream_options", "user"];

/// The body to send: the model's parameters, then the user's further fields, then what the stage
/// insists on. Every parameter is there; numbers have one form.
pub fn body(
    config: &ModelConfig,
    stage: &Value,
    sample: u32,
    attempt: u32,
) -> Result<Map<String, Value>, Fault> {
    let Value::Object(stage) = stage else {
        return Err(Fault::new(FaultKind::Internal, "a stage's request is no JSON object"));
    };
    let mut body = Map::new();
    body.insert("model".to_owned(), config.model.clone().into());
    let parameters = [
        (Field::Temperature, "temperature", config.temperature.into()),
        (Field::TopP, "top_p", config.top_p.into()),
        (Field::MaxTokens, "max_tokens", config.max_tokens.into()),
        (Field::Seed, "seed", seed(config.seed, sample, attempt).into()),
    ];
    let sent = parameters.into_iter().filter(|(field, ..)| !config.omit.contains(field));
    body.extend(sent.map(|(_, name, value)| (name.to_owned(), value)));
    body.extend(config.extra.clone());
    body.insert("stream".to_owned(), config.stream.into());
    if config.stream {
        body.insert("stream_options".to_owned(), serde_json::json!({ "include_usage": true }));
    }
    body.extend(stage.clone());
    if config.response_format == ResponseFormat::None {
        body.remove("response_format");
    }
    body.values_mut().for_each(plain_numbers);
    Ok(body)
}

/// The seed of one request. Servers take it as a hint; that two wanted variants differ is what
/// it is for.
fn seed(base: u32, sample: u32, attempt: u32) -> u32 {
    base.wrapping_add(sample.wrapping_mul(1000)).wrapping_add(attempt) & 0x7fff_ffff
}

/// Writes whole floats as integers, so that `0` and `0.0` are one request.
fn plain_numbers(value: &mut Value) {
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

/// The request as the key sees it: canonical JSON without [`NOT_IN_KEY`].
pub fn canonical_request(body: &Map<String, Value>) -> String {
    let mut body = body.clone();
    for field in NOT_IN_KEY {
        body.remove(field);
    }
    body.values_mut().for_each(plain_numbers);
    canonical::json(&Value::Object(body))
}

/// The key of the answer to a [`canonical_request`].
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

//! OpenAI's chat completions, and what servers that speak them really send back, read without
//! prejudice: any `finish_reason`, a content of parts or none, missing usage, integers where others
//! send strings.
//!
//! Keys of answers are taken over this body, whichever format is sent (`crate::keys`).

use serde_json::{Map, Value, json};
use storymill_core::{Answer, Chat};

use super::{FileLimits, Outcome, Reply, Wire, given, message, messages, plain_numbers, word};
use crate::{Field, ModelConfig, Usage};

pub(super) struct OpenAi;

impl Wire for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn whose(&self) -> &'static str {
        "OpenAI"
    }

    fn path(&self, base: &str) -> String {
        format!("{}/chat/completions", base.trim_end_matches("/chat/completions"))
    }

    fn body(
        &self,
        config: &ModelConfig,
        chat: &Chat,
        seed: u32,
    ) -> Result<Map<String, Value>, String> {
        Ok(body(config, chat, seed))
    }

    fn whole(&self, body: &Value) -> Result<Reply, &'static str> {
        let choice = body.pointer("/choices/0").filter(|choice| choice.is_object());
        let choice = choice.ok_or("JSON without a choice")?;
        let message = choice.get("message").unwrap_or(&Value::Null);
        let content = message.get("content").or_else(|| choice.get("text")).unwrap_or(&Value::Null);
        let mut finish_reason = word(choice.get("finish_reason"));
        let mut text = String::new();
        content_text(content, &mut text);
        if text.is_empty() && message.get("refusal").is_some_and(Value::is_string) {
            "refusal".clone_into(&mut finish_reason);
        }
        let usage = body.get("usage").and_then(usage);
        Ok(Reply { answer: Answer { text, finish_reason }, usage })
    }

    fn joined(&self, pieces: &[Value], done: bool) -> Option<Reply> {
        let (mut text, mut finish_reason, mut counted) = (String::new(), String::new(), None);
        for piece in pieces {
            counted = piece.get("usage").and_then(usage).or(counted);
            let Some(choice) = piece.pointer("/choices/0") else { continue };
            content_text(choice.pointer("/delta/content").unwrap_or(&Value::Null), &mut text);
            let reason = word(choice.get("finish_reason"));
            if !reason.is_empty() {
                finish_reason = reason;
            }
        }
        let all = !pieces.is_empty() && (done || !finish_reason.is_empty());
        all.then_some(Reply { answer: Answer { text, finish_reason }, usage: counted })
    }

    fn limits(&self) -> FileLimits {
        FileLimits { bytes: 200_000_000, requests: 50_000 }
    }

    fn line(
        &self,
        id: &str,
        config: &ModelConfig,
        chat: &Chat,
        seed: u32,
    ) -> Result<Value, String> {
        let mut body = self.body(config, chat, seed)?;
        body.retain(|field, _| !matches!(field.as_str(), "stream" | "stream_options"));
        Ok(json!({
            "custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": body,
        }))
    }

    fn outcome(&self, line: &Value) -> Option<Result<Outcome, String>> {
        if let Some(response) = given(line, "response") {
            return Some(answered(self, response));
        }
        let error = given(line, "error")?;
        let code = word(error.get("code")).to_ascii_lowercase();
        Some(Ok(match () {
            () if code.contains("expired") => Outcome::Expired,
            () if code.contains("cancel") => Outcome::Canceled,
            () => Outcome::failed_inside(self, &json!({ "error": error })),
        }))
    }
}

/// The body: the model's parameters, then the user's further fields, then what the stage says. Every
/// parameter is there; numbers have one form.
pub(crate) fn body(config: &ModelConfig, chat: &Chat, seed: u32) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".to_owned(), config.model.clone().into());
    let parameters = [
        (Field::Temperature, "temperature", config.temperature.into()),
        (Field::TopP, "top_p", config.top_p.into()),
        (Field::MaxTokens, "max_tokens", config.max_tokens.into()),
        (Field::Seed, "seed", seed.into()),
    ];
    let sent = parameters.into_iter().filter(|(field, ..)| !config.omit.contains(field));
    body.extend(sent.map(|(_, name, value)| (name.to_owned(), value)));
    body.extend(
        config.effort.iter().map(|effort| ("reasoning_effort".to_owned(), effort.clone().into())),
    );
    body.extend(config.extra.clone());
    body.insert("stream".to_owned(), config.stream.into());
    if config.stream {
        body.insert("stream_options".to_owned(), json!({ "include_usage": true }));
    }
    body.extend(said(chat));
    // What the endpoint refuses is left out, whoever says it.
    if config.omit.contains(&Field::MaxTokens) {
        body.remove("max_tokens");
    }
    if config.schema(chat).is_none() {
        body.remove("response_format");
    }
    body.values_mut().for_each(plain_numbers);
    body
}

/// What a stage says, as fields of a body.
pub(crate) fn said(chat: &Chat) -> Map<String, Value> {
    let system = chat.system.iter().map(|text| message("system", text));
    let mut said = Map::new();
    said.insert("messages".to_owned(), system.chain(messages(chat)).collect());
    if let Some(schema) = &chat.schema {
        let mut format = json!({ "type": "json_schema" });
        // One that is not described asks what the endpoint is told beside.
        if !schema.name.is_empty() {
            format["json_schema"] =
                json!({ "name": schema.name, "strict": true, "schema": schema.schema });
        }
        said.insert("response_format".to_owned(), format);
    }
    said.extend(chat.max_tokens.map(|most| ("max_tokens".to_owned(), most.into())));
    said
}

/// A response of a batch as it would have come over the wire.
pub(super) fn answered(wire: &dyn Wire, response: &Value) -> Result<Outcome, String> {
    let status = response.get("status_code").and_then(Value::as_u64).unwrap_or(200);
    let status = u16::try_from(status).map_err(|_| format!("its status is {status}"))?;
    Ok(Outcome::answered(wire, status, response.get("body").unwrap_or(&Value::Null)))
}

/// The text of a content: a string, or parts of which some are text.
fn content_text(content: &Value, out: &mut String) {
    match content {
        Value::String(text) => out.push_str(text),
        Value::Array(parts) => {
            for part in parts {
                out.push_str(part.get("text").and_then(Value::as_str).unwrap_or_default());
            }
        }
        _ => {}
    }
}

pub(super) fn usage(value: &Value) -> Option<Usage> {
    let count = |pointer: &str| {
        let number = value.pointer(pointer)?;
        let float = || number.as_f64().filter(|float| (0.0..1e15).contains(float));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        number.as_u64().or_else(|| float().map(|float| float as u64))
    };
    let prompt = count("/prompt_tokens").or_else(|| count("/input_tokens"));
    let completion = count("/completion_tokens").or_else(|| count("/output_tokens"));
    if prompt.is_none() && completion.is_none() {
        return None;
    }
    Some(Usage {
        prompt: prompt.unwrap_or(0),
        cached: count("/prompt_tokens_details/cached_tokens")
            .or_else(|| count("/input_tokens_details/cached_tokens"))
            .unwrap_or(0),
        completion: completion.unwrap_or(0),
        reasoning: count("/completion_tokens_details/reasoning_tokens")
            .or_else(|| count("/output_tokens_details/reasoning_tokens"))
            .unwrap_or(0),
        cache_write: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Body, read};

    fn reply(body: &str) -> Reply {
        match read(&OpenAi, body.as_bytes()) {
            Body::Reply(reply) => reply,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn answers_of_many_shapes() {
        let cases = [
            (r#"{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}"#, "a", "stop"),
            (r#"{"choices":[{"message":{"content":null},"finish_reason":""}]}"#, "", ""),
            (
                r#"{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"x":1}]}}]}"#,
                "a",
                "",
            ),
            (r#"{"choices":[{"text":"a","finish_reason":7}]}"#, "a", "7"),
            (r#"{"choices":[{"message":{"content":null,"refusal":"no"}}]}"#, "", "refusal"),
            (r#"{"error":null,"choices":[{"message":{"content":"a"}}],"odd":[{}]}"#, "a", ""),
        ];
        for (body, text, finish) in cases {
            let reply = reply(body);
            assert_eq!(
                (reply.answer.text.as_str(), reply.answer.finish_reason.as_str()),
                (text, finish)
            );
            assert_eq!(reply.usage, None);
        }
    }

    #[test]
    fn pieces_are_put_together() {
        let body = ": hello\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"Call \"}}]}\r\n\r\n\
            data: {\"choices\":[{\"delta\":{\"content\":\"me\"},\"finish_reason\":\"stop\"}]}\n\n\
            data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\ndata: [DONE]\n";
        let reply = reply(body);
        assert_eq!(reply.answer.text, "Call me");
        assert_eq!(reply.usage.map(|usage| usage.completion), Some(2));
        let cut = &body[..60];
        assert!(matches!(read(&OpenAi, cut.as_bytes()), Body::Garbage(_)));
    }

    proptest::proptest! {
        #[test]
        fn any_text_comes_through(text in ".*", finish in ".*") {
            let body = serde_json::json!({
                "choices": [{ "message": { "content": text }, "finish_reason": finish }],
            });
            let answer = reply(&body.to_string()).answer;
            proptest::prop_assert_eq!((answer.text, answer.finish_reason), (text, finish));
        }
    }
}

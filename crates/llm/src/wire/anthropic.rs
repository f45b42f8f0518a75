//! Anthropic's messages.
//!
//! The system prompt stands apart, an answer is a list of blocks, and the reason for its end comes in
//! other words: it is told in those of chat completions, which stages and logs know. A seed, and what
//! else only chat completions have, is left out; the key of the answer is taken before, so it is the
//! same as from an endpoint that speaks both.

use serde_json::{Map, Value, json};
use storymill_core::{Answer, Chat};

use super::{FileLimits, Outcome, Reply, Wire, given, inside, messages, plain_numbers, word};
use crate::{CacheLife, Field, ModelConfig, ResponseFormat, Usage, sharing};

pub(super) struct Anthropic;

/// The messages, the first of which in blocks with marks for caching where others begin with the same.
///
/// What is kept is told by its blocks, so these end at the same places whatever is marked.
fn marked(mut messages: Vec<Value>, config: &ModelConfig, chat: &Chat) -> Vec<Value> {
    let text = chat.turns.first().map_or("", |turn| &turn.text);
    if chat.marks.is_empty() {
        return messages;
    }
    let mark = match config.cache {
        CacheLife::Minutes => json!({ "type": "ephemeral" }),
        CacheLife::Hour => json!({ "type": "ephemeral", "ttl": "1h" }),
    };
    let mut from = 0;
    let ends = sharing::borders(text, chat.shared).into_iter().chain([text.len()]);
    let block = |end: usize| {
        let mut block = json!({ "type": "text", "text": &text[from..end] });
        if chat.marks.contains(&end) {
            block["cache_control"] = mark.clone();
        }
        let is_blank = from == end;
        from = end;
        (!is_blank).then_some(block)
    };
    messages[0]["content"] = ends.filter_map(block).collect();
    messages
}

impl Wire for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn whose(&self) -> &'static str {
        "Anthropic"
    }

    fn path(&self, base: &str) -> String {
        if base.ends_with("/messages") {
            return base.to_owned();
        }
        format!("{}/v1/messages", base.trim_end_matches("/v1"))
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-api-key", key.to_owned())
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("anthropic-version", "2023-06-01")]
    }

    /// What messages do not know is left out; what would be another request without is refused.
    /// Further fields are handed on.
    fn body(
        &self,
        config: &ModelConfig,
        chat: &Chat,
        _seed: u32,
    ) -> Result<Map<String, Value>, String> {
        let unknown = ["seed", "n", "metadata", "store", "user"];
        let extra = config.extra.iter().filter(|(field, _)| !unknown.contains(&&***field));
        let mut body: Map<_, _> =
            extra.map(|(field, value)| (field.clone(), value.clone())).collect();
        if let Some(stop) = body.remove("stop") {
            let all = if stop.is_string() { json!([stop]) } else { stop };
            body.insert("stop_sequences".to_owned(), all);
        }
        let mut put = |name: &str, value| drop(body.insert(name.to_owned(), value));
        put("model", config.model.clone().into());
        let sent = |field| !config.omit.contains(&field);
        if !sent(Field::MaxTokens) {
            return Err("`max_tokens` must be sent".to_owned());
        }
        put("max_tokens", chat.max_tokens.unwrap_or(config.max_tokens).into());
        if sent(Field::Temperature) {
            if config.temperature > 1.0 {
                return Err("`temperature` is at most 1".to_owned());
            }
            put("temperature", config.temperature.into());
        }
        // All of the probability is what it takes anyhow, and some models refuse both in one request.
        if sent(Field::TopP) && config.top_p < 1.0 {
            put("top_p", config.top_p.into());
        }
        if chat.turns.is_empty() {
            return Err("the request has only a system prompt".to_owned());
        }
        if let Some(system) = &chat.system {
            put("system", system.clone().into());
        }
        put("messages", marked(messages(chat), config, chat).into());
        if config.stream {
            put("stream", true.into());
        }
        if let Some(effort) = &config.effort {
            inside(&mut body, "output_config", "effort", effort.clone().into());
        }
        if let Some(schema) = config.schema(chat) {
            let mut schema = schema.schema.clone();
            without_lengths(&mut schema);
            let format = json!({ "type": "json_schema", "schema": schema });
            inside(&mut body, "output_config", "format", format);
        }
        body.values_mut().for_each(plain_numbers);
        Ok(body)
    }

    fn wants_marks(&self) -> bool {
        true
    }

    fn schema_field(&self) -> &'static str {
        "output_config.format"
    }

    fn whole(&self, body: &Value) -> Result<Reply, &'static str> {
        let blocks = body.get("content").and_then(Value::as_array);
        blocks.map(|_| said(body)).ok_or("JSON without a message")
    }

    fn joined(&self, pieces: &[Value], _done: bool) -> Option<Reply> {
        let (mut text, mut usage, mut ended) = (String::new(), Map::new(), None);
        for piece in pieces {
            match piece.get("type").and_then(Value::as_str).unwrap_or_default() {
                "content_block_delta" => {
                    let more = piece.pointer("/delta/text").and_then(Value::as_str);
                    text.push_str(more.unwrap_or_default());
                }
                "message_delta" => {
                    let reason = piece.pointer("/delta/stop_reason");
                    ended = reason.filter(|reason| !reason.is_null()).cloned().or(ended);
                }
                "message_stop" => ended = ended.or(Some(Value::Null)),
                _ => {}
            }
            // The request is counted at the beginning, the answer at the end.
            let counted = piece.pointer("/message/usage").or_else(|| piece.get("usage"));
            let counted = counted.and_then(Value::as_object).cloned().unwrap_or_default();
            usage.extend(counted.into_iter().filter(|(_, count)| !count.is_null()));
        }
        let mut message = json!({ "content": [{ "type": "text", "text": text }] });
        message["stop_reason"] = ended?;
        if !usage.is_empty() {
            message["usage"] = usage.into();
        }
        Some(said(&message))
    }

    fn status(&self, kind: &str) -> Option<u16> {
        Some(match kind {
            "invalid_request_error" => 400,
            "authentication_error" => 401,
            "billing_error" => 402,
            "permission_error" => 403,
            "not_found_error" => 404,
            "request_too_large" => 413,
            "rate_limit_error" => 429,
            "timeout_error" => 504,
            "overloaded_error" => 529,
            _ => return None,
        })
    }

    fn limits(&self) -> FileLimits {
        FileLimits { bytes: 256_000_000, requests: 100_000 }
    }

    fn line(
        &self,
        id: &str,
        config: &ModelConfig,
        chat: &Chat,
        seed: u32,
    ) -> Result<Value, String> {
        let mut chat = chat.clone();
        // Not every model knows schemas, and nobody is there to ask again without.
        if config.response_format == ResponseFormat::Auto {
            chat.schema = None;
        }
        let mut params = self.body(config, &chat, seed)?;
        params.remove("stream");
        Ok(json!({ "custom_id": id, "params": params }))
    }

    fn outcome(&self, line: &Value) -> Option<Result<Outcome, String>> {
        let result = given(line, "result")?;
        Some(Ok(match result.get("type").and_then(Value::as_str).unwrap_or_default() {
            "succeeded" => match result.get("message").filter(|message| message.is_object()) {
                Some(message) => Outcome::Reply(said(message).settled()),
                None => return Some(Err("it succeeded without a message".to_owned())),
            },
            "expired" => Outcome::Expired,
            "canceled" | "cancelled" => Outcome::Canceled,
            "errored" => {
                let error = result.get("error").unwrap_or(&Value::Null);
                let error = error.get("error").unwrap_or(error);
                Outcome::failed_inside(self, &json!({ "error": error }))
            }
            other => {
                return Some(Err(format!("its result is of the kind `{}`", other.escape_debug())));
            }
        }))
    }
}

/// Schemas may not say how long a text is. The stage looks at the answer anyhow.
fn without_lengths(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("type").is_some_and(|kind| kind == "string") {
                fields.retain(|field, _| !matches!(field.as_str(), "minLength" | "maxLength"));
            }
            fields.values_mut().for_each(without_lengths);
        }
        Value::Array(items) => items.iter_mut().for_each(without_lengths),
        _ => {}
    }
}

/// A message as the answer that a chat completion would give: the same text, and the reason for its
/// end in the words that stages know.
fn said(message: &Value) -> Reply {
    let blocks = message.get("content").and_then(Value::as_array).into_iter().flatten();
    let text = blocks
        .filter(|block| block.get("type").and_then(Value::as_str) == Some("text"))
        .filter_map(|block| block.get("text").and_then(Value::as_str))
        .collect();
    let reason = word(message.get("stop_reason"));
    let finish_reason = match reason.as_str() {
        "end_turn" | "stop_sequence" => "stop".to_owned(),
        "max_tokens" | "model_context_window_exceeded" => "length".to_owned(),
        "refusal" => "content_filter".to_owned(),
        "tool_use" => "tool_calls".to_owned(),
        _ => reason,
    };
    let usage = message.get("usage").filter(|usage| usage.is_object()).map(|usage| {
        let count = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
        let cached = count("cache_read_input_tokens");
        let cache_write = count("cache_creation_input_tokens");
        let prompt = [count("input_tokens"), cached, cache_write];
        Usage {
            prompt: prompt.iter().fold(0, |sum: u64, part| sum.saturating_add(*part)),
            cached,
            cache_write,
            completion: count("output_tokens"),
            reasoning: 0,
        }
    });
    Reply { answer: Answer { text, finish_reason }, usage }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_at_the_same_places_and_what_others_begin_with_is_marked() {
        let parse = |more: &str| {
            let lines = format!("url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n{more}");
            ModelConfig::parse(&lines).unwrap()
        };
        let book = "A line of the book.\n".repeat(2_000);
        let content = |config: &ModelConfig, shared: usize, marks: &[usize]| {
            let text = format!("{}\nThe question?", &book[..shared]);
            let chat = Chat { shared, marks: marks.to_vec(), ..Chat::new(text) };
            Anthropic.body(config, &chat, 0).unwrap()["messages"][0]["content"].clone()
        };
        let config = parse("");
        assert!(content(&config, 30_000, &[]).is_string());
        let (long, short) =
            (content(&config, 38_000, &[8_180, 38_000]), content(&config, 30_000, &[24_560]));
        let texts = |blocks: &Value| -> Vec<String> {
            let blocks = blocks.as_array().unwrap().iter();
            blocks.map(|block| block["text"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(texts(&long).concat(), format!("{}\nThe question?", &book[..38_000]));
        assert_eq!(texts(&long)[..3], texts(&short)[..3]);
        let marked = |blocks: &Value| -> Vec<usize> {
            let blocks = blocks.as_array().unwrap().iter().enumerate();
            blocks
                .filter(|(_, block)| block.get("cache_control").is_some())
                .map(|(at, _)| at)
                .collect()
        };
        assert_eq!((marked(&long), marked(&short)), (vec![0, 4], vec![2]));
        let hour = content(&parse("cache = \"1h\""), 30_000, &[8_180]);
        assert_eq!(hour[0]["cache_control"], json!({ "type": "ephemeral", "ttl": "1h" }));
    }
}

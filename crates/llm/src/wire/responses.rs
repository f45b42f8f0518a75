//! OpenAI's responses, which some models answer in alone.
//!
//! The system prompt stands apart, an answer is a list of items, and how it ended is a status. Seeds are left out, as
//! this format has none; the key of the answer is taken before, so it is the same as in a chat completion.

use serde_json::{Map, Value, json};
use storymill_core::{Answer, Chat};

use super::{
    FileLimits, Outcome, Reply, Wire, given, inside, messages, openai, plain_numbers, word,
};
use crate::{Field, ModelConfig};

pub(super) struct Responses;

impl Wire for Responses {
    fn name(&self) -> &'static str {
        "responses"
    }

    fn whose(&self) -> &'static str {
        "OpenAI"
    }

    fn path(&self, base: &str) -> String {
        format!("{}/responses", base.trim_end_matches("/responses"))
    }

    /// Further fields are handed on; what has another name in chat completions is sent under its name here.
    fn body(
        &self,
        config: &ModelConfig,
        chat: &Chat,
        _seed: u32,
    ) -> Result<Map<String, Value>, String> {
        let mut body = Map::new();
        // What is asked of books is nobody's to keep.
        body.insert("store".to_owned(), false.into());
        for (field, value) in &config.extra {
            match field.as_str() {
                "stop" => return Err("it knows no `stop`".to_owned()),
                "max_completion_tokens" => {
                    body.insert("max_output_tokens".to_owned(), value.clone())
                }
                "reasoning_effort" => inside(&mut body, "reasoning", "effort", value.clone()),
                _ => body.insert(field.clone(), value.clone()),
            };
        }
        let most = chat.max_tokens.unwrap_or(config.max_tokens);
        let parameters = [
            (Field::Temperature, "temperature", config.temperature.into()),
            (Field::TopP, "top_p", config.top_p.into()),
            (Field::MaxTokens, "max_output_tokens", most.into()),
        ];
        let sent = parameters.into_iter().filter(|(field, ..)| !config.omit.contains(field));
        body.extend(sent.map(|(_, name, value)| (name.to_owned(), value)));
        body.insert("model".to_owned(), config.model.clone().into());
        if let Some(effort) = &config.effort {
            inside(&mut body, "reasoning", "effort", effort.clone().into());
        }
        if let Some(system) = &chat.system {
            body.insert("instructions".to_owned(), system.clone().into());
        }
        body.insert("input".to_owned(), messages(chat).into());
        if let Some(schema) = config.schema(chat) {
            let format = json!({
                "type": "json_schema", "name": schema.name, "strict": true, "schema": schema.schema,
            });
            inside(&mut body, "text", "format", format);
        }
        if config.stream {
            body.insert("stream".to_owned(), true.into());
        }
        body.values_mut().for_each(plain_numbers);
        Ok(body)
    }

    fn schema_field(&self) -> &'static str {
        "text.format"
    }

    fn whole(&self, body: &Value) -> Result<Reply, &'static str> {
        let items =
            body.get("output").and_then(Value::as_array).ok_or("JSON without a response")?;
        let ended = body.get("status").map_or("completed".to_owned(), |status| word(Some(status)));
        let why = word(body.pointer("/incomplete_details/reason"));
        let mut finish_reason = match (ended.as_str(), why.as_str()) {
            ("completed", _) => "stop".to_owned(),
            ("incomplete", "max_output_tokens") => "length".to_owned(),
            ("incomplete", "content_filter") => why,
            ("in_progress" | "queued", _) => return Err("a response that is not finished"),
            _ => ended,
        };
        let (mut text, mut refuses) = (String::new(), false);
        let contents = items.iter().filter_map(|item| item.get("content")?.as_array()).flatten();
        for part in contents {
            match part.get("type").and_then(Value::as_str) {
                Some("output_text") => {
                    text.push_str(part.get("text").and_then(Value::as_str).unwrap_or_default());
                }
                Some("refusal") => refuses = true,
                _ => {}
            }
        }
        if text.is_empty() && refuses {
            "refusal".clone_into(&mut finish_reason);
        }
        let usage = body.get("usage").and_then(openai::usage);
        Ok(Reply { answer: Answer { text, finish_reason }, usage })
    }

    /// The last piece holds all of it.
    fn joined(&self, pieces: &[Value], _done: bool) -> Option<Reply> {
        let last = pieces.iter().rev().find_map(|piece| {
            let ends = ["response.completed", "response.incomplete"];
            ends.contains(&piece.get("type")?.as_str()?).then(|| piece.get("response"))?
        })?;
        self.whole(last).ok()
    }

    fn status(&self, kind: &str) -> Option<u16> {
        Some(match kind {
            "invalid_prompt" => 400,
            "rate_limit_exceeded" => 429,
            _ => return None,
        })
    }

    fn limits(&self) -> FileLimits {
        openai::OpenAi.limits()
    }

    fn line(
        &self,
        id: &str,
        config: &ModelConfig,
        chat: &Chat,
        seed: u32,
    ) -> Result<Value, String> {
        let mut body = self.body(config, chat, seed)?;
        body.remove("stream");
        Ok(json!({ "custom_id": id, "method": "POST", "url": "/v1/responses", "body": body }))
    }

    fn outcome(&self, line: &Value) -> Option<Result<Outcome, String>> {
        let response = given(line, "response")?;
        let is_ours = response.pointer("/body/object").is_some_and(|object| object == "response");
        is_ours.then(|| openai::answered(self, response))
    }
}

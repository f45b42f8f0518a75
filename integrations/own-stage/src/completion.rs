//! A wire format of one's own: llama.cpp's completions, in which one text goes on where another ends.
//!
//! There are no roles, so the turns are written out. Counts and the reason for the end have names of their own; the server
//! has one model and is not told which. It has no batches: their lines are for a script that sends each body and writes
//! what came back beside it.

use serde_json::{Map, Value, json};
use storymill_core::{Answer, Chat};
use storymill_llm::{
    Field, ModelConfig, Usage,
    wire::{Outcome, Reply, Wire, plain_numbers, word},
};

/// In a workflow `wire = "completion"`.
#[derive(Debug)]
pub struct Completion;

impl Wire for Completion {
    fn name(&self) -> &'static str {
        "completion"
    }

    fn whose(&self) -> &'static str {
        "llama.cpp"
    }

    fn path(&self, base: &str) -> String {
        format!("{}/completion", base.trim_end_matches("/completion"))
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-api-key", key.to_owned())
    }

    fn body(
        &self,
        config: &ModelConfig,
        chat: &Chat,
        seed: u32,
    ) -> Result<Map<String, Value>, String> {
        let most = chat.max_tokens.unwrap_or(config.max_tokens);
        let parameters = [
            (Field::Temperature, "temperature", config.temperature.into()),
            (Field::TopP, "top_p", config.top_p.into()),
            (Field::MaxTokens, "n_predict", most.into()),
            (Field::Seed, "seed", seed.into()),
        ];
        let sent = parameters.into_iter().filter(|(field, ..)| !config.omit.contains(field));
        let mut body: Map<String, Value> =
            sent.map(|(_, name, value)| (name.to_owned(), value)).collect();
        if config.effort.is_some() {
            return Err("it knows no `effort`".to_owned());
        }
        body.extend(config.extra.clone());
        if let Some(schema) = config.schema(chat) {
            body.insert("json_schema".to_owned(), schema.schema.clone());
        }
        body.insert("stream".to_owned(), config.stream.into());
        body.insert("prompt".to_owned(), prompt(chat).into());
        body.values_mut().for_each(plain_numbers);
        Ok(body)
    }

    fn schema_field(&self) -> &'static str {
        "json_schema"
    }

    fn whole(&self, body: &Value) -> Result<Reply, &'static str> {
        let text = body.get("content").and_then(Value::as_str);
        Ok(said(text.ok_or("JSON without a completion")?.to_owned(), body))
    }

    fn joined(&self, pieces: &[Value], _done: bool) -> Option<Reply> {
        let last = pieces.last().filter(|piece| piece["stop"] == true)?;
        let text = pieces.iter().filter_map(|piece| piece["content"].as_str()).collect();
        Some(said(text, last))
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
        Ok(json!({ "custom_id": id, "body": body }))
    }

    /// `{"custom_id": "...", "status": 200, "completion": {...}}`
    fn outcome(&self, line: &Value) -> Option<Result<Outcome, String>> {
        let completion = line.get("completion")?;
        let status = line.get("status").and_then(Value::as_u64).unwrap_or(200);
        Some(match u16::try_from(status) {
            Ok(status) => Ok(Outcome::answered(self, status, completion)),
            Err(_) => Err(format!("its status is {status}")),
        })
    }
}

/// The conversation as a text that the assistant goes on with.
fn prompt(chat: &Chat) -> String {
    let mut prompt =
        chat.system.as_ref().map_or_else(String::new, |system| format!("{system}\n\n"));
    for turn in &chat.turns {
        prompt += &format!("{}: {}\n\n", turn.role.word(), turn.text);
    }
    prompt + "assistant:"
}

/// A completion as the answer that a chat completion would give.
fn said(text: String, end: &Value) -> Reply {
    let finish_reason = match word(end.get("stop_type")).as_str() {
        "eos" | "word" => "stop".to_owned(),
        "limit" => "length".to_owned(),
        other => other.to_owned(),
    };
    let count = |name: &str| end.get(name).and_then(Value::as_u64);
    let usage = count("tokens_evaluated").map(|prompt| Usage {
        prompt,
        cached: count("tokens_cached").unwrap_or(0).min(prompt),
        completion: count("tokens_predicted").unwrap_or(0),
        ..Usage::default()
    });
    Reply { answer: Answer { text, finish_reason }, usage }
}

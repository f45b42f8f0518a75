//! Requests as lines of a batch file, in the shape that a provider wants, and files of them.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use storymill_core::{Asked, Digest, Disk, Fault, FaultKind, RequestKey};

use super::{FileLimits, Format};
use crate::{ModelAsker, ModelConfig, ResponseFormat, body::body};

/// The file that says what a folder of requests holds. It is written last: without it, the folder is
/// not whole.
pub const MANIFEST: &str = "batch.json";

const VERSION: u32 = 1;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exported {
    /// The form of this file.
    pub version: u32,
    /// Whose batch interface the files are for.
    pub format: Format,
    /// Requests in all files.
    pub requests: u64,
    /// The files, each of one model.
    pub files: Vec<ExportedFile>,
    /// The requests' keys, which are their custom ids.
    #[serde(skip)]
    pub keys: Vec<RequestKey>,
}

/// A file of requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedFile {
    /// Its name in the folder.
    pub file: String,
    /// The model's name in the workflow.
    pub model: String,
    /// The user's name for its weights.
    pub model_id: String,
    /// Requests.
    pub requests: u64,
    /// Bytes.
    pub bytes: u64,
    /// The digest of its bytes.
    pub blake3: Digest,
}

/// Writes a wave of requests into a new folder: by model, unit, stage and item, each request once.
pub fn export(
    asker: &ModelAsker,
    wave: &[Asked],
    (format, limits): (Format, FileLimits),
    folder: &Path,
    disk: &dyn Disk,
) -> Result<Exported, Fault> {
    if !disk.list(folder).map_err(|error| Fault::io("cannot read", folder, error))?.is_empty() {
        let fault = Fault::new(FaultKind::Input, "there is something in the folder already");
        return Err(fault.at(folder).hint("each batch has a folder of its own: name a new one"));
    }
    disk.create_dir_all(folder)
        .map_err(|error| Fault::io("cannot make the folder of the batch", folder, error))?;
    let mut wave: Vec<&Asked> = wave.iter().collect();
    wave.sort_by(|a, b| place(a).cmp(&place(b)));
    let mut seen = BTreeSet::new();
    wave.retain(|asked| seen.insert(asked.key));
    let (files, keys) = (Vec::new(), Vec::new());
    let mut exported = Exported { version: VERSION, format, requests: 0, files, keys };
    let mut file = File { folder, disk, bytes: Vec::new(), requests: 0, model: None };
    for asked in wave {
        let config = asker.config(&asked.request.model)?;
        let line = line(format, config, asked)?;
        if line.len() as u64 > limits.bytes {
            let item = asked.item.as_deref().unwrap_or(asked.unit.as_str());
            let size = line.len();
            let message = format!("the request of `{}` for {item} has {size} bytes", asked.stage);
            let hint = format!("a file may have {} (`--max-bytes`)", limits.bytes);
            return Err(Fault::new(FaultKind::Input, message).hint(hint));
        }
        let name = &asked.request.model;
        let full = file.requests >= limits.requests
            || (file.bytes.len() + line.len()) as u64 > limits.bytes;
        if full || file.model.is_some_and(|model| model.0 != name) {
            file.close(&mut exported)?;
        }
        file.model = Some((name, config.id()));
        file.requests += 1;
        file.bytes.extend_from_slice(&line);
        exported.requests += 1;
        exported.keys.push(asked.key);
    }
    file.close(&mut exported)?;
    let path = folder.join(MANIFEST);
    let failed = |error| Fault::io("cannot write the batch's manifest", &path, error);
    let mut text = serde_json::to_vec_pretty(&exported).map_err(|error| failed(error.into()))?;
    text.push(b'\n');
    disk.put(&path, &folder.join("batch.new"), &text).map_err(failed)?;
    Ok(exported)
}

/// Where a request stands: one model after the other, and books as they are.
fn place(asked: &Asked) -> impl Ord + '_ {
    let Asked { request, unit, stage, item, sample, attempt, key } = asked;
    (&request.model, unit, *stage, item, *sample, *attempt, key)
}

/// A file that is being filled.
struct File<'a> {
    folder: &'a Path,
    disk: &'a dyn Disk,
    bytes: Vec<u8>,
    requests: u64,
    model: Option<(&'a str, &'a str)>,
}

impl File<'_> {
    fn close(&mut self, exported: &mut Exported) -> Result<(), Fault> {
        let Some((model, model_id)) = self.model.take() else { return Ok(()) };
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let name: String = model.chars().map(plain).collect();
        let file = format!("{:04}-{name}.jsonl", exported.files.len() + 1);
        let path: PathBuf = self.folder.join(&file);
        self.disk
            .put(&path, &self.folder.join("batch.new"), &self.bytes)
            .map_err(|error| Fault::io("cannot write requests", &path, error))?;
        exported.files.push(ExportedFile {
            file,
            model: model.to_owned(),
            model_id: model_id.to_owned(),
            requests: std::mem::take(&mut self.requests),
            bytes: self.bytes.len() as u64,
            blake3: Digest::of(&self.bytes),
        });
        self.bytes.clear();
        Ok(())
    }
}

/// A request as a line. Its custom id, the key in 64 hexadecimal characters, is as long as
/// Anthropic's interface takes and holds no character that either refuses.
fn line(format: Format, config: &ModelConfig, asked: &Asked) -> Result<Vec<u8>, Fault> {
    let mut body = body(config, &asked.request.body, asked.sample, asked.attempt)?;
    for field in ["stream", "stream_options"] {
        body.remove(field);
    }
    let id = asked.key.0.to_string();
    let value = match format {
        Format::OpenAi => json!({
            "custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": body,
        }),
        Format::Anthropic => {
            let params = anthropic(config, body).map_err(|why| {
                let name = &asked.request.model;
                let message = format!("model `{name}` cannot be asked in Anthropic's form: {why}");
                Fault::new(FaultKind::Input, message)
            })?;
            json!({ "custom_id": id, "params": params })
        }
    };
    let mut line = value.to_string().into_bytes();
    line.push(b'\n');
    Ok(line)
}

/// A chat completion's body as Anthropic's Messages interface has it. What that does not know is left
/// out; what would be another request without is refused. Further fields are handed on.
fn anthropic(
    config: &ModelConfig,
    mut body: Map<String, Value>,
) -> Result<Map<String, Value>, String> {
    for field in ["seed", "n", "metadata", "store", "user"] {
        body.remove(field);
    }
    if body.remove("response_format").is_some() && config.response_format == ResponseFormat::Schema
    {
        return Err(
            "it knows no `response_format` (use `auto`, which asks without, or `none`)".into()
        );
    }
    // All of the probability is what it takes anyhow, and some models refuse both in one request.
    if body.get("top_p").and_then(Value::as_f64).is_some_and(|top_p| top_p >= 1.0) {
        body.remove("top_p");
    }
    if body.get("temperature").and_then(Value::as_f64).is_some_and(|degrees| degrees > 1.0) {
        return Err("its `temperature` is at most 1".into());
    }
    if !body.contains_key("max_tokens") {
        return Err("it needs `max_tokens`".into());
    }
    if let Some(stop) = body.remove("stop") {
        let all = if stop.is_string() { json!([stop]) } else { stop };
        body.insert("stop_sequences".to_owned(), all);
    }
    let Some(Value::Array(messages)) = body.remove("messages") else {
        return Err("the request has no messages".into());
    };
    let is_system = |message: &Value| {
        matches!(message.get("role").and_then(Value::as_str), Some("system" | "developer"))
    };
    let (system, said): (Vec<_>, Vec<_>) = messages.into_iter().partition(is_system);
    if said.is_empty() {
        return Err("the request has only a system prompt".into());
    }
    if !system.is_empty() {
        let parts = system.iter().map(|message| message.get("content").unwrap_or(&Value::Null));
        let text: Option<Vec<_>> = parts.map(Value::as_str).collect();
        let text = text.ok_or("its system prompt is more than text")?;
        body.insert("system".to_owned(), text.join("\n\n").into());
    }
    body.insert("messages".to_owned(), said.into());
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(more: &str) -> ModelConfig {
        ModelConfig::parse(&format!("url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n{more}"))
            .unwrap()
    }

    fn asked(body: Value) -> Asked {
        Asked {
            key: RequestKey(Digest::of(b"one")),
            stage: "summarize",
            unit: "84".parse().unwrap(),
            item: None,
            request: storymill_core::Request { model: "default".into(), body, tries: 1 },
            sample: 0,
            attempt: 0,
        }
    }

    fn value(format: Format, more: &str, body: Value) -> Result<Value, Fault> {
        let line = line(format, &config(more), &asked(body))?;
        assert_eq!(line.last(), Some(&b'\n'));
        assert!(!line[..line.len() - 1].contains(&b'\n'));
        Ok(serde_json::from_slice(&line).unwrap())
    }

    fn talk() -> Value {
        json!({ "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Tell\nme.\u{2028}" },
        ], "response_format": { "type": "json_schema" }, "stop": "END" })
    }

    #[test]
    fn the_custom_id_is_the_key_and_fits_everywhere() {
        for format in [Format::OpenAi, Format::Anthropic] {
            let value = value(format, "", talk()).unwrap();
            let id = value["custom_id"].as_str().unwrap();
            assert_eq!(id.parse::<Digest>().unwrap(), asked(talk()).key.0);
            assert!(id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        }
    }

    #[test]
    fn an_openai_line_is_the_body_that_would_be_sent() {
        let value = value(Format::OpenAi, "stream = true\nseed = 3", talk()).unwrap();
        assert_eq!(
            (value["method"].as_str(), value["url"].as_str()),
            (Some("POST"), Some("/v1/chat/completions"))
        );
        let body = value["body"].as_object().unwrap();
        assert!(!body.contains_key("stream") && !body.contains_key("stream_options"));
        assert_eq!(
            (&body["seed"], &body["top_p"], &body["max_tokens"]),
            (&json!(3), &json!(1), &json!(1024))
        );
        assert_eq!(body["messages"], talk()["messages"]);
    }

    #[test]
    fn an_anthropic_line_has_the_system_prompt_apart() {
        let value =
            value(Format::Anthropic, "extra = { thinking = { type = \"disabled\" } }", talk())
                .unwrap();
        let expect = json!({
            "max_tokens": 1024, "model": "m", "temperature": 0, "system": "Be brief.",
            "stop_sequences": ["END"], "thinking": { "type": "disabled" },
            "messages": [{ "role": "user", "content": "Tell\nme.\u{2028}" }],
        });
        assert_eq!(value["params"], expect);
        let top_p = self::value(Format::Anthropic, "top_p = 0.5", talk()).unwrap();
        assert_eq!(top_p["params"]["top_p"], json!(0.5));
    }

    #[test]
    fn what_anthropic_does_not_know_is_refused() {
        let only = json!({ "messages": [{ "role": "system", "content": "x" }] });
        for (more, body, why) in [
            ("temperature = 1.5", talk(), "at most 1"),
            ("response_format = \"schema\"", talk(), "response_format"),
            ("omit = [\"max_tokens\"]", talk(), "max_tokens"),
            ("", only, "only a system prompt"),
            ("", json!({}), "no messages"),
        ] {
            let fault = value(Format::Anthropic, more, body).unwrap_err().to_string();
            assert!(fault.contains(why), "{fault}");
        }
    }
}

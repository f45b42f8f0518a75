//! Requests as lines of a batch file, in the shape that a provider wants, and files of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use storymill_core::{Asked, Chat, Digest, Disk, Fault, FaultKind, RequestKey};

use crate::{
    ModelAsker, ModelConfig, keys,
    wire::{FileLimits, Wire},
};

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
    pub format: String,
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

/// Writes a wave of requests into a new folder: by model, unit, stage and key, each request once.
pub fn export(
    asker: &ModelAsker,
    wave: &[Asked],
    (wire, limits): (&dyn Wire, FileLimits),
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
    // Nobody knows in what order they are answered: what several begin with is marked all the same.
    let rows = asker.in_order(wave.clone()).into_iter().flat_map(|(_, rows)| rows);
    let marks: BTreeMap<RequestKey, Vec<usize>> =
        rows.map(|row| (row.asked.key, row.place.marks)).collect();
    wave.sort_by(|a, b| place(a).cmp(&place(b)));
    let mut seen = BTreeSet::new();
    wave.retain(|asked| seen.insert(asked.key));
    let (files, keys) = (Vec::new(), Vec::new());
    let format = wire.name().to_owned();
    let mut exported = Exported { version: VERSION, format, requests: 0, files, keys };
    let mut file = File { folder, disk, bytes: Vec::new(), requests: 0, model: None };
    for asked in wave {
        let config = asker.config(&asked.request.model)?;
        let marks = marks.get(&asked.key).cloned().unwrap_or_default();
        let line = line(wire, config, asked, marks)?;
        if line.len() as u64 > limits.bytes {
            let item = asked.item.as_deref().unwrap_or(asked.unit.as_str());
            let size = line.len();
            let message = format!("the request of `{}` for {item} has {size} bytes", asked.stage);
            let hint = format!(
                "a file of this provider may have {} bytes: shorten what the stage shows, or ask it live",
                limits.bytes
            );
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

/// Where a request stands: one model after the other, and books as they are. Within a book nothing but the key counts, so that the
/// order does not say which claims are twins.
fn place(asked: &Asked) -> impl Ord + '_ {
    let Asked { request, unit, stage, key, .. } = asked;
    (&request.model, unit, *stage, key)
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
fn line(
    wire: &dyn Wire,
    config: &ModelConfig,
    asked: &Asked,
    marks: Vec<usize>,
) -> Result<Vec<u8>, Fault> {
    let (id, chat) = (asked.key.0.to_string(), keys::chat(&asked.request)?);
    let chat = &Chat { marks, ..chat.clone() };
    let seed = keys::seed(config, asked.sample, asked.attempt);
    let name = &asked.request.model;
    let value = wire.line(&id, config, chat, seed).map_err(|why| {
        let message = format!("model `{name}` cannot be asked in {}'s form: {why}", wire.whose());
        Fault::new(FaultKind::Input, message)
    })?;
    let mut line = value.to_string().into_bytes();
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use storymill_core::{Content, Request, Schema};

    use super::*;
    use crate::wire::Wires;

    fn config(more: &str) -> ModelConfig {
        ModelConfig::parse(&format!("url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n{more}"))
            .unwrap()
    }

    fn asked(chat: Chat) -> Asked {
        let content = Content::Chat(chat);
        Asked {
            key: RequestKey(Digest::of(b"one")),
            stage: "summarize",
            unit: "84".parse().unwrap(),
            item: None,
            request: Request { model: "default".into(), content, tries: 1 },
            sample: 0,
            attempt: 0,
        }
    }

    fn value(format: &str, more: &str, chat: Chat) -> Result<Value, Fault> {
        let wire = Wires::default().of(format).unwrap();
        let line = line(wire, &config(more), &asked(chat), Vec::new())?;
        assert_eq!(line.last(), Some(&b'\n'));
        assert!(!line[..line.len() - 1].contains(&b'\n'));
        Ok(serde_json::from_slice(&line).unwrap())
    }

    fn talk() -> Chat {
        let text = json!({ "type": "string", "maxLength": 9 });
        let schema = json!({ "type": "object", "properties": { "maxLength": text } });
        let schema = Schema { name: "told".into(), schema };
        let system = Some("Be brief.".to_owned());
        Chat { system, schema: Some(schema), ..Chat::new("Tell\nme.\u{2028}") }
    }

    #[test]
    fn the_custom_id_is_the_key_and_fits_everywhere() {
        for format in ["openai", "anthropic"] {
            let value = value(format, "", talk()).unwrap();
            let id = value["custom_id"].as_str().unwrap();
            assert_eq!(id.parse::<Digest>().unwrap(), asked(talk()).key.0);
            assert!(id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        }
    }

    #[test]
    fn an_openai_line_is_the_body_that_would_be_sent() {
        let value = value("openai", "stream = true\nseed = 3", talk()).unwrap();
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
        let said = json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Tell\nme.\u{2028}" },
        ]);
        assert_eq!(body["messages"], said);
        assert_eq!(body["response_format"]["json_schema"]["strict"], json!(true));
    }

    #[test]
    fn an_anthropic_line_has_the_system_prompt_apart() {
        let extra = "extra = { stop = \"END\", thinking = { type = \"disabled\" } }\nstream = true";
        let value = value("anthropic", extra, talk()).unwrap();
        let expect = json!({
            "max_tokens": 1024, "model": "m", "temperature": 0, "system": "Be brief.",
            "stop_sequences": ["END"], "thinking": { "type": "disabled" },
            "messages": [{ "role": "user", "content": "Tell\nme.\u{2028}" }],
        });
        assert_eq!(value["params"], expect);
        let top_p = self::value("anthropic", "top_p = 0.5", talk()).unwrap();
        assert_eq!(top_p["params"]["top_p"], json!(0.5));
        let insists =
            "response_format = \"schema\"\nextra = { output_config = { effort = \"low\" } }";
        let insists = self::value("anthropic", insists, talk()).unwrap();
        let text = json!({ "maxLength": { "type": "string" } });
        let schema = json!({ "type": "object", "properties": text });
        let format = json!({ "type": "json_schema", "schema": schema });
        let expect = json!({ "effort": "low", "format": format });
        assert_eq!(insists["params"]["output_config"], expect);
    }

    #[test]
    fn what_anthropic_does_not_know_is_refused() {
        let only = Chat { system: Some("x".into()), ..Chat::default() };
        for (more, chat, why) in [
            ("temperature = 1.5", talk(), "at most 1"),
            ("omit = [\"max_tokens\"]", talk(), "max_tokens"),
            ("", only, "only a system prompt"),
        ] {
            let fault = value("anthropic", more, chat).unwrap_err().to_string();
            assert!(fault.contains("Anthropic") && fault.contains(why), "{fault}");
        }
    }
}

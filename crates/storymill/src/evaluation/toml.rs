//! Values, keys and paths as a workflow's file writes them.

use std::{
    fmt::Write,
    path::{Component, Path, PathBuf},
};

use serde::Serialize;
use serde_json::Value;
use storymill_core::{Fault, FaultKind};

/// A text in quotation marks, as TOML and JSON have it.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A key, bare where TOML allows it.
pub(super) fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quoted(name) }
}

pub(super) fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

/// What is written of a value, as JSON.
pub(super) fn json(of: &impl Serialize) -> Result<Value, Fault> {
    serde_json::to_value(of).map_err(|error| {
        Fault::new(FaultKind::Internal, "cannot write the workflow").because(error)
    })
}

/// A value of a model's description in one line.
pub(super) fn value_of(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                format!("{} = {}", quoted(name), value_of(value))
            };
            let fields = fields.iter().filter(|(_, value)| !value.is_null()).map(field);
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(values) => {
            format!("[{}]", values.iter().map(value_of).collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => quoted(text),
        plain => plain.to_string(),
    }
}

/// The way from a folder to a path, with `/`: a file that both lie beside can be moved with them.
pub(super) fn from(folder: &Path, path: &Path) -> Result<String, Fault> {
    let whole = |path: &Path| {
        std::path::absolute(path)
            .map(|path| tidy(&path))
            .map_err(|error| Fault::io("cannot tell where this is", path, error).input())
    };
    let (folder, path) = (whole(folder)?, whole(path)?);
    let shared = folder.iter().zip(&path).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        // Another drive.
        return Ok(path.to_string_lossy().replace('\\', "/"));
    }
    let mut way = String::new();
    for _ in folder.iter().skip(shared) {
        way += "../";
    }
    for part in path.iter().skip(shared) {
        let _ = write!(way, "{}/", part.to_string_lossy());
    }
    Ok(if way.is_empty() { ".".to_owned() } else { way.trim_end_matches('/').to_owned() })
}

/// A path without `.` and `..`.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(tidy.pop()),
            part => tidy.push(part),
        }
    }
    tidy
}

#[cfg(test)]
mod tests {
    use storymill_llm::ModelConfig;

    use super::*;

    #[test]
    fn ways_between_folders() {
        for (folder, path, expected) in [
            ("results", "out/my", "../out/my"),
            ("results", "results/x", "x"),
            ("a/b", "a", ".."),
            (".", "./out/../my", "my"),
            ("a", "a", "."),
        ] {
            assert_eq!(from(folder.as_ref(), path.as_ref()).unwrap(), expected, "{folder} {path}");
        }
    }

    #[test]
    fn models_are_written_as_they_are_read() {
        let text = "url = \"http://127.0.0.1:1/v1\"\nmodel = \"m \\\"x\\\"\"\ntemperature = 0.5\n\
            extra = { cache_prompt = false, stop = [\"a\\n\"], deep = { a = 1 } }\nomit = [\"seed\"]";
        let model = ModelConfig::parse(text).unwrap();
        let value = serde_json::to_value(&model).unwrap();
        let lines = value.as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
        let lines: Vec<_> =
            lines.map(|(name, value)| format!("{name} = {}", value_of(value))).collect();
        assert_eq!(ModelConfig::parse(&lines.join("\n")).unwrap(), model);
    }
}

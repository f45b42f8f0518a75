//! Canonical JSON: one text for one value, whatever order its maps were built in.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

/// Writes a value as JSON without blanks, with the keys of every object sorted by their bytes.
///
/// Digests are taken over this text, so it must never depend on the order in which a map was
/// filled or on a feature of the JSON library.
///
/// ```
/// let value = serde_json::json!({ "b": [1, 2.5], "a": null });
/// assert_eq!(storymill_core::canonical::json(&value), r#"{"a":null,"b":[1,2.5]}"#);
/// ```
///
/// # Panics
///
/// If the value cannot be JSON at all (a map whose keys are no strings). Options and requests
/// are plain structs, so that is a mistake in the program.
pub fn json(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).expect("plain structs become JSON");
    let mut text = String::new();
    write(&value, &mut text);
    text
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| key.as_bytes());
            out.push('{');
            for (at, (key, value)) in entries.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                let _ = write!(out, "{}:", Value::String(key.clone()));
                write(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        plain => {
            let _ = write!(out, "{plain}");
        }
    }
}

//! A file of predictions over known contexts.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::score::FileError;

/// One line. Other fields, such as those that LV-Eval's program writes, are not looked at.
#[derive(Deserialize)]
struct Line {
    #[serde(alias = "_id", alias = "context_id")]
    id: Option<String>,
    #[serde(alias = "pred")]
    prediction: Option<String>,
}

/// The prediction of each context, in the contexts' order.
pub(super) fn predictions(
    jsonl: &str,
    known: &BTreeMap<&str, usize>,
) -> Result<Vec<Option<String>>, FileError> {
    let mut found: Vec<Option<String>> = vec![None; known.len()];
    let mut lines: BTreeMap<usize, usize> = BTreeMap::new();
    for (line, text) in (1..).zip(jsonl.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let row: Line =
            serde_json::from_str(text).map_err(|source| FileError::json(source, text, line))?;
        let id = row.id.ok_or(FileError::Missing { line, field: "_id` or `id" })?;
        let prediction =
            row.prediction.ok_or(FileError::Missing { line, field: "pred` or `prediction" })?;
        let Some(at) = known.get(&id[..]).copied() else {
            return Err(FileError::Row { line, what: format!("no context has the id `{id}`") });
        };
        if let Some(first) = lines.insert(at, line) {
            return Err(FileError::Row {
                line,
                what: format!("`{id}` was predicted on line {first} already"),
            });
        }
        found[at] = Some(prediction);
    }
    if lines.is_empty() { Err(FileError::Empty) } else { Ok(found) }
}

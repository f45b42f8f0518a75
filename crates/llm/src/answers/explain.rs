//! Why a request is not in the log: the request itself, and how it differs from the nearest one
//! that is.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use storymill_core::{Asker, Fault, Request, RequestKey, UnitId};

use crate::{AnswerLog, ModelAsker, answers::notes, log::Note};

/// What is known of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// Its key.
    pub key: RequestKey,
    /// The request as the key sees it: canonical JSON.
    pub request: String,
    /// Whether the log has an answer.
    pub in_log: bool,
    /// The key of the nearest request of this unit that has an answer, where this one has none.
    pub nearest: Option<RequestKey>,
    /// How the nearest one differs; `there` is the value of the one in the log.
    pub differences: Vec<Difference>,
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The field: `messages[1].content`, `sample`, `model_id`.
    pub field: String,
    /// Its value in this request.
    pub here: Option<String>,
    /// Its value in the other.
    pub there: Option<String>,
}

/// Explains one request of a unit.
pub fn explain(
    log: &AnswerLog,
    asker: &ModelAsker,
    unit: &UnitId,
    request: &Request,
    (sample, attempt): (u32, u32),
) -> Result<Explained, Fault> {
    let key = asker.key(unit, request, sample, attempt)?;
    let canonical = asker.canonical(request, sample, attempt)?;
    let mut explained = Explained {
        key,
        in_log: log.has(&key),
        nearest: None,
        differences: Vec::new(),
        request: canonical,
    };
    if explained.in_log {
        return Ok(explained);
    }
    let note = Note {
        unit: unit.to_string(),
        model_id: asker.model_id(&request.model)?,
        sample,
        attempt,
        request: explained.request.clone(),
        ..Note::default()
    };
    let here = fields(&note);
    let mut best: Option<(usize, RequestKey, Vec<Difference>)> = None;
    notes(log.folder(), &**log.disk(), Some(unit), |other, note| {
        if note.request.is_empty() {
            return;
        }
        let differences = compare(&here, &fields(&note));
        let distance = differences.iter().map(weight).sum();
        if best.as_ref().is_none_or(|(least, ..)| distance < *least) {
            best = Some((distance, other, differences));
        }
    })?;
    if let Some((_, nearest, differences)) = best {
        explained.nearest = Some(nearest);
        explained.differences = differences;
    }
    Ok(explained)
}

/// Every leaf of a request by its path, with what the key holds besides.
fn fields(note: &Note) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    fields.insert("model_id".to_owned(), note.model_id.clone());
    fields.insert("sample".to_owned(), note.sample.to_string());
    fields.insert("attempt".to_owned(), note.attempt.to_string());
    let request = serde_json::from_str(&note.request).unwrap_or(Value::Null);
    leaves(&request, String::new(), &mut fields);
    fields
}

fn leaves(value: &Value, path: String, out: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                let dot = if path.is_empty() { "" } else { "." };
                leaves(value, format!("{path}{dot}{name}"), out);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                leaves(item, format!("{path}[{at}]"), out);
            }
        }
        Value::String(text) => {
            out.insert(path, text.clone());
        }
        plain => {
            out.insert(path, plain.to_string());
        }
    }
}

fn compare(here: &BTreeMap<String, String>, there: &BTreeMap<String, String>) -> Vec<Difference> {
    let mut names: Vec<&String> = here.keys().chain(there.keys()).collect();
    names.sort();
    names.dedup();
    let differs = |name: &&String| here.get(*name) != there.get(*name);
    let difference = |name: &String| Difference {
        field: name.clone(),
        here: here.get(name).cloned(),
        there: there.get(name).cloned(),
    };
    names.into_iter().filter(differs).map(difference).collect()
}

/// How far a difference sets two requests apart: a seed less than a text, and a text by what its
/// two forms do not share at both ends.
fn weight(difference: &Difference) -> usize {
    let (Some(here), Some(there)) = (&difference.here, &difference.there) else { return 40 };
    let alike = |a: &mut dyn Iterator<Item = u8>, b: &mut dyn Iterator<Item = u8>| {
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let start = alike(&mut here.bytes(), &mut there.bytes());
    let end = alike(&mut here.bytes().rev(), &mut there.bytes().rev());
    10 + here.len().max(there.len()).saturating_sub(start + end)
}

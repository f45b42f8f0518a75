//! Answers to claims, a JSON object a line: named by pair, or by the ids of a bundle's requests.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    import::Set,
    mistake::{Mistake, Mistakes},
    pair::{Half, is_date, is_pair_id},
    read::{self, Response},
    request::KeyLine,
};

/// The form of a file of answers that begins with a [`Head`].
pub const FORMAT: &str = "storymill answers 1";

/// The first line of a file of answers to a bundle: who was asked, where and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// [`FORMAT`].
    pub format: String,
    /// The bundle, by the id that a private set gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
    /// What scores call the answers.
    pub system: String,
    /// Who runs the model.
    pub provider: String,
    /// Scheme, host and port of the endpoint, if it is on another machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// The day.
    pub date: String,
}

/// A file of answers without its head, and the head if it has one.
pub fn head(bytes: &[u8]) -> (Option<Head>, &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    let head = serde_json::from_slice::<Head>(&bytes[..end]).ok();
    match head.filter(|head| head.format == FORMAT && is_date(&head.date)) {
        Some(head) => (Some(head), &bytes[end..]),
        None => (None, bytes),
    }
}

/// The id of the first request that a file answers.
pub fn first_id(bytes: &[u8]) -> Option<String> {
    let line = bytes.split(|byte| *byte == b'\n').find(|line| !line.is_empty())?;
    let row: Value = serde_json::from_slice(line).ok()?;
    row["custom_id"].as_str().map(str::to_owned)
}

/// Reads the key of a bundle.
pub fn key(bytes: &[u8]) -> Result<Vec<KeyLine>, Mistakes> {
    let text = read::text(bytes).map_err(|fault| vec![fault])?;
    let (mut key, mut faults) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str::<KeyLine>(line) {
            Ok(line) => key.push(line),
            Err(_) => faults.push(Mistake::new("is no line of a key").row(at + 1)),
        }
    }
    if faults.is_empty() { Ok(key) } else { Err(faults) }
}

/// Reads what a batch runner wrote for a bundle: `custom_id` with `response` and `error` as the
/// OpenAI API has them, or with a plain `answer`. `system` is what scores call the answers; the
/// model's name in the key if none is given. A claim without an answer was not asked; what the
/// runner could not do is told in the second list.
pub fn of_bundle(
    bytes: &[u8],
    key: &[KeyLine],
    system: Option<&str>,
) -> Result<(Vec<Response>, Vec<Mistake>), Mistakes> {
    let text = read::text(bytes).map_err(|fault| vec![fault])?;
    let places: BTreeMap<&str, &KeyLine> =
        key.iter().map(|line| (line.custom_id.as_str(), line)).collect();
    let response = |line: &KeyLine, answer: Option<String>| Response {
        system: system.unwrap_or(&line.model).to_owned(),
        pair: line.pair.clone(),
        claim: line.claim,
        answer,
        prompt: Some(line.prompt.clone()),
    };
    let (mut responses, mut warnings, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for (at, row) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fault = |reason: &str| Mistake::new(reason).row(at + 1);
        let row: Value = match serde_json::from_str(row) {
            Ok(row) => row,
            Err(error) => {
                faults.push(read::syntax(&error).row(at + 1));
                continue;
            }
        };
        let Some(line) = row["custom_id"].as_str().and_then(|id| places.get(id)) else {
            faults.push(fault("`custom_id` is no request of this key's bundle"));
            continue;
        };
        if !seen.insert(&line.custom_id) {
            faults.push(fault("the request has an answer already"));
            continue;
        }
        let said = row["answer"].as_str().or_else(|| {
            let choice = &row["response"]["body"]["choices"][0]["message"];
            choice["content"].as_str()
        });
        if said.is_none() {
            warnings.push(
                fault("the runner has no answer; the claim counts as not asked").pair(&line.pair),
            );
        }
        responses.push(response(line, said.map(str::to_owned)));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    // What did not fit the window stands in the table as what NoCha's data has for it.
    let skipped = key.iter().filter(|line| line.skipped.is_some());
    responses.extend(skipped.map(|line| response(line, Some("SKIPPED".to_owned()))));
    Ok((responses, warnings))
}

/// Takes the answers to claims that the set has in other words by now for claims that were not asked; how many there were.
pub fn forget_other_words(responses: &mut [Response], key: &[KeyLine], set: &Set) -> usize {
    let other: BTreeSet<(&str, Half)> = key
        .iter()
        .filter(|line| !line.is_of(set))
        .map(|line| (line.pair.as_str(), line.claim))
        .collect();
    let mut count = 0;
    for one in responses {
        if other.contains(&(one.pair.as_str(), one.claim)) && one.answer.take().is_some() {
            count += 1;
        }
    }
    count
}

/// Reads lines of `system`, `pair`, `claim` (`true` or `false`), `answer`, and `prompt` where it is
/// known. `answer` may be null, or one of NoCha's words in place of an answer.
pub fn read(bytes: &[u8]) -> Result<Vec<Response>, Mistakes> {
    let text = read::text(bytes).map_err(|fault| vec![fault])?;
    let (mut responses, mut faults) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let response = match serde_json::from_str(line) {
            Err(error) => Err(read::syntax(&error)),
            Ok(Value::Object(row)) => response(&row),
            Ok(_) => Err(Mistake::new("must be a JSON object")),
        };
        match response {
            Ok(response) => responses.push(response),
            Err(fault) => faults.push(fault.row(at + 1)),
        }
    }
    if responses.is_empty() && faults.is_empty() {
        faults.push(Mistake::new("the file has no answers"));
    }
    if faults.is_empty() { Ok(responses) } else { Err(faults) }
}

fn response(row: &Map<String, Value>) -> Result<Response, Mistake> {
    let pair = text(row, "pair")?.filter(|id| is_pair_id(id));
    let pair = pair.ok_or_else(|| Mistake::new("must be the id of a pair").column("pair"))?;
    let claim = match row.get("claim") {
        Some(Value::Bool(truth)) => Some(Half::of(*truth)),
        Some(Value::String(name)) => {
            Half::BOTH.into_iter().find(|half| name.eq_ignore_ascii_case(half.name()))
        }
        _ => None,
    };
    let system = text(row, "system")?.filter(|name| !name.trim().is_empty());
    Ok(Response {
        system: system.ok_or_else(|| Mistake::new("is missing").column("system").pair(&pair))?,
        claim: claim.ok_or_else(|| {
            Mistake::new("must say which claim it is: true or false").column("claim").pair(&pair)
        })?,
        answer: match row.get("answer") {
            None => return Err(Mistake::new("is missing").column("answer").pair(&pair)),
            Some(_) => text(row, "answer")?,
        },
        prompt: text(row, "prompt")?,
        pair,
    })
}

/// The text of a field; none if it is not there or null.
fn text(row: &Map<String, Value>, field: &'static str) -> Result<Option<String>, Mistake> {
    match row.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Mistake::new("must be text").column(field)),
    }
}

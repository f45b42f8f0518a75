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

/// The ids of requests that a file answers, as far as its lines can be read: what they say is passed over.
pub fn ids(bytes: &[u8]) -> BTreeSet<String> {
    #[derive(Deserialize)]
    struct Row {
        custom_id: String,
    }
    let lines = bytes.split(|byte| *byte == b'\n');
    let rows = lines.filter_map(|line| serde_json::from_slice::<Row>(line).ok());
    rows.map(|row| row.custom_id).collect()
}

/// Reads the key of a bundle.
pub fn key(bytes: &[u8]) -> Result<Vec<KeyLine>, Mistakes> {
    let text = read::text(bytes).map_err(|fault| vec![fault])?;
    let (mut key, mut faults) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str::<KeyLine>(line) {
            Ok(line) => key.push(line),
            Err(_) => faults.push(Mistake::new("is not a line of a key").row(at + 1)),
        }
    }
    if faults.is_empty() { Ok(key) } else { Err(faults) }
}

/// What became of a request, as a line of a batch runner's results says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It has an answer, or a word of the field in place of one.
    Answer(String),
    /// It has none: `expired`; and why, in words for people.
    Without(&'static str, String),
}

/// Reads a line of a batch runner's results: the request's id and what became of it, or what the line is instead.
pub type ReadLine<'r> = &'r dyn Fn(&[u8]) -> Result<(String, Ran), String>;

/// Answers to the requests of a bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The answers, and the claims that were not asked.
    pub responses: Vec<Response>,
    /// Which requests the runner has no answer to, and why.
    pub warnings: Vec<Mistake>,
    /// How many of them there are of each kind: `expired`.
    pub without: BTreeMap<&'static str, usize>,
    /// Answers that are there twice.
    pub twice: usize,
    /// The answers by the ids of their requests.
    pub answers: BTreeMap<String, String>,
}

/// Reads what a batch runner wrote for a bundle: lines with a `custom_id` and an `answer`, or as `read` knows them.
/// `system` is what scores call the answers; the model's name in the key if none is given. A claim without an
/// answer was not asked.
///
/// # Errors
///
/// A line is no result or of no request of the key; a request has two answers that differ. All of them at once.
pub fn of_bundle(
    bytes: &[u8],
    key: &[KeyLine],
    system: Option<&str>,
    read: ReadLine<'_>,
) -> Result<Run, Mistakes> {
    let text = read::text(bytes).map_err(|fault| vec![fault])?;
    let places: BTreeMap<&str, &KeyLine> =
        key.iter().map(|line| (line.custom_id.as_str(), line)).collect();
    let (mut run, mut faults) = (Run::default(), Vec::new());
    let mut failed: BTreeMap<String, (&'static str, Mistake)> = BTreeMap::new();
    for (at, row) in text.split_inclusive('\n').enumerate() {
        if row.trim().is_empty() {
            continue;
        }
        let fault = |reason: &str| Mistake::new(reason).row(at + 1);
        let (id, ran) = match ours(row).map_or_else(|| read(row.as_bytes()), Ok) {
            Ok(said) => said,
            Err(reason) => {
                faults.push(fault(&reason));
                continue;
            }
        };
        let Some(line) = places.get(id.as_str()) else {
            faults.push(fault("`custom_id` is not a request of this key's bundle"));
            continue;
        };
        match (ran, run.answers.get(&id)) {
            (Ran::Answer(answer), Some(known)) if *known == answer => run.twice += 1,
            (Ran::Answer(_), Some(_)) => {
                faults.push(fault("the request has another answer already").pair(&line.pair));
            }
            (Ran::Answer(answer), None) => drop(run.answers.insert(id, answer)),
            (Ran::Without(kind, why), _) => {
                let told = fault(&format!("{why}; the claim counts as not asked"));
                failed.entry(id).or_insert((kind, told.pair(&line.pair)));
            }
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    // An answer counts more than any failure.
    failed.retain(|id, _| !run.answers.contains_key(id));
    for (kind, told) in failed.values() {
        *run.without.entry(kind).or_default() += 1;
        run.warnings.push(told.clone());
    }
    run.warnings.sort_by_key(|told| told.row);
    let told = |line: &&KeyLine| {
        let id = &line.custom_id;
        line.skipped.is_some() || run.answers.contains_key(id) || failed.contains_key(id)
    };
    let response = |line: &KeyLine| Response {
        system: system.unwrap_or(&line.model).to_owned(),
        pair: line.pair.clone(),
        claim: line.claim,
        // What did not fit the window stands in the table as what NoCha's data has for it.
        answer: match &line.skipped {
            Some(_) => Some("SKIPPED".to_owned()),
            None => run.answers.get(&line.custom_id).cloned(),
        },
        prompt: Some(line.prompt.clone()),
    };
    run.responses = key.iter().filter(told).map(response).collect();
    Ok(run)
}

/// A line that has its answer plainly.
fn ours(row: &str) -> Option<(String, Ran)> {
    let row: Value = serde_json::from_str(row).ok()?;
    let id = row["custom_id"].as_str()?.to_owned();
    let ran = match row.get("answer")? {
        Value::String(answer) => Ran::Answer(answer.clone()),
        Value::Null => Ran::Without("failed", "the runner has no answer".to_owned()),
        _ => return None,
    };
    Some((id, ran))
}

/// Takes the answers to claims that the set has in other words by now for claims that were not asked; how many there were
/// of each pair.
pub fn forget_other_words(
    responses: &mut [Response],
    key: &[KeyLine],
    set: &Set,
) -> BTreeMap<String, usize> {
    let other: BTreeSet<(&str, Half)> = key
        .iter()
        .filter(|line| !line.is_of(set))
        .map(|line| (line.pair.as_str(), line.claim))
        .collect();
    let mut counts = BTreeMap::new();
    for one in responses {
        if other.contains(&(one.pair.as_str(), one.claim)) && one.answer.take().is_some() {
            *counts.entry(one.pair.clone()).or_default() += 1;
        }
    }
    counts
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

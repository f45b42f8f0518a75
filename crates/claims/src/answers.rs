//! Answers to claims, a JSON object a line, named by pair.

use serde_json::{Map, Value};

use crate::{
    mistake::{Mistake, Mistakes},
    pair::{Half, is_pair_id},
    read::{self, Response},
};

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

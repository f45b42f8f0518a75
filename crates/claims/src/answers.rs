//! Answers to claims, a JSON object a line, named by pair.

use serde_json::{Map, Value};

use crate::{
    mistake::{Mistake, Mistakes},
    pair::{Half, is_pair_id},
    read::{Response, json_lines},
};

/// Reads lines of `system`, `pair`, `claim` (`true` or `false`), `answer`, and `prompt` where it is
/// known. `answer` may be null, or one of NoCha's words in place of an answer.
pub fn read(bytes: &[u8]) -> Result<Vec<Response>, Mistakes> {
    let responses = json_lines(bytes, |_, value| match value {
        Value::Object(row) => response(&row),
        _ => Err(Mistake::new("must be a JSON object")),
    })?;
    if responses.is_empty() {
        return Err(vec![Mistake::new("the file has no answers")]);
    }
    Ok(responses)
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

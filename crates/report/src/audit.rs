//! Baselines of an audit: what can be answered without understanding the book.

use serde::Serialize;
use serde_json::Value;

/// A baseline.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Baseline {
    /// What answers: `longest option`.
    pub measure: String,
    /// The kind of question; blank for all.
    pub kind: String,
    /// The share it gets right.
    pub share: f64,
    /// The interval's lower end.
    pub low: Option<f64>,
    /// The interval's upper end.
    pub high: Option<f64>,
    /// The share that guessing gets right.
    pub chance: Option<f64>,
}

/// A text that is no audit.
#[derive(Debug, thiserror::Error)]
#[error("no audit: no object in it has a `measure` (or `name`) and a `share`")]
pub struct NotAnAudit;

/// The baselines in the JSON of an audit: every object, however deep, that has a `measure` and a `share`.
///
/// # Errors
///
/// There is none.
pub fn baselines(audit: &Value) -> Result<Vec<Baseline>, NotAnAudit> {
    let mut found = Vec::new();
    walk(audit, &mut found);
    if found.is_empty() { Err(NotAnAudit) } else { Ok(found) }
}

fn walk(value: &Value, found: &mut Vec<Baseline>) {
    match value {
        Value::Array(all) => all.iter().for_each(|one| walk(one, found)),
        Value::Object(fields) => {
            let first = |names: &[&str]| names.iter().find_map(|name| fields.get(*name));
            let text = |names: &[&str]| first(names).and_then(Value::as_str).map(str::to_owned);
            let number = |names: &[&str]| first(names).and_then(Value::as_f64);
            let measure = text(&["measure", "name", "baseline", "check"]);
            let share = number(&["share", "accuracy", "value"]);
            match (measure, share.filter(|share| (0.0..=1.0).contains(share))) {
                (Some(measure), Some(share)) => found.push(Baseline {
                    measure,
                    kind: text(&["type", "kind"]).unwrap_or_default(),
                    share,
                    low: number(&["low"]),
                    high: number(&["high"]),
                    chance: number(&["chance"]),
                }),
                _ => fields.values().for_each(|one| walk(one, found)),
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_are_found_wherever_they_stand() {
        let audit = json!({"version": 1, "tables": [{"rows": [
            {"measure": "longest option", "type": "lookahead", "share": 0.3, "low": 0.2, "high": 0.4, "chance": 0.1667},
            {"measure": "no share"},
        ]}]});
        let found = baselines(&audit).unwrap();
        assert_eq!((found.len(), found[0].kind.as_str(), found[0].share), (1, "lookahead", 0.3));
        assert!(baselines(&json!({"rows": []})).is_err());
    }
}

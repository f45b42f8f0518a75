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

/// The baselines in the JSON of an audit: every object, however deep, that has a `measure` and a `share`, which is a number or
/// an object with `value`, `low` and `high`. What stands further out (`type`, `chance`) holds for what is inside.
///
/// # Errors
///
/// There is none.
pub fn baselines(audit: &Value) -> Result<Vec<Baseline>, NotAnAudit> {
    let mut found = Vec::new();
    walk(audit, &Outer::default(), &mut found);
    if found.is_empty() { Err(NotAnAudit) } else { Ok(found) }
}

/// What is said further out.
#[derive(Clone, Debug, Default)]
struct Outer {
    kind: String,
    chance: Option<f64>,
}

/// A measure that is no share of right answers, and has no chance to be compared with.
const NO_ANSWER: &str = "near-equal";
/// How measures of free text begin: what a copy of the given text scores.
const COPY: &str = "copy-";

impl Baseline {
    /// Whether it answers questions.
    pub(crate) fn answers(&self) -> bool {
        self.measure != NO_ANSWER && !self.measure.starts_with(COPY)
    }
}

fn walk(value: &Value, outer: &Outer, found: &mut Vec<Baseline>) {
    match value {
        Value::Array(all) => all.iter().for_each(|one| walk(one, outer, found)),
        Value::Object(fields) => {
            let first = |names: &[&str]| names.iter().find_map(|name| fields.get(*name));
            let text = |names: &[&str]| first(names).and_then(Value::as_str).map(str::to_owned);
            let number = |name: &str| fields.get(name).and_then(Value::as_f64);
            let outer = Outer {
                kind: text(&["type", "kind"]).unwrap_or_else(|| outer.kind.clone()),
                chance: number("chance").or(outer.chance),
            };
            let share = first(&["share", "accuracy"]);
            let Some((measure, share)) = text(&["measure", "name"]).zip(share) else {
                fields.values().for_each(|one| walk(one, &outer, found));
                return;
            };
            let inside = |name: &str| share.get(name).and_then(Value::as_f64);
            let value = share.as_f64().or_else(|| inside("value"));
            // What is not defined has no share.
            if let Some(value) = value.filter(|value| (0.0..=1.0).contains(value)) {
                let chance = outer.chance.filter(|_| measure != NO_ANSWER);
                found.push(Baseline {
                    measure,
                    kind: outer.kind,
                    share: value,
                    low: number("low").or_else(|| inside("low")),
                    high: number("high").or_else(|| inside("high")),
                    chance,
                });
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

    #[test]
    fn figures_of_sets_take_type_and_chance_from_their_set() {
        let share = json!({"value": 0.25, "low": 0.2, "high": 0.31, "questions": 90, "interval": "authors"});
        let audit = json!({"format": "storymill-audit/1", "name": "mine", "sets": [{"config": "eval", "type": "lookahead", "chance": 0.1667, "figures": [
            {"measure": "longest", "share": share, "undefined": ""},
            {"measure": "near-equal", "share": share, "undefined": ""},
            {"measure": "words", "share": null, "undefined": "one author"},
        ]}]});
        let found = baselines(&audit).unwrap();
        assert_eq!(found.len(), 2);
        let first = &found[0];
        assert_eq!(
            (first.kind.as_str(), first.share, first.low, first.chance),
            ("lookahead", 0.25, Some(0.2), Some(0.1667))
        );
        assert_eq!((found[1].chance, found[1].answers()), (None, false));
    }
}

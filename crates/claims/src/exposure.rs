//! The exposure ledger: which pair was shown to which provider's model, and when.
//!
//! What was shown may be in the next model's training data, so tables can leave such pairs out. The
//! ledger only grows; days come from outside.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{
    mistake::{Mistake, Mistakes},
    pair::{is_date, is_pair_id},
    read::json_lines,
};

/// One pair was shown once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exposure {
    /// The pair.
    pub pair: String,
    /// Who runs the model: `openai`, `local`.
    pub provider: String,
    /// The model.
    pub model: String,
    /// The day: `2026-11-21`.
    pub date: String,
}

/// Reads a ledger, a JSON object a line.
pub fn read(bytes: &[u8]) -> Result<Vec<Exposure>, Mistakes> {
    json_lines(bytes, |_, value| {
        let exposure: Option<Exposure> = serde_json::from_value(value).ok();
        let exposure = exposure.filter(|one| is_pair_id(&one.pair) && is_date(&one.date));
        exposure.ok_or_else(|| Mistake::new("is not a line of a ledger: `pair`, `provider`, `model` and `date`, such as 2026-11-21"))
    })
}

/// The pairs that a provider saw before a day; ever, if no day is given.
///
/// Days compare as texts; a month counts from its first day and a year from its first month.
pub fn exposed(ledger: &[Exposure], provider: &str, before: Option<&str>) -> BTreeSet<String> {
    let seen = ledger.iter().filter(|line| line.provider == provider);
    let seen = seen.filter(|line| before.is_none_or(|day| line.date.as_str() < day));
    seen.map(|line| line.pair.clone()).collect()
}

/// The first day on which each pair was shown to each provider.
pub fn first(ledger: &[Exposure]) -> BTreeMap<(&str, &str), &str> {
    let mut first: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for Exposure { pair, provider, date, .. } in ledger {
        let day = first.entry((pair, provider)).or_insert(date);
        *day = (*day).min(date);
    }
    first
}

/// Whether a pair tells little of the next system: more than nine in ten have it right, of at least three.
///
/// ```
/// use storymill_claims::exposure::is_saturated;
/// assert!(is_saturated(3, 3) && is_saturated(10, 11));
/// assert!(!is_saturated(2, 2) && !is_saturated(9, 10));
/// ```
pub fn is_saturated(right: usize, of: usize) -> bool {
    of >= 3 && right * 10 > of * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table() {
        let ledger = read(
            b"{\"pair\":\"a/1\",\"provider\":\"x\",\"model\":\"m\",\"date\":\"2026-01-02\"}\n\n{\"pair\":\"a/2\",\"provider\":\"x\",\"model\":\"m\",\"date\":\"2026-03-01\"}\n{\"pair\":\"a/3\",\"provider\":\"y\",\"model\":\"m\",\"date\":\"2026-01-01\"}\n",
        )
        .unwrap();
        let of =
            |provider, before| exposed(&ledger, provider, before).into_iter().collect::<Vec<_>>();
        assert_eq!(of("x", None), ["a/1", "a/2"]);
        assert_eq!(of("x", Some("2026-03-01")), ["a/1"]);
        assert_eq!(of("z", None), [""; 0]);
        let again = Exposure { date: "2025-12-31".into(), model: "n".into(), ..ledger[0].clone() };
        let all = [&ledger[..], &[again]].concat();
        let days: Vec<_> = first(&all).into_iter().collect();
        let expected =
            [("a/1", "x", "2025-12-31"), ("a/2", "x", "2026-03-01"), ("a/3", "y", "2026-01-01")];
        assert_eq!(days, expected.map(|(pair, provider, day)| ((pair, provider), day)));
        let faults =
            read(b"{\"pair\":\"He came.\",\"provider\":\"x\",\"model\":\"m\",\"date\":\"2026\"}")
                .unwrap_err();
        assert!(faults[0].to_string().starts_with("row 1: is not a line of a ledger"));
    }
}

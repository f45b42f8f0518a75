//! How often people tell the true retelling from the false one: the rows of `adequacy`, counted for the card.

use std::collections::BTreeMap;

use arrow_array::{RecordBatch, cast::AsArray, types::Int32Type};
use serde::Serialize;
use storymill_metrics::binomial;

use crate::numbers::thousands;

/// The columns that rows of pairs are known by.
const PAIR: [&str; 2] = ["pair_id", "qualify_pm"];

/// What was noted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToldApart {
    /// Pairs that were drawn, those that qualify left out.
    drawn: u64,
    /// By person.
    people: BTreeMap<String, Said>,
    qualify_pm: i32,
}

/// What one person said: of pairs that qualify, and of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Said {
    qualifying: [u64; 2],
    pairs: [u64; 2],
}

/// What the card is filled with.
#[derive(Debug, Serialize)]
pub(crate) struct ToldApartView {
    drawn: String,
    people: String,
    not_counted: String,
    qualify: String,
    right: String,
    of: String,
    /// Share and interval; blank where nobody is counted.
    share: String,
    low: String,
    high: String,
}

impl ToldApart {
    /// Adds the rows of a batch, if they are pairs.
    pub(crate) fn note(found: &mut Option<Self>, rows: &RecordBatch) {
        let text = |name: &str| rows.column_by_name(name)?.as_string_opt::<i32>();
        let number = |name: &str| rows.column_by_name(name)?.as_primitive_opt::<Int32Type>();
        if !PAIR.iter().all(|name| rows.column_by_name(name).is_some()) {
            return;
        }
        let texts = ["right", "said", "person"].map(text);
        let [Some(right), Some(said), Some(person)] = texts else { return };
        let [Some(qualifies), Some(limit)] = ["qualifies", "qualify_pm"].map(number) else {
            return;
        };
        let found = found.get_or_insert_default();
        for at in 0..rows.num_rows() {
            found.qualify_pm = limit.value(at);
            let qualifies = qualifies.value(at) == 1;
            found.drawn += u64::from(!qualifies);
            if said.value(at).is_empty() {
                continue;
            }
            let known = found.people.entry(person.value(at).to_owned()).or_default();
            let counts = if qualifies { &mut known.qualifying } else { &mut known.pairs };
            counts[0] += u64::from(said.value(at) == right.value(at));
            counts[1] += 1;
        }
    }

    /// Right and all pairs of people who are counted, and how many people are not.
    fn counted(&self) -> ([u64; 2], usize) {
        let qualified = |said: &&Said| {
            let [right, of] = said.qualifying;
            of > 0 && right * 1000 >= of * u64::try_from(self.qualify_pm).unwrap_or(0)
        };
        let counted: Vec<&Said> = self.people.values().filter(qualified).collect();
        let sum = |at: usize| counted.iter().map(|said| said.pairs[at]).sum();
        ([sum(0), sum(1)], self.people.len() - counted.len())
    }

    /// What the card is filled with.
    pub(crate) fn view(&self) -> ToldApartView {
        let ([right, of], not_counted) = self.counted();
        let interval = binomial::wilson(right, of, 0.95).ok();
        let percent = |share: Option<f64>| {
            share.map(|share| format!("{:.1}", 100.0 * share)).unwrap_or_default()
        };
        ToldApartView {
            drawn: thousands(self.drawn),
            people: self.people.len().to_string(),
            not_counted: not_counted.to_string(),
            qualify: format!("{:.0}", f64::from(self.qualify_pm) / 10.0),
            right: thousands(right),
            of: thousands(of),
            share: percent(interval.as_ref().map(|found| found.value)),
            low: percent(interval.as_ref().map(|found| found.low)),
            high: percent(interval.as_ref().map(|found| found.high)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_qualify_is_not_counted() {
        let said = |qualifying, pairs| Said { qualifying, pairs };
        let people = [
            ("a", said([4, 5], [238, 250])),
            ("b", said([3, 5], [0, 90])),
            ("c", said([0, 0], [9, 9])),
        ];
        let people = people.map(|(name, said)| (name.to_owned(), said)).into();
        let found = ToldApart { drawn: 300, people, qualify_pm: 800 };
        assert_eq!(found.counted(), ([238, 250], 2));
        let view = found.view();
        // NarrativeXL, section 6.1.3: 238 of 250.
        assert_eq!((&*view.share, &*view.low, &*view.high), ("95.2", "91.8", "97.2"));
        assert_eq!(ToldApart::default().view().share, "");
    }
}

//! How often people tell the true retelling from the false one: the rows of `adequacy`, counted for the card.

use serde::Serialize;
use storymill_core::AdequacyPair;
use storymill_faithfulness::pairs::{Pair, told_apart};
use storymill_metrics::binomial;

use crate::numbers::thousands;

/// What was noted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToldApart {
    pairs: Vec<Pair>,
    qualify_pm: u16,
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
    /// Pairs on which people are split; blank if there are none.
    split: String,
    /// Share and interval; blank where nobody is counted.
    share: String,
    low: String,
    high: String,
    /// How far people agree who said something of the same pairs; none where nobody did.
    agreement: Option<AgreementView>,
}

/// How far people agree.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct AgreementView {
    pairs: String,
    agreed: String,
    couples: String,
    /// Krippendorff's alpha, or why there is none.
    alpha: String,
}

impl ToldApart {
    /// Adds a pair.
    pub(crate) fn note(&mut self, pair: &AdequacyPair) {
        self.qualify_pm = pair.qualify_pm;
        let votes = pair.votes.iter();
        self.pairs.push(Pair {
            right: if pair.first_is_true { "first" } else { "second" }.to_owned(),
            qualifies: pair.qualifies,
            votes: votes.map(|vote| (vote.person.clone(), vote.said.clone())).collect(),
        });
    }

    /// What the card is filled with.
    pub(crate) fn view(&self) -> ToldApartView {
        let found = told_apart(&self.pairs, self.qualify_pm);
        let interval = binomial::wilson(found.right, found.decided, 0.95).ok();
        let percent = |share: Option<f64>| {
            share.map(|share| format!("{:.1}", 100.0 * share)).unwrap_or_default()
        };
        let told = &found.agreement;
        let agreement = (told.items > 0).then(|| AgreementView {
            pairs: thousands(told.items as u64),
            agreed: thousands(told.agreed as u64),
            couples: thousands(told.couples as u64),
            alpha: told.alpha.told(2).replace("-0.00", "0.00"),
        });
        ToldApartView {
            drawn: thousands(found.drawn),
            people: found.people.to_string(),
            not_counted: found.not_counted.to_string(),
            qualify: format!("{:.0}", f64::from(self.qualify_pm) / 10.0),
            right: thousands(found.right),
            of: thousands(found.decided),
            split: if found.split > 0 { thousands(found.split) } else { String::new() },
            share: percent(interval.as_ref().map(|found| found.value)),
            low: percent(interval.as_ref().map(|found| found.low)),
            high: percent(interval.as_ref().map(|found| found.high)),
            agreement,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(qualifies: bool, votes: &[(&str, &str)]) -> Pair {
        let votes = votes.iter().map(|(person, said)| ((*person).into(), (*said).into()));
        Pair { right: "first".into(), qualifies, votes: votes.collect() }
    }

    #[test]
    fn who_does_not_qualify_is_not_counted() {
        let mut pairs = Vec::new();
        for at in 0..5 {
            pairs.push(pair(true, &[("a", if at < 4 { "first" } else { "second" })]));
            pairs.push(pair(true, &[("b", if at < 3 { "first" } else { "second" })]));
        }
        pairs.extend(
            (0..250).map(|at| pair(false, &[("a", if at < 238 { "first" } else { "neither" })])),
        );
        pairs.extend((0..90).map(|_| pair(false, &[("b", "second")])));
        pairs.extend((0..9).map(|_| pair(false, &[("c", "first")])));
        let view = ToldApart { pairs, qualify_pm: 800 }.view();
        // NarrativeXL, section 6.1.3: 238 of 250.
        assert_eq!((&*view.share, &*view.low, &*view.high), ("95.2", "91.8", "97.2"));
        assert_eq!((&*view.people, &*view.not_counted, &*view.drawn), ("3", "2", "349"));
        assert!(view.agreement.is_none() && view.split.is_empty());
        assert_eq!(ToldApart::default().view().share, "");
    }

    #[test]
    fn several_people_on_a_pair_are_told_with_their_agreement() {
        let known = pair(true, &[("a", "first"), ("b", "first"), ("c", "first")]);
        let asked = [
            pair(false, &[("a", "first"), ("b", "first"), ("c", "second")]),
            pair(false, &[("a", "first"), ("b", "second")]),
        ];
        let pairs = [&[known][..], &asked].concat();
        let view = ToldApart { pairs, qualify_pm: 800 }.view();
        assert_eq!((&*view.right, &*view.of, &*view.split), ("1", "1", "1"));
        let agreement = view.agreement.unwrap();
        assert_eq!((&*agreement.pairs, &*agreement.agreed, &*agreement.couples), ("2", "1", "4"));
    }
}

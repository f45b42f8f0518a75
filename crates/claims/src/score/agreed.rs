//! How far people agree on what scores stand on: which claim of a pair is true, and whether explanations are right.

use std::collections::BTreeSet;

use serde::Serialize;
use storymill_core::{Decisions, Review};
use storymill_faithfulness::voters;
use storymill_metrics::agreement::Estimate;

use super::Asked;
use crate::{
    deciding::{compare::which, explained::question},
    import::Set,
    pair::Half,
};

/// How far people agree on items of one kind. Nobody is named: scores are for everybody.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreed {
    /// The code of the items: `which-is-true`.
    pub kind: String,
    /// People who voted.
    pub people: usize,
    /// Items with two votes or more.
    pub items: usize,
    /// Krippendorff's alpha over the choices, with its interval over books.
    pub alpha: Estimate,
}

/// The agreement on the pairs that are counted and on the explanations of right verdicts on them, as far as several people
/// judged these.
pub(super) fn count(
    set: &Set,
    pairs: &[usize],
    asked: &[Asked<'_>],
    decisions: &Decisions,
) -> Vec<Agreed> {
    if decisions.is_empty() {
        return Vec::new();
    }
    let compared: Vec<_> = pairs.iter().map(|at| (*at, which(&set.pairs[*at]))).collect();
    let mut known = BTreeSet::new();
    let mut explained = Vec::new();
    for (&at, asked) in pairs.iter().flat_map(|at| asked.iter().map(move |asked| (at, asked))) {
        for (half, answer) in Half::BOTH.into_iter().zip(asked.responses[at]) {
            let review = answer.and_then(|text| question(&set.pairs[at], half, asked.name, text));
            // What several systems say in the same words is judged once.
            let review = review.filter(|review| known.insert(review.id()));
            explained.extend(review.map(|review| (at, review)));
        }
    }
    [compared, explained].iter().filter_map(|items| agreed(set, items, decisions)).collect()
}

fn agreed(set: &Set, items: &[(usize, Review)], decisions: &Decisions) -> Option<Agreed> {
    let kind = items.first()?.1.code.to_string();
    let books =
        items.iter().map(|(at, review)| (&set.pairs[*at].book, [review.id(), review.former_id()]));
    let found = voters::on(decisions, books);
    let people = found.voters.len();
    (found.items > 0).then_some(Agreed { kind, people, items: found.items, alpha: found.alpha })
}

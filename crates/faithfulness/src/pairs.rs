//! Pairs of a true and a false retelling, and what several people said of each: who is counted, what the majority
//! says, how far they agree.
//!
//! The rules are NarrativeXL's (section 6.1.3), taken to any number of people: who cannot tell pairs whose answer is known
//! beforehand is not counted; of each other pair the majority of those who are counted decides.

use std::collections::{BTreeMap, BTreeSet};

use storymill_metrics::agreement::{Agreement, How, Votes, agreement, majority};

/// A pair with what people said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// What is right: `first`, `second`.
    pub right: String,
    /// Whether its answer is known beforehand, and tells who is counted.
    pub qualifies: bool,
    /// Who said what; the first vote of a person counts. Any word but the right one is wrong, `neither` among them.
    pub votes: Vec<(String, String)>,
}

/// What people said of pairs, taken together.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldApart {
    /// Pairs that were drawn, without those whose answer is known beforehand.
    pub drawn: u64,
    /// People who said something.
    pub people: usize,
    /// Those of them who are not counted.
    pub not_counted: usize,
    /// Pairs of which a majority of those who are counted says the same: so many.
    pub decided: u64,
    /// Those of them that it tells right.
    pub right: u64,
    /// Pairs on which it is split: no word has more than half of the votes. They count for neither side.
    pub split: u64,
    /// How far those agree who are counted.
    pub agreement: Agreement,
}

/// What people said of pairs. Whoever got fewer than `qualify_pm` of a thousand pairs right whose answer is known
/// beforehand, or said nothing of any, is not counted.
///
/// Laws: the order of pairs and of people changes nothing; the vote of somebody who is not counted changes nothing but their number; with one
/// vote for each pair, right and decided pairs are right and all votes of those who are counted.
///
/// ```
/// use storymill_faithfulness::pairs::{Pair, told_apart};
///
/// let pair = |qualifies, said: [&str; 3]| Pair {
///     right: "first".into(),
///     qualifies,
///     votes: ["ann", "bob", "cy"].map(String::from).into_iter().zip(said.map(String::from)).collect(),
/// };
/// let found = told_apart(
///     &[pair(true, ["first", "first", "first"]), pair(false, ["first", "second", "first"])],
///     800,
/// );
/// assert_eq!((found.right, found.decided, found.not_counted), (1, 1, 0));
/// ```
pub fn told_apart(pairs: &[Pair], qualify_pm: u16) -> ToldApart {
    let votes: Vec<BTreeMap<&str, &str>> = pairs
        .iter()
        .map(|pair| {
            // The first vote of a person stays.
            pair.votes.iter().rev().map(|(person, said)| (&**person, &**said)).collect()
        })
        .collect();
    let people: BTreeSet<&str> = votes.iter().flat_map(|votes| votes.keys().copied()).collect();
    let mut known: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for (pair, votes) in pairs.iter().zip(&votes).filter(|(pair, _)| pair.qualifies) {
        for (person, said) in votes {
            let [right, all] = known.entry(person).or_default();
            *right += u64::from(**said == pair.right);
            *all += 1;
        }
    }
    let counts = |person: &str| {
        known.get(person).is_some_and(|[right, all]| right * 1000 >= all * u64::from(qualify_pm))
    };
    let counted: BTreeSet<&str> = people.iter().copied().filter(|person| counts(person)).collect();
    let (mut drawn, mut decided, mut right, mut split) = (0, 0, 0, 0);
    let mut items: Vec<Votes<'_>> = Vec::new();
    for (pair, votes) in pairs.iter().zip(&votes).filter(|(pair, _)| !pair.qualifies) {
        drawn += 1;
        let votes = votes.iter().filter(|(person, _)| counted.contains(*person));
        let votes: Votes<'_> = votes.map(|(person, said)| (*person, *said)).collect();
        match majority(votes.iter().map(|(_, said)| *said)) {
            Some(said) => {
                decided += 1;
                right += u64::from(said == pair.right);
            }
            None => split += u64::from(!votes.is_empty()),
        }
        items.push(votes);
    }
    ToldApart {
        drawn,
        people: people.len(),
        not_counted: people.len() - counted.len(),
        decided,
        right,
        split,
        agreement: agreement(&[items], How::default()),
    }
}

#[cfg(test)]
mod tests;

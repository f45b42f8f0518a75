//! How far claims give themselves away: a small model that sees the claims and never the book.
//!
//! Naive Bayes over single words, pairs of neighbouring words and the length beside the twin's. It
//! is trained on all pairs but those of one book and asked about that book's, in turn; so it can
//! learn how a writer makes claims false, not what happens in a book. A set on one book is split
//! into ten parts instead. What it gets right beyond one half, a system can get right unread.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_metrics::{Variant, binomial, bootstrap::Interval};
use storymill_text::word::{self, words};

use crate::pair::{Half, Pair};

/// The variant of this score.
pub const VARIANT: Variant = Variant::new("claim-only-naive-bayes", 1);

/// What the model got right.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shortcut {
    /// What exactly it is.
    pub variant: Variant,
    /// Pairs it was asked about.
    pub pairs: usize,
    /// Pairs of which it knew the true claim from the false one; half a point where it could not
    /// tell, rounded down.
    pub told_apart: usize,
    /// Claims it judged right one by one.
    pub claims: usize,
    /// The share of pairs told apart, with its Wilson interval (95 %). Chance is one half.
    pub interval: Interval,
    /// Pairs told apart by taking the shorter claim for the true one; ties count half, rounded down.
    pub by_length: usize,
}

/// The score of a set; none with fewer than ten pairs, from which nothing can be learnt.
pub fn score(pairs: &[Pair]) -> Option<Shortcut> {
    let all: Vec<usize> = (0..pairs.len()).collect();
    if !can_learn(&all) {
        return None;
    }
    let odds = Seen::new(pairs).odds(&all);
    let claims = |[yes, no]: &[f64; 2]| usize::from(*yes > 0.0) + usize::from(*no < 0.0);
    let length = |pair: &Pair| {
        let count = |half| u32::try_from(words(pair.claim(half)).count()).unwrap_or(u32::MAX);
        points([f64::from(count(Half::False)), f64::from(count(Half::True))])
    };
    let told_apart = odds.iter().copied().map(points).sum::<usize>() / 2;
    Some(Shortcut {
        variant: VARIANT,
        pairs: pairs.len(),
        told_apart,
        claims: odds.iter().map(claims).sum(),
        interval: binomial::wilson(told_apart as u64, pairs.len() as u64, 0.95).ok()?,
        by_length: pairs.iter().map(length).sum::<usize>() / 2,
    })
}

/// Whether there are enough pairs to learn from.
pub(crate) fn can_learn(chosen: &[usize]) -> bool {
    chosen.len() >= 10
}

/// Two points if the first is more, one if they are the same.
pub(crate) fn points([one, two]: [f64; 2]) -> usize {
    if (one - two).abs() < 1e-12 { 1 } else { 2 * usize::from(one > two) }
}

/// Pairs as the model sees them: the features of either claim, by number.
pub(crate) struct Seen<'p> {
    pairs: &'p [Pair],
    features: Vec<[Vec<usize>; 2]>,
    kinds: usize,
}

impl<'p> Seen<'p> {
    pub(crate) fn new(pairs: &'p [Pair]) -> Self {
        let named: Vec<_> = pairs.iter().map(features).collect();
        // Numbered in order of their names, so that sums are the same in whatever order pairs come.
        let names: BTreeSet<&String> = named.iter().flatten().flatten().collect();
        let numbers: BTreeMap<&String, usize> = names.into_iter().zip(0..).collect();
        let number = |set: &BTreeSet<String>| set.iter().map(|name| numbers[name]).collect();
        let features = named.iter().map(|halves| halves.each_ref().map(number)).collect();
        Self { pairs, features, kinds: numbers.len() }
    }

    /// The logarithm of the odds that the true and that the false claim is true, of each of the chosen
    /// pairs, by what the chosen pairs of other books show.
    pub(crate) fn odds(&self, chosen: &[usize]) -> Vec<[f64; 2]> {
        let mut model = Model { counts: vec![[0; 2]; self.kinds], pairs: 0 };
        for &pair in chosen {
            model.learn(&self.features[pair], 1);
        }
        let mut odds = vec![[0.0; 2]; chosen.len()];
        for part in self.parts(chosen) {
            for &at in &part {
                model.learn(&self.features[chosen[at]], -1);
            }
            for &at in &part {
                odds[at] = self.features[chosen[at]].each_ref().map(|seen| model.log_odds(seen));
            }
            for &at in &part {
                model.learn(&self.features[chosen[at]], 1);
            }
        }
        odds
    }

    /// Where the pairs of each book stand among the chosen ones; of one book alone, ten parts.
    fn parts(&self, chosen: &[usize]) -> Vec<Vec<usize>> {
        let mut books: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, &pair) in chosen.iter().enumerate() {
            books.entry(&self.pairs[pair].book).or_default().push(at);
        }
        if books.len() > 1 {
            return books.into_values().collect();
        }
        // By id, so that the order of the file does not matter.
        let mut order: Vec<usize> = (0..chosen.len()).collect();
        order.sort_by_key(|at| &self.pairs[chosen[*at]].id);
        (0..10).map(|part| order.iter().copied().skip(part).step_by(10).collect()).collect()
    }
}

/// What can be seen of either claim of a pair. What both have tells nothing and is left out.
fn features(pair: &Pair) -> [BTreeSet<String>; 2] {
    let of = |half: Half| {
        let plain = word::plain(pair.claim(half));
        let neighbours = plain.windows(2).map(|two| two.join(" "));
        let mut set: BTreeSet<String> = plain.iter().cloned().chain(neighbours).collect();
        let other = if half == Half::True { Half::False } else { Half::True };
        let other = words(pair.claim(other)).count();
        set.extend((plain.len() > other).then(|| "<longer>".to_owned()));
        set.extend((plain.len() < other).then(|| "<shorter>".to_owned()));
        set
    };
    let [yes, no] = Half::BOTH.map(of);
    [yes.difference(&no).cloned().collect(), no.difference(&yes).cloned().collect()]
}

/// How often each feature was seen in true and in false claims.
struct Model {
    counts: Vec<[i32; 2]>,
    pairs: i32,
}

impl Model {
    /// Adds a pair, or with -1 takes it out again.
    fn learn(&mut self, halves: &[Vec<usize>; 2], sign: i32) {
        self.pairs += sign;
        for (half, features) in halves.iter().enumerate() {
            for &feature in features {
                self.counts[feature][half] += sign;
            }
        }
    }

    /// The logarithm of the odds that a claim is true, with one seen more of each (Laplace).
    fn log_odds(&self, features: &[usize]) -> f64 {
        let all = f64::from(self.pairs) + 2.0;
        let odds = |&feature: &usize| {
            let [yes, no] = self.counts[feature];
            let share = |seen: i32| (f64::from(seen) + 1.0) / all;
            libm::log(share(yes)) - libm::log(share(no))
        };
        features.iter().map(odds).sum()
    }
}

#[cfg(test)]
mod tests {
    use storymill_core::Seed;

    use super::*;

    fn pair(at: usize, yes: &str, no: &str) -> Pair {
        let book = format!("b{}", at % 4);
        let text = |what: &str| format!("Person{at} {what} thing{at}.");
        Pair {
            id: format!("{book}/{at}"),
            book,
            true_claim: text(yes),
            false_claim: text(no),
            ..Pair::default()
        }
    }

    #[test]
    fn a_writer_with_a_habit_is_found_out() {
        let habit: Vec<_> = (0..40).map(|at| pair(at, "takes the", "never takes the")).collect();
        let found = score(&habit).unwrap();
        assert_eq!((found.told_apart, found.by_length), (40, 40));
        assert!(found.interval.low > 0.9);
    }

    #[test]
    fn without_a_habit_nothing_is_told_apart() {
        let mut colours = ["red", "green", "blue", "black", "white"];
        let mut stream = Seed::new(7).derive("test", &"u".parse().unwrap(), "i", "colours");
        let plain: Vec<_> = (0..200)
            .map(|at| {
                stream.shuffle(&mut colours);
                pair(at, colours[0], colours[1])
            })
            .collect();
        let found = score(&plain).unwrap();
        assert!((70..=130).contains(&found.told_apart), "{found:?}");
        assert_eq!(found.by_length, 100);
        let mut turned = plain;
        turned.reverse();
        assert_eq!(score(&turned).unwrap(), found);
        assert_eq!(score(&turned[..9]), None);
    }
}

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
    if pairs.len() < 10 {
        return None;
    }
    let features: Vec<[BTreeSet<String>; 2]> = pairs.iter().map(features).collect();
    let parts = parts(pairs);
    let (mut halves, mut claims, mut length) = (0, 0, 0);
    for part in &parts {
        let asked: BTreeSet<usize> = part.iter().copied().collect();
        let others = features.iter().enumerate().filter(|(at, _)| !asked.contains(at));
        let model = Model::new(others.map(|(_, features)| features));
        for &pair in part {
            let [yes, no] = features[pair].each_ref().map(|features| model.log_odds(features));
            halves += points(yes, no);
            claims += usize::from(yes > 0.0) + usize::from(no < 0.0);
        }
    }
    for pair in pairs {
        let count = |half| u32::try_from(words(pair.claim(half)).count()).unwrap_or(u32::MAX);
        length += points(f64::from(count(Half::False)), f64::from(count(Half::True)));
    }
    let told_apart = halves / 2;
    let trials = pairs.len() as u64;
    Some(Shortcut {
        variant: VARIANT,
        pairs: pairs.len(),
        told_apart,
        claims,
        interval: binomial::wilson(told_apart as u64, trials, 0.95).ok()?,
        by_length: length / 2,
    })
}

/// Two points if the first is more, one if they are the same.
fn points(one: f64, two: f64) -> usize {
    if (one - two).abs() < 1e-12 { 1 } else { 2 * usize::from(one > two) }
}

/// The pairs of each book; of one book alone, ten parts.
fn parts(pairs: &[Pair]) -> Vec<Vec<usize>> {
    let mut books: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, pair) in pairs.iter().enumerate() {
        books.entry(&pair.book).or_default().push(at);
    }
    if books.len() > 1 {
        return books.into_values().collect();
    }
    // By id, so that the order of the file does not matter.
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by(|a, b| pairs[*a].id.cmp(&pairs[*b].id));
    (0..10).map(|part| order.iter().copied().skip(part).step_by(10).collect()).collect()
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
struct Model<'f> {
    counts: BTreeMap<&'f str, [u32; 2]>,
    pairs: u32,
}

impl<'f> Model<'f> {
    fn new(pairs: impl Iterator<Item = &'f [BTreeSet<String>; 2]>) -> Self {
        let mut model = Self { counts: BTreeMap::new(), pairs: 0 };
        for halves in pairs {
            model.pairs += 1;
            for (half, features) in halves.iter().enumerate() {
                for feature in features {
                    model.counts.entry(feature).or_default()[half] += 1;
                }
            }
        }
        model
    }

    /// The logarithm of the odds that a claim is true, with one seen more of each (Laplace).
    fn log_odds(&self, features: &BTreeSet<String>) -> f64 {
        let all = f64::from(self.pairs) + 2.0;
        let odds = |feature: &String| {
            let [yes, no] = self.counts.get(feature.as_str()).copied().unwrap_or_default();
            let share = |seen: u32| (f64::from(seen) + 1.0) / all;
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

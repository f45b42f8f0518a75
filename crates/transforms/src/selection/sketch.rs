//! A book's text in three kilobytes: enough to tell how much of it stands in another.
//!
//! Every run of about five words gives a hash; the smallest hashes are kept (bottom-k sampling).
//! Below the smaller of two books' thresholds both sketches are complete, so counting there
//! estimates how much of one book stands in the other, however different they are in size.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use storymill_core::{Book, Paragraph};
use storymill_text::word::is_han;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The smallest hashes of a text, in ascending order, each as its distance from the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketch {
    steps: Vec<u32>,
    /// Whether these are all hashes there are.
    whole: bool,
}

/// So many hashes are kept: their bytes fit into a fact with room for names.
const KEPT: usize = 800;

/// A run of words goes on until it weighs this much; a word weighs 2, a Han letter 1.
const RUN: u32 = 10;

impl Sketch {
    /// The sketch of some paragraphs of a book.
    pub(super) fn of(book: &Book, paragraphs: &[&Paragraph]) -> Self {
        let mut tokens = Tokens::default();
        for paragraph in paragraphs {
            tokens.read(&book.text[paragraph.text.start as usize..paragraph.text.end as usize]);
        }
        Self::of_hashes(tokens.runs())
    }

    fn of_hashes(hashes: impl Iterator<Item = u32>) -> Self {
        let mut kept = BTreeSet::new();
        let mut whole = true;
        for hash in hashes {
            if kept.len() == KEPT {
                if kept.last().is_some_and(|last| hash > *last) {
                    whole = false;
                    continue;
                }
                if kept.insert(hash) {
                    kept.pop_last();
                    whole = false;
                }
            } else {
                kept.insert(hash);
            }
        }
        let mut before = 0;
        let steps =
            kept.into_iter().map(|hash| hash - std::mem::replace(&mut before, hash)).collect();
        Self { steps, whole }
    }

    /// The hashes in ascending order.
    pub(super) fn hashes(&self) -> Hashes {
        let mut at = 0_u32;
        let all: Vec<u32> = self
            .steps
            .iter()
            .map(|step| {
                at = at.wrapping_add(*step);
                at
            })
            .collect();
        let limit = if self.whole { u32::MAX } else { all.last().copied().unwrap_or(u32::MAX) };
        Hashes { all, limit }
    }
}

/// A sketch, unpacked.
#[derive(Debug)]
pub(super) struct Hashes {
    pub(super) all: Vec<u32>,
    /// Up to here nothing is missing.
    limit: u32,
}

impl Hashes {
    /// Of a thousand, how much of each stands in the other, where `both` hashes are in both; none
    /// where the sketches have too little to compare.
    pub(super) fn shared(&self, other: &Self, both: u32) -> Option<(u16, u16)> {
        let whole = self.limit == u32::MAX && other.limit == u32::MAX;
        if whole && !self.all.is_empty() && self.all == other.all {
            return Some((1000, 1000));
        }
        let limit = self.limit.min(other.limit);
        let below = |hashes: &Self| hashes.all.partition_point(|hash| *hash <= limit) as u64;
        let (mine, its) = (below(self), below(other));
        if mine < LEAST || its < LEAST || both < LEAST_BOTH {
            return None;
        }
        let pm = |of: u64| u16::try_from(u64::from(both) * 1000 / of).unwrap_or(1000).min(1000);
        Some((pm(mine), pm(its)))
    }
}

/// Fewer hashes than this say nothing.
const LEAST: u64 = 12;

/// Fewer hashes than this in both are common phrases.
const LEAST_BOTH: u32 = 6;

/// The words of a text as hashes, with their weights.
#[derive(Default)]
struct Tokens(Vec<(u64, u32)>);

impl Tokens {
    fn read(&mut self, text: &str) {
        let mut word = None;
        for c in text.chars() {
            if c.is_ascii() {
                self.letter(c, &mut word);
            } else if is_han(c) {
                self.end(&mut word);
                self.0.push((step(FIRST, c), 1));
            } else {
                for c in std::iter::once(c).nfkd().filter(|c| !is_combining_mark(*c)) {
                    self.letter(c, &mut word);
                }
            }
        }
        self.end(&mut word);
    }

    fn letter(&mut self, c: char, word: &mut Option<u64>) {
        if c.is_alphanumeric() {
            for c in c.to_lowercase() {
                *word = Some(step(word.unwrap_or(FIRST), c));
            }
        } else if !matches!(c, '\'' | '’') {
            // Editions differ in `to-day` and in apostrophes; the first stays two words in both.
            self.end(word);
        }
    }

    fn end(&mut self, word: &mut Option<u64>) {
        if let Some(hash) = word.take() {
            self.0.push((hash, 2));
        }
    }

    /// The hash of every run of words.
    fn runs(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.0.len()).filter_map(move |from| {
            let (mut weight, mut hash) = (0, FIRST);
            for (token, heavy) in &self.0[from..] {
                hash = mix(hash ^ token);
                weight += heavy;
                if weight >= RUN {
                    return u32::try_from(mix(hash) >> 32).ok();
                }
            }
            // A text that is shorter than a run is one run.
            if from == 0 { u32::try_from(mix(hash) >> 32).ok() } else { None }
        })
    }
}

const FIRST: u64 = 0xcbf2_9ce4_8422_2325;

/// One letter more (FNV-1a over scalar values).
fn step(hash: u64, c: char) -> u64 {
    (hash ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3)
}

/// Spreads the bits (the finisher of SplitMix64).
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use storymill_core::Record;

    use super::*;
    use crate::tests::book;

    fn hashes(text: &str) -> Hashes {
        let book = book(text);
        Sketch::of(&book, &book.paragraphs.iter().collect::<Vec<_>>()).hashes()
    }

    fn shared(one: &Hashes, other: &Hashes) -> Option<(u16, u16)> {
        let in_one: BTreeSet<_> = one.all.iter().collect();
        let both = other.all.iter().filter(|hash| in_one.contains(hash)).count();
        one.shared(other, u32::try_from(both).unwrap())
    }

    /// Made-up words in a fixed order.
    fn text(from: u64, words: u64) -> String {
        (from..from + words).map(|at| format!("w{}", mix(at) % 5000)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn spelling_of_marks_changes_nothing() {
        let plain = hashes(
            "He said it was don't know why, the cafe was shut to day at noon sharp, was it not so? Indeed it was shut.",
        );
        let other = hashes(
            "“He said it was don’t know why, the Café was shut to-day at noon sharp—was it not so?” Indeed it was shut!",
        );
        assert_eq!(plain.all, other.all);
    }

    #[test]
    fn parts_are_found_in_far_larger_books() {
        let (whole, part, other) = (
            hashes(&text(0, 120_000)),
            hashes(&text(50_000, 6_000)),
            hashes(&text(900_000, 90_000)),
        );
        let (of_part, of_whole) = shared(&part, &whole).unwrap();
        assert!(of_part > 900 && of_whole < 100, "{of_part} {of_whole}");
        assert_eq!(shared(&whole, &other), None, "strangers share nothing");
    }

    #[test]
    fn tiny_texts_are_the_same_or_say_nothing() {
        assert_eq!(shared(&hashes("One line."), &hashes("One line!")), Some((1000, 1000)));
        assert_eq!(shared(&hashes("One line."), &hashes("Another line.")), None);
        assert_eq!(shared(&hashes(""), &hashes("")), None);
    }

    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Alone(Sketch);

    impl Record for Alone {
        const NAME: &'static str = "alone";
        const VERSION: u32 = 1;
    }

    proptest! {
        #[test]
        fn a_sketch_fits_into_a_fact(hashes in prop::collection::vec(any::<u32>(), 0..3000)) {
            let sketch = Sketch::of_hashes(hashes.iter().copied());
            let mut sorted: Vec<_> = hashes.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
            sorted.truncate(KEPT);
            prop_assert_eq!(sketch.hashes().all, sorted);
            prop_assert!(Alone::encode(&[Alone(sketch)]).unwrap().len() < 3300);
        }
    }
}

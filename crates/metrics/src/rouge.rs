//! ROUGE-1, ROUGE-2 and ROUGE-L as Google's rouge-score 0.1.2 computes them.
//!
//! Rule: Lin, "ROUGE: A Package for Automatic Evaluation of Summaries" (2004), sections 2 and 3.1,
//! over words of `a-z0-9` in lower case. With stemming, words of more than three letters are
//! stemmed first. Of several references the one with the highest F1 counts ([`crate::best`]).
//! That package's own mean over rows is the median of an unseeded bootstrap; ours is the mean.

use std::ops::Range;

use serde::Serialize;

use crate::{Prf, Variant, f1::shared, ids::Ids, lcs, porter};

/// The variant without stemming.
pub const PLAIN: Variant = Variant::new("rouge-score-0.1.2", 1);
/// The variant with stemming.
pub const STEMMED: Variant = Variant::new("rouge-score-0.1.2+porter", 1);

/// Whether words are stemmed before they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stem {
    /// Words as they are.
    None,
    /// nltk's Porter stems of words longer than three letters.
    Porter,
}

/// The three scores of one pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Rouge {
    /// Single words.
    #[serde(rename = "rouge1")]
    pub one: Prf,
    /// Pairs of words.
    #[serde(rename = "rouge2")]
    pub two: Prf,
    /// The longest common subsequence.
    #[serde(rename = "rougeL")]
    pub l: Prf,
}

/// All three scores of two texts.
pub fn text(prediction: &str, reference: &str, stem: Stem) -> Rouge {
    let (prediction, reference) = (Words::of(prediction, stem), Words::of(reference, stem));
    Rouge {
        one: n(1, &prediction, &reference),
        two: n(2, &prediction, &reference),
        l: l(&prediction, &reference),
    }
}

/// ROUGE-L of two texts.
///
/// Laws: swapping both swaps precision and recall; a text with a word scores 1 against itself;
/// ROUGE-L is never above ROUGE-1.
pub fn text_l(prediction: &str, reference: &str, stem: Stem) -> Prf {
    l(&Words::of(prediction, stem), &Words::of(reference, stem))
}

/// The words of a text as ROUGE sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    text: String,
    spans: Vec<Range<usize>>,
}

impl Words {
    /// Cuts a text into words.
    pub fn of(text: &str, stem: Stem) -> Self {
        let mut words = Self { text: String::with_capacity(text.len()), spans: Vec::new() };
        let mut start = 0;
        let mut put = |words: &mut Self, c: char| {
            if c.is_ascii_alphanumeric() {
                words.text.push(c.to_ascii_lowercase());
            } else if words.text.len() > start {
                words.end(start, stem);
                start = words.text.len();
            }
        };
        if text.is_ascii() {
            text.bytes().for_each(|byte| put(&mut words, char::from(byte)));
        } else {
            // The lower case of a letter beyond ASCII can hold one of ASCII.
            text.chars().flat_map(char::to_lowercase).for_each(|c| put(&mut words, c));
        }
        put(&mut words, ' ');
        words
    }

    fn end(&mut self, start: usize, stem: Stem) {
        if stem == Stem::Porter && self.text.len() - start > 3 {
            let stem = porter::stem(&self.text[start..]).into_owned();
            self.text.truncate(start);
            self.text.push_str(&stem);
        }
        if self.text.len() > start {
            self.spans.push(start..self.text.len());
        }
    }

    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.spans.iter().map(|span| &self.text[span.clone()])
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether the text has no word.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }
}

/// ROUGE-N: the n-grams that both share, each as often as both have it.
pub fn n(n: usize, prediction: &Words, reference: &Words) -> Prf {
    if n == 1 {
        let same = shared(prediction.iter(), reference.iter(), |_| true);
        return Prf::from_counts(same, prediction.len(), reference.len());
    }
    let grams = |words: &Words| words.len().saturating_sub(n.max(1) - 1);
    let (predicted, expected) = (grams(prediction), grams(reference));
    let mut ids = Ids::with_capacity(prediction.len() + reference.len());
    let left: Vec<u32> = prediction.iter().map(|word| ids.id(word)).collect();
    let right: Vec<u32> = reference.iter().map(|word| ids.id(word)).collect();
    let sorted = |row: &[u32]| {
        let mut grams: Vec<Vec<u32>> = row.windows(n.max(1)).map(<[u32]>::to_vec).collect();
        grams.sort_unstable();
        grams
    };
    let same = shared_sorted(&sorted(&left), &sorted(&right));
    Prf::from_counts(same, predicted, expected)
}

fn shared_sorted<T: Ord>(left: &[T], right: &[T]) -> usize {
    let (mut a, mut b, mut same) = (0, 0, 0);
    while let (Some(x), Some(y)) = (left.get(a), right.get(b)) {
        let order = x.cmp(y);
        same += usize::from(order.is_eq());
        a += usize::from(order.is_le());
        b += usize::from(order.is_ge());
    }
    same
}

/// ROUGE-L: the longest common subsequence of both rows of words.
pub fn l(prediction: &Words, reference: &Words) -> Prf {
    let mut ids = Ids::with_capacity(reference.len());
    let left: Vec<u32> = reference.iter().map(|word| ids.id(word)).collect();
    let right: Vec<u32> = prediction.iter().map(|word| ids.get(word).unwrap_or(u32::MAX)).collect();
    Prf::from_counts(lcs::length(&left, &right), prediction.len(), reference.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(prediction: &str, reference: &str, stem: Stem, expect: [f64; 3]) {
        let rouge = text(prediction, reference, stem);
        for (score, expect) in [rouge.one, rouge.two, rouge.l].iter().zip(expect) {
            assert!((score.f1 - expect).abs() < 1e-12, "{prediction} / {reference}: {rouge:?}");
        }
    }

    #[test]
    fn table() {
        check(
            "the quick brown dog jumps on the log",
            "the quick brown fox jumps over the lazy dog",
            Stem::None,
            [12.0 / 17.0, 4.0 / 15.0, 10.0 / 17.0],
        );
        check("", "cat", Stem::None, [0.0; 3]);
        check("...", "...", Stem::None, [0.0; 3]);
        check("Cat", "cat!", Stem::None, [1.0, 0.0, 1.0]);
        check("running dogs", "run dog", Stem::None, [0.0; 3]);
        check("running dogs", "run dog", Stem::Porter, [1.0, 1.0, 1.0]);
        // The Kelvin sign in lower case is a plain k.
        check("\u{212a}elvin", "kelvin", Stem::None, [1.0, 0.0, 1.0]);
    }

    proptest! {
        #[test]
        fn laws(a in "[a-c ]{0,80}", b in "[a-c ]{0,80}") {
            let (ab, ba) = (text(&a, &b, Stem::None), text(&b, &a, Stem::None));
            for (x, y) in [(ab.one, ba.one), (ab.two, ba.two), (ab.l, ba.l)] {
                prop_assert_eq!((x.precision, x.recall), (y.recall, y.precision));
                prop_assert!((0.0..=1.0).contains(&x.f1));
            }
            prop_assert!(ab.l.f1 <= ab.one.f1 + 1e-12);
            let full = if Words::of(&a, Stem::None).is_empty() { 0.0 } else { 1.0 };
            prop_assert_eq!(text(&a, &a, Stem::None).l.f1, full);
        }
    }
}

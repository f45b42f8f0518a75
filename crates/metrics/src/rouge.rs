//! ROUGE-1, ROUGE-2 and ROUGE-L as Google's rouge-score 0.1.2 computes them.
//!
//! Rule: Lin, "ROUGE: A Package for Automatic Evaluation of Summaries" (2004), sections 2 and 3.1,
//! over words of `a-z0-9` in lower case. With stemming, words of more than three letters are
//! stemmed first. Of several references the one with the highest F1 counts ([`crate::best`]).
//! That package's own mean over rows is the median of an unseeded bootstrap; ours is the mean.

use std::ops::Range;

use serde::Serialize;

use crate::{Prf, Variant, ids::Ids, lcs, porter};

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
    let (_, left, right) = numbered(&prediction, &reference);
    numbers(&left, &right)
}

/// All three scores of two texts, without stemming and with it. A word that they have often is stemmed once.
///
/// ```
/// use storymill_metrics::rouge::{Stem, both, text};
/// let (one, other) = ("Running dogs bark.", "The dog runs, and barks.");
/// assert_eq!(both(one, other), [Stem::None, Stem::Porter].map(|stem| text(one, other, stem)));
/// ```
pub fn both(prediction: &str, reference: &str) -> [Rouge; 2] {
    let [prediction, reference] = [prediction, reference].map(|text| Words::of(text, Stem::None));
    let (words, mut left, mut right) = numbered(&prediction, &reference);
    let plain = numbers(&left, &right);
    let stemmed = Words::stemmed(words.words().iter().copied());
    let mut stems = Ids::with_capacity(stemmed.len());
    let stem_of: Vec<u32> = stemmed.iter().map(|stem| stems.id(stem)).collect();
    left.iter_mut().chain(&mut right).for_each(|word| *word = stem_of[*word as usize]);
    [plain, numbers(&left, &right)]
}

/// The scores of two rows of words, which are small numbers in the second.
fn numbers(left: &[u32], right: &[u32]) -> Rouge {
    let prf = |same, grams: usize| {
        let of = |row: &[u32]| (row.len() + 1).saturating_sub(grams);
        Prf::from_counts(same, of(left), of(right))
    };
    let (one, two) = shared(left, right);
    Rouge { one: prf(one, 1), two: prf(two, 2), l: prf(lcs::length(right, left), 1) }
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
        let (mut start, mut rest) = (0, text);
        loop {
            let run = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
            words.text.push_str(&rest[..run]);
            match rest.as_bytes().get(run) {
                None => break,
                Some(0..128) => {
                    start = words.end(start);
                    rest = &rest[run + 1..];
                    continue;
                }
                Some(128..) => {}
            }
            let Some(c) = rest[run..].chars().next() else { break };
            rest = &rest[run + c.len_utf8()..];
            // The lower case of a letter beyond ASCII can hold one of ASCII.
            for c in c.to_lowercase() {
                if c.is_ascii_alphanumeric() {
                    words.text.push(c);
                } else {
                    start = words.end(start);
                }
            }
        }
        words.end(start);
        words.text.make_ascii_lowercase();
        if stem == Stem::Porter { Self::stemmed(words.iter()) } else { words }
    }

    /// The stems of words that are longer than three letters, the others as they are.
    fn stemmed<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let (mut stems, mut start, mut room) = (Self::default(), 0, Vec::new());
        for word in words {
            let stem = if word.len() > 3 { porter::stem_ascii(word, &mut room) } else { word };
            stems.text.push_str(stem);
            start = stems.end(start);
        }
        stems
    }

    /// Ends the word that began at `start`, if one did; says where the next one begins.
    fn end(&mut self, start: usize) -> usize {
        let end = self.text.len();
        if end > start {
            self.spans.push(start..end);
        }
        end
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

/// The words of both, and as numbers: those of the reference from 0 on.
fn numbered<'w>(prediction: &'w Words, reference: &'w Words) -> (Ids<&'w str>, Vec<u32>, Vec<u32>) {
    let mut ids = Ids::with_capacity(prediction.len() + reference.len());
    let right = reference.iter().map(|word| ids.id(word)).collect();
    let left = prediction.iter().map(|word| ids.id(word)).collect();
    (ids, left, right)
}

/// How many words both have, each as often as both have it; and how many two that stand side by side.
fn shared(left: &[u32], right: &[u32]) -> (usize, usize) {
    // How often the one has a word and how often the other does.
    let mut times = vec![(0_u32, 0_u32); right.iter().max().map_or(0, |most| *most as usize + 1)];
    for word in right {
        times[*word as usize].1 += 1;
    }
    for word in left {
        if let Some((times, _)) = times.get_mut(*word as usize) {
            *times += 1;
        }
    }
    let one = times.iter().map(|(left, right)| *left.min(right) as usize).sum();
    let in_both =
        |word: u32| times.get(word as usize).is_some_and(|(left, right)| *left.min(right) > 0);
    // Two of which one word is not in both are not either.
    let doubles = |row: &[u32]| {
        let both = row.windows(2).filter(|two| in_both(two[0]) && in_both(two[1]));
        let mut all: Vec<u64> =
            both.map(|two| (u64::from(two[0]) << 32) | u64::from(two[1])).collect();
        all.sort_unstable();
        all
    };
    (one, shared_doubles(&doubles(left), &doubles(right)))
}

/// How many both have, each as often as both have it; both are in order.
fn shared_doubles(left: &[u64], right: &[u64]) -> usize {
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
    let (_, left, right) = numbered(prediction, reference);
    Prf::from_counts(lcs::length(&right, &left), left.len(), right.len())
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

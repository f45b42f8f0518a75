//! ROUGE as the Python package `rouge` 1.0.1 computes it, which LV-Eval used.
//!
//! It differs from Google's in every step, so the numbers must not be compared: sentences end at
//! every full stop, words end at spaces only and keep their case and commas, each different word
//! counts once, and the F1 has 1e-8 added to its denominator. ROUGE-L is the union of the longest
//! common subsequences over all pairs of sentences (Lin 2004, section 3.2), also of unique words;
//! which of several longest ones is taken matters, and follows that package.
//!
//! Where the package stops with an error (a text without a sentence) LV-Eval scored 0; so do we.
//! It also stops with an error on very long sentences, when its recursion ends; we do not.

use std::collections::BTreeSet;

use crate::{Prf, Variant, ids::Ids, lcs, prf::count, unicode};

/// The variant of this score.
pub const VARIANT: Variant = Variant::new("rouge-1.0.1", 1);

/// ROUGE-L over sentences.
///
/// Laws: between 0 and 1; a text with a sentence scores 1 against itself, up to the 1e-8.
///
/// ```
/// use storymill_metrics::rouge_unique;
/// assert!((rouge_unique::l("a b c", "a c").f1 - 0.8).abs() < 1e-7);
/// assert_eq!(rouge_unique::l("...", "a c").f1, 0.0);
/// ```
pub fn l(prediction: &str, reference: &str) -> Prf {
    let mut ids = Ids::with_capacity((prediction.len() + reference.len()) / 8);
    let (prediction, reference) = (sentences(prediction, &mut ids), sentences(reference, &mut ids));
    if prediction.is_empty() || reference.is_empty() {
        return Prf::default();
    }
    let all = |sentences: &[Vec<u32>]| {
        let mut words = sentences.concat();
        words.sort_unstable();
        words.dedup();
        words.len()
    };
    let (mut union, mut places, mut rows) = (vec![false; ids.len()], Vec::new(), Vec::new());
    for predicted in &prediction {
        let blocks = predicted.len().div_ceil(64);
        places.clear();
        places.resize(ids.len() * blocks, 0);
        for (at, word) in predicted.iter().enumerate() {
            places[*word as usize * blocks + at / 64] |= 1 << (at % 64);
        }
        for expected in &reference {
            common(expected, predicted, &places, &mut rows, |word| union[word as usize] = true);
        }
    }
    prf(union.iter().filter(|there| **there).count(), all(&prediction), all(&reference))
}

/// ROUGE-N over unique n-grams.
pub fn n(n: usize, prediction: &str, reference: &str) -> Prf {
    let mut ids = Ids::with_capacity(0);
    let mut words = |text| sentences(text, &mut ids).concat();
    let (prediction, reference) = (words(prediction), words(reference));
    if prediction.is_empty() || reference.is_empty() {
        return Prf::default();
    }
    let left: BTreeSet<&[u32]> = prediction.windows(n.max(1)).collect();
    let right: BTreeSet<&[u32]> = reference.windows(n.max(1)).collect();
    prf(left.intersection(&right).count(), left.len(), right.len())
}

/// The sentences of a text as numbers of words. A blank sentence is one empty word, as in the original.
fn sentences<'t>(text: &'t str, ids: &mut Ids<&'t str>) -> Vec<Vec<u32>> {
    text.split('.')
        .filter(|sentence| !sentence.is_empty())
        .map(|sentence| {
            let words: Vec<u32> = unicode::split(sentence).map(|word| ids.id(word)).collect();
            if words.is_empty() { vec![ids.id("")] } else { words }
        })
        .collect()
}

/// Hands over a longest common subsequence: from the end, words that are equal are taken; else the last
/// word of `left` is dropped only if that keeps strictly more, which is where its row of lengths steps up. `places` has
/// where each word stands in `right`, in blocks of 64; `rows` is room.
fn common(
    left: &[u32],
    right: &[u32],
    places: &[u64],
    rows: &mut Vec<u64>,
    mut take: impl FnMut(u32),
) {
    let blocks = right.len().div_ceil(64);
    rows.clear();
    rows.resize(blocks, u64::MAX);
    for (at, word) in left.iter().enumerate() {
        rows.extend_from_within(at * blocks..);
        let hits = &places[*word as usize * blocks..][..blocks];
        lcs::step(&mut rows[(at + 1) * blocks..], hits);
    }
    let (mut i, mut j) = (left.len(), right.len());
    while i > 0 && j > 0 {
        let level = (rows[i * blocks + (j - 1) / 64] >> ((j - 1) % 64)) & 1 == 1;
        if left[i - 1] == right[j - 1] {
            (i, j) = (i - 1, j - 1);
            take(left[i]);
        } else if level {
            j -= 1;
        } else {
            i -= 1;
        }
    }
}

fn prf(same: usize, predicted: usize, expected: usize) -> Prf {
    let share = |of: usize| if of == 0 { 0.0 } else { count(same) / count(of) };
    let (precision, recall) = (share(predicted), share(expected));
    Prf { precision, recall, f1: 2.0 * ((precision * recall) / (precision + recall + 1e-8)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(prediction: &str, reference: &str, same: f64, predicted: f64, expected: f64) {
        let score = l(prediction, reference);
        assert_eq!(
            (score.precision, score.recall),
            (same / predicted, same / expected),
            "{prediction} / {reference}"
        );
    }

    #[test]
    fn table() {
        check("to be or not to be", "to be", 2.0, 4.0, 2.0);
        check("Charity collector.", "A collector, who is.", 0.0, 2.0, 4.0);
        // The blank sentence after the last stop is one empty word on both sides.
        check("a b. ", "b a. ", 2.0, 3.0, 3.0);
        // Of two longest subsequences the later word of the prediction is dropped first.
        check("b a", "a b", 1.0, 2.0, 2.0);
        assert_eq!(l("", "a"), Prf::default());
        assert!((n(2, "a b a b", "a b").precision - 0.5).abs() < 1e-12);
        assert_eq!(n(3, "a b", "a b c").f1, 0.0);
    }

    /// As the package does it, with a table of lengths.
    fn by_table(left: &[u32], right: &[u32]) -> Vec<u32> {
        let wide = right.len() + 1;
        let mut table = vec![0; (left.len() + 1) * wide];
        for i in 1..=left.len() {
            for j in 1..=right.len() {
                table[i * wide + j] = if left[i - 1] == right[j - 1] {
                    table[(i - 1) * wide + j - 1] + 1
                } else {
                    table[(i - 1) * wide + j].max(table[i * wide + j - 1])
                };
            }
        }
        let (mut i, mut j, mut taken) = (left.len(), right.len(), Vec::new());
        while i > 0 && j > 0 {
            let here = i * wide + j;
            if left[i - 1] == right[j - 1] {
                (i, j) = (i - 1, j - 1);
                taken.push(left[i]);
            } else if table[here - wide] > table[here - 1] {
                i -= 1;
            } else {
                j -= 1;
            }
        }
        taken
    }

    proptest! {
        #[test]
        fn taken_as_by_a_table(left in prop::collection::vec(0_u32..7, 1..150), right in prop::collection::vec(0_u32..7, 1..150)) {
            let blocks = right.len().div_ceil(64);
            let mut places = vec![0; 7 * blocks];
            for (at, word) in right.iter().enumerate() {
                places[*word as usize * blocks + at / 64] |= 1 << (at % 64);
            }
            let mut taken = Vec::new();
            common(&left, &right, &places, &mut Vec::new(), |word| taken.push(word));
            prop_assert_eq!(taken, by_table(&left, &right));
        }

        #[test]
        fn laws(a in "[ab. ]{0,40}", b in "[ab. ]{0,40}") {
            let score = l(&a, &b);
            prop_assert!((0.0..=1.0).contains(&score.f1));
            prop_assert!(l(&a, &a).f1 > 1.0 - 1e-7 || a.chars().all(|c| c == '.'));
        }
    }
}

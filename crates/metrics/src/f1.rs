//! Token F1 of an answer: the shared words of both normal forms.
//!
//! Rule: SQuAD 1.1 (Rajpurkar et al. 2016, section 6.1). HotpotQA's script (Yang et al. 2018) adds
//! that `yes`, `no` and `noanswer` must match exactly; LiteraryQA took that over.

use crate::{Prf, Variant, ids::Ids, normalize::Words};

/// The variant without HotpotQA's rule.
pub const PLAIN: Variant = Variant::new("squad-f1", 1);
/// The variant with it.
pub const HOTPOT: Variant = Variant::new("hotpotqa-f1", 1);

/// Whether `yes`, `no` and `noanswer` are words like any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YesNo {
    /// Like any other, as in SQuAD.
    Plain,
    /// An answer that is one of them scores 0 against anything but itself, as in HotpotQA.
    Exact,
}

/// Scores a prediction against one reference.
///
/// Laws: swapping both swaps precision and recall; a text that has a word left after
/// normalisation scores 1 against itself; one without scores 0 even then.
pub fn score(prediction: &str, reference: &str, yes_no: YesNo) -> Prf {
    words(&Words::of(prediction), &Words::of(reference), yes_no)
}

/// The same over words that were normalised before.
pub fn words(prediction: &Words, reference: &Words, yes_no: YesNo) -> Prf {
    if yes_no == YesNo::Exact && differ(prediction, reference) {
        return Prf::default();
    }
    let same = shared(prediction.iter(), reference.iter(), |_| true);
    Prf::from_counts(same, prediction.len(), reference.len())
}

/// [`YesNo::Plain`] and [`YesNo::Exact`] of two texts.
pub(crate) fn both(prediction: &Words, reference: &Words) -> [Prf; 2] {
    let plain = words(prediction, reference, YesNo::Plain);
    [plain, if differ(prediction, reference) { Prf::default() } else { plain }]
}

/// Whether one of two texts that are not equal is a verdict.
fn differ(prediction: &Words, reference: &Words) -> bool {
    (is_verdict(prediction) || is_verdict(reference)) && prediction != reference
}

fn is_verdict(words: &Words) -> bool {
    words.len() == 1 && words.iter().all(|word| matches!(word, "yes" | "no" | "noanswer"))
}

/// How many words two lists share, each as often as both have it; only those that `counts`.
pub(crate) fn shared<'a>(
    left: impl Iterator<Item = &'a str>,
    right: impl Iterator<Item = &'a str> + Clone,
    counts: impl Fn(&str) -> bool,
) -> usize {
    const FEW: usize = 12;
    let mut few: [&str; FEW] = [""; FEW];
    let mut n = 0;
    // Which first letters there are: most words need no comparison.
    let first = |word: &str| 1_u64 << (word.as_bytes().first().copied().unwrap_or(0) & 63);
    let mut firsts = 0;
    for word in right.clone() {
        if n == FEW {
            return shared_of_many(left, right, counts);
        }
        few[n] = word;
        firsts |= first(word);
        n += 1;
    }
    let mut same = 0;
    for word in left {
        if firsts & first(word) == 0 {
            continue;
        }
        if let Some(at) = few[..n].iter().position(|&w| w == word) {
            same += usize::from(counts(word));
            n -= 1;
            few[at] = few[n];
        }
    }
    same
}

fn shared_of_many<'a>(
    left: impl Iterator<Item = &'a str>,
    right: impl Iterator<Item = &'a str> + Clone,
    counts: impl Fn(&str) -> bool,
) -> usize {
    let size = right.clone().count();
    let mut ids = Ids::with_capacity(size);
    let mut free = Vec::with_capacity(size);
    for word in right {
        let id = ids.id(word) as usize;
        free.resize(ids.len().max(free.len()), 0_usize);
        free[id] += 1;
    }
    let mut same = 0;
    for word in left {
        if let Some(id) = ids.get(word).filter(|id| free[*id as usize] > 0) {
            free[id as usize] -= 1;
            same += usize::from(counts(word));
        }
    }
    same
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(prediction: &str, reference: &str, plain: f64, exact: f64) {
        let f1 = |yes_no| score(prediction, reference, yes_no).f1;
        assert!((f1(YesNo::Plain) - plain).abs() < 1e-12, "{prediction} / {reference}");
        assert!((f1(YesNo::Exact) - exact).abs() < 1e-12, "{prediction} / {reference}");
    }

    #[test]
    fn table() {
        check("the cat sat", "a cat sat down", 0.8, 0.8);
        check("cat cat", "cat", 2.0 / 3.0, 2.0 / 3.0);
        check("", "cat", 0.0, 0.0);
        check("the", "a", 0.0, 0.0);
        check("Yes!", "yes", 1.0, 1.0);
        check("yes he did", "yes", 0.5, 0.0);
        check("no", "no one", 2.0 / 3.0, 0.0);
        check("no one", "no way", 0.5, 0.5);
    }

    proptest! {
        #[test]
        fn laws(a in "[a-d ]{0,60}", b in "[a-d ]{0,60}") {
            let (ab, ba) = (score(&a, &b, YesNo::Plain), score(&b, &a, YesNo::Plain));
            prop_assert_eq!((ab.precision, ab.recall), (ba.recall, ba.precision));
            prop_assert!((0.0..=1.0).contains(&ab.f1));
            let itself = score(&a, &a, YesNo::Plain).f1;
            prop_assert_eq!(itself, if Words::of(&a).is_empty() { 0.0 } else { 1.0 });
        }

        #[test]
        fn few_and_many_agree(a in prop::collection::vec("[a-d]", 0..40), b in prop::collection::vec("[a-d]", 0..40)) {
            let (left, right) = (a.iter().map(String::as_str), b.iter().map(String::as_str));
            let counts = |word: &str| word != "c";
            prop_assert_eq!(
                shared(left.clone(), right.clone(), counts),
                shared_of_many(left, right.clone(), counts)
            );
        }
    }
}

//! NoCha's pair accuracy: a pair counts only if both its true and its false claim were judged right.
//!
//! Rule: Karpinska et al., "One Thousand and One Pairs" (2024), section 3 and appendix D. The data
//! holds three words in place of an answer where a model was never asked; such a pair leaves the
//! denominator. An answer without a verdict stays and counts as wrong.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Variant, prf::count};

/// The variant of label extraction and counting.
pub const VARIANT: Variant = Variant::new("nocha-pair-accuracy", 1);

/// What stands in the data for an answer that was never given: the book was too long, the
/// provider refused, the model said nothing.
pub const SENTINELS: [&str; 3] = ["SKIPPED", "PROHIBITED_CONTENT", "EMPTY_RESPONSE"];

/// A model's verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The claim is true.
    True,
    /// The claim is false.
    False,
    /// There is an answer, but no verdict in it.
    Fail,
}

/// Reads the verdict out of an answer; none if it is one of the [`SENTINELS`].
///
/// What stands between the first `<answer>` and `</answer>` decides; all of the text where those
/// are missing or hold no verdict. If it is not simply `true` or `false`, the words of the question
/// (`true or false`) and the claim itself are struck out, `not true` is read as `false`, and the
/// verdict that comes first is taken.
///
/// ```
/// use storymill_metrics::pair_accuracy::{Verdict, verdict};
/// assert_eq!(verdict("Well. <answer>TRUE</answer>", "Jay is rich."), Some(Verdict::True));
/// assert_eq!(verdict("That is not true.", "Jay is rich."), Some(Verdict::False));
/// assert_eq!(verdict("SKIPPED", "Jay is rich."), None);
/// ```
pub fn verdict(answer: &str, claim: &str) -> Option<Verdict> {
    if SENTINELS.contains(&answer.trim()) {
        return None;
    }
    let found = match tagged(answer) {
        Some(told) => match told.trim().to_lowercase().as_str() {
            "true" => Some(Verdict::True),
            "false" => Some(Verdict::False),
            _ => first_verdict(told, claim).or_else(|| first_verdict(answer, claim)),
        },
        None => first_verdict(answer, claim),
    };
    Some(found.unwrap_or(Verdict::Fail))
}

fn first_verdict(text: &str, claim: &str) -> Option<Verdict> {
    let mut text = text.to_lowercase().replace("true or false", "");
    let claim = claim.trim().to_lowercase();
    if !claim.is_empty() {
        text = text.replace(&claim, "");
    }
    let text = text.replace("not true", "false");
    match (text.find("true"), text.find("false")) {
        (None, None) => None,
        (Some(yes), Some(no)) if yes < no => Some(Verdict::True),
        (Some(_), None) => Some(Verdict::True),
        _ => Some(Verdict::False),
    }
}

fn tagged(answer: &str) -> Option<&str> {
    let (_, rest) = answer.split_once("<answer>")?;
    rest.split_once("</answer>").map(|(inner, _)| inner)
}

/// One claim, which pair it belongs to, and what a model said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged<P> {
    /// The pair.
    pub pair: P,
    /// Whether the claim is in fact true.
    pub truth: bool,
    /// The verdict; none if the model was never asked.
    pub verdict: Option<Verdict>,
}

impl<P> Judged<P> {
    fn right(&self) -> Option<bool> {
        self.verdict
            .map(|verdict| verdict == if self.truth { Verdict::True } else { Verdict::False })
    }
}

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Right ones.
    pub correct: usize,
    /// All that count.
    pub total: usize,
}

impl Share {
    /// The share; none of nothing.
    pub fn value(self) -> Option<f64> {
        (self.total > 0).then(|| count(self.correct) / count(self.total))
    }

    fn add(&mut self, right: bool) {
        self.correct += usize::from(right);
        self.total += 1;
    }
}

/// Pair accuracy and its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Accuracy {
    /// Pairs of which both claims were answered.
    pub pairs: Share,
    /// True claims that were answered, whether or not their twin was.
    pub true_claims: Share,
    /// False claims that were answered.
    pub false_claims: Share,
    /// Claims that were never asked.
    pub not_asked: usize,
    /// Answers without a verdict.
    pub failed: usize,
}

/// Counts the claims of one model.
///
/// Rows of one pair need not stand together. A row whose pair lacks its other half counts among
/// the claims, never among the pairs; whoever reads a file tells the user of it.
///
/// Laws: the order of rows does not matter; no more pairs are right than claims of either kind.
pub fn accuracy<P: Ord + Copy>(claims: &[Judged<P>]) -> Accuracy {
    let mut found = Accuracy::default();
    let mut pairs: BTreeMap<P, [Option<bool>; 2]> = BTreeMap::new();
    for claim in claims {
        let right = claim.right();
        match right {
            None => found.not_asked += 1,
            Some(right) if claim.truth => found.true_claims.add(right),
            Some(right) => found.false_claims.add(right),
        }
        found.failed += usize::from(claim.verdict == Some(Verdict::Fail));
        pairs.entry(claim.pair).or_default()[usize::from(claim.truth)] = right;
    }
    for halves in pairs.into_values() {
        if let [Some(no), Some(yes)] = halves {
            found.pairs.add(no && yes);
        }
    }
    found
}

/// The pairs that every one of these models answered in full: NoCha's common set, in order.
pub fn common_set<P: Ord + Copy>(models: &[&[Judged<P>]]) -> Vec<P> {
    let mut answered: BTreeMap<P, usize> = BTreeMap::new();
    for claims in models {
        for claim in claims.iter().filter(|claim| claim.verdict.is_some()) {
            *answered.entry(claim.pair).or_default() += 1;
        }
    }
    answered.retain(|_, halves| *halves == 2 * models.len());
    answered.into_keys().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CLAIM: &str = "It is true that Jay is rich.";

    #[track_caller]
    fn check(answer: &str, expect: Option<Verdict>) {
        assert_eq!(verdict(answer, CLAIM), expect, "{answer:?}");
    }

    #[test]
    fn verdicts() {
        check("<answer> True </answer>", Some(Verdict::True));
        check("<answer>FALSE</answer> <answer>TRUE</answer>", Some(Verdict::False));
        check("<answer>It is true that Jay is rich. False.</answer>", Some(Verdict::False));
        check("True or false? It is true, not false.", Some(Verdict::True));
        check("not true", Some(Verdict::False));
        check("no idea", Some(Verdict::Fail));
        check("", Some(Verdict::Fail));
        check("<answer>open", Some(Verdict::Fail));
        check("<answer>YOUR ANSWER</answer> FALSE", Some(Verdict::False));
        check("EMPTY_RESPONSE", None);
        check(" PROHIBITED_CONTENT\n", None);
    }

    fn claim(pair: u8, truth: bool, verdict: Option<Verdict>) -> Judged<u8> {
        Judged { pair, truth, verdict }
    }

    #[test]
    fn a_pair_needs_both() {
        use Verdict::{Fail, False, True};
        let claims = [
            claim(1, true, Some(True)),
            claim(1, false, Some(False)),
            claim(2, true, Some(True)),
            claim(2, false, Some(True)),
            claim(3, true, None),
            claim(3, false, Some(False)),
            claim(4, true, Some(Fail)),
            claim(4, false, Some(False)),
            claim(5, true, Some(True)),
        ];
        let found = accuracy(&claims);
        assert_eq!(found.pairs, Share { correct: 1, total: 3 });
        assert_eq!(found.true_claims, Share { correct: 3, total: 4 });
        assert_eq!(found.false_claims, Share { correct: 3, total: 4 });
        assert_eq!((found.not_asked, found.failed), (1, 1));
        assert_eq!(common_set(&[&claims, &claims[..4]]), [1, 2]);
        assert_eq!(accuracy::<u8>(&[]).pairs.value(), None);
    }

    proptest! {
        #[test]
        fn laws(rows in prop::collection::vec((0_u8..4, any::<bool>(), 0_usize..4), 0..20)) {
            let mut seen = std::collections::BTreeSet::new();
            let mut claims: Vec<_> = rows.into_iter()
                .filter(|(pair, truth, _)| seen.insert((*pair, *truth)))
                .map(|(pair, truth, v)| claim(pair, truth, [None, Some(Verdict::True), Some(Verdict::False), Some(Verdict::Fail)][v]))
                .collect();
            let found = accuracy(&claims);
            prop_assert!(found.pairs.correct <= found.true_claims.correct.min(found.false_claims.correct));
            claims.reverse();
            prop_assert_eq!(accuracy(&claims), found);
        }
    }
}

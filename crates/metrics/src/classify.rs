//! Two-way classification: counts, balanced accuracy, precision, recall, F1.

use serde::Serialize;

use crate::{Undefined, Variant, agreement::Table, prf::count};

/// The variant of these scores.
pub const VARIANT: Variant = Variant::new("binary-classification", 1);

/// The four counts of a two-way classification; `true` is the positive class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// Positive, and said to be.
    pub tp: usize,
    /// Negative, but said to be positive.
    pub fp: usize,
    /// Positive, but said to be negative.
    #[serde(rename = "fn")]
    pub fn_: usize,
    /// Negative, and said to be.
    pub tn: usize,
}

impl Confusion {
    /// Counts predictions against the truth, side by side.
    ///
    /// ```
    /// use storymill_metrics::classify::Confusion;
    /// let counts = Confusion::of(&[true, true, false], &[true, false, false])?;
    /// assert_eq!((counts.tp, counts.fn_, counts.tn), (1, 1, 1));
    /// assert_eq!(counts.balanced_accuracy(), Some(0.75));
    /// # Ok::<(), storymill_metrics::Undefined>(())
    /// ```
    pub fn of(truth: &[bool], predicted: &[bool]) -> Result<Self, Undefined> {
        if truth.len() != predicted.len() {
            return Err(Undefined::Lengths { left: truth.len(), right: predicted.len() });
        }
        let mut counts = Self::default();
        for pair in truth.iter().zip(predicted) {
            *match pair {
                (true, true) => &mut counts.tp,
                (true, false) => &mut counts.fn_,
                (false, true) => &mut counts.fp,
                (false, false) => &mut counts.tn,
            } += 1;
        }
        Ok(counts)
    }

    /// How many items there are.
    pub fn total(self) -> usize {
        self.tp + self.fp + self.fn_ + self.tn
    }

    /// The share of items judged right; none of nothing.
    pub fn accuracy(self) -> Option<f64> {
        share(self.tp + self.tn, self.total())
    }

    /// The share of positives among those said to be; none if nothing was.
    pub fn precision(self) -> Option<f64> {
        share(self.tp, self.tp + self.fp)
    }

    /// The share of positives found; none if there are none.
    pub fn recall(self) -> Option<f64> {
        share(self.tp, self.tp + self.fn_)
    }

    /// The share of negatives found; none if there are none.
    pub fn specificity(self) -> Option<f64> {
        share(self.tn, self.tn + self.fp)
    }

    /// The harmonic mean of precision and recall; none without positives on either side.
    pub fn f1(self) -> Option<f64> {
        share(2 * self.tp, 2 * self.tp + self.fp + self.fn_)
    }

    /// The mean of recall and specificity; of one of them if a class is empty.
    ///
    /// Law: saying the same of everything gives one half where both classes are there.
    pub fn balanced_accuracy(self) -> Option<f64> {
        match (self.recall(), self.specificity()) {
            (Some(recall), Some(specificity)) => Some(f64::midpoint(recall, specificity)),
            (one, other) => one.or(other),
        }
    }

    /// Cohen's kappa between truth and prediction; none where chance explains everything.
    pub fn kappa(self) -> Option<f64> {
        let pairs = [(self.tp, (0, 0)), (self.fn_, (0, 1)), (self.fp, (1, 0)), (self.tn, (1, 1))];
        let pairs = pairs.into_iter().flat_map(|(n, pair)| std::iter::repeat_n(pair, n));
        Table::of(2, pairs).kappa().ok()
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| count(part) / count(whole))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn empty_has_no_numbers() {
        let none = Confusion::of(&[], &[]).unwrap();
        assert_eq!(
            (none.accuracy(), none.f1(), none.balanced_accuracy(), none.kappa()),
            (None, None, None, None)
        );
        assert_eq!(Confusion::of(&[true], &[]), Err(Undefined::Lengths { left: 1, right: 0 }));
    }

    proptest! {
        #[test]
        fn laws(pairs in prop::collection::vec(any::<(bool, bool)>(), 1..40)) {
            let (truth, said): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            let (ab, ba) = (Confusion::of(&truth, &said).unwrap(), Confusion::of(&said, &truth).unwrap());
            prop_assert_eq!((ab.precision(), ab.f1()), (ba.recall(), ba.f1()));
            for value in [ab.accuracy(), ab.precision(), ab.recall(), ab.f1(), ab.balanced_accuracy()] {
                prop_assert!(value.is_none_or(|value| (0.0..=1.0).contains(&value)));
            }
            let itself = Confusion::of(&truth, &truth).unwrap();
            prop_assert_eq!(itself.balanced_accuracy(), Some(1.0));
            let both = truth.contains(&true) && truth.contains(&false);
            prop_assert_eq!(itself.kappa().map(|kappa| (kappa - 1.0).abs() < 1e-12), both.then_some(true));
            let same = Confusion::of(&truth, &vec![true; truth.len()]).unwrap();
            prop_assert!(!both || same.balanced_accuracy() == Some(0.5));
        }
    }
}

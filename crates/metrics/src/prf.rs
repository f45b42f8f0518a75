//! Precision, recall and F1 of one pair of texts; the best of several references; means.

use serde::Serialize;

/// Precision, recall and their harmonic mean, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Prf {
    /// The share of the prediction that is in the reference.
    pub precision: f64,
    /// The share of the reference that is in the prediction.
    pub recall: f64,
    /// The harmonic mean of both; 0 where nothing is shared.
    pub f1: f64,
}

impl Prf {
    /// Makes the three numbers from counts: `same` of `predicted` and of `expected` things.
    ///
    /// Nothing shared gives zeros, also where both sides are empty.
    pub fn from_counts(same: usize, predicted: usize, expected: usize) -> Self {
        if same == 0 {
            return Self::default();
        }
        let precision = count(same) / count(predicted);
        let recall = count(same) / count(expected);
        Self { precision, recall, f1: 2.0 * precision * recall / (precision + recall) }
    }
}

/// The score with the highest F1 over all references; the first of equals; none without any.
pub fn best<R>(references: &[R], mut score: impl FnMut(&R) -> Prf) -> Option<Prf> {
    let mut scores = references.iter().map(&mut score);
    let first = scores.next()?;
    Some(scores.fold(first, |best, next| if next.f1 > best.f1 { next } else { best }))
}

/// The arithmetic mean, summed in the order given; none of nothing.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.into_iter().fold((0.0, 0_usize), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / count(n))
}

/// A count as a float. Exact below 2^53, and no text or table is that long.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(crate) fn count(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equals_is_best() {
        let prf = |&(precision, f1): &(f64, f64)| Prf { precision, recall: 0.0, f1 };
        let scores = [(0.1, 0.2), (0.2, 0.5), (0.3, 0.5)];
        assert_eq!(best(&scores, prf).map(|prf| prf.precision), Some(0.2));
        assert_eq!(best(&[], prf), None);
    }

    #[test]
    fn mean_of_nothing_is_none() {
        assert_eq!(mean([]), None);
        assert_eq!(mean([1.0, 2.0]), Some(1.5));
    }
}

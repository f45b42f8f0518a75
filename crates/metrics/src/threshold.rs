//! The threshold that turns scores into labels, found as StorySumm found it.
//!
//! Rule: Subbiah et al., "StorySumm" (2024), and the program behind its table: 150 evenly spaced
//! values from 0 to 1; the first one with the best balanced accuracy on the validation half, where
//! a score *at* the threshold counts as faithful; but reports count only scores *above* it.

use crate::{Undefined, Variant, classify::Confusion, prf::count};

/// The variant of this rule.
pub const VARIANT: Variant = Variant::new("storysumm-threshold", 1);

const STEPS: usize = 150;

/// Finds the threshold on scores whose truth is known.
///
/// Law: one of the 150 values, and none is better on these scores.
pub fn tune(truth: &[bool], scores: &[f64]) -> Result<f64, Undefined> {
    if truth.len() != scores.len() {
        return Err(Undefined::Lengths { left: truth.len(), right: scores.len() });
    }
    if truth.is_empty() {
        return Err(Undefined::Empty);
    }
    if let Some(at) = scores.iter().position(|score| score.is_nan()) {
        return Err(Undefined::NotANumber(at));
    }
    let step = 1.0 / count(STEPS - 1);
    let values = (0..STEPS).map(|at| if at + 1 == STEPS { 1.0 } else { count(at) * step });
    let mut best = (f64::NEG_INFINITY, 0.0);
    for threshold in values {
        let said: Vec<bool> = scores.iter().map(|score| *score >= threshold).collect();
        let found = Confusion::of(truth, &said)?.balanced_accuracy().unwrap_or(0.0);
        if found > best.0 {
            best = (found, threshold);
        }
    }
    Ok(best.1)
}

/// The labels that a report gives: above the threshold, not at it.
pub fn labels(scores: &[f64], threshold: f64) -> Vec<bool> {
    scores.iter().map(|score| *score > threshold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_best_value() {
        // Every value in (0.2, 0.6] is perfect; the first of them is 30/149.
        let found = tune(&[false, true], &[0.2, 0.6]).unwrap();
        assert!((found - 30.0 / 149.0).abs() < 1e-15, "{found}");
        assert_eq!(labels(&[0.5, 0.6], 0.5), [false, true]);
        assert_eq!(tune(&[true], &[f64::NAN]), Err(Undefined::NotANumber(0)));
        assert_eq!(tune(&[], &[]), Err(Undefined::Empty));
    }
}

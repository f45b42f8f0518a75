//! Krippendorff's alpha: agreement of any number of annotators, with votes missing.
//!
//! Rule: Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011). A unit with fewer than
//! two votes is left out; in the others every pair of votes weighs `1 / (votes - 1)`.

use crate::{Undefined, Variant, prf::count};

/// The variant of this score.
pub const VARIANT: Variant = Variant::new("krippendorff-alpha", 1);

/// How far apart two votes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal or not.
    Nominal,
    /// By how many votes lie between them in rank.
    Ordinal,
    /// By their difference.
    Interval,
    /// By their difference relative to their sum.
    Ratio,
}

/// Alpha over units; each holds the votes of all annotators, none where one is missing.
///
/// Laws: 1 if all votes of each unit agree; neither the order of units nor that of annotators
/// matters; a unit with one vote changes nothing.
///
/// ```
/// use storymill_metrics::krippendorff::{Scale, alpha};
/// let units = [vec![Some(1.0), Some(1.0), None], vec![Some(0.0), None, Some(0.0)], vec![Some(1.0), None, None]];
/// assert_eq!(alpha(&units, Scale::Nominal)?, 1.0);
/// # Ok::<(), storymill_metrics::Undefined>(())
/// ```
pub fn alpha(units: &[Vec<Option<f64>>], scale: Scale) -> Result<f64, Undefined> {
    let raters = units.iter().map(Vec::len).max().ok_or(Undefined::Empty)?;
    if raters < 2 {
        return Err(Undefined::Raters(raters));
    }
    if let Some(unit) =
        units.iter().position(|unit| unit.iter().flatten().any(|vote| !vote.is_finite()))
    {
        return Err(Undefined::NotANumber(unit));
    }
    let kept: Vec<Vec<f64>> = units
        .iter()
        .map(|unit| unit.iter().flatten().copied().collect::<Vec<_>>())
        .filter(|unit| unit.len() > 1)
        .collect();
    if kept.is_empty() {
        return Err(Undefined::NoPairs);
    }
    let mut values = kept.concat();
    values.sort_by(f64::total_cmp);
    values.dedup_by(|a, b| a.partial_cmp(&b) == Some(std::cmp::Ordering::Equal));
    if values.len() == 1 {
        return Err(Undefined::Constant);
    }
    let place = |vote: f64| values.partition_point(|value| *value < vote);
    let size = values.len();
    let mut together = vec![0.0; size * size];
    for unit in &kept {
        let weight = 1.0 / count(unit.len() - 1);
        for (i, a) in unit.iter().enumerate() {
            for (_, b) in unit.iter().enumerate().filter(|(j, _)| *j != i) {
                together[place(*a) * size + place(*b)] += weight;
            }
        }
    }
    let totals: Vec<f64> = together.chunks(size).map(|row| row.iter().sum()).collect();
    let apart = distances(&values, &totals, scale);
    let n: f64 = totals.iter().sum();
    let (mut observed, mut expected) = (0.0, 0.0);
    for a in 0..size {
        for b in 0..size {
            observed += together[a * size + b] * apart[a * size + b];
            expected += totals[a] * totals[b] * apart[a * size + b];
        }
    }
    Ok(1.0 - (n - 1.0) * observed / expected)
}

/// The squared distance of every two values.
fn distances(values: &[f64], totals: &[f64], scale: Scale) -> Vec<f64> {
    let size = values.len();
    let between = |a: usize, b: usize| {
        let (low, high) = (a.min(b), a.max(b));
        totals[low..=high].iter().sum::<f64>() - f64::midpoint(totals[low], totals[high])
    };
    let distance = |a: usize, b: usize| match scale {
        _ if a == b => 0.0,
        Scale::Nominal => 1.0,
        Scale::Ordinal => between(a, b).powi(2),
        Scale::Interval => (values[a] - values[b]).powi(2),
        Scale::Ratio if values[a] + values[b] == 0.0 => 0.0,
        Scale::Ratio => ((values[a] - values[b]) / (values[a] + values[b])).powi(2),
    };
    (0..size * size).map(|at| distance(at / size, at % size)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Krippendorff's own example of four observers and twelve units.
    fn example() -> Vec<Vec<Option<f64>>> {
        let rows = [
            "1 2 3 3 2 1 4 1 2 . . .",
            "1 2 3 3 2 2 4 1 2 5 . 3",
            ". 3 3 3 2 3 4 2 2 5 1 .",
            "1 2 3 3 2 4 4 1 2 5 1 .",
        ];
        let votes: Vec<Vec<Option<f64>>> =
            rows.iter().map(|row| row.split(' ').map(|vote| vote.parse().ok()).collect()).collect();
        (0..12).map(|unit| votes.iter().map(|row| row[unit]).collect()).collect()
    }

    #[test]
    fn his_example() {
        for (scale, expect) in [
            (Scale::Nominal, 0.743),
            (Scale::Ordinal, 0.815),
            (Scale::Interval, 0.849),
            (Scale::Ratio, 0.797),
        ] {
            let found = alpha(&example(), scale).unwrap();
            assert!((found - expect).abs() < 5e-4, "{scale:?}: {found}");
        }
    }

    #[test]
    fn undefined() {
        assert_eq!(alpha(&[], Scale::Nominal), Err(Undefined::Empty));
        assert_eq!(alpha(&[vec![Some(1.0)]], Scale::Nominal), Err(Undefined::Raters(1)));
        assert_eq!(alpha(&[vec![None, None]], Scale::Nominal), Err(Undefined::NoPairs));
        assert_eq!(alpha(&[vec![Some(1.0), None]], Scale::Nominal), Err(Undefined::NoPairs));
        assert_eq!(alpha(&[vec![Some(1.0), Some(1.0)]], Scale::Nominal), Err(Undefined::Constant));
        assert_eq!(
            alpha(&[vec![Some(f64::NAN), Some(1.0)]], Scale::Nominal),
            Err(Undefined::NotANumber(0))
        );
    }

    proptest! {
        #[test]
        fn laws(units in prop::collection::vec(prop::collection::vec(prop::option::of(0_u8..4), 3), 1..12)) {
            let units: Vec<Vec<Option<f64>>> = units.iter().map(|unit| unit.iter().map(|vote| vote.map(f64::from)).collect()).collect();
            let mut turned: Vec<Vec<Option<f64>>> = units.iter().map(|unit| unit.iter().rev().copied().collect()).collect();
            turned.reverse();
            turned.push(vec![Some(2.0), None, None]);
            for scale in [Scale::Nominal, Scale::Ordinal, Scale::Interval] {
                match (alpha(&units, scale), alpha(&turned, scale)) {
                    (Ok(a), Ok(b)) => prop_assert!((a - b).abs() < 1e-9 && a <= 1.0 + 1e-12),
                    (a, b) => prop_assert_eq!(a, b),
                }
            }
        }
    }
}

//! Rank correlation: Kendall's tau-b, which corrects for ties.
//!
//! Rule: Kendall, "The treatment of ties in ranking problems" (1945). LiteraryQA compares metrics
//! with people by it. Counted by merge sort (Knight 1966), so long columns are no trouble.

use crate::{Undefined, Variant, prf::count};

/// The variant of this score.
pub const TAU_B: Variant = Variant::new("kendall-tau-b", 1);

/// Kendall's tau-b of two columns.
///
/// Laws: symmetric; from -1 to 1; 1 for a column against itself; turns its sign if one column is
/// negated.
///
/// ```
/// let tau = storymill_metrics::correlation::tau_b(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0])?;
/// assert!((tau - 1.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), storymill_metrics::Undefined>(())
/// ```
pub fn tau_b(left: &[f64], right: &[f64]) -> Result<f64, Undefined> {
    if left.len() != right.len() {
        return Err(Undefined::Lengths { left: left.len(), right: right.len() });
    }
    if left.len() < 2 {
        return Err(Undefined::Empty);
    }
    if let Some(at) = left.iter().zip(right).position(|(a, b)| a.is_nan() || b.is_nan()) {
        return Err(Undefined::NotANumber(at));
    }
    // Adding 0 makes -0 equal to 0 for the total order.
    let mut rows: Vec<(f64, f64)> =
        left.iter().zip(right).map(|(a, b)| (a + 0.0, b + 0.0)).collect();
    rows.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    let tied_left = tied(rows.chunk_by(|x, y| x.0.total_cmp(&y.0).is_eq()).map(<[_]>::len));
    let tied_both = tied(rows.chunk_by(|x, y| x == y).map(<[_]>::len));
    let mut column: Vec<f64> = rows.iter().map(|row| row.1).collect();
    let discordant = sort_counting(&mut column);
    let tied_right = tied(column.chunk_by(|x, y| x.total_cmp(y).is_eq()).map(<[_]>::len));
    let pairs = rows.len() * (rows.len() - 1) / 2;
    if tied_left == pairs || tied_right == pairs {
        return Err(Undefined::Constant);
    }
    let apart = count(pairs + tied_both - tied_left - tied_right) - 2.0 * count(discordant);
    // Two roots, as one product could lose the last digits that make a perfect 1.
    Ok((apart / count(pairs - tied_left).sqrt() / count(pairs - tied_right).sqrt())
        .clamp(-1.0, 1.0))
}

fn tied(groups: impl Iterator<Item = usize>) -> usize {
    groups.map(|n| n * (n - 1) / 2).sum()
}

/// Sorts a column and counts how many pairs stood in the wrong order.
fn sort_counting(column: &mut [f64]) -> usize {
    if column.len() < 2 {
        return 0;
    }
    let (left, right) = column.split_at_mut(column.len() / 2);
    let mut swaps = sort_counting(left) + sort_counting(right);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut a, mut b) = (0, 0);
    while a < left.len() || b < right.len() {
        if b == right.len() || (a < left.len() && left[a] <= right[b]) {
            merged.push(left[a]);
            a += 1;
        } else {
            swaps += left.len() - a;
            merged.push(right[b]);
            b += 1;
        }
    }
    column.copy_from_slice(&merged);
    swaps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_pairs(left: &[f64], right: &[f64]) -> f64 {
        let (mut sum, mut a, mut b) = (0.0, 0.0, 0.0);
        for i in 0..left.len() {
            for j in 0..i {
                let sign =
                    |column: &[f64]| (column[i] - column[j]).partial_cmp(&0.0).unwrap() as i32;
                let (x, y) = (f64::from(sign(left)), f64::from(sign(right)));
                sum += x * y;
                a += x * x;
                b += y * y;
            }
        }
        sum / (a * b).sqrt()
    }

    #[test]
    fn many_ties() {
        let column = [1.0, 1.0, 1.0, 1.0, 2.0];
        assert_eq!(tau_b(&column, &column), Ok(1.0));
        assert_eq!(tau_b(&column, &[1.0; 5]), Err(Undefined::Constant));
        assert_eq!(tau_b(&[1.0, f64::NAN], &[1.0, 2.0]), Err(Undefined::NotANumber(1)));
    }

    proptest! {
        #[test]
        fn equals_the_definition(rows in prop::collection::vec((-3_i8..3, -3_i8..3), 2..30)) {
            let (a, b): (Vec<f64>, Vec<f64>) = rows.iter().map(|(a, b)| (f64::from(*a), f64::from(*b))).unzip();
            match tau_b(&a, &b) {
                Ok(tau) => {
                    prop_assert!((tau - by_pairs(&a, &b)).abs() < 1e-12);
                    prop_assert!((tau - tau_b(&b, &a).unwrap()).abs() < 1e-12);
                    let negated: Vec<f64> = b.iter().map(|b| -b).collect();
                    prop_assert!((tau + tau_b(&a, &negated).unwrap()).abs() < 1e-12);
                }
                Err(fault) => prop_assert!(fault == Undefined::Constant && by_pairs(&a, &b).is_nan()),
            }
        }
    }
}

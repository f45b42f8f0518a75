//! Agreement of annotators beyond chance: Cohen's kappa for two, Fleiss' kappa for many.
//!
//! Krippendorff's alpha, which allows missing votes, is in [`crate::krippendorff`].

use std::collections::BTreeMap;

use crate::{Undefined, Variant, prf::count};

/// The variant of Cohen's kappa.
pub const COHEN: Variant = Variant::new("cohen-kappa", 1);
/// The variant of Fleiss' kappa.
pub const FLEISS: Variant = Variant::new("fleiss-kappa", 1);

/// Cohen's kappa of two annotators (Cohen 1960): agreement beyond what their own habits give.
///
/// Laws: symmetric; 1 for equal rows; at most 1.
///
/// ```
/// let kappa = storymill_metrics::agreement::cohen(&[1, 1, 0, 0], &[1, 0, 0, 0])?;
/// assert!((kappa - 0.5).abs() < 1e-12);
/// # Ok::<(), storymill_metrics::Undefined>(())
/// ```
pub fn cohen<L: Ord>(left: &[L], right: &[L]) -> Result<f64, Undefined> {
    if left.len() != right.len() {
        return Err(Undefined::Lengths { left: left.len(), right: right.len() });
    }
    if left.is_empty() {
        return Err(Undefined::Empty);
    }
    let n = count(left.len());
    let mut habits: BTreeMap<&L, [usize; 2]> = BTreeMap::new();
    for (a, b) in left.iter().zip(right) {
        habits.entry(a).or_default()[0] += 1;
        habits.entry(b).or_default()[1] += 1;
    }
    let agreed = count(left.iter().zip(right).filter(|(a, b)| a == b).count()) / n;
    let chance: f64 = habits.values().map(|[a, b]| (count(*a) / n) * (count(*b) / n)).sum();
    if habits.len() == 1 {
        return Err(Undefined::Constant);
    }
    Ok((agreed - chance) / (1.0 - chance))
}

/// Fleiss' kappa (Fleiss 1971): for each item, how many annotators chose each category.
///
/// Every item needs the same number of votes, at least two; where votes are missing, use
/// [`crate::krippendorff`]. Law: 1 if all votes of each item agree.
pub fn fleiss(items: &[Vec<usize>]) -> Result<f64, Undefined> {
    let first = items.first().ok_or(Undefined::Empty)?;
    let votes: usize = first.iter().sum();
    if votes < 2 {
        return Err(Undefined::Raters(votes));
    }
    let mut totals = vec![0; first.len()];
    let mut agreed = 0.0;
    for (item, row) in items.iter().enumerate() {
        let found: usize = row.iter().sum();
        if found != votes || row.len() != totals.len() {
            return Err(Undefined::Votes { item, votes: found, expected: votes });
        }
        totals.iter_mut().zip(row).for_each(|(total, n)| *total += n);
        let pairs: usize = row.iter().map(|n| n * n.saturating_sub(1)).sum();
        agreed += count(pairs) / count(votes * (votes - 1));
    }
    if totals.iter().filter(|total| **total > 0).count() == 1 {
        return Err(Undefined::Constant);
    }
    let agreed = agreed / count(items.len());
    let all = count(votes * items.len());
    let chance: f64 = totals.iter().map(|total| (count(*total) / all).powi(2)).sum();
    Ok((agreed - chance) / (1.0 - chance))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fleiss_of_his_paper() {
        // Fleiss 1971 as commonly worked: ten subjects, fourteen raters, five categories.
        let table = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ];
        let items: Vec<Vec<usize>> = table.iter().map(|row| row.to_vec()).collect();
        assert!((fleiss(&items).unwrap() - 0.209_930_704_4).abs() < 1e-9);
    }

    #[test]
    fn undefined() {
        assert_eq!(cohen(&[1, 1], &[1, 1]), Err(Undefined::Constant));
        assert_eq!(cohen::<u8>(&[], &[]), Err(Undefined::Empty));
        assert_eq!(fleiss(&[]), Err(Undefined::Empty));
        assert_eq!(fleiss(&[vec![1, 0]]), Err(Undefined::Raters(1)));
        assert_eq!(
            fleiss(&[vec![2, 0], vec![3, 0]]),
            Err(Undefined::Votes { item: 1, votes: 3, expected: 2 })
        );
        assert_eq!(fleiss(&[vec![2, 0], vec![2, 0]]), Err(Undefined::Constant));
    }

    proptest! {
        #[test]
        fn laws(pairs in prop::collection::vec((0_u8..3, 0_u8..3), 1..30)) {
            let (a, b): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            prop_assert_eq!(cohen(&a, &b).is_ok(), cohen(&b, &a).is_ok());
            if let (Ok(ab), Ok(ba)) = (cohen(&a, &b), cohen(&b, &a)) {
                prop_assert!((ab - ba).abs() < 1e-12 && ab <= 1.0 + 1e-12);
            }
            if let Ok(itself) = cohen(&a, &a) {
                prop_assert!((itself - 1.0).abs() < 1e-12);
            }
        }
    }
}

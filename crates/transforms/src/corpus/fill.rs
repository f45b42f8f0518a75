//! Splits that got no group, though there are enough of them.
//!
//! Shares are met on average, so of a handful of authors none may fall into a split that was asked
//! for. Such a split takes over one group that nobody has placed; nothing else moves.

use std::ops::Range;

use storymill_core::UnitId;

/// Units that stay together, and where they go.
#[derive(Debug)]
pub(super) struct Placed<'f> {
    /// In the order of ids.
    pub(super) units: Vec<&'f UnitId>,
    pub(super) split: String,
    /// Where the group's lot lies, from 0 to 1; none where the base lock has placed it.
    pub(super) lot: Option<f64>,
}

/// A split that was asked for, and the lots that fall into it.
pub(super) type Share = (&'static str, Range<f64>);

/// Gives every empty split the smallest group to spare; of equally small ones that whose lot lies
/// nearest to the split's own.
pub(super) fn fill(groups: &mut [Placed<'_>], shares: &[Share]) {
    let wanted = shares.iter().filter(|(_, lots)| !lots.is_empty());
    let wanted: Vec<&Share> = wanted.collect();
    if groups.len() < wanted.len() {
        return;
    }
    for (split, lots) in wanted {
        let count = |groups: &[Placed<'_>], split: &str| {
            groups.iter().filter(|group| group.split == split).count()
        };
        if count(groups, split) > 0 {
            continue;
        }
        let spare = (0..groups.len()).filter(|at| count(groups, &groups[*at].split) > 1);
        let spare = spare.filter_map(|at| Some((at, away(groups[at].lot?, lots))));
        let nearest = spare.min_by(|(one, near), (other, far)| {
            let size = |at: usize| groups[at].units.len();
            size(*one).cmp(&size(*other)).then(near.total_cmp(far))
        });
        if let Some((at, _)) = nearest {
            (*split).clone_into(&mut groups[at].split);
        }
    }
}

/// How far a lot lies from a share.
fn away(lot: f64, share: &Range<f64>) -> f64 {
    (share.start - lot).max(lot - share.end).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups as `lot` or `=split`, each with its size behind a colon; where they go.
    #[track_caller]
    fn check(groups: &str, expected: &str) {
        let unit: UnitId = "a".parse().unwrap();
        let shares = [("test", 0.0..0.1), ("validation", 0.1..0.2), ("train", 0.2..1.0)];
        let group = |text: &str| {
            let (lot, size) = text.split_once(':').unwrap_or((text, "1"));
            let lot: Result<f64, _> = lot.parse();
            let drawn = |lot: f64| shares.iter().find(|(_, lots)| lots.contains(&lot)).unwrap().0;
            let split = match lot {
                Ok(lot) => drawn(lot),
                Err(_) => &text[1..],
            };
            let units = vec![&unit; size.parse().unwrap()];
            Placed { units, split: split.to_owned(), lot: lot.ok() }
        };
        let mut all: Vec<_> = groups.split_whitespace().map(group).collect();
        fill(&mut all, &shares);
        let splits: Vec<_> = all.iter().map(|group| group.split.as_str()).collect();
        assert_eq!(splits.join(" "), expected, "{groups}");
    }

    #[test]
    fn empty_splits_take_the_nearest_group_that_is_to_spare() {
        check("0.5 0.3 0.9", "validation test train");
        check("0.5 0.3 0.9 0.05", "train validation train test");
        check("0.05 0.15 0.5", "test validation train");
        check("0.15 0.12 0.11", "train validation test");
        // The author of most books stays in train.
        check("0.21:5 0.5 0.9 0.95", "train test validation train");
    }

    #[test]
    fn what_is_placed_stays_and_too_few_are_left_alone() {
        check("0.5 0.3", "train train");
        check("=train =train =train", "train train train");
        check("=train =train 0.9", "train train test");
        check("=train =validation 0.9", "train validation test");
        check("=test 0.5 0.6", "test validation train");
    }
}

//! What one sequence of words has in place of another's.

use std::{hash::Hash, ops::Range};

use imara_diff::{Algorithm, Diff, InternedInput, Interner};

/// Where two sequences part: what stands in the first there, and what in the second. One of both may be empty.
pub type Difference = (Range<usize>, Range<usize>);

/// Where two sequences part, in order: as few items as can be are in no pair of equal ones, and differences that could stand
/// at several places stand as far behind as they can.
pub fn differences<T: Eq + Hash>(
    before: impl IntoIterator<Item = T>,
    after: impl IntoIterator<Item = T>,
) -> Vec<Difference> {
    let interner = Interner::new(0);
    let mut input = InternedInput { before: Vec::new(), after: Vec::new(), interner };
    input.update_before(before.into_iter());
    input.update_after(after.into_iter());
    let mut diff = Diff::compute(Algorithm::MyersMinimal, &input);
    diff.postprocess_no_heuristic(&input);
    let range = |it: Range<u32>| it.start as usize..it.end as usize;
    diff.hunks().map(|hunk| (range(hunk.before), range(hunk.after))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Between the differences both sequences say the same.
        #[test]
        fn what_is_between_is_equal(one in "[a-c]{0,20}", two in "[a-c]{0,20}") {
            let (before, after): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
            let (mut old, mut new) = (0, 0);
            let end = (before.len()..before.len(), after.len()..after.len());
            for (gone, put) in differences(&before, &after).into_iter().chain([end]) {
                prop_assert_eq!(&before[old..gone.start], &after[new..put.start]);
                (old, new) = (gone.end, put.end);
            }
        }
    }
}

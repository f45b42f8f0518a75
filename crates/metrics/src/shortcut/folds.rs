//! Folds that part no group.

use std::cmp::Reverse;

use crate::Undefined;

/// The component of each of `count` things, named by its smallest member, where links join two things each.
///
/// Books with a common author are one component, also over a third book.
///
/// ```
/// use storymill_metrics::shortcut::components;
/// assert_eq!(components(5, [(0, 3), (3, 4)]), [0, 1, 2, 0, 0]);
/// ```
pub fn components(count: usize, links: impl IntoIterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut above: Vec<usize> = (0..count).collect();
    for (one, other) in links {
        let (one, other) = (top(&mut above, one), top(&mut above, other));
        // The smaller one stays on top, so that no order of links counts.
        above[one.max(other)] = one.min(other);
    }
    (0..count).map(|at| top(&mut above, at)).collect()
}

fn top(above: &mut [usize], mut at: usize) -> usize {
    while above[at] != at {
        above[at] = above[above[at]];
        at = above[at];
    }
    at
}

/// The fold of each group, by how many rows each has: the largest group first, each to the fold with the fewest
/// rows so far. With fewer groups than folds there are as many folds as groups.
///
/// # Errors
///
/// Fewer than two groups have rows: nothing could be held back.
pub fn deal(rows: &[usize], folds: usize) -> Result<Vec<usize>, Undefined> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|group| (Reverse(rows[*group]), *group));
    let filled = rows.iter().filter(|rows| **rows > 0).count();
    match filled {
        0 => return Err(Undefined::Empty),
        1 => return Err(Undefined::OneCluster),
        _ => {}
    }
    let mut sizes = vec![0; folds.clamp(2, filled)];
    let mut fold_of = vec![0; rows.len()];
    for group in order {
        let fold = (0..sizes.len()).min_by_key(|fold| sizes[*fold]).unwrap_or(0);
        sizes[fold] += rows[group];
        fold_of[group] = fold;
    }
    Ok(fold_of)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn too_few() {
        assert_eq!(deal(&[], 5), Err(Undefined::Empty));
        assert_eq!(deal(&[0, 7, 0], 5), Err(Undefined::OneCluster));
        assert_eq!(deal(&[3, 9], 5), Ok(vec![1, 0]));
    }

    proptest! {
        /// Books linked over any way share a component; a component lies in one fold; every fold has rows.
        #[test]
        fn no_fold_parts_a_component(
            count in 1_usize..30,
            links in prop::collection::vec((0_usize..30, 0_usize..30), 0..20),
            sizes in prop::collection::vec(1_usize..50, 30),
            folds in 2_usize..7,
        ) {
            let links: Vec<_> = links.into_iter().map(|(a, b)| (a % count, b % count)).collect();
            let of = components(count, links.clone());
            for (one, other) in &links {
                prop_assert_eq!(of[*one], of[*other]);
            }
            let mut turned = links.clone();
            turned.reverse();
            prop_assert_eq!(&components(count, turned.into_iter().map(|(a, b)| (b, a))), &of);
            let mut rows = vec![0; count];
            of.iter().enumerate().for_each(|(book, group)| rows[*group] += sizes[book]);
            let groups: BTreeSet<_> = of.iter().copied().collect();
            match deal(&rows, folds) {
                Err(_) => prop_assert_eq!(groups.len(), 1),
                Ok(dealt) => {
                    let used: BTreeSet<_> = groups.iter().map(|group| dealt[*group]).collect();
                    prop_assert_eq!(used.len(), folds.min(groups.len()));
                }
            }
        }
    }
}

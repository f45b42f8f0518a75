//! Lengths in bins, each twice as wide as the one before.

use std::collections::{BTreeMap, BTreeSet};

/// The bin of a length: 0 for nothing and one, else by the power of two below it.
pub(crate) fn bin(length: u32) -> u32 {
    length.max(1).ilog2()
}

/// Neighbouring bins that are one group, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bins {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl Bins {
    /// The bins of a group of lengths.
    pub(crate) fn of((from, to): (u32, u32)) -> Self {
        Self { first: bin(from), last: bin(to) }
    }

    pub(crate) fn hold(self, length: u32) -> bool {
        (self.first..=self.last).contains(&bin(length))
    }

    /// From which length to which, both included.
    pub(crate) fn reach(self) -> (u32, u32) {
        let from = if self.first == 0 { 0 } else { 1 << self.first };
        (from, u32::try_from((2_u64 << self.last) - 1).unwrap_or(u32::MAX))
    }

    /// As people read it: `4k–8k`.
    pub(crate) fn label(self) -> String {
        let (from, to) = self.reach();
        format!("{}–{}", short(u64::from(from)), short(u64::from(to) + 1))
    }
}

/// The bins of some lengths and their books. Neighbours are joined, from the shortest on, until each group has the lengths and
/// the books that an interval takes; where all together have not, bins stay as they are.
pub(crate) fn joined(
    lengths: impl IntoIterator<Item = (u32, u32)>,
    (least, books): (usize, usize),
) -> Vec<Bins> {
    let mut all = BTreeMap::<u32, Vec<u32>>::new();
    for (length, book) in lengths {
        all.entry(bin(length)).or_default().push(book);
    }
    let is_enough =
        |of: &[u32]| of.len() >= least && of.iter().collect::<BTreeSet<_>>().len() >= books;
    let (mut groups, mut open) = (Vec::<Bins>::new(), Vec::new());
    let mut first = None;
    for (bin, of) in &all {
        let first_here = *first.get_or_insert(*bin);
        open.extend(of);
        if is_enough(&open) {
            groups.push(Bins { first: first_here, last: *bin });
            (open, first) = (Vec::new(), None);
        }
    }
    let last = all.keys().last().copied();
    match (groups.last_mut(), last) {
        (Some(group), Some(last)) => group.last = last,
        _ => groups.extend(all.keys().map(|bin| Bins { first: *bin, last: *bin })),
    }
    groups
}

/// A length as it stands on an axis: `512`, `4k`, `1M`; in powers of 1,024, as windows are named.
pub(crate) fn short(length: u64) -> String {
    match length {
        0..1_024 => length.to_string(),
        1_024..1_048_576 => format!("{}k", length / 1_024),
        _ => format!("{}M", length / 1_048_576),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn neighbours_are_joined_until_each_has_enough() {
        let of = |length: u32, count: u32| (0..count).map(move |book| (length, book));
        let groups = |lengths: Vec<(u32, u32)>| -> Vec<String> {
            joined(lengths, (30, 5)).into_iter().map(Bins::label).collect()
        };
        let all = of(1_000, 2).chain(of(3_000, 29)).chain(of(5_000, 40)).chain(of(70_000, 3));
        assert_eq!(groups(all.collect()), ["512–4k", "4k–128k"]);
        // Of few books, or few questions in all, nothing is joined.
        assert_eq!(
            groups((0..90).map(|at| (1_000 << (at / 30), at % 4)).collect()),
            ["512–1k", "1k–2k", "2k–4k"]
        );
        assert_eq!(groups(of(1_000, 9).chain(of(9_000, 9)).collect()), ["512–1k", "8k–16k"]);
        assert_eq!(groups(Vec::new()), [""; 0]);
    }

    proptest! {
        #[test]
        fn every_length_is_in_one_group(lengths in prop::collection::vec((0_u32..1 << 20, 0_u32..9), 0..200)) {
            let groups = joined(lengths.iter().copied(), (30, 5));
            for (length, _) in &lengths {
                prop_assert_eq!(groups.iter().filter(|group| group.hold(*length)).count(), 1);
            }
            let count = |group: &Bins| lengths.iter().filter(|(length, _)| group.hold(*length)).count();
            prop_assert!(groups.iter().all(|group| Bins::of(group.reach()) == *group));
            prop_assert!(groups.len() < 2 || groups.iter().all(|group| count(group) >= 30) || groups.iter().all(|group| group.first == group.last));
        }
    }
}

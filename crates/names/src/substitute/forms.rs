//! Which parts are forms of one person's first name.

use std::collections::{BTreeMap, BTreeSet};

use storymill_text::word::fold;

use super::wants::Want;
use crate::{
    cast::CastFile,
    knowledge::{are_forms, long_forms},
};

/// The sets of parts that are forms of one first name, the full form first, the most named set first.
pub(super) fn of<'w>(cast: &CastFile, wants: &'w [Want]) -> Vec<Vec<&'w Want>> {
    let number: BTreeMap<String, usize> =
        wants.iter().enumerate().map(|(at, want)| (fold(&want.part), at)).collect();
    let mut set: Vec<usize> = (0..wants.len()).collect();
    for one in cast.characters.iter().filter(|one| !one.keep) {
        for (nth, part) in one.given.iter().enumerate() {
            let own = |name: &&String| !one.husband.contains(name) && are_forms(part, name);
            for other in one.given[..nth].iter().filter(own) {
                let (Some(a), Some(b)) = (number.get(&fold(part)), number.get(&fold(other))) else {
                    continue;
                };
                let [a, b] = [set[*a], set[*b]];
                set.iter_mut().filter(|one| **one == a).for_each(|one| *one = b);
            }
        }
    }
    let mut sets: BTreeMap<usize, Vec<&Want>> = BTreeMap::new();
    for (at, of) in set.iter().enumerate().filter(|(at, _)| wants[*at].role.is_given()) {
        sets.entry(*of).or_default().push(&wants[at]);
    }
    let mut sets: Vec<Vec<&Want>> = sets.into_values().filter(|set| set.len() > 1).collect();
    for set in &mut sets {
        let names: BTreeSet<String> = set.iter().map(|want| want.part.clone()).collect();
        let short = |want: &&Want| long_forms(&want.part).any(|long| names.contains(long));
        let length = |want: &&Want| usize::MAX - want.part.chars().count();
        set.sort_by_key(|want| (short(want), length(want)));
        // The rest of a set in which men and women share a name is of the first one's role.
        let role = set[0].role;
        set.retain(|want| want.role == role);
    }
    sets.retain(|set| set.len() > 1);
    sets.sort_by_key(|set| std::cmp::Reverse(set.iter().map(|want| want.seen).sum::<u32>()));
    sets
}

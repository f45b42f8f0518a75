//! Names left, and words changed that name nobody, in four novels that the rules were developed on and that the ten
//! casts beside the checkout do not have (`tests/golden/casts`). Four more are run by hand at the end of a piece of work,
//! and by no test.

use std::{collections::BTreeMap, path::Path};

use storymill_names::{Sure, Words};

use crate::{
    full,
    left::{Gold, novel, shared, substitutes},
};

/// Of each novel, how many mentions may be left in ten thousand, and how many words of nobody's may be changed.
const BOUNDS: [(&str, usize, usize); 4] =
    [("62", 60, 15), ("174", 25, 15), ("1661", 20, 8), ("3829", 20, 20)];

#[test]
fn in_novels_beside_the_ten_little_is_left_and_little_hurt() {
    if !full() {
        return;
    }
    let Some(shared) = shared() else { return };
    let casts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/casts");
    for (id, most_left, most_hurt) in BOUNDS {
        let Some(own) = novel(&shared, id) else {
            println!("skip: ../shared/books/{id}.html.gz is not here");
            continue;
        };
        let gold = Gold::read(&casts.join(format!("{id}.json")));
        let words = Words::new(&own);
        let (substitutes, places) = substitutes(id, &own);
        let edits = substitutes.apply(&own, Sure::At(&places)).edits;
        let changed = |at: usize| {
            let word = words.all()[at].start as usize..words.all()[at].end as usize;
            let next = edits.partition_point(|edit| edit.old.end <= word.start);
            edits.get(next).is_some_and(|edit| edit.old.start < word.end)
        };
        let mentions = gold.mentions(&words);
        let stands = |names: &[usize]| names.iter().any(|at| !changed(*at));
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, names) in mentions.iter().filter(|(_, names)| stands(names)) {
            *left.entry(words.surface(names[0])).or_default() += 1;
        }
        let mut hurt: BTreeMap<&str, usize> = BTreeMap::new();
        for at in gold.nobody(&words).into_iter().filter(|at| changed(*at)) {
            *hurt.entry(words.surface(at)).or_default() += 1;
        }
        let [all_left, all_hurt] = [&left, &hurt].map(|all| all.values().sum::<usize>());
        println!(
            "{id:>5}: {all_left} of {} mentions left {left:?}, {all_hurt} words of nobody changed {hurt:?}",
            mentions.len()
        );
        assert!(mentions.len() > 500, "{id}: {} mentions", mentions.len());
        assert!(10_000 * all_left <= most_left * mentions.len(), "{id}: {left:?}");
        assert!(all_hurt <= most_hurt, "{id}: {hurt:?}");
    }
}

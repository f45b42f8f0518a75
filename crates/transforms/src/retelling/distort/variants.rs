//! Which events are changed in each of several false retellings of one true one.
//!
//! Were the true one shown among texts that each change something of it, it would be their centre, the text that has most
//! in common with the others. So the changes are those of a linear code: whichever text is called the true one, the others
//! differ from it in the same ways. Where the pairs are enough, each two texts differ in two events or more.

use storymill_core::{Edit, Stream};

use super::{Distort, How};
use crate::asking::Template;

/// What asks for pairs of events in the same words.
pub(super) const EXCHANGES: Template =
    ("exchanges.jinja", storymill_data::text("prompts/exchanges.jinja"));

/// More are not needed, nor made of few pairs.
const MOST: u32 = 7;
/// More pairs make no better choice.
const MOST_PAIRS: u32 = 16;

/// What is wrong with the number of variants.
pub(super) fn fault(stage: &Distort) -> Option<(&'static str, String)> {
    let variants = stage.variants;
    let least = (1..32).find(|pairs| (1_u32 << pairs) > variants).unwrap_or(32);
    let why = if variants <= 1 {
        return None;
    } else if variants > MOST {
        format!("must be at most {MOST}")
    } else if stage.protocol == How::Rewrite {
        "needs pairs of events, which protocol = \"rewrite\" does not have".to_owned()
    } else if stage.least_pairs < least {
        format!("of {variants} needs `least_pairs` = {least} (and better `pairs` = {})", least + 1)
    } else if stage.pairs > MOST_PAIRS {
        format!("goes with `pairs` up to {MOST_PAIRS}")
    } else {
        return None;
    };
    Some(("variants", why))
}

/// Draws so many different sets of pairs, each as bits.
pub(super) fn draw(pairs: usize, wanted: u32, draw: &mut Stream) -> Vec<u32> {
    let all = 1..1_u32 << pairs;
    let mut sets: Vec<u32> = all.clone().filter(|set| set.count_ones() % 2 == 0).collect();
    if sets.len() < wanted as usize {
        sets = all.collect();
    }
    draw.shuffle(&mut sets);
    sets.truncate(wanted as usize);
    sets
}

/// The pairs that a set changes, and those that it leaves.
pub(super) fn parted(edits: &[Edit], changed: u32) -> (Vec<Edit>, Vec<Edit>) {
    let marked = edits.iter().enumerate().map(|(at, edit)| (changed >> at & 1 == 1, edit.clone()));
    let (lies, truths): (Vec<_>, Vec<_>) = marked.partition(|(changed, _)| *changed);
    let plain = |all: Vec<(bool, Edit)>| all.into_iter().map(|(_, edit)| edit).collect();
    (plain(lies), plain(truths))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use storymill_core::Seed;

    use super::*;

    #[test]
    fn no_text_is_the_centre_of_the_others() {
        let mut centred = [0; 6];
        for round in 0..3000 {
            let unit = "t".parse().unwrap();
            let mut stream = Seed::new(1).derive("t", &unit, &round.to_string(), "t");
            let mut texts: Vec<u32> = std::iter::once(0).chain(draw(4, 5, &mut stream)).collect();
            assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), 6);
            let far = |at: usize| -> u32 {
                texts.iter().map(|other| (texts[at] ^ other).count_ones()).sum()
            };
            let nearest = (0..6).map(far).min().unwrap();
            let near: Vec<usize> = (0..6).filter(|at| far(*at) == nearest).collect();
            centred[*stream.choose(&near).unwrap()] += 1;
            texts.retain(|set| *set != 0);
            assert!(texts.iter().all(|set| set.count_ones() >= 2));
        }
        assert!((420..580).contains(&centred[0]), "{centred:?}");
    }

    #[test]
    fn three_pairs_are_enough_for_five() {
        let unit = "t".parse().unwrap();
        let mut stream = Seed::new(1).derive("t", &unit, "i", "t");
        assert_eq!(draw(3, 5, &mut stream).len(), 5);
        assert_eq!(draw(2, 3, &mut stream).len(), 3);
    }
}

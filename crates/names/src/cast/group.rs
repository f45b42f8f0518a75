//! Mentions grouped into characters.
//!
//! Families come first: a full name says which part is given and which is the family's. Then first names find
//! the person who bears them, pet names the name they stand for; a title and a family's name find the one of
//! that family whom they fit, and a family's name alone its head.

use std::collections::BTreeSet;

use storymill_text::word::fold;

use super::{Character, KnownPeople, Policy, known::is_known, parts::Census, people::People};
use crate::words::Words;

pub(super) fn group(words: &Words<'_>, census: &Census, policy: Policy) -> Vec<Character> {
    let people = People::of(words, census);
    let mut characters: Vec<Character> =
        people.all.iter().map(|person| person.character(census)).collect();
    if policy.known == KnownPeople::Keep {
        for (person, character) in people.all.iter().zip(&mut characters) {
            character.keep = is_known(words, census, person, &character.name);
        }
    }
    characters
        .sort_by(|one, other| other.seen.cmp(&one.seen).then_with(|| one.name.cmp(&other.name)));
    agree(&mut characters);
    characters
}

/// A part is kept or replaced as a whole, so whoever shares one with somebody replaced is replaced too.
pub(super) fn agree(characters: &mut [Character]) {
    loop {
        let replaced: BTreeSet<String> = characters
            .iter()
            .filter(|one| !one.keep)
            .flat_map(|one| one.given.iter().chain(&one.family))
            .map(|part| fold(part))
            .collect();
        let mut changed = false;
        for one in characters.iter_mut().filter(|one| one.keep) {
            if one.given.iter().chain(&one.family).any(|part| replaced.contains(&fold(part))) {
                one.keep = false;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

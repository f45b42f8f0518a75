//! Mentions grouped into characters.
//!
//! Families come first: a full name says which part is given and which is the family's. Then first names find
//! the person who bears them, pet names the name they stand for; a title and a family's name find the one of
//! that family whom they fit, and a family's name alone its head.

use std::collections::BTreeSet;

use storymill_text::word::fold;

use super::{Character, Locale, Policy, parts::Census, people::People};
use crate::{knowledge::Known, words::Words};

pub(super) fn group(
    words: &Words<'_>,
    census: &Census,
    policy: Policy,
) -> (Vec<Character>, Vec<Locale>) {
    let people = People::of(words, census);
    let mut characters: Vec<Character> =
        people.all.iter().map(|person| person.character(census, policy)).collect();
    characters
        .sort_by(|one, other| other.seen.cmp(&one.seen).then_with(|| one.name.cmp(&other.name)));
    agree(&mut characters);
    (characters, places(census, policy))
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

fn places(census: &Census, policy: Policy) -> Vec<Locale> {
    let mut places: Vec<Locale> = census
        .places
        .iter()
        .filter(|(_, (parts, _))| !parts.is_empty())
        .map(|(name, (parts, seen))| {
            let real = parts.iter().all(|part| Known::of(&part.to_lowercase()).has(Known::PLACE));
            let keep = !policy.places || (policy.keep_real && real);
            Locale { name: name.clone(), parts: parts.clone(), seen: *seen, keep }
        })
        .collect();
    places.sort_by(|one, other| other.seen.cmp(&one.seen).then_with(|| one.name.cmp(&other.name)));
    places
}

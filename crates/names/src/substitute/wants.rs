//! What must have a substitute: every part of a cast that is not kept, and what kind of name it is.

use std::collections::BTreeMap;

use storymill_text::word::fold;

use super::words::Index;
use crate::cast::{CastFile, Gender};

/// What a part is, which says from where its substitute comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Female,
    Male,
    /// A given name of nobody knows whom.
    Given,
    Family,
    Place,
}

impl Role {
    pub(super) const ALL: [Self; 5] =
        [Self::Female, Self::Male, Self::Given, Self::Family, Self::Place];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Female => "female",
            Self::Male => "male",
            Self::Given => "given",
            Self::Family => "family",
            Self::Place => "place",
        }
    }

    pub(super) fn is_given(self) -> bool {
        matches!(self, Self::Female | Self::Male | Self::Given)
    }
}

/// A part that must have a substitute.
#[derive(Debug)]
pub(super) struct Want {
    pub(super) part: String,
    pub(super) role: Role,
    pub(super) seen: u32,
}

/// Every part that is not kept, once, the most named first.
pub(super) fn wants(cast: &CastFile, index: &Index<'_>) -> Vec<Want> {
    let mut roles: BTreeMap<String, (String, BTreeMap<Role, u32>)> = BTreeMap::new();
    let mut add = |part: &String, role: Role, seen: u32| {
        let (_, roles) = roles.entry(fold(part)).or_insert_with(|| (part.clone(), BTreeMap::new()));
        *roles.entry(role).or_default() += seen.max(1);
    };
    for one in cast.characters.iter().filter(|one| !one.keep) {
        let given = match one.gender {
            Gender::Female => Role::Female,
            Gender::Male => Role::Male,
            Gender::Unknown => Role::Given,
        };
        for part in &one.given {
            let his = one.husband.contains(part);
            add(part, if his { Role::Male } else { given }, if his { 1 } else { one.seen });
        }
        one.family.iter().for_each(|part| add(part, Role::Family, one.seen));
    }
    for place in cast.places.iter().filter(|place| !place.keep) {
        place.parts.iter().for_each(|part| add(part, Role::Place, place.seen));
    }
    let is_first = |roles: &BTreeMap<Role, u32>| roles.keys().any(|role| role.is_given());
    let both = |roles: &BTreeMap<Role, u32>| roles.contains_key(&Role::Family) && is_first(roles);
    let doubtful = roles.iter().filter(|(_, (_, roles))| both(roles)).map(|(key, _)| key.as_str());
    let usage = index.usage(&doubtful.collect(), &roles.keys().map(String::as_str).collect());
    let mut wants: Vec<Want> = roles
        .iter()
        .map(|(key, (part, roles))| {
            let (part, mut roles) = (part.clone(), roles.clone());
            if let Some(usage) = usage.get(key.as_str()) {
                usage.weigh(&mut roles);
            }
            let seen = roles.values().sum::<u32>().max(index.capital(key));
            Want { part, role: role(roles), seen }
        })
        .collect();
    wants.sort_by(|one, other| other.seen.cmp(&one.seen).then_with(|| one.part.cmp(&other.part)));
    wants
}

/// How much oftener than persons a place must be named by a word for that word to be the place's.
const OF_PLACE: u32 = 5;

/// The role that a part has most. Where women and men bear it, a name of either is drawn; who is of no known
/// gender shares that of whoever else bears the name.
fn role(mut roles: BTreeMap<Role, u32>) -> Role {
    let of = |roles: &BTreeMap<Role, u32>, role: Role| roles.get(&role).copied().unwrap_or(0);
    let [female, male, given] =
        [Role::Female, Role::Male, Role::Given].map(|role| of(&roles, role));
    let first = if 5 * female.min(male) >= female.max(male) {
        Role::Given
    } else if female > male {
        Role::Female
    } else {
        Role::Male
    };
    for role in [Role::Female, Role::Male, Role::Given] {
        roles.remove(&role);
    }
    if female + male + given > 0 {
        roles.insert(first, female + male + given);
    }
    // A family may be called after a place, and is named by its name where the place is.
    let people: u32 =
        roles.iter().filter(|(role, _)| **role != Role::Place).map(|(_, seen)| *seen).sum();
    if people * OF_PLACE > of(&roles, Role::Place) {
        roles.remove(&Role::Place);
    }
    let most = roles.into_iter().max_by_key(|(role, seen)| (*seen, std::cmp::Reverse(*role)));
    most.map_or(Role::Given, |(role, _)| role)
}

//! Which name stands for which: drawn by seed from the pools of a culture.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Fault, FaultKind, Seed, UnitId};
use storymill_text::word::fold;

use super::{Pair, shape::distance};
use crate::{
    cast::{CastFile, Gender},
    knowledge::{BLOCKED, CULTURES, Culture},
    words::Words,
};

/// What a part is, which says from where its substitute comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Female,
    Male,
    /// A given name of nobody knows whom.
    Given,
    Family,
    Place,
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Self::Female => "female",
            Self::Male => "male",
            Self::Given => "given",
            Self::Family => "family",
            Self::Place => "place",
        }
    }

    /// Every name there is for it.
    fn pool(self, culture: &Culture) -> Vec<String> {
        let made = || {
            culture
                .stem
                .iter()
                .flat_map(|stem| culture.ending.iter().map(move |ending| format!("{stem}{ending}")))
        };
        match self {
            Self::Female => culture.female.clone(),
            Self::Male => culture.male.clone(),
            Self::Given => [&culture.female[..], &culture.male[..]].concat(),
            Self::Place => made().collect(),
            // Many a family is called after a place; so the pool does not end with the list.
            Self::Family => culture.surname.iter().cloned().chain(made()).collect(),
        }
    }
}

/// How near in shape a substitute is, where there are any.
const NEAR: usize = 3;

pub(super) fn draw(cast: &CastFile, words: &Words<'_>, seed: Seed) -> Result<Vec<Pair>, Fault> {
    let unit: UnitId = cast.book.parse().map_err(|error| {
        Fault::new(FaultKind::Input, "the cast's `book` is no id of a book").because(error)
    })?;
    let Some((_, culture)) = CULTURES.iter().find(|(name, _)| *name == cast.culture) else {
        let known: Vec<&str> = CULTURES.iter().map(|(name, _)| *name).collect();
        let message = format!("there are no names of the culture `{}`", cast.culture);
        return Err(
            Fault::new(FaultKind::Input, message).hint(format!("there are {}", known.join(", ")))
        );
    };
    let careful: BTreeSet<String> = cast.careful.iter().map(|one| fold(&one.part)).collect();
    let wants = wants(cast);
    let mut taken: BTreeSet<String> = words.lows().iter().map(|low| fold(low)).collect();
    taken.extend(wants.iter().map(|want| fold(&want.part)));
    taken.extend(BLOCKED.iter().cloned());
    let mut pools: BTreeMap<Role, Vec<String>> = BTreeMap::new();
    let mut pairs: Vec<Pair> = Vec::new();
    let plurals = plurals(&wants, words);
    for want in wants.iter().filter(|want| !plurals.contains_key(&fold(&want.part))) {
        let pool = pools.entry(want.role).or_insert_with(|| want.role.pool(culture));
        let free = |name: &&String| {
            !taken.contains(&fold(name))
                && (want.role != Role::Family || !taken.contains(&fold(&plural(name))))
        };
        let mut near: Vec<&String> = pool.iter().filter(free).collect();
        let Some(least) = near.iter().map(|name| distance(&want.part, name)).min() else {
            let message =
                format!("the pool of {} names has none left for `{}`", want.role.word(), want.part);
            return Err(Fault::new(FaultKind::Input, message).hint(
                "set another `culture` in the cast, or `keep = true` where a name may stay",
            ));
        };
        near.retain(|name| distance(&want.part, name) <= least.max(NEAR));
        let mut stream = seed.derive("substitute", &unit, &fold(&want.part), want.role.word());
        let chosen = stream.choose(&near).expect("one is at the least distance");
        let chosen = String::clone(chosen);
        taken.insert(fold(&chosen));
        // The cast lists the places of this part, and none of its plural.
        let pair = |part: String, substitute, role: Role| Pair {
            careful: careful.contains(&fold(&part)),
            part,
            substitute,
            role: role.word().to_owned(),
            written: Vec::new(),
        };
        if want.role == Role::Family {
            taken.insert(fold(&plural(&chosen)));
            let many = plural(&want.part);
            let key = fold(&many);
            let wanted = wants.iter().any(|other| fold(&other.part) == key);
            if plurals.contains_key(&key) || (!wanted && !is_low(words, &many)) {
                pairs.push(pair(many, plural(&chosen), want.role));
            }
        }
        pairs.push(pair(want.part.clone(), chosen, want.role));
    }
    Ok(pairs)
}

/// A part that must have a substitute.
struct Want {
    part: String,
    role: Role,
    seen: u32,
}

/// Every part that is not kept, once, the most named first.
fn wants(cast: &CastFile) -> Vec<Want> {
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
        one.given.iter().for_each(|part| add(part, given, one.seen));
        one.family.iter().for_each(|part| add(part, Role::Family, one.seen));
    }
    for place in cast.places.iter().filter(|place| !place.keep) {
        place.parts.iter().for_each(|part| add(part, Role::Place, place.seen));
    }
    let mut wants: Vec<Want> = roles
        .into_values()
        .map(|(part, roles)| {
            let seen = roles.values().sum();
            let role =
                roles.into_iter().max_by_key(|(role, seen)| (*seen, std::cmp::Reverse(*role)));
            Want { part, role: role.map_or(Role::Given, |(role, _)| role), seen }
        })
        .collect();
    wants.sort_by(|one, other| other.seen.cmp(&one.seen).then_with(|| one.part.cmp(&other.part)));
    wants
}

/// Parts that are the plural of a family: one more s, and mostly behind `the`.
fn plurals(wants: &[Want], words: &Words<'_>) -> BTreeMap<String, String> {
    let families: BTreeMap<String, &Want> = wants
        .iter()
        .filter(|want| want.role == Role::Family)
        .map(|want| (fold(&plural(&want.part)), want))
        .collect();
    let mut plurals = BTreeMap::new();
    for want in wants {
        let key = fold(&want.part);
        let Some(family) = families.get(&key).filter(|family| family.seen >= want.seen) else {
            continue;
        };
        let (mut all, mut many) = (0, 0);
        for (at, _) in words
            .all()
            .iter()
            .enumerate()
            .filter(|(_, word)| fold(&words.lows()[word.low as usize]) == key)
        {
            all += 1;
            let before = words.low(at.checked_sub(1));
            many += u32::from(matches!(
                before,
                "the"
                    | "both"
                    | "two"
                    | "three"
                    | "all"
                    | "these"
                    | "those"
                    | "other"
                    | "miss"
                    | "misses"
                    | "messrs"
            ));
        }
        if 2 * many >= all {
            plurals.insert(key, family.part.clone());
        }
    }
    plurals
}

fn plural(name: &str) -> String {
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| name.ends_with(end));
    format!("{name}{}", if hisses { "es" } else { "s" })
}

/// Whether the book has a word in small letters.
fn is_low(words: &Words<'_>, word: &str) -> bool {
    let low = word.to_lowercase();
    let number = words.lows().iter().position(|one| **one == *low);
    number.is_some_and(|number| {
        words
            .all()
            .iter()
            .any(|word| word.low as usize == number && word.case == crate::words::Case::Low)
    })
}

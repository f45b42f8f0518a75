//! The names that substitutes are drawn from, by culture and role.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{LazyLock, OnceLock},
};

use storymill_text::word::fold;

use super::{shape::plurals_of, wants::Role};
use crate::knowledge::{CULTURES, Culture, is_pet_name};

/// A name that may be drawn.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) name: String,
    /// The name, and a family's plurals, folded: all that must be free.
    pub(super) keys: Vec<String>,
    /// Whether it is a short or pet form.
    pub(super) pet: bool,
}

/// Every name that there is for a role in a culture. Made when it is first wanted: most runs want one culture.
pub(super) fn pool(culture: &'static str, role: Role) -> &'static [Candidate] {
    type Pools = BTreeMap<(&'static str, Role), OnceLock<Vec<Candidate>>>;
    static POOLS: LazyLock<Pools> = LazyLock::new(|| {
        let cultures = CULTURES.iter();
        cultures
            .flat_map(|(name, _)| Role::ALL.map(|role| ((*name, role), OnceLock::new())))
            .collect()
    });
    let of = CULTURES.iter().find(|(name, _)| *name == culture).zip(POOLS.get(&(culture, role)));
    of.map_or(&[], |((_, culture), pool)| {
        let made = pool.get_or_init(|| {
            let names = names(culture, role).into_iter();
            names.map(|name| candidate(name, role)).collect()
        });
        &made[..]
    })
}

fn candidate(name: String, role: Role) -> Candidate {
    let mut keys = vec![fold(&name)];
    if role == Role::Family {
        keys.extend(plurals_of(&name).iter().map(|many| fold(many)));
    }
    Candidate { keys, pet: role.is_given() && is_pet_name(&name), name }
}

fn names(culture: &Culture, role: Role) -> Vec<String> {
    let made = || {
        culture
            .stem
            .iter()
            .flat_map(|stem| culture.ending.iter().map(move |ending| format!("{stem}{ending}")))
    };
    // A name that women and men bear is for those of whom nobody knows.
    let male: BTreeSet<&String> = culture.male.iter().collect();
    let both: BTreeSet<&String> =
        culture.female.iter().filter(|name| male.contains(name)).collect();
    let only =
        |names: &[String]| names.iter().filter(|name| !both.contains(name)).cloned().collect();
    match role {
        Role::Female => only(&culture.female),
        Role::Male => only(&culture.male),
        Role::Given => culture.female.iter().filter(|name| both.contains(name)).cloned().collect(),
        Role::Place => made().collect(),
        // Many a family is called after a place; so the pool does not end with the list.
        Role::Family => culture.surname.iter().cloned().chain(made()).collect(),
    }
}

//! The names that substitutes are drawn from, by culture and role.

use std::{collections::BTreeMap, sync::LazyLock};

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

/// Every name that there is for a role.
pub(super) fn pool(culture: &'static str, role: Role) -> &'static [Candidate] {
    POOLS.get(&(culture, role)).map_or(&[], |pool| &pool[..])
}

static POOLS: LazyLock<BTreeMap<(&'static str, Role), Vec<Candidate>>> = LazyLock::new(|| {
    let roles = [Role::Female, Role::Male, Role::Given, Role::Family, Role::Place];
    let of = |(name, culture): &(&'static str, Culture)| {
        roles.map(|role| {
            let names = names(culture, role).into_iter();
            ((*name, role), names.map(|name| candidate(name, role)).collect())
        })
    };
    CULTURES.iter().flat_map(of).collect()
});

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
    let both = |name: &&String| culture.female.contains(name) && culture.male.contains(name);
    let only = |names: &[String]| names.iter().filter(|name| !both(name)).cloned().collect();
    match role {
        Role::Female => only(&culture.female),
        Role::Male => only(&culture.male),
        Role::Given => culture.female.iter().filter(both).cloned().collect(),
        Role::Place => made().collect(),
        // Many a family is called after a place; so the pool does not end with the list.
        Role::Family => culture.surname.iter().cloned().chain(made()).collect(),
    }
}

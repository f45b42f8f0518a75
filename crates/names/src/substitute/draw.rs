//! Which name stands for which: drawn by seed from the pools of a culture.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Fault, FaultKind, Seed, UnitId, did_you_mean};
use storymill_metrics::shortcut::Set;
use storymill_text::word::fold;

use super::{
    Pair, forms,
    pool::{Candidate, pool},
    shape::{distance, fits, plurals_of},
    wants::{Role, Want, wants},
    words::Index,
};
use crate::{
    cast::{CastFile, ChosenName},
    knowledge::{BLOCKED, CULTURES, forms_of, is_pet_name, long_forms},
    words::Words,
};

/// How near in shape a substitute is, where there are any.
const NEAR: usize = 3;
/// How far one is that the book's article does not fit.
const WRONG: usize = 50;

pub(super) fn draw(cast: &CastFile, words: &Words<'_>, seed: Seed) -> Result<Vec<Pair>, Fault> {
    let unit: UnitId = cast.book.parse().map_err(|error| {
        Fault::new(FaultKind::Input, "the cast's `book` is not an id of a book").because(error)
    })?;
    let Some((culture, _)) = CULTURES.iter().find(|(name, _)| *name == cast.culture) else {
        let known = CULTURES.iter().map(|(name, _)| *name);
        let message = format!("there are no names of the culture `{}`", cast.culture);
        let hint = did_you_mean(&cast.culture, known).unwrap_or_default();
        return Err(Fault::new(FaultKind::Input, message).hint(hint));
    };
    let index = Index::new(words);
    let wants = wants(cast, &index);
    let taken = taken(cast, &index, &wants)?;
    let mut drawer = Drawer {
        culture,
        index,
        seed,
        unit,
        taken,
        free: BTreeMap::new(),
        related: BTreeSet::new(),
        careful: cast.careful.iter().map(|one| fold(&one.part)).collect(),
    };
    drawer.all(cast, &wants)
}

/// Checks that what people chose to stand for names can.
pub(super) fn check_chosen(cast: &CastFile, words: &Words<'_>) -> Result<(), Fault> {
    if cast.substitutes.is_empty() {
        return Ok(());
    }
    let index = Index::new(words);
    taken(cast, &index, &wants(cast, &index)).map(drop)
}

/// What nothing that is drawn may be: words of the book, names, blocked words, and what people chose.
fn taken(cast: &CastFile, index: &Index<'_>, wants: &[Want]) -> Result<Set<String>, Fault> {
    let mut taken: Set<String> = index.keys().map(str::to_owned).collect();
    taken.extend(wants.iter().map(|want| fold(&want.part)));
    taken.extend(BLOCKED.iter().cloned());
    for ChosenName { part, by } in &cast.substitutes {
        if !wants.iter().any(|want| fold(&want.part) == fold(part)) {
            let message =
                format!("`{by}` is to stand for `{part}`, which is not a name that is replaced");
            return Err(Fault::new(FaultKind::Input, message));
        }
        if BLOCKED.contains(&fold(by)) {
            let message =
                format!("`{by}` cannot stand for `{part}`: it is known from famous fiction");
            return Err(Fault::new(FaultKind::Input, message).hint("choose another name"));
        }
        if !taken.insert(fold(by)) {
            let message =
                format!("`{by}` cannot stand for `{part}`: the book has that word already");
            let hint = "choose a name that neither the book nor its cast has";
            return Err(Fault::new(FaultKind::Input, message).hint(hint));
        }
    }
    Ok(taken)
}

/// What is drawn from, and what was drawn.
struct Drawer<'c> {
    culture: &'static str,
    index: Index<'c>,
    seed: Seed,
    unit: UnitId,
    /// What may not be drawn from the first name on.
    taken: Set<String>,
    /// For each role that was asked for, the names that are neither taken nor drawn.
    free: BTreeMap<Role, Vec<&'static Candidate>>,
    /// Forms of the given names that were drawn: nobody else should have one.
    related: BTreeSet<&'static str>,
    careful: BTreeSet<String>,
}

impl Drawer<'_> {
    fn all(&mut self, cast: &CastFile, wants: &[Want]) -> Result<Vec<Pair>, Fault> {
        let plurals = self.index.plurals(wants);
        let mut drawn: BTreeMap<String, String> = BTreeMap::new();
        for forms in forms::of(cast, wants) {
            drawn.extend(self.forms(&forms));
        }
        let chosen = cast.substitutes.iter().map(|one| (fold(&one.part), one.by.clone()));
        drawn.extend(chosen);
        let mut pairs: Vec<Pair> = Vec::new();
        for want in wants.iter().filter(|want| !plurals.contains(&fold(&want.part))) {
            let chosen = match drawn.remove(&fold(&want.part)) {
                Some(chosen) => chosen,
                None => self.one(want)?,
            };
            self.plural_pairs(want, &chosen, wants, &plurals, &mut pairs);
            pairs.push(self.pair(want.part.clone(), chosen, want.role));
        }
        Ok(pairs)
    }

    fn pair(&self, part: String, substitute: String, role: Role) -> Pair {
        Pair {
            careful: self.careful.contains(&fold(&part)),
            part,
            substitute,
            role: role.word().to_owned(),
            written: Vec::new(),
        }
    }

    /// A family in the plural takes the plural of its substitute, as the book writes it; first names where
    /// the book has them in the plural.
    fn plural_pairs(
        &self,
        want: &Want,
        chosen: &str,
        wants: &[Want],
        plurals: &BTreeSet<String>,
        pairs: &mut Vec<Pair>,
    ) {
        if want.role == Role::Place {
            return;
        }
        for (nth, many) in plurals_of(&want.part).into_iter().enumerate() {
            let key = fold(&many);
            let wanted = wants.iter().any(|other| fold(&other.part) == key);
            let named = self.index.capital(&key) > 0 || (nth == 0 && want.role == Role::Family);
            if plurals.contains(&key) || (!wanted && named && self.index.low(&key) == 0) {
                // The cast lists the places of the part, and none of its plural.
                pairs.push(self.pair(many, plurals_of(chosen).swap_remove(0), want.role));
            }
        }
    }

    /// The names of a role that are free.
    fn free(&mut self, role: Role) -> &[&'static Candidate] {
        self.free.entry(role).or_insert_with(|| {
            let free = |one: &&Candidate| one.keys.iter().all(|key| !self.taken.contains(key));
            pool(self.culture, role).iter().filter(free).collect()
        })
    }

    fn take(&mut self, one: &'static Candidate, role: Role) -> String {
        self.taken.extend(one.keys.iter().cloned());
        for free in self.free.values_mut() {
            free.retain(|other| !one.keys.iter().any(|key| other.keys.contains(key)));
        }
        if role.is_given() {
            self.related.extend(forms_of(&one.name));
        }
        one.name.clone()
    }

    /// A substitute for one part.
    fn one(&mut self, want: &Want) -> Result<String, Fault> {
        let mut pool = self.free(want.role).to_vec();
        if pool.is_empty() && want.role == Role::Given {
            pool.extend_from_slice(self.free(Role::Female));
            pool.extend_from_slice(self.free(Role::Male));
        }
        let article = self.index.article(&fold(&want.part));
        prefer(&mut pool, |one| fits(&one.name, article));
        if want.role.is_given() {
            let pet = is_pet_name(&want.part);
            prefer(&mut pool, |one| one.pet == pet);
            prefer(&mut pool, |one| !self.related.contains(one.name.as_str()));
        }
        let least = pool.iter().map(|one| distance(&want.part, &one.name)).min();
        let Some(least) = least else {
            let message =
                format!("the pool of {} names has none left for `{}`", want.role.word(), want.part);
            return Err(Fault::new(FaultKind::Input, message).hint(
                "set another `culture` in the cast, or `keep = true` where a name may stay",
            ));
        };
        pool.retain(|one| distance(&want.part, &one.name) <= least.max(NEAR));
        let mut stream =
            self.seed.derive("substitute", &self.unit, &fold(&want.part), want.role.word());
        let chosen = *stream.choose(&pool).expect("one is at the least distance");
        Ok(self.take(chosen, want.role))
    }

    /// Substitutes for the forms of one person's first name: Elizabeth, Lizzy and Eliza are Margaret, Meg and
    /// Maggie. None where no name has as many forms; then each is drawn by itself.
    fn forms(&mut self, wanted: &[&Want]) -> BTreeMap<String, String> {
        let role = wanted[0].role;
        let pool = self.free(role).to_vec();
        let mut short_of: BTreeMap<&str, Vec<&'static Candidate>> = BTreeMap::new();
        for one in pool.iter().filter(|one| one.pet) {
            // The name that a reader thinks of first.
            let long = long_forms(&one.name).take(1);
            long.for_each(|long| short_of.entry(long).or_default().push(one));
        }
        let cost = |want: &Want, one: &Candidate| {
            let article = self.index.article(&fold(&want.part));
            distance(&want.part, &one.name) + if fits(&one.name, article) { 0 } else { WRONG }
        };
        let mut sets: Vec<(usize, Vec<&'static Candidate>)> = Vec::new();
        for long in pool.iter().filter(|one| !one.pet && !self.related.contains(one.name.as_str()))
        {
            let mut short = short_of.get(long.name.as_str()).cloned().unwrap_or_default();
            let mut far = cost(wanted[0], long);
            let mut set = vec![*long];
            for want in &wanted[1..] {
                let Some(best) = (0..short.len()).min_by_key(|at| cost(want, short[*at])) else {
                    break;
                };
                let best = short.swap_remove(best);
                far += cost(want, best);
                set.push(best);
            }
            if set.len() == wanted.len() {
                sets.push((far, set));
            }
        }
        let Some(least) = sets.iter().map(|(far, _)| *far).min() else { return BTreeMap::new() };
        sets.retain(|(far, _)| *far <= least + NEAR);
        let mut stream =
            self.seed.derive("substitute", &self.unit, &fold(&wanted[0].part), "forms");
        let (_, chosen) = stream.choose(&sets).expect("one is at the least distance").clone();
        let chosen = chosen.into_iter().map(|one| self.take(one, role));
        wanted.iter().map(|want| fold(&want.part)).zip(chosen).collect()
    }
}

/// Keeps what is preferred, if there is any.
fn prefer(pool: &mut Vec<&Candidate>, is: impl Fn(&Candidate) -> bool) {
    if pool.iter().any(|one| is(one)) {
        pool.retain(|one| is(one));
    }
}

//! First names alone, and whose they are.

use std::collections::BTreeMap;

use super::{
    Gender,
    people::{People, Told},
    person::Person,
    sex::Votes,
};
use crate::knowledge::are_forms;

/// A few pages, in words: a pet name and the name it stands for are met that near somewhere.
const NEAR: usize = 4000;
/// A page: who is mostly called by a title is met that near by a pet name most of the time.
const BESIDE: usize = 400;

/// Whose full name stands once for so many first names alone is somebody else: Jim Turner is not Jim.
const FEW: usize = 100;

impl People<'_> {
    /// First names alone: Elizabeth, Lizzy, Sir William, Miss Mary.
    pub(super) fn given(&mut self, known: &[Told<'_>]) {
        let mut of: BTreeMap<usize, Vec<&Told<'_>>> = BTreeMap::new();
        for one in known {
            if one.mention.parts.len() == 1
                && let ([part], None, false) =
                    (&one.shape.given[..], one.shape.family, one.shape.husband)
            {
                of.entry(*part).or_default().push(one);
            }
        }
        // Long forms first, so that pet names find them.
        let long = |part: usize| {
            let short = |other: &usize| {
                *other != part
                    && are_forms(self.shown(part), self.shown(*other))
                    && self.shown(part).len() < self.shown(*other).len()
            };
            !of.keys().any(short)
        };
        let mut order: Vec<(bool, usize, usize)> =
            of.iter().map(|(part, all)| (!long(*part), usize::MAX - all.len(), *part)).collect();
        order.sort_unstable();
        for (_, _, part) in order {
            let mut owner: BTreeMap<Option<String>, usize> = BTreeMap::new();
            for one in &of[&part] {
                let title = one.mention.titles.first().cloned();
                let at = owner.get(&title).copied().unwrap_or_else(|| {
                    let bearer = self.bearer(part, title.as_deref(), &of[&part]);
                    bearer.unwrap_or_else(|| self.add())
                });
                owner.insert(title, at);
                self.take(at, one);
            }
        }
    }

    /// Who bears a first name: whoever is named most of those whom the title fits, else by a pet name.
    fn bearer(&self, part: usize, title: Option<&str>, all: &[&Told<'_>]) -> Option<usize> {
        let wanted = title.map(Votes::of_title).unwrap_or_default().gender();
        let fits = |at: &usize| {
            let gender = self.gender(*at);
            wanted == Gender::Unknown || gender == Gender::Unknown || gender == wanted
        };
        let has = |at: &usize| self.all[*at].given.contains_key(&part);
        let own = |at: &usize| title.is_some_and(|title| self.all[*at].has_title(title));
        let most = |at: &usize| (own(at), self.all[*at].seen, usize::MAX - at);
        let everybody = || (0..self.all.len()).filter(fits);
        let only = (0..self.all.len()).filter(has).count() == 1;
        let known = |at: &usize| {
            let person = &self.all[*at];
            let places = |part: &usize| self.census.parts[*part].places.len();
            let family: usize = person.family.iter().map(places).sum();
            (only && person.seen > 1 && FEW * family.max(person.seen as usize) >= all.len())
                || is_introduced(person, all)
        };
        if let Some(at) = everybody().filter(has).filter(known).max_by_key(most) {
            return Some(at);
        }
        // A title that fits nobody, once or twice, is no title: `to her father Jane said`.
        let few = all.iter().filter(|one| one.mention.titles.first().map(String::as_str) == title);
        if wanted != Gender::Unknown && 10 * few.count() < all.len() {
            let borne = (0..self.all.len()).filter(has).max_by_key(most);
            if borne.is_some() {
                return borne;
            }
        }
        let shown = self.shown(part);
        let form = |at: &usize| {
            let person = &self.all[*at];
            let of = |other: &usize| self.are_forms(part, *other);
            let familiar =
                2 * person.familiar + 2 >= person.seen.min(20) || person.family.len() == 1;
            person.given.keys().chain(&person.family).any(of)
                && familiar
                && (!person.is_noble() || 2 * near(person, all, BESIDE) > all.len())
                // Near it nearly always, or now and then where the long name stands: Kate is not Kathleen of another tale.
                && (4 * near(person, all, NEAR) >= 3 * all.len()
                    || (near(person, all, NEAR) > 0
                        && 8 * person.near(all, NEAR) >= person.at.len()))
                && !self.is_beside(person, all)
        };
        let agrees = |at: &usize| {
            let own = Votes::of_given(shown).gender();
            let gender = self.gender(*at);
            own == gender || own == Gender::Unknown || gender == Gender::Unknown
        };
        everybody().filter(form).filter(agrees).max_by_key(most)
    }
}

impl Person {
    /// How many of somebody's mentions stand within so many words of these.
    fn near(&self, all: &[&Told<'_>], words: usize) -> usize {
        let is_near = |at: &&usize| {
            let next = all.partition_point(|one| one.mention.words.start + words < **at);
            all.get(next).is_some_and(|one| one.mention.words.start <= **at + words)
        };
        self.at.iter().filter(is_near).count()
    }
}

/// Whether a full name is that of somebody who is mostly called by the first name: it comes early, or often.
fn is_introduced(person: &Person, all: &[&Told<'_>]) -> bool {
    let first = person.at.first().copied().unwrap_or(usize::MAX);
    let before = all.iter().filter(|one| one.mention.words.start < first).count();
    4 * before <= all.len() || 40 * (person.seen as usize) >= all.len()
}

/// How many of these mentions stand within so many words of somebody's.
fn near(person: &Person, all: &[&Told<'_>], words: usize) -> usize {
    let is_near = |one: &&&Told<'_>| {
        let at = one.mention.words.start;
        let from = at.saturating_sub(words);
        person.at.range(from..at + words).next().is_some()
    };
    all.iter().filter(is_near).count()
}

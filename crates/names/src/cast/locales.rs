//! Places that a book names: which of them are invented, and where a word of such a name is one.

use std::{collections::BTreeMap, ops::Range};

use storymill_metrics::shortcut::Map;
use storymill_text::word::fold;

use super::{Locale, Policy, parts::Census, signs::is_listed};
use crate::{
    knowledge::{Known, given},
    lists::{PARTICLES, is_honorific},
    titles::{self, Title},
    words::{Case, Words},
};

/// A place by one way to write its name.
#[derive(Debug, Default)]
pub(super) struct Site {
    /// Words of the name, without such as Park.
    pub(super) parts: Vec<String>,
    /// The words of its mentions.
    pub(super) at: Vec<Range<usize>>,
}

/// A part that is replaced at some places only, and the words there.
pub(super) type Places = (String, Vec<usize>);

/// How often what may be invented is named at least: of places that are named less, nobody can know so many.
const NAMED: usize = 5;
/// And where its name is a common word too.
const COMMON: usize = 10;

/// Every place, and the places where parts of the replaced ones are names, if they are other words too.
pub(super) fn locales(
    words: &Words<'_>,
    census: &Census,
    policy: Policy,
) -> (Vec<Locale>, Vec<Places>) {
    let own = if policy.places { own(words, census) } else { BTreeMap::new() };
    let mut locales = Vec::new();
    let mut careful: BTreeMap<String, Places> = BTreeMap::new();
    for (name, site) in &census.places {
        let new = own.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
        let surface = |at: &usize| words.surface(*at).to_owned();
        let parts =
            if new.is_empty() { site.parts.clone() } else { new.iter().map(surface).collect() };
        if !parts.is_empty() {
            let seen = u32::try_from(site.at.len()).unwrap_or(u32::MAX);
            locales.push(Locale { name: name.clone(), parts, seen, keep: new.is_empty() });
        }
        for at in new {
            let entry = careful.entry(fold(words.surface(*at)));
            let (_, places) = entry.or_insert_with(|| (surface(at), Vec::new()));
            let first = &site.at[0];
            let starts = site.at.iter().map(|one| one.start).chain(again(words, first));
            places.extend(starts.map(|start| start + at - first.start));
        }
    }
    locales.sort_by(|one, other| other.seen.cmp(&one.seen).then_with(|| one.name.cmp(&other.name)));
    // Whether a part of a person's name is replaced only at some places.
    let persons: Map<String, bool> =
        census.parts.iter().map(|part| (fold(&part.shown), part.careful)).collect();
    careful.retain(|key, _| match persons.get(key) {
        Some(careful) => *careful,
        None => is_common(key, census) || is_persons(key),
    });
    (locales, careful.into_values().collect())
}

/// The own words of each invented place, by its name: those that the book names often enough.
fn own<'c>(words: &Words<'_>, census: &'c Census) -> BTreeMap<&'c str, Vec<usize>> {
    let mut own: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut named: Map<String, usize> = Map::default();
    for (name, site) in &census.places {
        let new = invented(words, &site.at[0], census);
        for at in &new {
            *named.entry(fold(words.surface(*at))).or_default() += site.at.len();
        }
        own.insert(name, new);
    }
    for all in own.values_mut() {
        let often = |at: &usize| {
            let key = fold(words.surface(*at));
            named[&key] >= if is_common(&key, census) { COMMON } else { NAMED }
        };
        if !all.iter().all(often) {
            all.clear();
        }
    }
    own
}

/// The words of a place's name that are its own, if it is invented. What has a word of the real world, or the name of
/// a saint or a queen, is real; a common word by itself is no name.
fn invented(words: &Words<'_>, name: &Range<usize>, census: &Census) -> Vec<usize> {
    let low = |at: usize| words.low(Some(at));
    let bare = |at: &usize| {
        let (word, low) = (words.all()[*at], low(*at));
        word.letter
            && word.case != Case::Low
            && words.surface(*at).chars().count() > 1
            && !Known::of(low).has(Known::PLACE_WORD)
            && !PARTICLES.contains(&low)
            && !Title::of(low).is_title()
            && !is_honorific(low)
            && !is_listed("in-places", low)
    };
    let own: Vec<usize> = name.clone().filter(bare).collect();
    let saint =
        |at: usize| words.all()[at].case != Case::Low && Title::of(low(at)).has(Title::SAINT);
    let titled = !titles::before(words, name.start).is_empty();
    if titled || own.iter().any(|at| is_real(low(*at))) || name.clone().any(saint) {
        return Vec::new();
    }
    let alone = name.len() == 1 && own.iter().any(|at| is_common(&fold(low(*at)), census));
    if alone { Vec::new() } else { own }
}

/// Whether a word names something in the real world.
fn is_real(low: &str) -> bool {
    let known = Known::of(low);
    let lists = [Known::PLACE, Known::PEOPLE, Known::PEOPLES, Known::CALENDAR, Known::CAPITAL];
    lists.into_iter().any(|list| known.has(list))
        || ["places", "peoples", "real-places"].into_iter().any(|list| is_listed(list, low))
}

/// Whether a word stands in small letters too.
fn is_common(key: &str, census: &Census) -> bool {
    let own = census.uses.get(key).copied().unwrap_or_default();
    10 * own.small >= own.capital.max(1)
}

/// Whether a word may be somebody's name.
fn is_persons(key: &str) -> bool {
    let (known, first) = (Known::of(key), given(key));
    let lists = [Known::FEMALE, Known::MALE, Known::SURNAME];
    lists.into_iter().any(|list| known.has(list) || first.has(list))
}

/// Where a name of several words stands, tagged or not.
fn again(words: &Words<'_>, name: &Range<usize>) -> Vec<usize> {
    if name.len() == 1 {
        return Vec::new();
    }
    let all = words.all();
    let form = |at: usize| (all[at].low, all[at].case == Case::Low);
    let last = all.len().saturating_sub(name.len());
    let is =
        |start: &usize| name.clone().enumerate().all(|(more, at)| form(start + more) == form(at));
    (0..=last).filter(is).collect()
}

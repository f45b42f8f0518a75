//! What the book says of the words that substitutes stand for, counted once.

use std::collections::{BTreeMap, BTreeSet};

use storymill_text::word::fold;

use super::{
    shape::{Article, plurals_of},
    wants::{Role, Want},
};
use crate::{
    cast::pieces::is_many,
    titles::{self, Title},
    words::{Case, Words},
};

/// The words of a book by their folded forms.
pub(super) struct Index<'w> {
    words: &'w Words<'w>,
    folded: BTreeMap<String, Uses>,
}

/// How often a part stands as a first name, as a family's, and alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    given: u32,
    family: u32,
    bare: u32,
}

impl Usage {
    /// Weighs the roles of a part by how it stands. Alone it is what those are called by it who bear it most, but
    /// seldom a woman's family name.
    pub(super) fn weigh(self, roles: &mut BTreeMap<Role, u32>) {
        let of_family = self.family >= self.given && 2 * self.family >= self.bare;
        let of_given = 2 * self.family < self.given.max(self.bare / 4);
        roles
            .retain(|role, _| !(of_family && role.is_given() || of_given && *role == Role::Family));
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    low: u32,
    capital: u32,
    article: Article,
}

impl<'w> Index<'w> {
    pub(super) fn new(words: &'w Words<'w>) -> Self {
        let mut counts = vec![Uses::default(); words.forms()];
        for (at, word) in words.all().iter().enumerate().filter(|(_, word)| word.letter) {
            let uses = &mut counts[word.low as usize];
            if word.case == Case::Low {
                uses.low += 1;
                continue;
            }
            uses.capital += 1;
            match words.low(at.checked_sub(1)) {
                "a" if words.gap(at) => uses.article = Article::A,
                "an" if words.gap(at) => uses.article = Article::An,
                _ => {}
            }
        }
        let mut folded: BTreeMap<String, Uses> = BTreeMap::new();
        for (low, uses) in words.lows().iter().zip(counts) {
            let entry = folded.entry(fold(low)).or_default();
            entry.low += uses.low;
            entry.capital += uses.capital;
            if uses.article != Article::Any {
                entry.article = uses.article;
            }
        }
        Self { words, folded }
    }

    /// Every word of the book, folded.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.folded.keys().map(String::as_str)
    }

    /// How often a folded word stands without a capital.
    pub(super) fn low(&self, key: &str) -> u32 {
        self.folded.get(key).map_or(0, |uses| uses.low)
    }

    /// How often a folded word stands with one.
    pub(super) fn capital(&self, key: &str) -> u32 {
        self.folded.get(key).map_or(0, |uses| uses.capital)
    }

    /// What a substitute must sound like at the beginning.
    pub(super) fn article(&self, key: &str) -> Article {
        self.folded.get(key).map_or(Article::Any, |uses| uses.article)
    }

    /// How the book uses parts that are somebody's first name and somebody's family name. `all` has every part.
    pub(super) fn usage<'k>(
        &self,
        doubtful: &BTreeSet<&'k str>,
        all: &BTreeSet<&str>,
    ) -> BTreeMap<&'k str, Usage> {
        let mut found: BTreeMap<&str, Usage> = BTreeMap::new();
        if doubtful.is_empty() {
            return found;
        }
        let folded: Vec<String> = self.words.lows().iter().map(|low| fold(low)).collect();
        let words = self.words;
        let is_part = |at: usize| {
            let word = words.all().get(at).filter(|word| word.case != Case::Low && !word.breaks);
            word.is_some_and(|word| all.contains(folded[word.low as usize].as_str()))
        };
        for (at, word) in words.all().iter().enumerate().filter(|(_, word)| word.case != Case::Low)
        {
            let Some(key) = doubtful.get(folded[word.low as usize].as_str()) else { continue };
            let usage = found.entry(key).or_default();
            let title = titles::before(words, at).first().copied().unwrap_or_default();
            let before = !word.breaks && at.checked_sub(1).is_some_and(is_part);
            if before {
                usage.family += 1;
            } else if is_part(at + 1) && words.gap(at + 1) {
                usage.given += u32::from(!matches!(title, "mrs" | "madame" | "mme"));
            } else if title.is_empty() {
                usage.bare += 1;
            } else if Title::of(title).has(Title::GIVEN) {
                usage.given += 1;
            } else {
                usage.family += 1;
            }
        }
        found
    }

    /// Parts that are the plural of a family, as casts have them that somebody wrote: mostly behind `the`.
    pub(super) fn plurals(&self, wants: &[Want]) -> BTreeSet<String> {
        let mut families: BTreeMap<String, &Want> = BTreeMap::new();
        for want in wants.iter().filter(|want| want.role == Role::Family) {
            families.extend(plurals_of(&want.part).iter().map(|many| (fold(many), want)));
        }
        let mut counts: BTreeMap<String, (u32, u32)> = BTreeMap::new();
        for want in wants {
            let key = fold(&want.part);
            if families.get(&key).is_some_and(|family| family.seen >= want.seen) {
                counts.insert(key, (0, 0));
            }
        }
        if counts.is_empty() {
            return BTreeSet::new();
        }
        let keys: Vec<Option<String>> = self
            .words
            .lows()
            .iter()
            .map(|low| Some(fold(low)).filter(|key| counts.contains_key(key)))
            .collect();
        for (at, word) in self.words.all().iter().enumerate() {
            if let Some(count) =
                keys[word.low as usize].as_ref().and_then(|key| counts.get_mut(key))
            {
                count.0 += 1;
                count.1 += u32::from(is_many(self.words, at));
            }
        }
        counts.into_iter().filter(|(_, (all, many))| 2 * many >= *all).map(|(key, _)| key).collect()
    }
}

//! What was tagged and names nobody: *the Huron*, *the Dormouse*, one *Blacksmith* in a simile.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use storymill_text::word::fold;

use super::parts::title;
use crate::{
    knowledge::Known,
    words::{Case, Words},
};

/// What is counted of a word over all names that it is in.
#[derive(Debug, Default)]
struct Seen {
    all: u32,
    /// Alone, behind an article.
    articles: u32,
    /// Behind a title, or in a name of several parts.
    sure: bool,
}

/// Counts words in names of persons, name by name.
#[derive(Debug, Default)]
pub(super) struct Epithets(BTreeMap<String, Seen>);

impl Epithets {
    /// Counts a name: its words, and its parts with the word each begins at.
    pub(super) fn count(
        &mut self,
        words: &Words<'_>,
        name: &Range<usize>,
        pieces: &[(usize, String)],
    ) {
        let titled = title(words, name.start).is_some();
        let before = |at: usize| at.checked_sub(1).filter(|_| !words.all()[at].breaks);
        // The month in *the March Hare* is no part of the name.
        let behind = before(name.start).and_then(|at| {
            let capital = words.all()[at].case == Case::Inside && !titled;
            if capital { before(at) } else { Some(at) }
        });
        let article =
            matches!(words.low(behind), "the" | "a" | "an" | "this" | "that" | "these" | "those");
        let sure = pieces.len() > 1 || titled;
        for (_, surface) in pieces {
            let seen = self.0.entry(fold(surface)).or_default();
            seen.all += 1;
            seen.articles += u32::from(article && pieces.len() == 1);
            seen.sure |= sure;
        }
    }

    /// The words that name nobody, folded. `low` says how often a word stands without a capital.
    ///
    /// One mostly stands behind an article, and is not the plural of a family. The other is a common word
    /// that no list of names has, seen once or twice, without a title or another name.
    pub(super) fn found(&self, low: impl Fn(&str) -> usize) -> BTreeSet<String> {
        let mostly = |seen: &Seen| 5 * seen.articles >= 3 * seen.all;
        let is_family = |one: &str| {
            Known::of(one).has(Known::SURNAME) || self.0.get(one).is_some_and(|one| !mostly(one))
        };
        let family = |word: &str| {
            ["s", "es"].iter().any(|end| word.strip_suffix(end).is_some_and(is_family))
        };
        let is_epithet = |(word, seen): (&String, &Seen)| {
            let known = Known::of(word);
            let listed = [Known::FEMALE, Known::MALE, Known::SURNAME];
            let listed = listed.into_iter().any(|list| known.has(list));
            let articled = mostly(seen) && !listed && !family(word);
            let passing = seen.all <= MOST_PASSING && !seen.sure && !listed && low(word) > 0;
            (articled || passing).then(|| word.clone())
        };
        self.0.iter().filter_map(is_epithet).collect()
    }
}

/// How often a common word may be tagged and still be taken for a slip.
const MOST_PASSING: u32 = 3;

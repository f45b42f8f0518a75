//! Names of two words of which a tagger knew one: it finds *Quorn* in *Vessa Quorn* and says nothing of *Vessa*.
//! A word that stands beside one name all over the book, and hardly anywhere else, belongs to it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use storymill_metrics::shortcut::Map;
use storymill_text::word::fold;

use super::{
    evidence::Use,
    pieces::{Piece, piece},
    signs::{is_in_place, is_listed},
};
use crate::{
    knowledge::{Known, is_god},
    lists::is_honorific,
    titles::Title,
    words::{Case, Low, Words},
};

/// So often a word stands beside a name at least.
const OFTEN: usize = 3;

/// A name of somebody: its words, and those of them that are parts.
pub(super) type Name = (Range<usize>, Vec<Piece>);

/// How a word with a capital stands over the book.
#[derive(Debug, Default)]
struct Seen {
    all: usize,
    /// With a capital inside a sentence.
    inside: usize,
    /// Its places beside a part of a name, by the part's form: the first of the two words.
    beside: BTreeMap<Low, Vec<usize>>,
    /// Those of them that stand behind, as family names do, and inside a sentence.
    last: usize,
    /// Those behind an article, as an epithet stands: the Hired Man.
    articles: usize,
}

/// Adds to the names of persons the words beside them that belong to them: a name of which a half was found may itself be
/// half of another, as *Than* of *Than Kosis* is of *Sab Than*. What a tagger took for a place belongs to the name beside
/// which it stands all over the book too. `uses` says how folded words stand over the book.
pub(super) fn complete(
    words: &Words<'_>,
    names: &mut Vec<Name>,
    places: &[Name],
    uses: &Map<String, Use>,
) {
    let mut found = true;
    while found {
        let before: usize = names.iter().map(|(_, pieces)| pieces.len()).sum();
        add(words, names, places, uses);
        found = names.iter().map(|(_, pieces)| pieces.len()).sum::<usize>() > before;
    }
}

fn add(words: &Words<'_>, names: &mut Vec<Name>, places: &[Name], uses: &Map<String, Use>) {
    let small = |low: Low| uses.get(&fold(&words.lows()[low as usize])).map_or(0, |own| own.small);
    let mut inside: Map<usize, usize> = Map::default();
    let mut tagged: BTreeMap<Low, usize> = BTreeMap::new();
    for (number, (name, pieces)) in names.iter().enumerate() {
        inside.extend(name.clone().map(|at| (at, number)));
        for piece in pieces {
            *tagged.entry(words.all()[piece.at].low).or_default() += 1;
        }
    }
    let elsewhere: BTreeSet<usize> = places.iter().flat_map(|(name, _)| name.clone()).collect();
    let is_part = |at: usize| {
        let low = words.all()[at].low;
        tagged.get(&low).is_some_and(|count| *count > 1) && !is_god(&words.lows()[low as usize])
    };
    let mut seen: BTreeMap<Low, Seen> = BTreeMap::new();
    for (at, word) in words.all().iter().enumerate() {
        if word.case == Case::Low || word.end == word.start + 1 || inside.contains_key(&at) {
            continue;
        }
        let one = seen.entry(word.low).or_default();
        one.all += 1;
        one.inside += usize::from(word.case == Case::Inside);
        let other = |first: usize| if first == at { at + 1 } else { first };
        let beside = |first: &usize| {
            let free = !elsewhere.contains(&other(*first));
            let place = is_in_place(words, first + 2);
            free && !place && is_pair(words, *first) && is_part(other(*first))
        };
        let Some(first) = [Some(at), at.checked_sub(1)].into_iter().flatten().find(beside) else {
            continue;
        };
        let other = words.all()[other(first)].low;
        one.beside.entry(other).or_default().push(first);
        let ends = words.all().get(at + 1).is_none_or(|next| next.case != Case::Inside);
        let last = first < at && word.case == Case::Inside && ends && small(other) == 0;
        one.last += usize::from(last);
        let article = matches!(words.low(first.checked_sub(1)), "the" | "a" | "an");
        one.articles += usize::from(article);
    }
    for (low, one) in seen {
        let Some((_, places)) = one.beside.iter().max_by_key(|(_, places)| places.len()) else {
            continue;
        };
        // A word in small letters is a name where it stands behind names, or before one of them, and hardly else with a
        // capital: Tom Thatch, Than Kosis.
        let beside: usize = one.beside.values().map(Vec::len).sum();
        let first = places.len() >= 2 * OFTEN && 2 * places.len() >= one.inside;
        let common = first || (one.last > OFTEN && 3 * beside >= 2 * one.inside);
        let own = 3 * places.len() >= 2 * one.all && 4 * small(low) <= places.len();
        let epithet = 3 * one.articles >= places.len();
        let word = &*words.lows()[low as usize];
        if places.len() < OFTEN || !(common || own) || epithet || is_word(word) {
            continue;
        }
        for first in places {
            let both = [*first, first + 1].map(|at| (at, piece(words, at)));
            let [(_, Some(before)), (_, Some(behind))] = both else { continue };
            let known = [*first, first + 1].into_iter().find_map(|at| inside.get(&at));
            match known.map(|number| &mut names[*number]) {
                None => names.push((*first..first + 2, vec![before, behind])),
                Some((name, pieces)) if name.start > *first => {
                    name.start = *first;
                    pieces.insert(0, before);
                }
                Some((name, pieces)) => {
                    name.end = name.end.max(first + 2);
                    pieces.push(behind);
                }
            }
        }
    }
}

/// Whether two words with capitals stand side by side, in the same kind of print.
fn is_pair(words: &Words<'_>, first: usize) -> bool {
    let Some(next) = words.all().get(first + 1) else { return false };
    let one = words.all()[first];
    let caps = (one.case == Case::Caps) == (next.case == Case::Caps);
    one.case != Case::Low && next.case != Case::Low && caps && !next.breaks && words.gap(first + 1)
}

/// Whether a word is one that stands beside names and is none: a title, a place, a nation.
fn is_word(low: &str) -> bool {
    let known = Known::of(low);
    let lists = [Known::PLACE, Known::PLACE_WORD, Known::CALENDAR, Known::PEOPLES, Known::CAPITAL];
    lists.into_iter().any(|list| known.has(list))
        || ["thing", "before-place", "peoples", "places"]
            .into_iter()
            .any(|list| is_listed(list, low))
        || Title::of(low).is_title()
        || is_honorific(low)
}

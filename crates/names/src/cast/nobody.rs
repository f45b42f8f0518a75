//! What was tagged and names nobody of the story: *the Huron*, *the Dormouse*, one *Blacksmith* in a simile,
//! the saint of a church, a ship, a month, God. What is told apart here is written into the cast, and stays.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use storymill_metrics::shortcut::Map;
use storymill_text::word::fold;

use super::{
    evidence::Use,
    pieces::{Piece, saint},
    signs::{
        is_alone, is_behind_place_word, is_borne, is_called_so, is_deed, is_in_place, is_king,
        is_listed, is_oath, is_owner, is_shop, is_work,
    },
};
use crate::{
    knowledge::Known,
    lists::{PARTICLES, SPEECH},
    titles::{self, Title},
    words::{Case, Words},
};

/// Who is anybody's *son of* is somebody, though the book may tell nothing else of him.
pub(super) const KIN: [&str; 10] = [
    "son",
    "daughter",
    "grandson",
    "granddaughter",
    "father",
    "mother",
    "brother",
    "sister",
    "wife",
    "widow",
];

/// A name that is left as it is, why, and how often it was taken for somebody's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nobody {
    pub(super) name: String,
    pub(super) what: &'static str,
    pub(super) seen: u32,
}

/// What is counted of a word over all names that it is in.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) shown: String,
    pub(super) all: u32,
    /// Alone, behind an article.
    pub(super) articles: u32,
    /// Behind a title, or in a name of several parts.
    pub(super) sure: u32,
    /// Behind a title, or beside a first name.
    pub(super) person: u32,
    /// Behind Mr. or the like; with a number behind it: Henry VIII.
    pub(super) mister: u32,
    pub(super) kings: u32,
    /// Where it is a saint's, sworn by or in the name of a place, and why; and in how many of these places
    /// somebody bears it as a name.
    pub(super) saints: Vec<(usize, &'static str)>,
    pub(super) borne: u32,
    /// Where a saint speaks.
    pub(super) speaks: u32,
    /// Behind an article, with its title: *the Czarina Catherine*; and with ships around.
    pub(super) the: u32,
    pub(super) ships: u32,
    /// Where somebody says, does or has something, or is called.
    pub(super) deeds: u32,
    pub(super) called: u32,
    /// Where it is a house or a shop: at Lloyd’s; where it is all that is said; where it is
    /// the name of a ballad.
    pub(super) shops: u32,
    /// With `’s` behind it.
    pub(super) owns: u32,
    pub(super) alone: u32,
    pub(super) works: u32,
    /// Whether a small word stands before it: De Lacey; whether it is of somebody whose *son* is named.
    pub(super) particle: bool,
    pub(super) kin: bool,
    /// The words beside it in its names.
    pub(super) beside: BTreeSet<String>,
}

impl Seen {
    /// Whether somebody bears the name of the saint.
    pub(super) fn is_borne(&self) -> bool {
        self.borne > 0 || (self.speaks > 2 && 8 * self.speaks as usize > self.saints.len())
    }

    /// Whether it mostly stands in the names of places, and elsewhere as one does that is cut short: atop of Shooter’s.
    fn is_mostly_place(&self) -> bool {
        let places = self.saints.iter().filter(|(_, what)| *what == "place").count();
        let rest = (self.all as usize).saturating_sub(self.saints.len());
        let idle = self.deeds == 0 || 2 * rest <= places;
        self.person == 0 && self.called == 0 && rest <= places && idle
    }
}

/// Counts words in names of persons, name by name.
#[derive(Debug, Default)]
pub(super) struct Nobodies {
    pub(super) words: BTreeMap<String, Seen>,
    titles: BTreeMap<String, u32>,
    /// Words of full names that are those of places.
    somewhere: BTreeSet<usize>,
}

/// What names nobody.
#[derive(Debug, Default)]
pub(super) struct Refused {
    words: BTreeSet<String>,
    /// Words at which it is no name, though it may be elsewhere.
    pub(super) places: BTreeSet<usize>,
    pub(super) all: Vec<Nobody>,
    /// How often a word is a saint's.
    saints: BTreeMap<String, usize>,
}

impl Refused {
    pub(super) fn saints(&self, key: &str) -> usize {
        self.saints.get(key).copied().unwrap_or(0)
    }

    pub(super) fn has(&self, piece: &Piece) -> bool {
        self.places.contains(&piece.at) || self.words.contains(&piece.key())
    }
}

impl Nobodies {
    pub(super) fn new(somewhere: BTreeSet<usize>) -> Self {
        Self { somewhere, ..Self::default() }
    }

    /// Counts a name: its words, and its parts.
    pub(super) fn count(&mut self, words: &Words<'_>, name: &Range<usize>, pieces: &[Piece]) {
        let Some(first) = pieces.first() else {
            let is_title = |at: &usize| {
                words.all()[*at].case != Case::Low && Title::of(words.low(Some(*at))).is_title()
            };
            for at in name.clone().filter(is_title) {
                *self.titles.entry(words.surface(at).to_owned()).or_default() += 1;
            }
            return;
        };
        let titles = titles::before(words, first.at);
        let titled = !titles.is_empty();
        let before = |at: usize| at.checked_sub(1).filter(|_| !words.all()[at].breaks);
        // The month in *the March Hare* is no part of the name.
        let behind = before(name.start).and_then(|at| {
            let capital = words.all()[at].case == Case::Inside && !titled;
            if capital { before(at) } else { Some(at) }
        });
        let articles = ["the", "a", "an", "this", "that", "these", "those", "la", "le", "les"];
        let article = articles.contains(&words.low(behind));
        let start = first.at.saturating_sub(titles.len());
        let the = words.low(start.checked_sub(1)) == "the";
        let around = start.saturating_sub(10)..(name.end + 10).min(words.len());
        let ships = around.clone().any(|at| is_listed("ship", words.low(Some(at))));
        // What a name does or is called, each of its words does: of *Vessa Quorn said* Vessa too.
        let begins = begin(words, first.at);
        let spoken = SPEECH.contains(&words.low(begins.checked_sub(1)));
        let kin = words.low(begins.checked_sub(1)) == "of"
            && KIN.contains(&words.low(begins.checked_sub(2)));
        let does = spoken || kin || pieces.iter().any(|piece| is_deed(words, piece.at));
        let called = is_called_so(words, begins, pieces[pieces.len() - 1].at);
        for (number, piece) in pieces.iter().enumerate() {
            let seen = self.words.entry(piece.key()).or_default();
            seen.shown.clone_from(&piece.surface);
            seen.all += 1;
            let beside = pieces
                .iter()
                .enumerate()
                .any(|(other, one)| other != number && one.is_first_name());
            if is_oath(words, piece.at) {
                seen.saints.push((piece.at, "oath"));
                continue;
            }
            if let Some(word) = saint(words, piece.at) {
                seen.saints.push((piece.at, "saint"));
                seen.borne += u32::from(is_borne(words, word));
                let beside = [word.checked_sub(1), Some(piece.at + 1)];
                seen.speaks += u32::from(beside.iter().any(|at| SPEECH.contains(&words.low(*at))));
                continue;
            }
            let of_place = !titled && is_of_place(words, pieces);
            let somewhere = of_place || self.somewhere.contains(&piece.at);
            if is_in_place(words, name.end) || is_thing(pieces, titled) || somewhere {
                seen.saints.push((piece.at, "place"));
                continue;
            }
            seen.articles += u32::from(article && pieces.len() == 1);
            seen.sure += u32::from(titled || pieces.len() > 1);
            seen.person += u32::from(titled || beside);
            let mister = |title: &&str| Title::of(title).has(Title::FAMILY) || *title == "miss";
            seen.mister += u32::from(titles.first().is_some_and(mister));
            seen.kings += u32::from(is_king(words, piece.at));
            seen.the += u32::from(the);
            seen.ships += u32::from(the && ships);
            seen.deeds += u32::from(does);
            seen.called += u32::from(called);
            seen.kin |= kin;
            seen.shops += u32::from(!titled && is_shop(words, name.end));
            seen.owns += u32::from(!titled && is_owner(words, name.end));
            seen.alone += u32::from(is_alone(words, piece.at));
            seen.works += u32::from(is_work(words, first.at));
            let small = words.low(piece.at.checked_sub(1));
            seen.particle |=
                PARTICLES.contains(&small) && !matches!(small, "of" | "the" | "and" | "'");
            seen.beside.extend(pieces.iter().filter(|one| one.at != piece.at).map(Piece::key));
        }
    }

    /// The words that name nobody. `uses` says how folded words stand over the book.
    pub(super) fn found(&self, words: &Words<'_>, uses: &Map<String, Use>) -> Refused {
        let mut refused = Refused::default();
        for (name, seen) in &self.titles {
            refused.all.push(Nobody { name: name.clone(), what: "title", seen: *seen });
        }
        for (word, seen) in &self.words {
            if !seen.is_borne() && !seen.saints.is_empty() {
                let count = u32::try_from(seen.saints.len()).unwrap_or(u32::MAX);
                refused.places.extend(seen.saints.iter().map(|(at, _)| *at));
                let places = seen.saints.iter().filter(|(_, what)| *what == "place").count();
                *refused.saints.entry(word.clone()).or_default() += places;
                if count == seen.all || seen.is_mostly_place() {
                    refused.refuse(word, seen, seen.saints[0].1);
                    continue;
                }
            }
            if let Some(what) = self.what(word, seen, uses) {
                refused.refuse(word, seen, what);
            }
        }
        refused.places.extend(&self.somewhere);
        // A saint that no tagger marked is one all the same.
        let saints: Vec<bool> = words
            .lows()
            .iter()
            .map(|low| self.words.get(&fold(low)).is_some_and(|seen| !seen.is_borne()))
            .collect();
        for (at, word) in words.all().iter().enumerate() {
            let is = word.case != Case::Low && saints[word.low as usize];
            if is && (saint(words, at).is_some() || is_oath(words, at)) {
                refused.places.insert(at);
                *refused.saints.entry(fold(words.low(Some(at)))).or_default() += 1;
            }
        }
        refused
    }
}

/// Where the words with capitals begin that end in a name, of which a tagger may know the last alone.
pub(super) fn begin(words: &Words<'_>, name: usize) -> usize {
    let before = |at: &usize| {
        let before = at.checked_sub(1).filter(|_| !words.all()[*at].breaks && words.gap(*at));
        before.filter(|at| words.all()[*at].case == Case::Inside && !Title::stands(words, *at))
    };
    std::iter::successors(Some(name), before).last().unwrap_or(name)
}

/// Whether a word stands before a name, or begins it, that stands before the names of places: Pont-Neuf, Caer Doren.
fn is_of_place(words: &Words<'_>, pieces: &[Piece]) -> bool {
    let [first, rest @ ..] = pieces else { return false };
    let begins = !rest.is_empty() && is_listed("before-place", &first.surface.to_lowercase());
    begins || is_behind_place_word(words, first.at)
}

/// Whether a name without a title and a first name ends as the names of things and places do: Porcupine Oilfields,
/// Thornley Grange.
fn is_thing(pieces: &[Piece], titled: bool) -> bool {
    let [first, .., last] = pieces else { return false };
    let low = last.surface.to_lowercase();
    let (first, known) = (first.is_first_name(), Known::of(&low));
    let place = known.has(Known::PLACE_WORD) && (!first || is_listed("street", &low));
    !titled && (place || (!first && is_listed("thing", &low)))
}

impl Refused {
    fn refuse(&mut self, word: &str, seen: &Seen, what: &'static str) {
        self.words.insert(word.to_owned());
        self.all.push(Nobody { name: seen.shown.clone(), what, seen: seen.all });
    }
}

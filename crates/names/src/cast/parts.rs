//! The parts of names, each with all its places, and the mentions that are made of them.
//!
//! What a tagger marked says which words are names at all. Then the whole text is read once more, so that
//! every place of a part counts, whether it was marked there or not.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use storymill_metrics::shortcut::Map;
use storymill_text::{one_line, word::fold};

use super::{
    evidence::{Use, missed, uses},
    halves::{self, Name},
    locales::Site,
    mentions::Mention,
    nobody::{Nobodies, Nobody, Refused},
    pieces::{Piece, is_many, is_surname, pieces, singulars},
    places::Stands,
    somebody::{Named, first_name_before, is_person},
    somewhere::somewhere,
};
use crate::{
    decision::{Found, Kind},
    knowledge::{Known, is_given},
    titles::{self, Title},
    trim::trim,
    words::{Case, Words},
};

/// One part of names over the book.
#[derive(Debug)]
pub(super) struct Part {
    /// As the book mostly writes it.
    pub(super) shown: String,
    /// The words where it is a name.
    pub(super) places: Vec<usize>,
    /// Whether only those places are replaced.
    pub(super) careful: bool,
    /// What is known of it.
    pub(super) known: Known,
    /// How often its plural names a family.
    pub(super) plurals: u32,
}

/// All parts and mentions of persons, the names of places, and what is nobody.
#[derive(Debug, Default)]
pub(super) struct Census {
    pub(super) parts: Vec<Part>,
    pub(super) mentions: Vec<Mention>,
    /// Places by their names as written.
    pub(super) places: BTreeMap<String, Site>,
    pub(super) nobodies: Vec<Nobody>,
    /// How each folded word stands over the book.
    pub(super) uses: Map<String, Use>,
}

/// What was found of one part, by its folded form.
#[derive(Debug, Default)]
struct Tagged {
    shown: BTreeMap<String, u32>,
    /// Words where it is in a person's name.
    people: BTreeSet<usize>,
    /// In how many names of places it is.
    elsewhere: usize,
    /// Behind a title or beside another name.
    sure: u32,
    /// Behind a title, or beside a first name.
    person: u32,
}

impl Census {
    pub(super) fn new(words: &Words<'_>, found: &[Found]) -> Self {
        let mut census = Self::default();
        let uses = uses(words, found);
        let mut persons: Vec<Name> = Vec::new();
        let mut places: Vec<Name> = Vec::new();
        let names: Vec<(Kind, Name)> = found
            .iter()
            .filter_map(|one| {
                let name = name(words, one)?;
                let mut pieces = pieces(words, name.clone());
                if one.kind == Kind::Place {
                    pieces.splice(0..0, first_name_before(words, &pieces));
                }
                Some((one.kind, (name, pieces)))
            })
            .collect();
        let named = Named::of(&names);
        for (kind, (name, pieces)) in names {
            let somebody = is_person(words, &pieces) || named.is_somebody(&pieces, &uses);
            if kind == Kind::Place && !somebody {
                places.push((name, pieces));
            } else {
                persons.push((name, pieces));
            }
        }
        let tagged: BTreeSet<usize> =
            persons.iter().flat_map(|(_, pieces)| pieces).map(|piece| piece.at).collect();
        for at in missed(words, found, &uses).into_iter().filter(|at| !tagged.contains(at)) {
            persons.push((at..at + 1, pieces(words, at..at + 1)));
        }
        halves::complete(words, &mut persons, &places, &uses);
        let named_at: BTreeSet<usize> =
            persons.iter().flat_map(|(_, pieces)| pieces).map(|piece| piece.at).collect();
        places.retain(|(name, _)| !name.clone().any(|at| named_at.contains(&at)));
        for (name, _) in &places {
            census.place(words, name);
        }
        let mut nobodies = Nobodies::new(somewhere(words, &persons));
        for (name, pieces) in &persons {
            nobodies.count(words, name, pieces);
        }
        let refused = nobodies.found(words, &uses);
        let mut tagged: BTreeMap<String, Tagged> = BTreeMap::new();
        for (_, pieces) in persons {
            let pieces: Vec<Piece> =
                pieces.into_iter().filter(|piece| !refused.has(piece)).collect();
            for piece in &pieces {
                let entry = tagged.entry(piece.key()).or_default();
                *entry.shown.entry(piece.surface.clone()).or_default() += 1;
                entry.people.insert(piece.at);
                let titled = !titles::before(words, piece.at).is_empty();
                entry.sure += u32::from(titled || pieces.len() > 1);
                let beside =
                    pieces.iter().any(|other| other.at != piece.at && other.is_first_name());
                entry.person += u32::from(titled || beside);
            }
        }
        for piece in places.iter().flat_map(|(_, pieces)| pieces) {
            if let Some(entry) = tagged.get_mut(&piece.key()) {
                entry.elsewhere += 1;
            }
        }
        let plurals = plurals(words, &mut tagged);
        let numbers = census.parts(words, tagged, &uses, &refused);
        census.read(words, &numbers, &plurals, &refused.places);
        census.nobodies = refused.all;
        census.uses = uses;
        census
    }

    /// Makes a part of each form that was found, and says where it is a name.
    fn parts(
        &mut self,
        words: &Words<'_>,
        tagged: BTreeMap<String, Tagged>,
        uses: &Map<String, Use>,
        refused: &Refused,
    ) -> Map<String, usize> {
        let mut numbers = Map::default();
        let folded: Vec<String> = words.lows().iter().map(|low| fold(low)).collect();
        for (key, one) in tagged {
            let own = uses.get(&key).copied().unwrap_or_default();
            let (capital, low) = (own.capital, own.small);
            let here = one.people.len();
            let low_key = key.to_lowercase();
            let known = Known::of(&low_key);
            let is_given = is_given(&low_key);
            let name = here + one.elsewhere;
            let person = one.person > 0 && low == 0 && !known.has(Known::PLACE);
            // A word that is only ever a name is one everywhere, if it is more a person's than a place's.
            let other = [Known::CALENDAR, Known::PEOPLES, Known::CAPITAL, Known::PLACE_WORD];
            let is_word = !own.is_call() && other.into_iter().any(|list| known.has(list));
            let mostly = is_given || 2 * name >= capital || (low == 0 && one.sure > 0);
            let evident = own.is_person(is_given) || own.is_call();
            let place = one.elsewhere > here && !person && !evident;
            let title = Title::of(&low_key).is_title();
            let careful = 10 * low >= here
                || is_word
                || title
                || !mostly
                || place
                || refused.saints(&key) > here;
            let stands = Stands {
                everywhere: (5 * here >= capital && low < 3 * capital.max(1) || evident) && !place,
                calendar: known.has(Known::CALENDAR),
                strict: known.only_capital() && !is_given && !own.is_call(),
                first: is_given,
            };
            numbers.insert(key, self.parts.len());
            self.parts.push(Part {
                shown: written(&one.shown),
                places: if careful { one.people.into_iter().collect() } else { Vec::new() },
                careful,
                known,
                plurals: 0,
            });
            if careful {
                let part = self.parts.last_mut().expect("one was pushed");
                stands.settle(words, &folded, part, one.sure > 0 || here > 2 || evident);
                part.places.retain(|at| !refused.places.contains(at));
            }
        }
        numbers
    }

    fn place(&mut self, words: &Words<'_>, name: &Range<usize>) {
        let text = words.text();
        let surface =
            &text[words.all()[name.start].start as usize..words.all()[name.end - 1].end as usize];
        let surface = one_line(surface);
        let site = self.places.entry(surface).or_insert_with(|| {
            let parts = pieces(words, name.clone()).into_iter().map(|piece| piece.surface);
            let own = |part: &String| !Known::of(&part.to_lowercase()).has(Known::PLACE_WORD);
            Site { parts: parts.filter(own).collect(), at: Vec::new() }
        });
        site.at.push(name.clone());
    }
}

/// The name in what was found. A title that is somebody's family name, as in Rufus King, is in it.
fn name(words: &Words<'_>, found: &Found) -> Option<Range<usize>> {
    let range = found.words.clone();
    let Some(mut name) = trim(words, range.clone(), found.kind) else {
        return range.clone().find(|at| is_surname(words, *at)).map(|at| at..at + 1).or_else(
            || {
                // What is nothing but a title is counted as one.
                range.clone().find(|at| words.all()[*at].case != Case::Low).map(|at| at..at + 1)
            },
        );
    };
    while name.end < range.end && is_surname(words, name.end) {
        name.end += 1;
    }
    Some(name)
}

/// The plurals among the forms that were found, each with what it is the plural of; they are no parts.
fn plurals(words: &Words<'_>, tagged: &mut BTreeMap<String, Tagged>) -> BTreeMap<String, String> {
    let mut plurals = BTreeMap::new();
    for (key, one) in &*tagged {
        let single = singulars(key).find(|single| tagged.contains_key(single));
        let Some(single) = single else { continue };
        let all = one.people.len();
        let many = one.people.iter().filter(|at| is_many(words, **at)).count();
        let titled = one.people.iter().any(|at| {
            let titles = titles::before(words, *at);
            titles.first().is_some_and(|title| !matches!(*title, "miss" | "misses" | "messrs"))
        });
        let known = Known::of(key);
        let listed = [Known::SURNAME, Known::FEMALE, Known::MALE];
        let listed = listed.into_iter().any(|list| known.has(list));
        let more = tagged[&single].people.len() >= 2 * all;
        if (2 * many >= all && !titled) || (more && !titled && !listed) {
            plurals.insert(key.clone(), single);
        }
    }
    for key in plurals.keys() {
        tagged.remove(key);
    }
    plurals
}

/// The way a part is mostly written; one that only stands in capitals is written with one.
fn written(shown: &BTreeMap<String, u32>) -> String {
    let caps = |surface: &str| !surface.chars().any(char::is_lowercase);
    let best = shown.iter().max_by_key(|(surface, count)| (!caps(surface), **count));
    let Some((surface, _)) = best else { return String::new() };
    if caps(surface) { capitalised(surface) } else { surface.clone() }
}

fn capitalised(surface: &str) -> String {
    let mut out = String::new();
    let mut first = true;
    for c in surface.chars() {
        if first {
            out.push(c);
        } else {
            out.extend(c.to_lowercase());
        }
        first = c == '\'';
    }
    out
}

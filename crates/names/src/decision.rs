//! Which words of a book are in names, decided by all their occurrences together.
//!
//! A tagger sees a few sentences at a time. Over the book, each capitalised word has a mean of what
//! the tagger said of it, and this weighs twice as much as what it said at one place: a name that
//! was missed once is found by its other places. Words that are also common words have a mean in
//! between, so the place decides.

use std::ops::Range;

use crate::{
    tagger::{Odds, WHOLE},
    words::{Case, Words},
};
use storymill_metrics::shortcut::Map;

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A person, or an animal that is called like one.
    Person,
    /// A place: countries, towns, houses, rivers.
    Place,
}

/// A name that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its words.
    pub words: Range<usize>,
    /// What it names.
    pub kind: Kind,
}

/// How the decision is weighed.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// How much the mean over the book weighs against the place.
    pub book: f64,
    /// What is taken from "no name" for words with a capital: more of it finds more and errs more.
    pub bold: f64,
}

impl Default for Weights {
    /// As the tagger's README recommends for substitution, where recall counts most.
    fn default() -> Self {
        Self { book: 2.0, bold: 0.6 }
    }
}

/// Keeps the logarithm of nothing finite.
const FLOOR: f64 = 1e-4;

/// Decides over a whole book. `odds` has one entry for each word.
pub fn decide(words: &Words<'_>, odds: &[Odds], weights: Weights) -> Vec<Found> {
    let odds = &titled(words, odds);
    let means = means(words, odds);
    let mut found: Vec<Found> = Vec::new();
    // The name that is still open: its first word, its last one, its scores, whether a point holds it open.
    let mut open: Option<Open> = None;
    let close = |open: Option<Open>, found: &mut Vec<Found>| {
        if let Some(open) = open {
            let kind = if open.person >= open.place { Kind::Person } else { Kind::Place };
            found.push(Found { words: open.first..open.last + 1, kind });
        }
    };
    for (at, word) in words.all().iter().enumerate() {
        let [mut none, mut person, mut place] =
            shares(&odds[at]).map(|share| libm::log(share + FLOOR));
        if word.case != Case::Low {
            let mean =
                means[word.low as usize].map(|share| weights.book * libm::log(share + FLOOR));
            none += mean[0] - weights.bold;
            person += mean[1];
            place += mean[2];
        }
        if person.max(place) <= none {
            match &mut open {
                Some(open) if is_point(words, at, open.last) => {
                    open.last = at;
                    open.point = true;
                }
                _ => close(open.take(), &mut found),
            }
            continue;
        }
        let odds = &odds[at];
        let on = u32::from(odds.person_on) + u32::from(odds.place_on);
        let on = on > u32::from(odds.person) + u32::from(odds.place);
        match &mut open {
            Some(open) if open.last + 1 == at && (on || open.point) => {
                *open = Open {
                    last: at,
                    person: open.person + person,
                    place: open.place + place,
                    point: false,
                    ..*open
                };
            }
            _ => close(
                open.replace(Open { first: at, last: at, person, place, point: false }),
                &mut found,
            ),
        }
    }
    close(open, &mut found);
    found
}

/// Titles behind which a capital is always a name; `Mis’` is how some speak of Mrs.
const TITLES: &[&str] = &["mr", "mrs", "messrs", "mme", "mlle", "mis", "marse", "mas"];

/// How sure a name behind such a title is at least.
const SURE: u16 = WHOLE / 10 * 9;

/// What a tagger missed behind a title is a person all the same.
fn titled(words: &Words<'_>, odds: &[Odds]) -> Vec<Odds> {
    let mut odds = odds.to_vec();
    let title: Vec<bool> = words.lows().iter().map(|low| TITLES.contains(&&**low)).collect();
    for (at, odds) in odds.iter_mut().enumerate().skip(1) {
        let word = words.all()[at];
        let mut before = at - 1;
        if before > 0 && matches!(words.surface(before), "." | "'" | "’") && !words.gap(before) {
            before -= 1;
        }
        let behind = title[words.all()[before].low as usize]
            && words.all()[before].case != Case::Low
            && words.gap(at)
            && !word.breaks;
        if behind && word.letter && word.case != Case::Low && odds.none > WHOLE - SURE {
            let place = odds.place + odds.place_on;
            if place < WHOLE / 2 && !title[word.low as usize] {
                *odds = Odds { none: WHOLE - SURE, person: SURE, ..Odds::NONE };
            }
        }
    }
    odds
}

#[derive(Clone, Copy)]
struct Open {
    first: usize,
    last: usize,
    person: f64,
    place: f64,
    point: bool,
}

/// No name, person, place; from 0 to 1.
fn shares(odds: &Odds) -> [f64; 3] {
    let person = f64::from(odds.person) + f64::from(odds.person_on);
    let place = f64::from(odds.place) + f64::from(odds.place_on);
    [f64::from(odds.none), person, place].map(|share| share / f64::from(WHOLE))
}

/// The mean over all capitalised occurrences, by form.
fn means(words: &Words<'_>, odds: &[Odds]) -> Vec<[f64; 3]> {
    let mut sums = vec![([0.0; 3], 0_u32); words.forms()];
    for (word, odds) in words.all().iter().zip(odds) {
        if word.case != Case::Low {
            let (sum, count) = &mut sums[word.low as usize];
            sum.iter_mut().zip(shares(odds)).for_each(|(sum, share)| *sum += share);
            *count += 1;
        }
    }
    let mean = |(sum, count): ([f64; 3], u32)| sum.map(|sum| sum / f64::from(count.max(1)));
    let mut means: Vec<_> = sums.into_iter().map(mean).collect();
    plurals(words, &mut means);
    means
}

/// A family in the plural is the same name: the Bennets lean on Bennet, unless they are a word too.
fn plurals(words: &Words<'_>, means: &mut [[f64; 3]]) {
    let lows = words.lows();
    let person = |mean: &[f64; 3]| mean[1] > 0.5;
    let singular: Map<&str, usize> = lows
        .iter()
        .enumerate()
        .filter(|(at, _)| person(&means[*at]))
        .map(|(at, low)| (&**low, at))
        .collect();
    if singular.is_empty() {
        return;
    }
    let mut common = vec![false; words.forms()];
    words
        .all()
        .iter()
        .filter(|word| word.case == Case::Low)
        .for_each(|word| common[word.low as usize] = true);
    for (at, low) in lows.iter().enumerate().filter(|(at, _)| !common[*at]) {
        let stem = low.strip_suffix("es").and_then(|stem| singular.get(stem));
        let stem = stem.or_else(|| low.strip_suffix('s').and_then(|stem| singular.get(stem)));
        if let Some(stem) = stem.filter(|_| !person(&means[at])) {
            let stem = means[*stem];
            means[at].iter_mut().zip(stem).for_each(|(own, stem)| *own = f64::midpoint(*own, stem));
        }
    }
}

/// Whether this is the point of an initial or a short abbreviation inside a name: James K. Powell.
fn is_point(words: &Words<'_>, at: usize, last: usize) -> bool {
    last + 1 == at
        && words.surface(at) == "."
        && !words.gap(at)
        && words.all()[last].case != Case::Low
        && words.surface(last).chars().count() <= 2
        && words.all().get(at + 1).is_some_and(|next| next.case == Case::Inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decides over a text in which `tagged` words are persons to this share where they have a capital.
    #[track_caller]
    fn check(text: &str, tagged: &[(&str, u16)], expected: &[&str]) {
        let words = Words::new(text);
        let mut left = tagged.to_vec();
        let odds: Vec<Odds> = (0..words.len())
            .map(|at| match left.iter().position(|(word, _)| *word == words.surface(at)) {
                Some(found) => {
                    let person = left.remove(found).1;
                    Odds { none: WHOLE - person, person, ..Odds::NONE }
                }
                None => Odds::NONE,
            })
            .collect();
        let found = decide(&words, &odds, Weights::default());
        let surfaces: Vec<_> = found
            .iter()
            .flat_map(|found| found.words.clone())
            .map(|at| words.surface(at))
            .collect();
        assert_eq!(surfaces, expected, "{text}");
    }

    #[test]
    fn a_name_missed_once_is_found_by_its_other_places() {
        let sure = 58_000;
        let tagged = [("Emma", sure), ("Emma", sure), ("Emma", 12_000), ("EMMA", sure)];
        check("saw Emma. By Emma. Emma ran. EMMA", &tagged, &["Emma", "Emma", "Emma", "EMMA"]);
    }

    #[test]
    fn a_common_word_is_decided_place_by_place() {
        let tagged = [("Will", 59_000), ("Will", 300), ("Will", 300)];
        check("Poor Will fell. Will you? Will they?", &tagged, &["Will"]);
    }

    #[test]
    fn a_capital_behind_a_title_is_a_name() {
        check("Mr. Fox and Mis’ Innes. Mr. and Mrs. I", &[], &["Fox", "Innes", "I"]);
    }

    #[test]
    fn a_plural_leans_on_its_singular() {
        let tagged = [("Bennet", 58_000), ("Bennet", 58_000), ("Bennets", 24_000)];
        check("Mr. Bennet and Mrs. Bennet: the Bennets", &tagged, &["Bennet", "Bennet", "Bennets"]);
    }
}

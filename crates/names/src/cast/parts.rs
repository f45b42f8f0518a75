//! The parts of names, each with all its places, and the mentions that are made of them.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use storymill_text::{one_line, word::fold};

use super::epithets::Epithets;
use crate::{
    decision::{Found, Kind},
    knowledge::Known,
    lists::{PARTICLES, is_honorific},
    trim::trim,
    words::{Case, Words},
};

/// One part of names over the book.
#[derive(Debug)]
pub(super) struct Part {
    /// As the book mostly writes it.
    pub(super) shown: String,
    /// The words where it is in a person's name.
    pub(super) places: Vec<usize>,
    /// In how many names of places it is.
    elsewhere: usize,
    /// Whether only those places are replaced.
    pub(super) careful: bool,
    /// What is known of it.
    pub(super) known: Known,
}

/// A name at one place.
#[derive(Debug)]
pub(super) struct Mention {
    /// Numbers of parts.
    pub(super) parts: Vec<usize>,
    /// Its words.
    pub(super) words: Range<usize>,
    /// The title before it, lower-cased.
    pub(super) title: Option<String>,
}

/// All parts and mentions of persons, and the names of places.
#[derive(Debug)]
pub(super) struct Census {
    pub(super) parts: Vec<Part>,
    pub(super) mentions: Vec<Mention>,
    /// Names of places as written, with their parts and how often they are seen.
    pub(super) places: BTreeMap<String, (Vec<String>, u32)>,
}

impl Census {
    pub(super) fn new(words: &Words<'_>, found: &[Found]) -> Self {
        let mut census = Self { parts: Vec::new(), mentions: Vec::new(), places: BTreeMap::new() };
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut shown: Vec<BTreeMap<String, u32>> = Vec::new();
        let uses = uses(words);
        let mut persons = Vec::new();
        let mut epithets = Epithets::default();
        for one in found {
            let Some(name) = trim(words, one.words.clone(), one.kind) else { continue };
            if one.kind == Kind::Place {
                census.place(words, &name);
                continue;
            }
            let pieces = pieces(words, name.clone());
            epithets.count(words, &name, &pieces);
            persons.push((name, pieces));
        }
        let epithets = epithets.found(|word| uses.get(word).map_or(0, |(_, low)| *low));
        for (name, pieces) in persons {
            let mut parts = Vec::new();
            for (at, surface) in pieces {
                if epithets.contains(&fold(&surface)) {
                    continue;
                }
                let number = *numbers.entry(fold(&surface)).or_insert_with(|| {
                    let known = Known::of(&surface.to_lowercase());
                    census.parts.push(Part {
                        shown: String::new(),
                        places: Vec::new(),
                        elsewhere: 0,
                        careful: false,
                        known,
                    });
                    shown.push(BTreeMap::new());
                    census.parts.len() - 1
                });
                census.parts[number].places.push(at);
                *shown[number].entry(surface).or_default() += 1;
                parts.push(number);
            }
            if !parts.is_empty() {
                census.mentions.push(Mention {
                    parts,
                    title: title(words, name.start),
                    words: name,
                });
            }
        }
        for one in found.iter().filter(|one| one.kind == Kind::Place) {
            for (_, surface) in pieces(words, one.words.clone()) {
                if let Some(number) = numbers.get(&fold(&surface)) {
                    census.parts[*number].elsewhere += 1;
                }
            }
        }
        for (key, number) in sorted(numbers) {
            let part = &mut census.parts[number];
            part.shown = written(&shown[number]);
            let (capital, low) = uses.get(&key).copied().unwrap_or_default();
            let here = part.places.len();
            let name = here + part.elsewhere;
            let given = part.known.has(Known::FEMALE) || part.known.has(Known::MALE);
            let mostly = (given || name * 2 >= capital) && here >= part.elsewhere;
            part.careful = low * 10 >= here || !mostly;
        }
        census
    }

    fn place(&mut self, words: &Words<'_>, name: &Range<usize>) {
        let text = words.text();
        let surface =
            &text[words.all()[name.start].start as usize..words.all()[name.end - 1].end as usize];
        let surface = one_line(surface);
        let entry = self.places.entry(surface).or_insert_with(|| {
            let parts = pieces(words, name.clone()).into_iter().map(|(_, part)| part);
            let own = |part: &String| !Known::of(&part.to_lowercase()).has(Known::PLACE_WORD);
            (parts.filter(own).collect(), 0)
        });
        entry.1 += 1;
    }
}

fn sorted(numbers: HashMap<String, usize>) -> Vec<(String, usize)> {
    let mut all: Vec<_> = numbers.into_iter().collect();
    all.sort();
    all
}

/// How some speak of Mrs and Master.
const DIALECT: &[&str] = &["mars", "marse", "mas", "mis", "ole"];

/// What stands behind the names of kings and fathers.
const ORDINALS: &[&str] = &[
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "eight", "fourteen", "fifteen", "sixteen", "great", "elder", "younger",
    "junior", "senior",
];

/// The words of a name that are parts: with a capital, no particle, no initial, no title; `O'Brien` is one.
fn pieces(words: &Words<'_>, name: Range<usize>) -> Vec<(usize, String)> {
    let mut pieces = Vec::new();
    let mut at = name.start;
    while at < name.end {
        let word = words.all()[at];
        let surface = words.surface(at);
        let from = at;
        at += 1;
        if !word.letter || word.case == Case::Low {
            continue;
        }
        if surface.chars().count() == 1 {
            let tight = at + 1 < name.end && !words.gap(at) && !words.gap(at + 1);
            if tight
                && matches!(words.surface(at), "'" | "’")
                && words.all()[at + 1].case != Case::Low
            {
                pieces.push((from, format!("{surface}'{}", words.surface(at + 1))));
                at += 2;
            }
            continue;
        }
        let low = words.low(Some(from));
        let dialect = DIALECT.contains(&low) && at < name.end;
        let part = !PARTICLES.contains(&low) && !is_honorific(low) && !ORDINALS.contains(&low);
        if part && !dialect && !is_roman(surface) {
            pieces.push((from, surface.to_owned()));
        }
    }
    pieces
}

fn is_roman(surface: &str) -> bool {
    surface.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L'))
}

/// The honorific that stands before a word, its point skipped.
pub(super) fn title(words: &Words<'_>, first: usize) -> Option<String> {
    let mut before = first.checked_sub(1)?;
    if words.surface(before) == "." {
        before = before.checked_sub(1)?;
    }
    let low = words.low(Some(before));
    let plain = matches!(low, "old" | "young" | "little" | "poor" | "dear");
    (is_honorific(low) && !plain && !words.all()[first].breaks).then(|| low.to_owned())
}

/// How often each folded word stands with a capital inside a sentence, and without one.
fn uses(words: &Words<'_>) -> HashMap<String, (usize, usize)> {
    let mut uses: HashMap<String, (usize, usize)> = HashMap::new();
    for (at, word) in words.all().iter().enumerate().filter(|(_, word)| word.letter) {
        let entry = uses.entry(fold(words.low(Some(at)))).or_default();
        entry.0 += usize::from(word.case == Case::Inside);
        entry.1 += usize::from(word.case == Case::Low);
    }
    uses
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

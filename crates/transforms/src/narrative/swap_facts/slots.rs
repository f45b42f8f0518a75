//! Where a retelling can be made false: each place with what may be told there instead.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use storymill_core::{Scene, Summary};
use storymill_text::{Language, sentence, word::words};

use super::{line::Line, persons::Donor, reversals::PHRASES};
use crate::narrative::names::{Called, Gender, Name, NameKind, Names};

/// A replacement of some bytes of the retelling.
pub(super) type Change = (Range<usize>, String);

/// A fact that can be swapped, with everything that can be told instead.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) kind: SlotKind,
    /// The sentence it stands in.
    pub(super) sentence: Range<usize>,
    /// What is swapped, in small letters: nothing is swapped twice in one retelling.
    pub(super) key: String,
    /// How often the book says what is swapped, where its stock tells.
    pub(super) said: Option<u32>,
    /// The false tellings.
    pub(super) tellings: Vec<Telling>,
}

/// A false telling: replacements, and how often the book says what is told instead.
#[derive(Clone, Debug)]
pub(super) struct Telling {
    pub(super) changes: Vec<Change>,
    pub(super) said: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SlotKind {
    /// Two persons change places.
    Exchange,
    /// Somebody else does it.
    Person,
    /// Somebody does what somebody else did elsewhere in the book.
    Deed,
    /// It happens elsewhere.
    Place,
    /// The opposite happens.
    Reversal,
    /// Another thing, colour or day.
    Thing,
    /// Another number.
    Number,
}

impl SlotKind {
    /// How gladly it is drawn: who did what says more than the colour of a hat.
    pub(super) fn weight(self) -> u32 {
        match self {
            Self::Person => 9,
            Self::Exchange | Self::Reversal => 8,
            Self::Deed => 6,
            Self::Place => 5,
            Self::Number => 4,
            Self::Thing => 3,
        }
    }
}

/// Somebody of a book.
#[derive(Debug)]
pub(super) struct Person<'n> {
    pub(super) text: &'n str,
    pub(super) gender: Gender,
    pub(super) called: Called<'n>,
}

/// What a book offers for swapping.
#[derive(Debug)]
pub(super) struct Stock<'n> {
    pub(super) names: &'n Names,
    /// How often the book says each word, and each phrase of the table, in small letters.
    pub(super) said: HashMap<String, u32>,
    /// Persons by mentions, the most first.
    pub(super) persons: Vec<Person<'n>>,
    pub(super) places: Vec<(&'n str, Called<'n>)>,
    pub(super) donors: Vec<Donor<'n>>,
}

impl<'n> Stock<'n> {
    pub(super) fn of(scenes: &[Scene], summaries: &[Summary], names: &'n Names) -> Self {
        let of_kind = |kind| {
            let all = names.all.iter().filter(|(_, name)| name.kind == kind && name.mentions >= 2);
            let mut found: Vec<(&'n str, &Name)> =
                all.map(|(text, name)| (&text[..], name)).collect();
            found.sort_by_key(|(text, name)| (std::cmp::Reverse(name.mentions), *text));
            found
        };
        let persons = of_kind(NameKind::Person).into_iter();
        let persons = persons.filter(|(_, name)| name.gender != Gender::Unclear).take(40);
        let person = |(text, name): (&'n str, &Name)| Person {
            text,
            gender: name.gender,
            called: names.called(text),
        };
        let places = of_kind(NameKind::Place).into_iter().take(20);
        let mut stock = Self {
            names,
            said: said(scenes),
            persons: persons.map(person).collect(),
            places: places.map(|(text, _)| (text, names.called(text))).collect(),
            donors: Vec::new(),
        };
        stock.donors = stock.donors_of(summaries);
        stock
    }

    /// All slots of a retelling, in the order of its text.
    pub(super) fn slots(&self, summary: &Summary) -> Vec<Slot> {
        let mut slots = Vec::new();
        for line in self.lines(&summary.text) {
            self.names_in(&line, &mut slots);
            self.exchanges_in(&line, &mut slots);
            self.deeds_in(&line, summary, &mut slots);
            self.things_in(&line, &mut slots);
            self.numbers_in(&line, &mut slots);
            self.reversals_in(&line, &mut slots);
        }
        slots
    }

    /// The sentences of a retelling.
    pub(super) fn lines<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Line<'t>> {
        let mut start = 0;
        sentence::ends(text, Language::English).into_iter().map(move |end| {
            let range = start..start + text[start..end].trim_end().len();
            start = end;
            Line::new(text, range, self.names)
        })
    }

    /// How often the book says a word or a phrase of the table.
    pub(super) fn says(&self, phrase: &str) -> u32 {
        self.said.get(&phrase.to_lowercase()).copied().unwrap_or(0)
    }
}

/// How often scenes say each word, and each phrase of the table of reversals.
fn said(scenes: &[Scene]) -> HashMap<String, u32> {
    let mut said: HashMap<String, u32> = HashMap::new();
    let mut count = |phrase: &str| match said.get_mut(phrase) {
        Some(count) => *count += 1,
        None => {
            said.insert(phrase.to_owned(), 1);
        }
    };
    for scene in scenes {
        let words: Vec<Cow<'_, str>> = words(&scene.text).map(|word| word.small()).collect();
        for (at, first) in words.iter().enumerate() {
            count(first);
            for phrase in PHRASES.get(&first[..]).into_iter().flatten() {
                let parts = phrase.from.split(' ');
                let len = parts.clone().count();
                let here = words.get(at..at + len);
                if len > 1 && here.is_some_and(|here| here.iter().zip(parts).all(|(a, b)| a == b)) {
                    count(phrase.from);
                }
            }
        }
    }
    said
}

//! Where a retelling can be made false: each place with what may be told there instead.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use storymill_core::{Scene, Summary};
use storymill_text::{Language, sentence, word::words};

use super::{line::Line, persons::Donor, tables::REVERSALS};
use crate::narrative::names::{Gender, Name, NameKind, Names};

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

/// What a book offers for swapping.
#[derive(Debug)]
pub(super) struct Stock<'n> {
    pub(super) names: &'n Names,
    /// How often the book says each word, and each phrase of the table, in small letters.
    pub(super) said: HashMap<String, u32>,
    /// Persons by mentions, the most first.
    pub(super) persons: Vec<(&'n str, &'n Name)>,
    pub(super) places: Vec<&'n str>,
    pub(super) donors: Vec<Donor>,
}

impl<'n> Stock<'n> {
    pub(super) fn of(scenes: &[Scene], summaries: &[Summary], names: &'n Names) -> Self {
        let of_kind = |kind| {
            let all = names.all.iter().filter(|(_, name)| name.kind == kind && name.mentions >= 2);
            let mut found: Vec<(&str, &Name)> = all.map(|(text, name)| (&text[..], name)).collect();
            found.sort_by_key(|(text, name)| (std::cmp::Reverse(name.mentions), *text));
            found
        };
        let mut persons = of_kind(NameKind::Person);
        persons.retain(|(_, name)| name.gender != Gender::Unclear);
        persons.truncate(40);
        let places = of_kind(NameKind::Place).into_iter().map(|place| place.0).take(20);
        let mut stock = Self {
            names,
            said: said(scenes),
            persons,
            places: places.collect(),
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
    pub(super) fn lines<'t>(&self, text: &'t str) -> impl Iterator<Item = Line<'t>> {
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
    let phrases: HashSet<&str> = REVERSALS.iter().map(|(from, _)| *from).collect();
    let longest = phrases.iter().map(|phrase| phrase.split(' ').count()).max().unwrap_or(1);
    let mut said: HashMap<String, u32> = HashMap::new();
    for scene in scenes {
        let words: Vec<String> = words(&scene.text).map(|word| word.text.to_lowercase()).collect();
        for at in 0..words.len() {
            let mut phrase = String::new();
            for word in words[at..].iter().take(longest) {
                if !phrase.is_empty() {
                    phrase.push(' ');
                }
                phrase.push_str(word);
                if phrase.len() == word.len() || phrases.contains(&phrase[..]) {
                    *said.entry(phrase.clone()).or_default() += 1;
                }
            }
        }
    }
    said
}

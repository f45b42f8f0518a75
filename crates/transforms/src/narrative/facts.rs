//! Facts of a text in whose place others of their kind may stand: persons, numbers, and phrases of closed lists.
//!
//! Whatever is of one kind fits wherever another of it stands and has as many words, so a swap breaks no sentence.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use storymill_names::{
    CastFile, Gender, Mention, NameTagger, Perceptron, Persons, Policy, Words, decide,
};
use storymill_text::{
    Language,
    lists::{is_small, is_speech},
    word::{Word, words},
};

/// A fact at a place.
#[derive(Clone, Debug)]
pub(super) struct Fact<'t> {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
    /// As the book or the list writes it.
    pub(super) text: &'t str,
    /// Who it is, if it is a person: a number within the cast.
    pub(super) who: Option<usize>,
}

/// What fits in the place of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Somebody of a gender, in so many words.
    Person(Gender, usize),
    /// A phrase of a list, by its line.
    Listed(usize),
}

/// The people of a book, found by the tagger that needs no model. It knows English only.
pub(super) fn people(text: &str, language: Language) -> Persons {
    static TAGGER: LazyLock<Perceptron> = LazyLock::new(Perceptron::new);
    let words = Words::new(if language == Language::English { text } else { "" });
    let found = TAGGER.tag(&words).map(|odds| decide(&words, &odds, TAGGER.weights()));
    let found = found.unwrap_or_default();
    let mut cast = CastFile::new("book", &words, &found, Policy::default());
    // What is named once or twice may as well be a place.
    cast.characters.retain(|one| one.seen > 2);
    Persons::of(&cast)
}

/// The facts of a text in order; none overlap.
pub(super) fn facts<'t>(text: &'t str, people: &Persons) -> Vec<Fact<'t>> {
    let words: Vec<Word<'t>> = words(text).collect();
    let line = Line { text, words: &words };
    let persons = people.find(text).into_iter().filter_map(|mention| line.person(mention));
    let mut facts: Vec<Fact<'t>> = persons.collect();
    facts.extend((0..words.len()).filter_map(|at| line.listed(at)));
    facts.sort_by_key(|fact| fact.range.start);
    facts.dedup_by(|next, fact| next.range.start < fact.range.end);
    facts
}

/// A text and its words.
struct Line<'l, 't> {
    text: &'t str,
    words: &'l [Word<'t>],
}

impl<'t> Line<'_, 't> {
    /// Somebody whose name stands alone: no `his Aunt Mary`, `Anne of Green Gables`, `Mr. and Mrs. Venn`.
    fn person(&self, mention: Mention) -> Option<Fact<'t>> {
        const LED: &str = "a an the this that another my your his her our their its both poor dear old young little St";
        let at = self.words.partition_point(|word| word.start < mention.bytes.start);
        let (first, second) = (self.near(at, -1), self.near(at, -2));
        let part = is_in("of de du la", first) && second.starts_with(char::is_uppercase);
        let pair = first == "and" && is_in("Mr Mrs Miss Dr Lord Lady Sir", second);
        let behind = &self.text[mention.bytes.end..];
        let owns = behind.starts_with("’s") || behind.starts_with("'s");
        let tied = behind.starts_with(" of ") || behind.starts_with(['-', '’', '\'']) && !owns;
        if is_in(LED, first) || part || pair || tied {
            return None;
        }
        let text = &self.text[mention.bytes.clone()];
        let kind = Kind::Person(mention.gender, text.split_whitespace().count());
        Some(Fact { range: mention.bytes, kind, text, who: Some(mention.who) })
    }

    /// The longest phrase of the lists that begins at a word.
    fn listed(&self, at: usize) -> Option<Fact<'t>> {
        let first = self.words[at].small();
        let found = LISTED.get(&first[..])?.iter().filter_map(|phrase| {
            let words = phrase.text.split(' ');
            let last = at + words.clone().count() - 1;
            let here = (at + 1..).zip(words.skip(1)).all(|(at, word)| self.near(at - 1, 1) == word);
            (here && self.fits(phrase, at, last)).then_some((last, phrase))
        });
        let (last, phrase) = found.max_by_key(|(last, _)| *last)?;
        let range = self.words[at].start..self.words[last].end;
        Some(Fact { range, kind: Kind::Listed(phrase.list), text: phrase.text, who: None })
    }

    /// Whether another of a list may stand in the place of a phrase.
    fn fits(&self, phrase: &Phrase, first: usize, last: usize) -> bool {
        const UNCOUNTED: &str = "the these those no all and or other another every my his her its our your their only \
            hundred thousand past";
        let (before, next) = (self.near(first, -1), self.near(last, 1));
        // `Friday` is no `friday`, and `Good Friday` is another day.
        let large = |word: &str| word.starts_with(char::is_uppercase);
        let named = large(before) && !is_small(&before.to_lowercase());
        let cased = !large(phrase.text) || large(self.words[first].text) && !named;
        let ends = || next.is_empty() || is_small(next) || is_speech(next) || next.ends_with("ed");
        let counts = || is_many(next) || !is_small(next) && is_many(self.near(last, 2));
        let alone = match phrase.mark {
            Some('*') => ends(),
            Some(_) => counts() && !is_in(UNCOUNTED, &before.to_lowercase()),
            None => true,
        };
        cased && alone && !is_in("and or nor", next)
    }

    /// The word so many behind another, or before it; none where more than a blank, or a title's point, stands between.
    fn near(&self, at: usize, by: isize) -> &'t str {
        let Some(to) = at.checked_add_signed(by) else { return "" };
        let Some(words) = self.words.get(at.min(to)..=at.max(to)) else { return "" };
        let joined = words.windows(2).all(|two| match &self.text[two[0].end..two[1].start] {
            ". " => is_in("Mr Mrs Dr St", two[0].text),
            gap => gap == " ",
        });
        if joined { self.words[to].text } else { "" }
    }
}

fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

/// Whether a word means several things, hundreds, or the hour.
fn is_many(word: &str) -> bool {
    const MANY: &str =
        "men women children people feet teeth hundred thousand million o’clock o'clock";
    let single = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    let plural = word.len() > 3 && word.ends_with('s') && !single && !is_small(word);
    is_in(MANY, word) || plural && word.starts_with(char::is_lowercase)
}

/// A member of a list.
struct Phrase {
    text: &'static str,
    list: usize,
    /// What the list begins with, if it says where its members may stand.
    mark: Option<char>,
}

/// What may be swapped for what, by the first word in small letters.
static LISTED: LazyLock<HashMap<String, Vec<Phrase>>> = LazyLock::new(|| {
    let mut listed: HashMap<String, Vec<Phrase>> = HashMap::new();
    let lines = include_str!("../../data/swaps.txt").lines().filter(|line| !line.starts_with('#'));
    for (list, line) in lines.enumerate() {
        let mark = line.chars().next().filter(|mark| "*+".contains(*mark));
        for text in line.trim_start_matches(['*', '+', ' ']).split(" | ") {
            let first = text.split(' ').next().unwrap_or_default().to_lowercase();
            listed.entry(first).or_default().push(Phrase { text, list, mark });
        }
    }
    listed
});

#[cfg(test)]
mod tests;

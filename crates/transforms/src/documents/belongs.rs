//! Does a summary belong to a book? Told by titles, by names and by words, without a model.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use storymill_core::{AskedDocument, Book};
use storymill_text::{
    Language,
    lists::is_small,
    sentence::sentences,
    word::{Word, fold, words},
};

use crate::naming::recognise::{main_title, same_title, title_words};

/// What titles, names and words say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Belongs {
    pub(super) titles: Titles,
    /// Names of what is told that stand in the book; none where it has too few.
    pub(super) names: Option<Share>,
    /// Words of what is told that stand in the book.
    pub(super) words: Share,
}

/// What two titles have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Titles {
    /// They are the same, up to articles, subtitles and what stands in brackets.
    Same,
    /// They share words.
    Partly,
    /// They share none.
    Other,
    /// The document has none.
    Unknown,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) found: u32,
    pub(super) of: u32,
}

/// What follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Belongs,
    Other,
    Doubt,
}

/// From so many different names on, names are evidence.
const NAMES: usize = 3;
/// From this share on, of a thousand, names alone are enough.
const MOST: u32 = 600;
/// Below this share names speak against the book.
const FEW: u32 = 300;
/// In so many words of a book a name must stand once more to count: in a long book nearly every name stands somewhere.
const OFTEN: u32 = 40_000;

impl Share {
    /// Of a thousand.
    pub(super) fn pm(self) -> u32 {
        let share = u64::from(self.found) * 1000 / u64::from(self.of.max(1));
        u32::try_from(share).unwrap_or(u32::MAX)
    }
}

impl Belongs {
    /// Looks at a document and the book that it is said to be about.
    pub(super) fn of(document: &AskedDocument, book: &Book) -> Self {
        let told = told(document);
        let held = Held::of(&book.text);
        let names = names(&told);
        let enough = names.len() >= NAMES;
        let share = Share {
            found: names.iter().filter(|(name, _)| held.has_name(name)).map(|(_, n)| n).sum(),
            of: names.values().sum(),
        };
        Self {
            titles: titles(&document.title, &book.title),
            names: enough.then_some(share),
            words: held.words(&told, &names),
        }
    }

    /// Another title is a doubt whatever the names: those of many books are common ones.
    pub(super) fn verdict(&self) -> Verdict {
        match (self.names.map(Share::pm), self.titles) {
            (Some(MOST..), Titles::Partly | Titles::Unknown)
            | (Some(FEW..) | None, Titles::Same) => Verdict::Belongs,
            (Some(..FEW), Titles::Partly | Titles::Other | Titles::Unknown) => Verdict::Other,
            _ => Verdict::Doubt,
        }
    }

    /// What is taken where it is doubtful and nobody is asked.
    pub(super) fn is_likely(&self) -> bool {
        self.titles == Titles::Same || self.names.is_some_and(|names| names.pm() >= MOST)
    }

    /// The evidence in sentences.
    pub(super) fn said(&self, document: &AskedDocument, book: &Book) -> Vec<String> {
        let titles = match self.titles {
            Titles::Same => format!("the titles agree: {}", document.title),
            Titles::Partly => {
                format!("the titles share words: {} and {}", document.title, book.title)
            }
            Titles::Unknown => "the document has no title".to_owned(),
            Titles::Other => format!("the titles differ: {} and {}", document.title, book.title),
        };
        let names = match self.names {
            Some(share) => format!("{} of {} names stand in the book", share.found, share.of),
            None => "there are too few names to tell".to_owned(),
        };
        let Share { found, of } = self.words;
        vec![titles, names, format!("{found} of {of} other words stand in the book")]
    }
}

/// What a document tells: its summary, or else its questions and answers.
fn told(document: &AskedDocument) -> String {
    if !document.summary.is_empty() {
        return document.summary.clone();
    }
    let mut told = String::new();
    for question in &document.questions {
        told += &question.question;
        for answer in &question.answers {
            told.push('\n');
            told += &answer.text;
        }
        told.push('\n');
    }
    told
}

/// The names in a text, folded, and how often each stands there: words that begin with a capital inside of sentences and
/// never stand in small letters.
pub(super) fn names(text: &str) -> BTreeMap<String, u32> {
    let (mut inside, mut small) = (BTreeSet::new(), BTreeSet::new());
    for sentence in sentences(text, Language::English) {
        for (at, word) in words(sentence).enumerate() {
            if !word.is_capital() {
                small.insert(fold(word.text));
            } else if at > 0 && is_name(&word) {
                inside.insert(fold(word.text));
            }
        }
    }
    let mut names = BTreeMap::new();
    for word in words(text).filter(is_name) {
        let name = fold(word.text);
        if inside.contains(&name) && !small.contains(&name) {
            *names.entry(name).or_default() += 1;
        }
    }
    names
}

/// Whether a word may be a name.
fn is_name(word: &Word<'_>) -> bool {
    word.is_capitalised() && word.text.chars().count() > 2 && !is_small(&word.plain())
}

/// The words of a book.
struct Held {
    names: HashMap<String, u32>,
    words: HashMap<String, u32>,
    least: u32,
}

impl Held {
    fn of(text: &str) -> Self {
        let mut held = Self { names: HashMap::new(), words: HashMap::new(), least: 1 };
        let mut all: u32 = 0;
        for word in words(text) {
            all += 1;
            let into = if word.is_capital() { &mut held.names } else { &mut held.words };
            *into.entry(fold(word.text)).or_default() += 1;
        }
        held.least += all / OFTEN;
        held
    }

    fn has_name(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|often| *often >= self.least)
    }

    /// How many of the different words of a text stand in the book, names and small words left out.
    fn words(&self, text: &str, names: &BTreeMap<String, u32>) -> Share {
        let told: BTreeSet<String> = words(text)
            .map(|word| fold(word.text))
            .filter(|word| word.len() > 3 && !is_small(word) && !names.contains_key(word))
            .collect();
        let has = |word: &&String| self.words.contains_key(*word) || self.names.contains_key(*word);
        let number = |many: usize| u32::try_from(many).unwrap_or(u32::MAX);
        Share { found: number(told.iter().filter(has).count()), of: number(told.len()) }
    }
}

/// What two titles have in common.
fn titles(title: &str, of_book: &str) -> Titles {
    if title.trim().is_empty() {
        return Titles::Unknown;
    }
    let [title, of_book] = [title, of_book].map(without_brackets);
    if same_title(&title, &of_book) || stands_first(&title, &of_book) {
        return Titles::Same;
    }
    let telling = |text: &str| {
        let mut words = title_words(text);
        words.retain(|word| !is_small(word));
        words
    };
    let of_book = telling(&of_book);
    let shared = telling(&title).iter().any(|word| of_book.contains(word));
    if shared { Titles::Partly } else { Titles::Other }
}

/// Whether a title begins the title of the book, and behind it stands a subtitle that no mark parts from it: `Varney Or the
/// Feast of Blood`.
fn stands_first(title: &str, of_book: &str) -> bool {
    let (own, other) = (title_words(main_title(title)), title_words(of_book));
    let behind = other.strip_prefix(own.as_slice()).and_then(|behind| behind.first());
    let begins = |word: &String| matches!(word.as_str(), "or" | "being" | "vol" | "volume");
    !own.is_empty() && behind.is_some_and(begins)
}

/// A title without what stands in brackets: `Gladiator (novel)`.
fn without_brackets(title: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0_u32;
    for c in title.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    if plain.trim().is_empty() { title.to_owned() } else { plain.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(title: &str, of_book: &str, expected: Titles) {
        assert_eq!(titles(title, of_book), expected, "{title} | {of_book}");
    }

    #[test]
    fn titles_are_compared_without_what_only_tells_them_apart() {
        check("Gladiator (novel)", "Gladiator", Titles::Same);
        check(
            "Three Men in a Boat",
            "Three Men in a Boat (to say nothing of the dog)",
            Titles::Same,
        );
        check("Frankenstein", "Frankenstein; or, the Modern Prometheus", Titles::Same);
        check("Varney the Vampire", "Varney the Vampire Or the Feast of Blood", Titles::Same);
        check("Galactic Derelict", "Derelict", Titles::Partly);
        check("Derelict", "Galactic Derelict", Titles::Partly);
        check("The Skylark", "The Skylark of Space", Titles::Partly);
        check("Evelina", "Emma", Titles::Other);
        check(" ", "Emma", Titles::Unknown);
        check("The Return of the Native", "The Way of the World", Titles::Other);
    }

    #[test]
    fn names_stand_inside_of_sentences_with_capitals() {
        let found = names(
            "Ann met Jos. Later Ann and the Captain went to Tarrow. The captain sang. Jos left.",
        );
        let found: Vec<_> = found.iter().map(|(name, often)| (name.as_str(), *often)).collect();
        assert_eq!(found, [("ann", 2), ("jos", 2), ("tarrow", 1)]);
    }

    #[test]
    fn what_follows_from_shares() {
        let verdict = |names: Option<u32>, titles| {
            let names = names.map(|found| Share { found, of: 10 });
            Belongs { titles, names, words: Share { found: 0, of: 1 } }.verdict()
        };
        assert_eq!(verdict(Some(6), Titles::Partly), Verdict::Belongs);
        assert_eq!(verdict(Some(10), Titles::Other), Verdict::Doubt);
        assert_eq!(verdict(Some(3), Titles::Same), Verdict::Belongs);
        assert_eq!(verdict(Some(2), Titles::Same), Verdict::Doubt);
        assert_eq!(verdict(Some(2), Titles::Partly), Verdict::Other);
        assert_eq!(verdict(Some(4), Titles::Partly), Verdict::Doubt);
        assert_eq!(verdict(None, Titles::Same), Verdict::Belongs);
        assert_eq!(verdict(None, Titles::Other), Verdict::Doubt);
    }
}

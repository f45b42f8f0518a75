//! Who and what is named in a book, told by counting alone.
//!
//! A word that stands with a capital inside sentences, and hardly ever without one, is a name.
//! What stands around it tells persons from places, and pronouns behind it tell women from men.
//! This is a stand-in that needs no model: it would rather miss a name than invent one.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::LazyLock,
};

use storymill_core::Scene;
use storymill_text::{
    lists::is_speech,
    one_line,
    word::{Word, words},
};

use super::lexicon::{FEMALE_NAMES, IN_PLACE, MALE_NAMES, NICKNAMES, NOT_NAMES, TITLES};

/// The names of one book.
#[derive(Debug)]
pub(crate) struct Names {
    /// Words that are parts of names.
    parts: HashSet<String>,
    /// Every name by its text.
    pub(crate) all: BTreeMap<String, Name>,
    /// The words that stand behind a word in some name: `Shirley` behind `Anne`.
    links: HashMap<String, HashSet<String>>,
}

/// A name as it stands in the book, title included: `Mrs. Rachel Lynde`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Name {
    pub(crate) mentions: u32,
    pub(crate) kind: NameKind,
    pub(crate) gender: Gender,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NameKind {
    Person,
    Place,
    #[default]
    Unclear,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Gender {
    Female,
    Male,
    #[default]
    Unclear,
}

/// One mention in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) name: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// What the surroundings of a name's mentions say, counted.
#[derive(Debug, Default)]
struct Signs {
    mentions: u32,
    speaks: u32,
    placed: u32,
    she: u32,
    he: u32,
    titled: bool,
}

impl Names {
    pub(crate) fn of(scenes: &[Scene]) -> Self {
        let parts = parts(scenes);
        let mut names = Self { parts, all: BTreeMap::new(), links: HashMap::new() };
        let mut signs: BTreeMap<String, Signs> = BTreeMap::new();
        for scene in scenes {
            let words: Vec<Word<'_>> = words(&scene.text).collect();
            for (first, last) in names.runs(&scene.text, &words) {
                let name = one_line(&scene.text[words[first].start..words[last].end]);
                for pair in words[first..=last].windows(2) {
                    let behind = names.links.entry(pair[0].text.to_owned()).or_default();
                    behind.insert(pair[1].text.to_owned());
                }
                signs.entry(name).or_default().read(&scene.text, &words, first, last);
            }
        }
        names.all = signs
            .into_iter()
            .map(|(text, signs)| {
                let name = signs.settle(&text);
                (text, name)
            })
            .collect();
        names
    }

    /// The mentions in a text, in order.
    pub(crate) fn mentions(&self, text: &str) -> Vec<Mention> {
        self.mentions_in(text, &words(text).collect::<Vec<_>>())
    }

    /// The same where the words of the text are known.
    pub(crate) fn mentions_in(&self, text: &str, words: &[Word<'_>]) -> Vec<Mention> {
        let runs = self.runs(text, words).into_iter();
        runs.map(|(first, last)| {
            let (start, end) = (words[first].start, words[last].end);
            Mention { name: one_line(&text[start..end]), start, end }
        })
        .collect()
    }

    /// Whether a word is part of a name.
    pub(crate) fn is_part(&self, word: &str) -> bool {
        self.parts.contains(word)
    }

    /// Whether two names may mean the same.
    #[cfg(test)]
    pub(crate) fn may_be_same(&self, one: &str, other: &str) -> bool {
        self.called(one).may_be(&self.called(other))
    }

    /// What a name shares with those that may mean the same.
    pub(crate) fn called(&self, name: &str) -> Called<'_> {
        let parts = words(name).map(|word| word.text).filter(|word| !TITLES.contains(*word));
        Called { parts: parts.map(|part| self.part(part)).collect() }
    }

    fn part(&self, text: &str) -> Part<'_> {
        let head: String = text.chars().take(3).collect();
        Part {
            text: text.to_owned(),
            low: text.to_lowercase(),
            head: head.to_lowercase(),
            nicknames: nicknames(text),
            links: self.links.get(text),
        }
    }

    /// First and last word of every run of name words, titles in front included.
    fn runs(&self, text: &str, words: &[Word<'_>]) -> Vec<(usize, usize)> {
        let mut runs = Vec::new();
        let mut at = 0;
        while at < words.len() {
            if !self.parts.contains(words[at].text) {
                at += 1;
                continue;
            }
            let mut first = at;
            while first > 0
                && TITLES.contains(words[first - 1].text)
                && joins(text, &words[first - 1], &words[first])
            {
                first -= 1;
            }
            let mut last = at;
            while last + 1 < words.len()
                && self.parts.contains(words[last + 1].text)
                && joins(text, &words[last], &words[last + 1])
            {
                last += 1;
            }
            runs.push((first, last));
            at = last + 1;
        }
        runs
    }
}

/// A name, taken apart for comparing: a book compares its persons at every mention.
#[derive(Clone, Debug)]
pub(crate) struct Called<'n> {
    parts: Vec<Part<'n>>,
}

/// A word of a name that is no title.
#[derive(Clone, Debug)]
struct Part<'n> {
    text: String,
    low: String,
    /// Its first three letters, small.
    head: String,
    /// The groups of pet names that it is in, a bit for each.
    nicknames: u32,
    /// The words that stand behind it in some name.
    links: Option<&'n HashSet<String>>,
}

impl Called<'_> {
    /// Whether two names may mean the same: they share a word, or some name links them, or one is
    /// short for the other.
    pub(crate) fn may_be(&self, other: &Self) -> bool {
        self.parts.iter().any(|one| other.parts.iter().any(|other| one.is_akin(other)))
    }
}

impl Part<'_> {
    fn is_akin(&self, other: &Self) -> bool {
        let leads =
            |one: &Self, other: &Self| one.links.is_some_and(|behind| behind.contains(&other.text));
        self.text == other.text
            || self.nicknames & other.nicknames != 0
            || self.low.contains(&other.head)
            || other.low.contains(&self.head)
            || leads(self, other)
            || leads(other, self)
    }
}

/// The groups of pet names that a word is in, a bit for each.
fn nicknames(word: &str) -> u32 {
    static GROUPS: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
        let mut groups = HashMap::new();
        for (at, group) in NICKNAMES.iter().enumerate() {
            for name in group.split(' ') {
                *groups.entry(name).or_default() |= 1 << at;
            }
        }
        groups
    });
    GROUPS.get(word).copied().unwrap_or(0)
}

impl Signs {
    /// Reads the surroundings of one mention.
    fn read(&mut self, text: &str, words: &[Word<'_>], first: usize, last: usize) {
        self.mentions += 1;
        self.titled |= TITLES.contains(words[first].text);
        let says = |word: Option<&Word<'_>>| word.is_some_and(|word| is_speech(word.text));
        let next = words.get(last + 1);
        let before = first.checked_sub(1).map(|at| &words[at]);
        self.speaks += u32::from(says(next) || says(before));
        let place = before.is_some_and(|word| IN_PLACE.contains(word.text));
        self.placed += u32::from(place && !text[words[last].end..].starts_with(['’', '\'']));
        for word in words[last + 1..].iter().take(7) {
            let gap = &text[words[last].end..word.start];
            if gap.contains(['.', '!', '?', '\n', '”', '"']) || word.is_capitalised() {
                break;
            }
            match word.text {
                "she" | "her" | "hers" | "herself" => self.she += 1,
                "he" | "his" | "him" | "himself" => self.he += 1,
                _ => continue,
            }
            break;
        }
    }

    fn settle(self, text: &str) -> Name {
        let gender = gender_of(text).unwrap_or(if self.she >= 3 && self.she > 3 * self.he {
            Gender::Female
        } else if self.he >= 3 && self.he > 3 * self.she {
            Gender::Male
        } else {
            Gender::Unclear
        });
        let known = words(text)
            .any(|word| FEMALE_NAMES.contains(word.text) || MALE_NAMES.contains(word.text));
        let person = self.titled || known || self.speaks * 25 > self.mentions && self.speaks > 1;
        let place = self.placed * 4 >= self.mentions
            && self.placed > 1
            && self.speaks * 20 <= self.mentions;
        // `St. Lawrence` is a river, a gulf, a church, a day.
        let saint = words(text).next().is_some_and(|word| matches!(word.text, "St" | "Saint"));
        let kind = match (person, place) {
            _ if saint => NameKind::Unclear,
            (true, false) => NameKind::Person,
            (false, true) => NameKind::Place,
            (true, true) if self.titled || known => NameKind::Person,
            _ => NameKind::Unclear,
        };
        Name { mentions: self.mentions, kind, gender }
    }
}

/// The gender that a title or a well-known given name tells.
fn gender_of(name: &str) -> Option<Gender> {
    let mut found = None;
    for word in words(name) {
        let gender = match word.text {
            "Mr" | "M" | "Sir" | "Lord" | "Uncle" | "Master" | "Father" | "King" | "Prince"
            | "Count" | "Baron" | "Duke" | "Squire" | "Brother" | "Monsieur" | "Herr"
            | "Captain" | "Colonel" | "Major" | "General" | "Grandfather" => Gender::Male,
            "Mrs" | "Miss" | "Lady" | "Aunt" | "Madame" | "Mme" | "Mlle" | "Mother" | "Queen"
            | "Princess" | "Countess" | "Duchess" | "Sister" | "Madam" | "Frau" | "Dame"
            | "Granny" | "Grandmother" | "Widow" => Gender::Female,
            word if FEMALE_NAMES.contains(word) => found.unwrap_or(Gender::Female),
            word if MALE_NAMES.contains(word) => found.unwrap_or(Gender::Male),
            _ => continue,
        };
        // The first word decides: a title, then the given name.
        found = found.or(Some(gender));
    }
    found
}

/// Whether two words belong to one name: only a blank is between them, or a full stop behind a
/// title or an initial.
fn joins(text: &str, one: &Word<'_>, other: &Word<'_>) -> bool {
    let gap = &text[one.end..other.start];
    let short = TITLES.contains(one.text) || one.text.chars().count() == 1;
    matches!(gap, " " | "\n" | "\u{a0}") || short && matches!(gap, ". " | "." | ".\u{a0}" | ".\n")
}

/// Words that are parts of names: with a capital inside a sentence at least twice, and hardly
/// ever without one.
fn parts(scenes: &[Scene]) -> HashSet<String> {
    let mut capital: HashMap<&str, u32> = HashMap::new();
    let mut small: HashMap<&str, u32> = HashMap::new();
    for scene in scenes {
        let mut from = 0;
        let mut title = false;
        for word in words(&scene.text) {
            let gap = &scene.text[from..word.start];
            let opens = from == 0
                || gap != " " && gap.contains(OPENERS) && !(title && gap.starts_with('.'));
            if word.is_capitalised() {
                if !opens {
                    *capital.entry(word.text).or_default() += 1;
                }
            } else {
                *small.entry(word.text).or_default() += 1;
            }
            title = TITLES.contains(word.text) || word.text.chars().count() == 1;
            from = word.end;
        }
    }
    let is_name = |word: &str, count: u32| {
        let low = word.to_lowercase();
        let plain = small.get(low.as_str()).copied().unwrap_or(0);
        count >= 2
            && plain * 5 <= count
            && word.chars().count() > 1
            && !NOT_NAMES.contains(word)
            && !TITLES.contains(word)
    };
    // A set: the order in which the words are looked at does not show.
    let mut found: Vec<_> = capital.into_iter().collect();
    found.retain(|(word, count)| is_name(word, *count));
    found.into_iter().map(|(word, _)| word.to_owned()).collect()
}

/// Marks behind which a capital proves nothing.
const OPENERS: [char; 20] = [
    '.', '!', '?', '…', ':', ';', '“', '"', '‘', '\'', '’', '«', '»', '(', '[', '—', '\n', '_',
    '*', '-',
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::scenes;

    fn names(text: &str) -> Names {
        Names::of(&scenes(&[text]))
    }

    #[track_caller]
    fn check(text: &str, name: &str, kind: NameKind, gender: Gender) {
        let names = names(text);
        let found = names.all.get(name).unwrap_or_else(|| panic!("{:?}", names.all));
        assert_eq!((found.kind, found.gender), (kind, gender));
    }

    #[test]
    fn persons_and_places() {
        let text = "He saw Mrs. Dorcas Venn in Oxwold. Then Mrs. Dorcas Venn left. \
                    “No,” said Pym. In Oxwold, and near Oxwold, it rained. “Yes,” said Pym. When \
                    Pym rose his chair fell. When Pym spoke he wept, and Pym shut his eyes.";
        check(text, "Mrs. Dorcas Venn", NameKind::Person, Gender::Female);
        check(text, "Oxwold", NameKind::Place, Gender::Unclear);
        check(text, "Pym", NameKind::Person, Gender::Male);
    }

    #[test]
    fn words_that_only_open_sentences_are_no_names() {
        let names =
            names("Rain fell. Rain fell. He saw rain. “Rain!” On Monday and Monday it was I.");
        assert!(names.all.is_empty(), "{:?}", names.all);
    }

    #[test]
    fn kin_names_are_one() {
        let names = names("So Anne Shirley and Diana met Anne Shirley and Diana; then Diana left.");
        assert!(names.may_be_same("Anne", "Shirley"));
        assert!(names.may_be_same("Diana", "Di"));
        assert!(names.may_be_same("Elizabeth", "Lizzy"));
        assert!(!names.may_be_same("Anne Shirley", "Diana"));
    }
}

//! The book in whose names others are told: its people, how it calls them and from which scene on.

use std::collections::{BTreeMap, BTreeSet};

use storymill_text::{Language, word::fold};

use super::{
    around::{begins, is_particle},
    called::{Called, Form},
    people::People,
};
use crate::{
    cast::{CastFile, Gender},
    titles::Title,
    words::{Case, Words},
};

/// What a book lends to texts about other books.
#[derive(Debug)]
pub struct Ground {
    /// Whoever may stand for somebody, the most named first.
    pub(super) hosts: Vec<Host>,
    /// Words that are written small somewhere.
    pub(super) small: BTreeSet<String>,
    /// Words that are written with a capital inside a sentence and name nobody of the cast, each with its first scene.
    large: BTreeMap<String, usize>,
    /// Whether the book's language writes all nouns with a capital.
    pub(super) nouns_are_large: bool,
}

/// Somebody who may stand for somebody of another book.
#[derive(Debug)]
pub(super) struct Host {
    /// The place among all.
    pub(super) at: usize,
    pub(super) gender: Gender,
    pub(super) rank: usize,
    /// The first of their family names, folded.
    pub(super) family: Option<String>,
    /// How the book calls them most in each form, without titles, and the first scene that does.
    forms: BTreeMap<Form, (String, usize)>,
    /// How it calls them most, titles and all, where no article stands before.
    usual: Option<(String, usize)>,
}

/// How somebody of the other book is called here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// The words, without titles if the form is the same.
    pub(super) words: String,
    /// Whether it is the form in which the text calls them.
    pub(super) same: bool,
    /// The first scene by which the book has called them so.
    pub(super) known: usize,
}

impl Ground {
    /// What a book lends, of which these are the scenes in order.
    pub fn new<'t>(cast: &CastFile, scenes: impl Iterator<Item = &'t str>) -> Self {
        let people = People::of(cast);
        let mut small = BTreeSet::new();
        let mut large: BTreeMap<String, usize> = BTreeMap::new();
        let mut seen: Vec<Seen> = people.all.iter().map(|_| Seen::default()).collect();
        let mut sample = String::new();
        for (scene, text) in scenes.enumerate() {
            if scene < 4 {
                sample += text;
            }
            let words = Words::new(text);
            note_small(&words, &mut small);
            for called in people.find(&words).called {
                if let Some(at) = people.bearer(&called) {
                    seen[at].note(&called, text, scene);
                }
            }
            for (at, word) in words.all().iter().enumerate() {
                if word.letter && word.case == Case::Inside && !begins(&words, at) {
                    let low = words.low(Some(at));
                    if !large.contains_key(low) && !people.has(&fold(low)) {
                        large.insert(low.to_owned(), scene);
                    }
                }
            }
        }
        let hosts = seen.into_iter().zip(&people.all).enumerate();
        let hosts = hosts.filter(|(_, (seen, person))| {
            !seen.forms.is_empty() && person.gender != Gender::Unknown
        });
        let hosts = hosts.map(|(at, (seen, person))| {
            // A common word would be taken for one again.
            let clean = |name: &str| {
                let mut words = name.split([' ', '-']).filter(|word| !is_particle(&fold(word)));
                words.all(|word| {
                    word.starts_with(char::is_uppercase)
                        && (!small.contains(&fold(word))
                            || Title::of(&fold(word.trim_end_matches('.'))).is_title())
                })
            };
            let most = |names: &BTreeMap<String, (u32, usize)>| {
                let clean = names.iter().filter(|(name, _)| clean(name));
                let most =
                    clean.max_by_key(|(name, (times, _))| (*times, std::cmp::Reverse(*name)));
                most.map(|(name, (_, scene))| (name.clone(), *scene))
            };
            let forms = seen.forms.iter().filter_map(|(form, names)| Some((form, most(names)?)));
            Host {
                at,
                gender: person.gender,
                rank: person.rank,
                family: person.family.first().map(|part| part.folded.clone()),
                usual: most(&seen.usual),
                forms: forms.map(|(form, name)| (form.clone(), name)).collect(),
            }
        });
        Self {
            hosts: hosts.collect(),
            nouns_are_large: Language::of_text(&sample) == Language::German,
            small,
            large,
        }
    }

    /// The first scene in which a lower-cased word stands that is no name of the cast and has a capital.
    pub(super) fn first_large(&self, low: &str) -> Option<usize> {
        self.large.get(low).copied()
    }
}

/// Adds the words that a text writes small.
pub(super) fn note_small(words: &Words<'_>, small: &mut BTreeSet<String>) {
    for (at, word) in words.all().iter().enumerate() {
        let low = words.low(Some(at));
        if word.letter && word.case == Case::Low && !small.contains(low) {
            small.insert(low.to_owned());
        }
    }
}

/// How somebody is called in a book: each name with how often and from which scene on.
#[derive(Default)]
struct Seen {
    forms: BTreeMap<Form, BTreeMap<String, (u32, usize)>>,
    usual: BTreeMap<String, (u32, usize)>,
}

impl Seen {
    fn note(&mut self, called: &Called, text: &str, scene: usize) {
        if called.caps {
            return;
        }
        let forms = self.forms.entry(called.form.clone()).or_default();
        let name = text[called.bytes.clone()].to_owned();
        forms.entry(name).or_insert((0, scene)).0 += 1;
        if let Some(from) = called.titled {
            let usual = text[from..called.bytes.end].to_owned();
            self.usual.entry(usual).or_insert((0, scene)).0 += 1;
        }
    }
}

impl Host {
    /// How they are called where a text calls somebody in a form: in the same form if their book does so too, else as
    /// it calls them most, their own titles in place of the others. None if that cannot be.
    pub(super) fn name(&self, called: &Called) -> Option<Name> {
        let same = self.forms.get(&called.form);
        let usual = || self.usual.as_ref().filter(|_| called.titled.is_some());
        let (words, known) = same.or_else(usual)?;
        let words = if called.caps { words.to_uppercase() } else { words.clone() };
        Some(Name { words, same: same.is_some(), known: *known })
    }
}

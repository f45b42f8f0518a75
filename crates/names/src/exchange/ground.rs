//! The book in whose names others are told: its people, how it calls them and from which scene on.

use std::collections::{BTreeMap, BTreeSet};

use storymill_text::{Language, word::fold};

use super::{
    called::{Called, Form},
    people::{People, begins},
};
use crate::{
    cast::{CastFile, Gender},
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
    /// The first name that they are called by most.
    pub(super) given: Option<String>,
    /// The family name that they are called by most.
    pub(super) family: Option<String>,
    /// How the book calls them, each with the first scene that does.
    forms: BTreeMap<Form, usize>,
}

/// How often somebody must be named to stand for others.
const OFTEN: u32 = 3;

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
                    seen[at].note(&called, scene);
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
        let hosts = hosts
            .filter(|(_, (seen, person))| seen.times >= OFTEN && person.gender != Gender::Unknown);
        let hosts = hosts.map(|(at, (seen, person))| {
            // A common word would be taken for one again.
            let most = |names: &BTreeMap<String, u32>, parts: &[super::people::Spelt]| {
                let fits = parts.iter().filter(|part| !small.contains(&part.folded));
                let fits = fits.filter_map(|part| Some((part, names.get(&part.folded)?)));
                fits.max_by_key(|(_, times)| **times).map(|(part, _)| part.shown.clone())
            };
            Host {
                at,
                gender: person.gender,
                rank: person.rank,
                given: most(&seen.given, &person.given),
                family: most(&seen.family, &person.family),
                forms: seen.forms,
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

/// How somebody is called in a book.
#[derive(Default)]
struct Seen {
    times: u32,
    given: BTreeMap<String, u32>,
    family: BTreeMap<String, u32>,
    forms: BTreeMap<Form, usize>,
}

impl Seen {
    fn note(&mut self, called: &Called, scene: usize) {
        self.times += 1;
        for (names, counts) in
            [(&called.given, &mut self.given), (&called.family, &mut self.family)]
        {
            for name in names {
                *counts.entry(name.clone()).or_default() += 1;
            }
        }
        self.forms.entry(called.form.clone()).or_insert(scene);
    }
}

impl Host {
    /// The first scene by which their book has called them in a form, or by all that it is made of.
    pub(super) fn knows(&self, form: &Form) -> Option<usize> {
        let exact = self.forms.get(form).copied();
        let same = || self.forms.iter().filter(|(one, _)| one.titles == form.titles);
        let first = |given: bool| {
            let of =
                self.forms.iter().filter(|(one, _)| if given { one.given } else { one.family });
            of.map(|(_, scene)| *scene).min()
        };
        let titled = || same().map(|(_, scene)| *scene).min();
        let whole = (form.given && form.family)
            .then(|| Some(titled()?.max(first(true)?).max(first(false)?)))
            .flatten();
        exact.into_iter().chain(whole).min()
    }

    /// Their name in a form, without titles.
    pub(super) fn called(&self, form: &Form, caps: bool) -> Option<String> {
        let name = match (form.given, form.family) {
            (true, true) => format!("{} {}", self.given.as_ref()?, self.family.as_ref()?),
            (true, false) => self.given.clone()?,
            (false, _) => self.family.clone()?,
        };
        Some(if caps { name.to_uppercase() } else { name })
    }

    /// Their name in a form, with titles: two people must not be told apart by nothing.
    pub(super) fn shown(&self, form: &Form) -> Option<String> {
        let titles = form.titles.iter().rev().map(|title| format!("{title} "));
        Some(titles.collect::<String>() + &self.called(form, false)?)
    }
}

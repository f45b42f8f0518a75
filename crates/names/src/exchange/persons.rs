//! Who is named where in a text, for whoever puts others in their place.

use std::ops::Range;

use super::{called::Called, people::People};
use crate::{
    cast::{CastFile, Gender},
    words::Words,
};

/// The people of a cast, to be found in texts about its book.
#[derive(Debug)]
pub struct Persons(People);

/// A name at a place in whose stead another of its kind may stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The name, with the titles before it.
    pub bytes: Range<usize>,
    /// Who it is, a number within the cast.
    pub who: usize,
    /// What the title says, or the book.
    pub gender: Gender,
}

impl Persons {
    /// Everybody of a cast.
    pub fn of(cast: &CastFile) -> Self {
        Self(People::of(cast))
    }

    /// How many they are: those whose names may be given to others.
    pub fn len(&self) -> usize {
        self.0.all.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.0.all.is_empty()
    }

    /// The name of somebody as the cast has it.
    pub fn name(&self, who: usize) -> &str {
        &self.0.all[who].name
    }

    /// The words of their names.
    pub fn parts(&self, who: usize) -> impl Iterator<Item = &str> {
        let one = &self.0.all[who];
        one.given.iter().chain(&one.family).map(|part| part.shown.as_str())
    }

    /// Whether the book tells their gender, and none of their names is a common word too.
    pub fn is_sure(&self, who: usize) -> bool {
        let careful = self.parts(who).any(|part| self.0.is_careful(part));
        !careful && self.0.all[who].gender != Gender::Unknown
    }

    /// The mentions in a text of whom it is clear who they are, in order.
    pub fn find(&self, text: &str) -> Vec<Mention> {
        let called = self.0.find(&Words::new(text)).called;
        called.iter().filter_map(|called| self.mention(text, called)).collect()
    }

    fn mention(&self, text: &str, called: &Called) -> Option<Mention> {
        // Castle Dracula is not he.
        let words = text[called.bytes.clone()].split_whitespace();
        let named = words.filter(|word| word.starts_with(char::is_uppercase)).count();
        if named != called.given.len() + called.family.len() {
            return None;
        }
        let titled = !called.form.titles.is_empty();
        let start = if titled { called.titled? } else { called.bytes.start };
        let who = self.0.bearer(called).filter(|_| !called.caps)?;
        let gender = called.sex.unwrap_or(self.0.all[who].gender);
        Some(Mention { bytes: start..called.bytes.end, who, gender })
    }
}

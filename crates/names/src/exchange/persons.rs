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

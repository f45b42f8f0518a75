//! How somebody is called at one place of a text.

use std::{collections::BTreeMap, ops::Range, sync::LazyLock};

use crate::cast::Gender;

/// A title, or none, and the kinds of names behind it: `Mr. Darcy` is `mr` and a family's name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    /// The titles with a capital in their commonest spelling, the nearest first.
    pub(super) titles: Vec<String>,
    pub(super) given: bool,
    pub(super) family: bool,
}

/// A name at one place.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub(super) form: Form,
    /// Folded.
    pub(super) given: Vec<String>,
    /// Folded.
    pub(super) family: Vec<String>,
    /// The words of the name and of the titles before it.
    pub(super) words: Range<usize>,
    /// The bytes of the name alone.
    pub(super) bytes: Range<usize>,
    /// Where its titles begin, if it could stand with others: no article stands before them.
    pub(super) titled: Option<usize>,
    /// What the titles say.
    pub(super) sex: Option<Gender>,
    /// Whether it is in capitals throughout.
    pub(super) caps: bool,
}

impl Called {
    /// The bytes that somebody's name takes who is called in the same form, or in another one.
    pub(super) fn place(&self, same: bool) -> Range<usize> {
        let start = self.titled.filter(|_| !same).unwrap_or(self.bytes.start);
        start..self.bytes.end
    }

    pub(super) fn holds(&self, word: usize) -> bool {
        self.words.contains(&word)
    }
}

/// A title in its commonest spelling: `Capt` and `Captain` are one.
pub(super) fn spelt(title: &str) -> &str {
    static SPELLINGS: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
        let text = const { storymill_data::text("names/title-spellings.txt") };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines
            .flat_map(|line| {
                let first = line.split_whitespace().next().unwrap_or_default();
                line.split_whitespace().map(move |one| (one, first))
            })
            .collect()
    });
    SPELLINGS.get(title).copied().unwrap_or(title)
}

//! Word lists that more than one room asks.

use std::{collections::HashSet, sync::LazyLock};

/// The lines of a data file, without remarks.
pub(crate) fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

type List = LazyLock<HashSet<&'static str>>;

fn list(text: &'static str) -> HashSet<&'static str> {
    lines(text).flat_map(str::split_whitespace).collect()
}

static SMALL: List = LazyLock::new(|| list(include_str!("../data/small.txt")));
static SPEECH: List = LazyLock::new(|| list(include_str!("../data/speech.txt")));

/// Whether a word in small letters says nothing of its own: function words and fillers.
pub fn is_small(word: &str) -> bool {
    SMALL.contains(word)
}

/// Whether a word says who spoke: `said`, `cried`.
pub fn is_speech(word: &str) -> bool {
    SPEECH.contains(word)
}

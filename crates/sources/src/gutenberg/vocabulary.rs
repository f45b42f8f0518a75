//! The words of the book itself, by which a word that lost its first letter is told from a whole one.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::blocks::{Leaves, is_blank};

/// How often each word stands in the kept text, and which words follow some of them.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    words: HashMap<String, u32>,
    pairs: HashMap<(String, String), u32>,
}

impl Vocabulary {
    /// Reads the blocks without a fate. Words that begin at `leave_out` in the scroll do not count.
    pub(super) fn of(leaves: &Leaves, leave_out: &HashSet<u32>) -> Self {
        let mut found = Self::default();
        each(leaves, leave_out, |word, _| *found.words.entry(word).or_default() += 1);
        found
    }

    /// Counts what follows these words.
    pub(super) fn pair(
        &mut self,
        leaves: &Leaves,
        leave_out: &HashSet<u32>,
        firsts: &HashSet<String>,
    ) {
        let pairs = &mut self.pairs;
        each(leaves, leave_out, |word, before| {
            if let Some(before) = before.filter(|before| firsts.contains(*before)) {
                *pairs.entry((before.to_owned(), word)).or_default() += 1;
            }
        });
    }

    /// The letters with which words of the book begin.
    pub(super) fn initials(&self) -> Vec<char> {
        let firsts: BTreeSet<char> = self
            .words
            .keys()
            .filter_map(|word| word.chars().next())
            .filter(|c| c.is_lowercase())
            .collect();
        firsts.into_iter().collect()
    }

    pub(super) fn count(&self, word: &str) -> u32 {
        self.words.get(word).copied().unwrap_or(0)
    }

    pub(super) fn follows(&self, first: &str, next: &str) -> u32 {
        self.pairs.get(&(first.to_owned(), next.to_owned())).copied().unwrap_or(0)
    }
}

/// A word as it is counted: in small letters, with one kind of apostrophe.
pub(super) fn folded(word: &str) -> String {
    word.chars().flat_map(char::to_lowercase).map(|c| if c == '’' { '\'' } else { c }).collect()
}

/// Whether a sign may be part of a word.
pub(super) fn of_word(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '\'' | '’')
}

/// Each word of the kept blocks and the one before it in its block.
fn each(leaves: &Leaves, leave_out: &HashSet<u32>, mut take: impl FnMut(String, Option<&str>)) {
    for block in leaves.blocks.iter().filter(|block| block.fate.is_none()) {
        let text = leaves.text(block);
        let mut last: Option<String> = None;
        let mut from = block.text.start as usize;
        for part in text.split(|c: char| is_blank(c) || !of_word(c)) {
            let here = from;
            from += part.len()
                + text[here + part.len() - block.text.start as usize..]
                    .chars()
                    .next()
                    .map_or(0, char::len_utf8);
            let word = part.trim_matches(['\'', '’']);
            if word.is_empty() || leave_out.contains(&u32::try_from(here).unwrap_or(u32::MAX)) {
                continue;
            }
            let word = folded(word);
            take(word.clone(), last.as_deref());
            last = Some(word);
        }
    }
}

//! The words of the book itself, by which a word that lost its first letter is told from a whole one.

use std::collections::{BTreeSet, HashMap};

use super::blocks::Leaves;

/// How often words that somebody asks about stand in the kept text, and which of them follow one another. A book has a
/// hundred thousand words, and a few hundred are in doubt.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    words: HashMap<String, u32>,
    pairs: HashMap<(String, String), u32>,
    /// The letters that the book has before each of the words that may have lost theirs.
    firsts: HashMap<String, BTreeSet<char>>,
}

impl Vocabulary {
    /// Counts these words and those that are one of `torn` behind a letter, and those of them that follow one of them,
    /// in the blocks without a fate. Words that begin at `leave_out` in the scroll do not count.
    pub(super) fn of(
        leaves: &Leaves,
        leave_out: &[u32],
        words: impl IntoIterator<Item = String>,
        torn: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut firsts: HashMap<String, BTreeSet<char>> =
            torn.into_iter().map(|word| (word, BTreeSet::new())).collect();
        let mut words: HashMap<String, u32> = words.into_iter().map(|word| (word, 0)).collect();
        let mut pairs: HashMap<(String, String), u32> = HashMap::new();
        let mut ends = [false; LENGTHS * 256];
        words.keys().filter_map(|word| end(word, 0)).for_each(|end| ends[end] = true);
        let longer = firsts.keys().flat_map(|word| (1..=4).filter_map(|letter| end(word, letter)));
        longer.for_each(|end| ends[end] = true);
        let (mut folded, mut last) = (String::new(), None::<String>);
        each(leaves, leave_out, |word, opens| {
            if opens {
                last = None;
            }
            // Most words need no more than a look at their end.
            let counts = !word.is_ascii() || end(word, 0).is_some_and(|end| ends[end]);
            let counted = counts && {
                folded.clear();
                fold(word, &mut folded);
                let mut rest = folded.chars();
                let first = rest.next().filter(|first| first.is_lowercase());
                let before = first.zip(firsts.get_mut(rest.as_str()));
                let torn = before.map(|(first, before)| before.insert(first)).is_some();
                if torn && !words.contains_key(&folded) {
                    words.insert(folded.clone(), 0);
                }
                words.get_mut(&folded).map(|count| *count += 1).is_some()
            };
            if !counted {
                last = None;
                return;
            }
            if let Some(last) = last.replace(folded.clone()) {
                *pairs.entry((last, folded.clone())).or_default() += 1;
            }
        });
        Self { words, pairs, firsts }
    }

    pub(super) fn count(&self, word: &str) -> u32 {
        self.words.get(word).copied().unwrap_or(0)
    }

    /// The letters before a word of `torn`, in the order of the alphabet.
    pub(super) fn before(&self, torn: &str) -> Vec<char> {
        self.firsts.get(torn).into_iter().flatten().copied().collect()
    }

    pub(super) fn follows(&self, first: &str, next: &str) -> u32 {
        self.pairs.get(&(first.to_owned(), next.to_owned())).copied().unwrap_or(0)
    }
}

/// Longer words count as one of this length.
const LENGTHS: usize = 32;

/// The length of a word with so many bytes before it, and its last letter, as one number.
fn end(word: &str, before: usize) -> Option<usize> {
    let last = word.as_bytes().last()?.to_ascii_lowercase();
    Some((word.len() + before).min(LENGTHS - 1) * 256 + usize::from(last))
}

/// A word as it is counted: in small letters, with one kind of apostrophe.
pub(super) fn folded(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    fold(word, &mut folded);
    folded
}

fn fold(word: &str, folded: &mut String) {
    for c in word.chars() {
        match c {
            '’' => folded.push('\''),
            c if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
            c => folded.extend(c.to_lowercase()),
        }
    }
}

/// Whether a sign may be part of a word.
pub(super) fn of_word(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '\'' | '’')
}

/// Each word of the kept blocks but those that begin at `leave_out`, in order, and whether it is the first of its block.
fn each<'l>(leaves: &'l Leaves, leave_out: &[u32], mut take: impl FnMut(&'l str, bool)) {
    let mut left_out = leave_out.iter().map(|at| *at as usize).peekable();
    for block in leaves.blocks.iter().filter(|block| block.fate.is_none()) {
        let text = leaves.text(block);
        let mut opens = true;
        let start = block.text.start as usize;
        for part in text.split(|c: char| !of_word(c)) {
            let word = part.trim_matches(['\'', '’']);
            if word.is_empty() {
                continue;
            }
            let here = start + (part.as_ptr().addr() - text.as_ptr().addr());
            while left_out.next_if(|at| *at < here).is_some() {}
            if left_out.peek() == Some(&here) {
                continue;
            }
            take(word, std::mem::take(&mut opens));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::gutenberg::leaves;

    proptest! {
        /// Law: words that are asked about count, and follow one another, as they do where all are counted.
        #[test]
        fn what_is_asked_is_counted(
            lines in prop::collection::vec("([aA]|[bB]c|É|don’t|'b|Ünd|x1){1,3}( ([aA]|[bB]c|É|don’t|'b|Ünd|x1){1,2}){0,6}", 1..5),
            asked in prop::collection::vec("a|bc|abc|aa|é|éa|don't|b|ünd|x", 1..6),
        ) {
            let page = format!("<p>{}</p>", lines.join("</p>\n<p>"));
            let leaves = leaves(&page).unwrap();
            let words = |line: &String| -> Vec<String> {
                let words = line.split(|c| !of_word(c)).map(|word| word.trim_matches(['\'', '’']));
                words.filter(|word| !word.is_empty()).map(folded).collect()
            };
            let lines: Vec<Vec<String>> = lines.iter().map(words).collect();
            let found = Vocabulary::of(&leaves, &[], asked.iter().cloned(), asked.iter().cloned());
            for one in &asked {
                let all = lines.iter().flatten().filter_map(|word| {
                    word.strip_suffix(one.as_str()).filter(|rest| rest.chars().count() == 1)?.chars().next()
                });
                let letters = all.filter(|letter| letter.is_lowercase());
                let letters: BTreeSet<char> = letters.collect();
                prop_assert_eq!(found.before(one), letters.into_iter().collect::<Vec<_>>());
                let times = lines.iter().flatten().filter(|word| *word == one).count();
                prop_assert_eq!(found.count(one) as usize, times);
                for next in &asked {
                    let pairs = lines.iter().flat_map(|line| line.windows(2));
                    let times = pairs.filter(|two| two[0] == *one && two[1] == *next).count();
                    prop_assert_eq!(found.follows(one, next) as usize, times);
                }
            }
        }
    }
}

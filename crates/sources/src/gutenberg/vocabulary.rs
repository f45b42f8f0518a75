//! The words of the book itself, by which a word that lost its first letter is told from a whole one.

use std::collections::{BTreeSet, HashMap};

use super::blocks::Leaves;

/// How often words that somebody asks about stand in the kept text, and which of them follow one another. A book has a
/// hundred thousand words, and a few hundred are in doubt.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// Numbers of words.
    words: HashMap<String, u32>,
    /// How often each stands.
    counts: Vec<u32>,
    pairs: HashMap<(u32, u32), u32>,
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
        let mut it = Self::default();
        let mut whole = Looks::new();
        for word in words {
            whole.add(&word, word.len());
            it.number(word);
        }
        let mut behind = Looks::new();
        for word in torn {
            (1..=4).for_each(|letter| behind.add(&word, word.len() + letter));
            it.firsts.insert(word, BTreeSet::new());
        }
        let (mut folded, mut last) = (String::new(), None::<u32>);
        each(leaves, leave_out, |word, opens| {
            if opens {
                last = None;
            }
            // Most words need no more than a look.
            let ascii = word.is_ascii();
            let may_be = !ascii || whole.has(word, word);
            let may_be_behind = !ascii || behind.has(&word[1..], word);
            let before = last.take();
            if !(may_be || may_be_behind) {
                return;
            }
            folded.clear();
            fold(word, &mut folded);
            let torn = may_be_behind && it.begins_torn(&folded);
            let number = match it.words.get(&folded) {
                None if torn => Some(it.number(folded.clone())),
                known => known.copied(),
            };
            let Some(number) = number else { return };
            it.counts[number as usize] += 1;
            if let Some(before) = before {
                *it.pairs.entry((before, number)).or_default() += 1;
            }
            last = Some(number);
        });
        it
    }

    fn number(&mut self, word: String) -> u32 {
        let next = u32::try_from(self.counts.len()).expect("fewer words than bytes of a page");
        let number = *self.words.entry(word).or_insert(next);
        if number == next {
            self.counts.push(0);
        }
        number
    }

    /// Whether a word is a letter before one of `torn`; notes the letter.
    fn begins_torn(&mut self, folded: &str) -> bool {
        let mut rest = folded.chars();
        let first = rest.next().filter(|first| first.is_lowercase());
        let before = first.zip(self.firsts.get_mut(rest.as_str()));
        before.map(|(first, before)| before.insert(first)).is_some()
    }

    pub(super) fn count(&self, word: &str) -> u32 {
        self.words.get(word).map_or(0, |number| self.counts[*number as usize])
    }

    /// The letters before a word of `torn`, in the order of the alphabet.
    pub(super) fn before(&self, torn: &str) -> Vec<char> {
        self.firsts.get(torn).into_iter().flatten().copied().collect()
    }

    pub(super) fn follows(&self, first: &str, next: &str) -> u32 {
        let numbers = self.words.get(first).copied().zip(self.words.get(next).copied());
        numbers.and_then(|two| self.pairs.get(&two)).copied().unwrap_or(0)
    }
}

/// How some words look from afar: by length and last letter, the first letters there are.
struct Looks(Vec<u32>);

impl Looks {
    /// Longer words count as one of this length.
    const LENGTHS: usize = 32;

    fn new() -> Self {
        Self(vec![0; Self::LENGTHS * 256])
    }

    /// Adds a word that has so many bytes, its first letter where it begins.
    fn add(&mut self, word: &str, length: usize) {
        if let Some((at, first)) = Self::place(word, word, length) {
            self.0[at] |= first;
        }
    }

    /// Whether a word of ASCII may be one of them, which begins with `from`.
    fn has(&self, from: &str, word: &str) -> bool {
        Self::place(from, word, word.len()).is_some_and(|(at, first)| self.0[at] & first != 0)
    }

    /// Length and last letter as one number, and a bit for the first letter.
    fn place(from: &str, word: &str, length: usize) -> Option<(usize, u32)> {
        let small = |byte: &u8| byte.to_ascii_lowercase();
        let last = word.as_bytes().last().map(small)?;
        let first = from.as_bytes().first().map(small)?;
        Some((length.min(Self::LENGTHS - 1) * 256 + usize::from(last), 1 << (first % 32)))
    }
}

/// A word as it is counted: in small letters, with one kind of apostrophe.
pub(super) fn folded(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    fold(word, &mut folded);
    folded
}

fn fold(word: &str, folded: &mut String) {
    if word.is_ascii() {
        let start = folded.len();
        folded.push_str(word);
        return folded[start..].make_ascii_lowercase();
    }
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
        for (from, part) in parts(text) {
            let word = part.trim_matches(['\'', '’']);
            if word.is_empty() {
                continue;
            }
            let here = start + from;
            while left_out.next_if(|at| *at < here).is_some() {}
            if left_out.peek() == Some(&here) {
                continue;
            }
            take(word, std::mem::take(&mut opens));
        }
    }
}

/// Runs of signs of words, and where they begin.
fn parts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut from = at;
        loop {
            let run = text.as_bytes()[at..].iter();
            at += run.take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'\'').count();
            let Some(sign) = text[at..].chars().next() else {
                return (from < at).then(|| (from, &text[from..at]));
            };
            let end = at;
            at += sign.len_utf8();
            if sign.is_ascii() || !of_word(sign) {
                if from < end {
                    return Some((from, &text[from..end]));
                }
                from = at;
            }
        }
    })
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

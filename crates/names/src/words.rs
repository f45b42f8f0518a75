//! A text cut into words, each with its case, and the sentences they stand in.
//!
//! What a word, a capital and a sentence are is part of what the taggers were trained on (steps 1, 2
//! and 5 of `data/models/litner/README.md`), so it is decided here once for all of them.

use crate::{lists::is_abbreviation, runs::Runs};
use storymill_metrics::shortcut::Map;

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Case {
    /// It begins with no capital, or is no word of letters.
    Low = 0,
    /// A capital inside a sentence.
    Inside = 1,
    /// All capitals, more than one letter.
    Caps = 2,
    /// A capital on the first word of a sentence.
    First = 3,
}

/// The number of a word's lower-cased form within one text.
pub(crate) type Low = u32;

/// One word or mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The byte of the text where it begins.
    pub start: u32,
    /// The first byte behind it.
    pub end: u32,
    /// Its lower-cased form.
    pub low: Low,
    /// How it is written.
    pub case: Case,
    /// Whether it begins with a letter.
    pub letter: bool,
    /// Whether two or more line breaks stand between it and the word before.
    pub breaks: bool,
}

/// All words of a text, in order: maximal runs of letters and digits, and every other mark by itself.
#[derive(Debug)]
pub struct Words<'t> {
    text: &'t str,
    all: Vec<Word>,
    lows: Vec<Box<str>>,
}

impl<'t> Words<'t> {
    /// Cuts a text of at most `u32::MAX` bytes.
    ///
    /// # Panics
    ///
    /// If the text is longer; a book is at most 64 MB.
    pub fn new(text: &'t str) -> Self {
        u32::try_from(text.len()).expect("a text has at most u32::MAX bytes");
        let mut forms = Forms::default();
        let mut words: Vec<Word> = Vec::with_capacity(text.len() / 5);
        let (mut first, mut behind) = (true, 0);
        let mut previous = Form::default();
        for (start, end) in (Runs { text, at: 0 }) {
            let form = forms.form(&text[start..end]);
            let breaks = start - behind > 1 && two_breaks(&text[behind..start]);
            first |= breaks;
            let mut case = Case::Low;
            if form.letter {
                case = match (form.caps, form.capital) {
                    (true, _) => Case::Caps,
                    (false, true) if first => Case::First,
                    (false, true) => Case::Inside,
                    _ => Case::Low,
                };
                first = false;
            } else if form.stop {
                first |= !(form.point && previous.abbreviation);
            }
            words.push(Word {
                start: u32::try_from(start).expect("checked above"),
                end: u32::try_from(end).expect("checked above"),
                low: form.low,
                case,
                letter: form.letter,
                breaks,
            });
            behind = end;
            previous = form;
        }
        Self { text, all: words, lows: forms.lows }
    }

    /// The text that was cut.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The words in order.
    pub fn all(&self) -> &[Word] {
        &self.all
    }

    /// How many words there are, marks included.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether the text holds no word.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How many lower-cased forms there are; their numbers are below it.
    pub fn forms(&self) -> usize {
        self.lows.len()
    }

    /// Every lower-cased form, by its number.
    pub fn lows(&self) -> &[Box<str>] {
        &self.lows
    }

    /// The word as it is written.
    pub fn surface(&self, at: usize) -> &'t str {
        let word = self.all[at];
        &self.text[word.start as usize..word.end as usize]
    }

    /// The lower-cased form of a word; empty before the first and behind the last.
    pub fn low(&self, at: Option<usize>) -> &str {
        at.and_then(|at| self.all.get(at)).map_or("", |word| &self.lows[word.low as usize])
    }

    /// Whether white space or an underscore stands right before a word.
    pub fn gap(&self, at: usize) -> bool {
        at == 0 || self.all[at].start > self.all[at - 1].end
    }

    /// The sentences, as ranges of words.
    ///
    /// One begins at a word behind two line breaks, or behind white space after `.`, `!` or `?`,
    /// unless the point belongs to an abbreviation or an initial.
    pub fn sentences(&self) -> Vec<std::ops::Range<usize>> {
        let mut sentences = Vec::new();
        let (mut from, mut ended) = (0, false);
        for (at, word) in self.all.iter().enumerate() {
            if at > 0 && ((ended && self.gap(at)) || word.breaks) {
                sentences.push(from..at);
                (from, ended) = (at, false);
            }
            let surface = self.surface(at);
            if matches!(surface, "." | "!" | "?") {
                ended = !(surface == "." && at > 0 && is_abbreviation(self.surface(at - 1)));
            } else if surface.starts_with(char::is_alphanumeric) {
                ended = false;
            }
        }
        if from < self.all.len() {
            sentences.push(from..self.all.len());
        }
        sentences
    }
}

fn two_breaks(gap: &str) -> bool {
    gap.bytes().filter(|byte| *byte == b'\n').nth(1).is_some()
}

/// What is known of a word from its letters alone.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a set of independent marks")]
struct Form {
    low: Low,
    letter: bool,
    capital: bool,
    caps: bool,
    stop: bool,
    point: bool,
    abbreviation: bool,
}

/// Every form met so far. Texts repeat their words, so each is looked at once.
#[derive(Default)]
struct Forms<'t> {
    known: Map<&'t str, Form>,
    numbers: Map<Box<str>, Low>,
    lows: Vec<Box<str>>,
}

impl<'t> Forms<'t> {
    fn form(&mut self, surface: &'t str) -> Form {
        if let Some(form) = self.known.get(surface) {
            return *form;
        }
        let low: Box<str> = surface.to_lowercase().into();
        let number = *self.numbers.entry(low).or_insert_with_key(|low| {
            self.lows.push(low.clone());
            u32::try_from(self.lows.len() - 1).expect("fewer forms than bytes")
        });
        let first = surface.chars().next().unwrap_or(' ');
        let caps =
            surface.chars().any(char::is_uppercase) && !surface.chars().any(char::is_lowercase);
        let form = Form {
            low: number,
            letter: first.is_alphabetic(),
            capital: first.is_uppercase(),
            caps: caps && surface.chars().nth(1).is_some(),
            stop: matches!(surface, "." | "!" | "?"),
            point: surface == ".",
            abbreviation: is_abbreviation(surface),
        };
        self.known.insert(surface, form);
        form
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &[(&str, Case)]) {
        let words = Words::new(text);
        let found: Vec<_> =
            (0..words.len()).map(|at| (words.surface(at), words.all()[at].case)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn capitals_know_where_they_stand() {
        use Case::{Caps, First, Inside, Low};
        check("He saw Ann.", &[("He", First), ("saw", Low), ("Ann", Inside), (".", Low)]);
        check("Mr. Fox", &[("Mr", First), (".", Low), ("Fox", Inside)]);
        check("so. _THE_ End", &[("so", Low), (".", Low), ("THE", Caps), ("End", Inside)]);
        check("one\n\nTwo", &[("one", Low), ("Two", First)]);
        check("É.x", &[("É", First), (".", Low), ("x", Low)]);
    }

    #[test]
    fn sentences_end_behind_their_marks() {
        let words = Words::new("“Oh!” said Mr. Fox. “No.”\n\nHe left");
        let sentences = words.sentences();
        let firsts: Vec<_> =
            sentences.iter().map(|sentence| words.surface(sentence.start)).collect();
        assert_eq!(firsts, ["“", "said", "“", "He"]);
    }

    proptest! {
        /// Words lie in order, none is empty, and nothing but white space and underscores is between.
        #[test]
        fn nothing_but_space_is_lost(text in "[a-zA-Zé’'._ \n!-]{0,80}") {
            let words = Words::new(&text);
            let mut behind = 0;
            for word in words.all() {
                let gap = &text[behind..word.start as usize];
                prop_assert!(gap.chars().all(|c| c.is_whitespace() || c == '_'));
                prop_assert!(word.start < word.end);
                behind = word.end as usize;
            }
            let sentences = words.sentences();
            let joined: Vec<usize> = sentences.into_iter().flatten().collect();
            prop_assert_eq!(joined, (0..words.len()).collect::<Vec<_>>());
        }
    }
}

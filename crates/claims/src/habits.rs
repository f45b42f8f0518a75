//! What answers to claims show of how a model works: whether it gives its answer before its reasons, and whether what it quotes
//! stands in the book.
//!
//! A quotation is what stands between quotation marks and has at least four words. Words are
//! compared by 64-bit digests of their letters and digits, in small letters; marks, blanks and
//! apostrophes do not count, and an ellipsis parts a quotation in two.

use std::collections::HashMap;

use storymill_metrics::pair_accuracy::{Verdict, verdict};
use storymill_text::{Language, one_line, sentence::sentences};

use crate::deciding::explained::explanation;

/// What one answer shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    /// Whether it has an explanation.
    pub explained: bool,
    /// Whether the first sentence of its explanation says already whether the claim is true: who answers first does not reason first.
    pub early: bool,
    /// Whether that early answer is not the final one.
    pub contradicted: bool,
    /// Quotations, without those of the claim.
    pub quotations: u32,
    /// Those that stand in the book word for word.
    pub verbatim: u32,
}

impl Habits {
    /// What an answer to a claim on a book shows.
    pub fn of(answer: &str, claim: &str, book: &BookWords) -> Self {
        let mut found = Self::default();
        if let Some(explanation) = explanation(answer) {
            found.explained = true;
            let explanation = one_line(explanation);
            let first = sentences(&explanation, Language::English).next();
            let early = first.and_then(|first| verdict(first, claim));
            found.early = early.is_some_and(|early| early != Verdict::Fail);
            found.contradicted = found.early && early != verdict(answer, claim);
        }
        let claim = digests(claim);
        for words in quotations(answer) {
            if !claim.windows(words.len()).any(|window| window == words) {
                found.quotations += 1;
                found.verbatim += u32::from(book.has(&words));
            }
        }
        found
    }
}

/// The words of a book, to look up what stands in it.
#[derive(Debug)]
pub struct BookWords {
    words: Vec<u64>,
    /// Where each word stands.
    places: HashMap<u64, Vec<u32>>,
}

impl BookWords {
    /// The words of a text.
    pub fn of(text: &str) -> Self {
        let words = digests(text);
        let mut places: HashMap<u64, Vec<u32>> = HashMap::new();
        for (at, word) in (0..).zip(&words) {
            places.entry(*word).or_default().push(at);
        }
        Self { words, places }
    }

    fn has(&self, words: &[u64]) -> bool {
        // The rarest word has the fewest places to look at.
        let at = |offset: usize| self.places.get(&words[offset]).map_or(&[][..], Vec::as_slice);
        let rarest = (0..words.len()).min_by_key(|offset| at(*offset).len()).unwrap_or(0);
        at(rarest).iter().any(|place| {
            let start = (*place as usize).checked_sub(rarest);
            start.is_some_and(|start| self.words[start..].starts_with(words))
        })
    }
}

/// The fewest words of a quotation.
const LEAST: usize = 4;

/// The quotations of an answer, by the digests of their words.
fn quotations(answer: &str) -> Vec<Vec<u64>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, mark) in answer.char_indices().filter(|(_, c)| matches!(c, '"' | '“' | '”')) {
        match open {
            Some((from, closer)) if mark == closer => {
                parts(&answer[from..at], &mut found);
                open = None;
            }
            _ => {
                let closer = if mark == '“' { '”' } else { '"' };
                open = (mark != '”').then_some((at + mark.len_utf8(), closer));
            }
        }
    }
    found
}

fn parts(quotation: &str, found: &mut Vec<Vec<u64>>) {
    let ellipses = quotation.replace('…', "...");
    for part in ellipses.split("...") {
        let words = digests(part);
        if words.len() >= LEAST {
            found.push(words);
        }
    }
}

/// The words of a text, each as a digest of its letters and digits (FNV-1a).
fn digests(text: &str) -> Vec<u64> {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    let mut words = Vec::with_capacity(text.len() / 5);
    let (mut word, mut letters) = (START, false);
    let mix = |word: u64, byte: u32| (word ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        let mut ends = true;
        if byte.is_ascii_alphanumeric() {
            word = mix(word, u32::from(byte.to_ascii_lowercase()));
            (letters, ends) = (true, false);
        } else if byte.is_ascii() {
            // Apostrophes hold a word together, marks of emphasis stand around it.
            ends = !matches!(byte, b'\'' | b'_' | b'*');
        } else if let Some(c) = text[at - 1..].chars().next() {
            at += c.len_utf8() - 1;
            ends = c != '’';
            if c.is_alphanumeric() {
                word = c.to_lowercase().fold(word, |word, c| mix(word, u32::from(c)));
                (letters, ends) = (true, false);
            }
        }
        if ends && letters {
            words.push(word);
            (word, letters) = (START, false);
        }
    }
    if letters {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_looked_up_in_the_book() {
        let book = BookWords::of(
            "“Fifty feet away a figure—had emerged,” he said; ‘don’t go’ she _cried_ to him.",
        );
        for (answer, expected) in [
            ("It says \"a figure had emerged, he said\" there.", (1, 1)),
            ("It says “Don't go, she cried to” and \"a figure had vanished\".", (2, 1)),
            ("\"Fifty feet away a ... she cried to him\"", (2, 2)),
            ("\"a figure\" is \"short\"", (0, 0)),
            ("\"never closed and that is it", (0, 0)),
            ("The claim: \"Bob rang the bell at noon\"", (0, 0)),
        ] {
            let found = Habits::of(answer, "Bob rang the bell at noon.", &book);
            assert_eq!((found.quotations, found.verbatim), expected, "{answer}");
        }
    }

    #[test]
    fn an_early_answer_stands_in_the_first_sentence() {
        let book = BookWords::of("");
        for (answer, expected) in [
            (
                "<explanation>The claim is false. He left.</explanation><answer>FALSE</answer>",
                (true, true, false),
            ),
            (
                "<explanation>The claim is true. No, he left.</explanation><answer>FALSE</answer>",
                (true, true, true),
            ),
            (
                "<explanation>He left at noon.</explanation><answer>FALSE</answer>",
                (true, false, false),
            ),
            ("<answer>TRUE</answer>", (false, false, false)),
        ] {
            let found = Habits::of(answer, "Bob rang the bell.", &book);
            assert_eq!((found.explained, found.early, found.contradicted), expected, "{answer}");
        }
    }
}

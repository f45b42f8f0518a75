//! Quotations in answers, and whether they stand in the book.
//!
//! A quotation is what stands between quotation marks and has at least four words. Words are
//! compared by 64-bit digests of their letters and digits, in small letters; marks, blanks and
//! apostrophes do not count, and an ellipsis parts a quotation in two.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::Asked;
use crate::{import::Set, pair::Half};

/// What a system quotes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Quotes {
    /// Quotations in its answers on books whose text is at hand, without those of the claim.
    pub quotations: usize,
    /// Those that stand in the book word for word.
    pub verbatim: usize,
}

/// The fewest words of a quotation.
const LEAST: usize = 4;

/// A quotation: whose it is, and its words.
struct Quoted {
    system: usize,
    words: Vec<u64>,
    found: bool,
}

/// Counts the quotations of every system.
pub(super) fn check(
    set: &Set,
    asked: &[Asked<'_>],
    texts: &BTreeMap<String, &str>,
) -> Vec<Option<Quotes>> {
    let mut of_book: BTreeMap<&str, Vec<Quoted>> = BTreeMap::new();
    for (at, pair) in
        set.pairs.iter().enumerate().filter(|(_, pair)| texts.contains_key(&pair.book))
    {
        let claims = Half::BOTH.map(|half| digests(pair.claim(half)));
        for (system, asked) in asked.iter().enumerate() {
            for (claim, response) in claims.iter().zip(asked.responses[at]) {
                let Some(response) = response else { continue };
                for words in quotations(response) {
                    if !claim.windows(words.len()).any(|window| window == words) {
                        of_book.entry(&pair.book).or_default().push(Quoted {
                            system,
                            words,
                            found: false,
                        });
                    }
                }
            }
        }
    }
    let mut counts = vec![Quotes::default(); asked.len()];
    for (book, mut quoted) in of_book {
        search(texts[book], &mut quoted);
        for quotation in quoted {
            counts[quotation.system].quotations += 1;
            counts[quotation.system].verbatim += usize::from(quotation.found);
        }
    }
    counts.into_iter().map(|quotes| Some(quotes).filter(|quotes| quotes.quotations > 0)).collect()
}

/// Looks all quotations of a book up in one pass over its words.
fn search(text: &str, quoted: &mut [Quoted]) {
    let book = digests(text);
    let mut starts: HashMap<[u64; LEAST], Vec<usize>> = HashMap::new();
    // Most words begin no quotation: one bit tells so without a look-up.
    let mut first = vec![0_u64; 1 << 10];
    let bit = |word: u64| (usize::try_from(word >> 54).expect("ten bits"), 1 << (word & 63));
    for (at, quotation) in quoted.iter().enumerate() {
        let start: [u64; LEAST] = quotation.words[..LEAST].try_into().expect("at least that long");
        let (place, bit) = bit(start[0]);
        first[place] |= bit;
        starts.entry(start).or_default().push(at);
    }
    for (from, window) in book.windows(LEAST).enumerate() {
        let (place, bit) = bit(window[0]);
        if first[place] & bit == 0 {
            continue;
        }
        let start: &[u64; LEAST] = window.try_into().expect("a window of this length");
        for &at in starts.get(start).into_iter().flatten() {
            quoted[at].found |= book[from..].starts_with(&quoted[at].words);
        }
    }
}

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
    fn table() {
        let book =
            "“Fifty feet away a figure—had emerged,” he said; ‘don’t go’ she _cried_ to him.";
        let check = |answer: &str, expect: (usize, usize)| {
            let mut quoted: Vec<_> = quotations(answer)
                .into_iter()
                .map(|words| Quoted { system: 0, words, found: false })
                .collect();
            search(book, &mut quoted);
            assert_eq!(
                (quoted.len(), quoted.iter().filter(|one| one.found).count()),
                expect,
                "{answer}"
            );
        };
        check("It says \"a figure had emerged, he said\" there.", (1, 1));
        check("It says “Don't go, she cried to” and \"a figure had vanished\".", (2, 1));
        check("\"Fifty feet away a ... she cried to him\"", (2, 2));
        check("\"a figure\" is \"short\"", (0, 0));
        check("\"never closed and that is it", (0, 0));
    }
}

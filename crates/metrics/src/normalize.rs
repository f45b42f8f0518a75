//! SQuAD's normal form of an answer: lower case, no punctuation, no articles, single spaces.
//!
//! Rule: the evaluation script of SQuAD 1.1 (Rajpurkar et al. 2016), which HotpotQA, NarrativeQA
//! scorers and LV-Eval all took over. Punctuation is ASCII punctuation only; an article is `a`,
//! `an` or `the` between word boundaries, so it also falls beside a dash that is not ASCII.

use crate::unicode::{is_space, is_word};

/// The words of an answer in SQuAD's normal form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    text: String,
    ends: Vec<usize>,
}

impl Words {
    /// Normalises a text.
    ///
    /// Law: the words of the normal form are the words of the text.
    ///
    /// ```
    /// use storymill_metrics::normalize::Words;
    /// assert_eq!(Words::of("The  cat's   an-imal!").text(), "cats animal");
    /// ```
    pub fn of(text: &str) -> Self {
        // Without a way out of the loop, so that it runs over many bytes at a time.
        let plain = |b: u8| (b' '..0x7f).contains(&b) | (b'\t'..=b'\r').contains(&b);
        let all_plain = text.bytes().fold(true, |all, b| all & plain(b));
        if all_plain { Self::of_ascii(text) } else { Self::of_any(text) }
    }

    fn of_ascii(text: &str) -> Self {
        // Each letter is written, and kept only by moving on: no branch for punctuation.
        let mut kept = vec![0; text.len()];
        let mut ends = Vec::with_capacity(text.len() / 5 + 1);
        let (mut start, mut n) = (0, 0);
        for byte in text.bytes().chain([b' ']) {
            let letter = LETTERS[usize::from(byte)];
            if letter == b' ' {
                match &kept[start..n] {
                    [] => {}
                    [b'a'] | b"an" | b"the" => n = start,
                    _ => ends.push(n),
                }
                start = n;
            } else {
                kept[n] = letter;
                n += usize::from(letter != 0);
            }
        }
        kept.truncate(n);
        Self { text: String::from_utf8(kept).expect("ASCII letters"), ends }
    }

    fn of_any(text: &str) -> Self {
        let kept: String =
            text.to_lowercase().chars().filter(|c| !c.is_ascii_punctuation()).collect();
        let mut words = Self { text: String::with_capacity(kept.len() + 1), ends: Vec::new() };
        let mut rest = kept.as_str();
        while let Some(first) = rest.chars().next() {
            let run = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
            let (head, tail) = rest.split_at(run);
            if is_article(head) {
                words.end();
            } else {
                for c in head.chars() {
                    if is_space(c) { words.end() } else { words.text.push(c) }
                }
            }
            rest = tail;
        }
        words.end();
        words
    }

    /// Ends the word being written, and drops it if it is an article.
    fn end(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        if self.text.len() == start {
            return;
        }
        if is_article(&self.text[start..]) {
            self.text.truncate(start);
        } else {
            self.ends.push(self.text.len());
        }
    }

    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.ends.iter().scan(0, |start, &end| Some(&self.text[std::mem::replace(start, end)..end]))
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing is left of the text.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The normal form as one text.
    pub fn text(&self) -> String {
        self.iter().collect::<Vec<_>>().join(" ")
    }
}

/// What becomes of a byte of ASCII: a letter or digit, a space, or 0 for nothing.
const LETTERS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b' ' | b'\t'..=b'\r' => b' ',
            _ if byte.is_ascii_alphanumeric() => byte.to_ascii_lowercase(),
            _ => 0,
        };
        byte += 1;
    }
    table
};

fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(Words::of(text).text(), expect, "{text:?}");
    }

    #[test]
    fn table() {
        check("", "");
        check("The", "");
        check("An apple, a day; the END.", "apple day end");
        check("theatre another a.", "theatre another");
        check("U.S.A. a-b", "usa ab");
        check("Éa the É", "éa é");
        // A dash that is not ASCII stays, but it is a word boundary for the article.
        check("the–dog", "–dog");
        check("rock\u{1f}roll", "rock roll");
        check("“The” end", "“ ” end");
        check("the\u{0}dog", "\u{0}dog");
    }

    proptest! {
        #[test]
        fn both_paths_agree(text in "[ -~\t\n]{0,40}") {
            prop_assert_eq!(Words::of_ascii(&text), Words::of_any(&text));
        }

        #[test]
        fn normal_form_is_stable(text in "\\PC{0,40}") {
            let once = Words::of(&text).text();
            // An article can stand free only after punctuation beside it went.
            prop_assert!(!once.split(' ').any(|w| ["a", "an", "the"].contains(&w)));
            prop_assert_eq!(Words::of(&once).text(), once);
        }
    }
}

//! How BM25 cuts texts into words.

use crate::unicode::{is_space, is_word};

/// How texts are cut into words; all but given ones are lower-cased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Runs of two or more letters and digits, as bm25s and scikit-learn cut.
    Words,
    /// Whatever stands between spaces.
    Spaces,
    /// For Chinese without a dictionary: every two Chinese letters that stand side by side (one that
    /// stands alone by itself); other writing as in [`Cut::Words`].
    HanPairs,
    /// Words that the caller made, in passages and questions alike; a text is one word.
    Given,
}

impl Cut {
    /// Its name in a variant.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Spaces => "spaces",
            Self::HanPairs => "han-pairs",
            Self::Given => "given",
        }
    }

    /// Calls `take` with each word of a text.
    pub fn each(self, text: &str, mut take: impl FnMut(&str)) {
        let lowered = if self == Self::Given { text.into() } else { crate::unicode::lower(text) };
        match self {
            Self::Given => take(text),
            Self::Spaces => lowered.split(is_space).filter(|word| !word.is_empty()).for_each(take),
            Self::Words if lowered.is_ascii() => ascii_words(&lowered, take),
            Self::Words => runs(&lowered, |run| {
                if run.chars().nth(1).is_some() {
                    take(run);
                }
            }),
            Self::HanPairs => runs(&lowered, |run| pairs(run, &mut take)),
        }
    }
}

fn ascii_words(text: &str, mut take: impl FnMut(&str)) {
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !(byte.is_ascii_alphanumeric() || byte == b'_') {
            if at > start + 1 {
                take(&text[start..at]);
            }
            start = at + 1;
        }
    }
    if text.len() > start + 1 {
        take(&text[start..]);
    }
}

fn runs(text: &str, take: impl FnMut(&str)) {
    text.split(|c| !is_word(c)).filter(|run| !run.is_empty()).for_each(take);
}

fn pairs(run: &str, mut take: impl FnMut(&str)) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_han(c) != is_han(first)).unwrap_or(rest.len());
        let (head, tail) = rest.split_at(end);
        let starts: Vec<usize> =
            head.char_indices().map(|(at, _)| at).chain([head.len()]).collect();
        match starts.len() {
            _ if !is_han(first) => {
                if starts.len() > 2 {
                    take(head);
                }
            }
            2 => take(head),
            _ => starts.windows(3).for_each(|at| take(&head[at[0]..at[2]])),
        }
        rest = tail;
    }
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(cut: Cut, text: &str, expect: &[&str]) {
        let mut found = Vec::new();
        cut.each(text, |word| found.push(word.to_owned()));
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn table() {
        check(Cut::Words, "The cat's 9 lives, A-b é1", &["the", "cat", "lives", "é1"]);
        check(Cut::Spaces, " The cat's\tnap ", &["the", "cat's", "nap"]);
        check(
            Cut::HanPairs,
            "孙悟空 and 猪。八戒x的",
            &["孙悟", "悟空", "and", "猪", "八戒", "的"],
        );
        check(Cut::Given, "As It Is", &["As It Is"]);
    }

    proptest! {
        #[test]
        fn ascii_path_agrees(text in "[a-c _.]{0,20}") {
            let (mut a, mut b) = (Vec::new(), Vec::new());
            ascii_words(&text, |word| a.push(word.to_owned()));
            runs(&text, |run| if run.len() > 1 { b.push(run.to_owned()) });
            prop_assert_eq!(a, b);
        }
    }
}

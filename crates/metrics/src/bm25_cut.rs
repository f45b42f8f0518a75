//! How BM25 cuts texts into words.

use crate::unicode::{is_word, lower, split};

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
        match self {
            Self::Given => take(text),
            Self::Spaces => split(&lower(text)).for_each(take),
            Self::Words => lowered_runs(text, |run| {
                if run.len() > 1 && (run.is_ascii() || run.chars().nth(1).is_some()) {
                    take(run);
                }
            }),
            Self::HanPairs => lowered_runs(text, |run| pairs(run, &mut take)),
        }
    }
}

/// Runs of word characters of the text in lower case.
fn lowered_runs(text: &str, mut take: impl FnMut(&str)) {
    // A sigma at a word's end has a small letter of its own, which takes the whole text to see.
    if text.contains('Σ') {
        return runs(&lower(text), take);
    }
    let mut run = String::new();
    if text.is_ascii() {
        return runs(text, |own| {
            if own.bytes().any(|byte| byte.is_ascii_uppercase()) {
                run.clear();
                run.push_str(own);
                run.make_ascii_lowercase();
                take(&run);
            } else {
                take(own);
            }
        });
    }
    let mut put = |c: char| {
        if is_word(c) {
            run.push(c);
        } else if !run.is_empty() {
            take(&run);
            run.clear();
        }
    };
    for c in text.chars() {
        if c.is_ascii() {
            put(c.to_ascii_lowercase());
        } else if ('\u{2000}'..='\u{206f}').contains(&c) {
            put(' ');
        } else {
            c.to_lowercase().for_each(&mut put);
        }
    }
    put(' ');
}

fn runs(text: &str, take: impl FnMut(&str)) {
    text.split(|c| !is_word(c)).filter(|run| !run.is_empty()).for_each(take);
}

fn pairs(run: &str, mut take: impl FnMut(&str)) {
    if run.is_ascii() {
        if run.len() > 1 {
            take(run);
        }
        return;
    }
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
        fn both_paths_agree(text in "[a-cA-CΣσİéÉ _.–’中]{0,20}") {
            let (mut a, mut b) = (Vec::new(), Vec::new());
            lowered_runs(&text, |run| a.push(run.to_owned()));
            runs(&lower(&text), |run| b.push(run.to_owned()));
            prop_assert_eq!(a, b);
        }
    }
}

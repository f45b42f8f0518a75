//! Texts as they are compared: in one line, small letters, without accents.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A text in one line.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if text.contains("  ") || text.contains(|c: char| c.is_whitespace() && c != ' ') {
        return Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    Cow::Borrowed(text)
}

/// A text in small letters without accents.
pub(super) fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

/// Whether a text is another, folded one.
pub(super) fn same(text: &str, folded_other: &str) -> bool {
    if text.is_ascii() {
        return text.eq_ignore_ascii_case(folded_other);
    }
    folded(text) == folded_other
}

/// Whether a text has another, folded one in it, at the beginning of a word.
pub(super) fn has(text: &str, folded_other: &str) -> bool {
    if !text.is_ascii() {
        return word_begins(&folded(text), folded_other);
    }
    let (text, other) = (text.as_bytes(), folded_other.as_bytes());
    let Some(first) = other.first() else { return true };
    let last = text.len().saturating_sub(other.len());
    text.len() >= other.len()
        && (0..=last).any(|at| {
            text[at].eq_ignore_ascii_case(first)
                && (at == 0
                    || !(text[at - 1].is_ascii_alphanumeric() && first.is_ascii_alphanumeric()))
                && text[at..at + other.len()].eq_ignore_ascii_case(other)
        })
}

fn word_begins(text: &str, other: &str) -> bool {
    let Some(first) = other.chars().next() else { return true };
    let mut before = None;
    text.char_indices().any(|(at, c)| {
        let inside = before.is_some_and(char::is_alphanumeric) && first.is_alphanumeric();
        before = Some(c);
        !inside && text[at..].starts_with(other)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_found_at_their_beginning() {
        for (text, other, found) in [
            ("England -- Fiction", "fiction", true),
            ("Nonfiction", "fiction", false),
            ("Detective stories", "detect", true),
            ("Émile Zola", "emile", true),
            ("x É", "e", true),
            ("aÉ", "e", false),
            ("PR", "p", true),
            ("a", "", true),
            ("(Oxford)", "oxford", true),
            ("", "a", false),
        ] {
            assert_eq!(has(text, other), found, "{text} {other}");
        }
    }

    proptest! {
        #[test]
        fn the_short_way_for_ascii_is_the_long_one(text in "[a-zA-Z -]{0,12}", other in "[a-z -]{0,3}") {
            prop_assert_eq!(has(&text, &other), word_begins(&folded(&text), &other));
            prop_assert!(same(&text, &folded(&text)));
        }
    }
}

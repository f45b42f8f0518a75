//! Folded texts compared: whether one is another, or stands in it.

use crate::word::fold;

/// Whether a text is another, folded one.
pub(super) fn same(text: &str, folded_other: &str) -> bool {
    if text.is_ascii() {
        return text.eq_ignore_ascii_case(folded_other);
    }
    fold(text) == folded_other
}

/// Whether a text has another, folded one in it, at the beginning of a word.
pub fn has(text: &str, folded_other: &str) -> bool {
    if !text.is_ascii() {
        return word_begins(&fold(text), folded_other);
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
            prop_assert_eq!(has(&text, &other), word_begins(&fold(&text), &other));
            prop_assert!(same(&text, &fold(&text)));
        }
    }
}

//! Underscores that stand for italics, as plain texts have them: `the word _coat_`. They are no letters
//! of the book, and pages of our time say the same with a tag, which is left out too.

/// The longest stretch that is taken for emphasis, in bytes.
const LONGEST: usize = 400;

/// A text without pairs of underscores around words. One inside a word, alone, or before a blank stays.
pub(super) fn unmarked(text: String) -> String {
    let mut at = text.match_indices('_').map(|(at, _)| at);
    if at.next().is_none() || at.next().is_none() {
        return text;
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), &text[..]);
    while let Some(start) = rest.find('_') {
        let before = rest[..start].chars().next_back().or(out.chars().next_back());
        let inside = &rest[start + 1..];
        let open = before.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        if let Some(end) = inside.find('_').filter(|end| open && is_emphasis(inside, *end)) {
            out.push_str(&rest[..start]);
            out.push_str(&inside[..end]);
            rest = &inside[end + 1..];
        } else {
            out.push_str(&rest[..=start]);
            rest = inside;
        }
    }
    out.push_str(rest);
    out
}

/// Whether what stands before an underscore is words, and a word ends there.
fn is_emphasis(text: &str, end: usize) -> bool {
    let inside = &text[..end];
    let behind = text[end + 1..].chars().next();
    end < LONGEST
        && inside.contains(char::is_alphabetic)
        && !inside.starts_with(char::is_whitespace)
        && !inside.ends_with(char::is_whitespace)
        && behind.is_none_or(|c| !c.is_alphanumeric() && c != '_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pairs_around_words_go() {
        for (text, expected) in [
            ("the word _coat_.", "the word coat."),
            ("“_No!_” and _yes, indeed_; _I_", "“No!” and yes, indeed; I"),
            ("_all of it_", "all of it"),
            ("snake_case_name", "snake_case_name"),
            ("Mr. ____ of ___shire", "Mr. ____ of ___shire"),
            ("a _ b _ c", "a _ b _ c"),
            ("one _alone", "one _alone"),
            ("__init__", "__init__"),
        ] {
            assert_eq!(unmarked(text.to_owned()), expected);
        }
    }

    proptest! {
        /// Law: nothing but underscores goes.
        #[test]
        fn all_else_stays(text in "[a-b_ .“]{0,40}") {
            let kept = |text: &str| text.replace('_', "");
            prop_assert_eq!(kept(&unmarked(text.clone())), kept(&text));
        }
    }
}

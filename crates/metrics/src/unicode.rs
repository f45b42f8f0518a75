//! What the reference programs, all written in Python, take for a space, a digit and a word.
//!
//! Python's classes are nearly those of the Rust standard library, but not quite: it counts the
//! four separator controls as spaces, and combining vowel signs do not belong to words.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// A space as `str.split()` and `\s` see it.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// A word character as `\w` sees it.
pub(crate) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    matches!(
        c.general_category_group(),
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
    )
}

/// A decimal digit as `\d` sees it.
pub(crate) fn is_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    c.general_category() == GeneralCategory::DecimalNumber
}

/// The words between spaces.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// A text in lower case, borrowed if it already is.
pub(crate) fn lower(text: &str) -> std::borrow::Cow<'_, str> {
    if text.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        text.into()
    } else if text.is_ascii() {
        text.to_ascii_lowercase().into()
    } else {
        text.to_lowercase().into()
    }
}

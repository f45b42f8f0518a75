//! Words with their places.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A word or a number, without its possessive ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// The word as it stands.
    pub text: &'t str,
    /// The byte it begins at.
    pub start: usize,
    /// The byte it ends before; a possessive ending comes after it.
    pub end: usize,
}

impl<'t> Word<'t> {
    /// Whether it begins with a capital.
    pub fn is_capital(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    /// Whether it begins with a capital and goes on in small letters.
    pub fn is_capitalised(&self) -> bool {
        self.is_capital() && self.text.chars().skip(1).any(char::is_lowercase)
    }

    /// In small letters: copied only where that changes it.
    pub fn small(&self) -> Cow<'t, str> {
        if self.text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
            Cow::Borrowed(self.text)
        } else {
            Cow::Owned(self.text.to_lowercase())
        }
    }

    /// In small letters, with plain apostrophes.
    pub fn plain(&self) -> String {
        self.text.to_lowercase().replace('’', "'")
    }
}

/// The words of a text: runs of letters and digits, held together by apostrophes and hyphens, by
/// marks inside numbers (`1,500`) and by points between small letters (`a.m`).
pub fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut next = symbol(text, at)?;
        while !next.is_alphanumeric() {
            at += next.len_utf8();
            next = symbol(text, at)?;
        }
        let start = at;
        while let Some(c) = symbol(text, at) {
            let behind = at + c.len_utf8();
            if !c.is_alphanumeric() && !joins(&text[start..at], c, &text[behind..]) {
                break;
            }
            at = behind;
        }
        let text = &text[start..at];
        let bare = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
        Some(Word { text: bare, start, end: start + bare.len() })
    })
}

/// The symbol that begins at a byte. Most are of one byte, which needs no decoding.
fn symbol(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at)? {
        byte if byte.is_ascii() => Some(char::from(*byte)),
        _ => text[at..].chars().next(),
    }
}

/// The words of a text, each in small letters.
pub fn plain(text: &str) -> Vec<String> {
    words(text).map(|word| word.plain()).collect()
}

/// Whether a mark holds what stands before it in a word and what comes behind together.
fn joins(before: &str, mark: char, behind: &str) -> bool {
    let next = |fits: fn(char) -> bool| behind.chars().next().is_some_and(fits);
    let digits = || next(|c| c.is_ascii_digit()) && before.ends_with(|c: char| c.is_ascii_digit());
    let alone = || {
        let mut back = before.chars().rev();
        back.next().is_some_and(char::is_lowercase) && back.next().is_none_or(|c| c == '.')
    };
    match mark {
        '\'' | '’' | '-' => next(char::is_alphanumeric),
        ',' => digits(),
        '.' => digits() || next(char::is_lowercase) && alone(),
        _ => false,
    }
}

/// A text in small letters, without accents, its apostrophes straight: under this, two spellings of
/// a name are one.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let plain = text.nfkd().filter(|c| !is_combining_mark(*c));
    plain.flat_map(char::to_lowercase).map(|c| if c == '’' { '\'' } else { c }).collect()
}

/// Whether this is a Chinese character.
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(words(text).map(|word| word.text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn words_lose_their_possessive_ending_and_nothing_else() {
        check("Anne’s well-to-do aunt", &["Anne", "well-to-do", "aunt"]);
        check("'Tis 1,500.5 miles -- d'Arcy's.", &["Tis", "1,500.5", "miles", "d'Arcy"]);
        check("the 4 a.m. train—home.", &["the", "4", "a.m", "train", "home"]);
        check("\"Carrots.\" J.H. ended.Then", &["Carrots", "J", "H", "ended", "Then"]);
        check("", &[]);
        assert_eq!(plain("Gatsby’s LIGHT"), ["gatsby", "light"]);
    }

    proptest! {
        #[test]
        fn words_stand_where_they_say(text in "\\PC{0,60}") {
            for word in words(&text) {
                prop_assert_eq!(&text[word.start..word.end], word.text);
                prop_assert!(!word.text.is_empty());
            }
        }
    }
}

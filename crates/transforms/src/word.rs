//! Words with their places.

/// A word or a number, without its possessive ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    /// The byte it begins at.
    pub(crate) start: usize,
    /// The byte it ends before; a possessive ending comes after it.
    pub(crate) end: usize,
}

impl Word<'_> {
    /// Whether it begins with a capital and goes on in small letters.
    pub(crate) fn is_capitalised(&self) -> bool {
        let mut chars = self.text.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.any(char::is_lowercase)
    }
}

/// The words of a text: letters with the apostrophes and hyphens between them, or digits.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while chars.peek().is_some_and(|(_, c)| !c.is_alphanumeric()) {
            chars.next();
        }
        let (start, _) = *chars.peek()?;
        let mut end = start;
        while let Some((at, c)) = chars.peek().copied() {
            let inner = matches!(c, '\'' | '’' | '-')
                && text[at + c.len_utf8()..].starts_with(char::is_alphanumeric);
            if !c.is_alphanumeric() && !inner {
                break;
            }
            end = at + c.len_utf8();
            chars.next();
        }
        let text = &text[start..end];
        let bare = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
        Some(Word { text: bare, start, end: start + bare.len() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(words(text).map(|word| word.text).collect::<Vec<_>>(), expected);
        assert!(words(text).all(|word| &text[word.start..word.end] == word.text));
    }

    #[test]
    fn words_lose_their_possessive_ending_and_nothing_else() {
        check("Anne’s well-to-do aunt", &["Anne", "well-to-do", "aunt"]);
        check("'Tis 1,500 miles -- d'Arcy's.", &["Tis", "1", "500", "miles", "d'Arcy"]);
        check("", &[]);
    }
}

//! Words as the lint, the shortcut score and the search for quotations see them.

/// Small words that carry no event.
pub(crate) const SMALL: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "which", "who", "whom", "whose", "and",
    "or", "but", "yet", "so", "then", "also", "too", "very", "quite", "really", "rather", "just",
    "even", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "has",
    "have", "had", "will", "would", "shall", "should", "can", "could", "may", "might", "must",
    "of", "to", "in", "on", "at", "by", "for", "from", "with", "as", "into", "onto", "over",
    "under", "up", "down", "out", "off", "about", "after", "before", "during", "while", "when",
    "where", "because", "since", "until", "if", "than", "it", "its", "he", "him", "his", "she",
    "her", "hers", "they", "them", "their", "theirs", "i", "me", "my", "we", "us", "our", "you",
    "your", "one", "there", "here", "not", "no", "never", "however", "instead",
];

/// Small words that change nothing where they come or go.
pub(crate) const EMPTY: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "very", "quite", "really", "rather",
    "just", "so", "also", "too", "then", "indeed", "and",
];

/// One word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'t> {
    /// As it stands, without the marks around it.
    pub(crate) raw: &'t str,
    /// The byte it begins at.
    pub(crate) at: usize,
}

impl Word<'_> {
    /// In small letters, with plain apostrophes and without the possessive.
    pub(crate) fn plain(&self) -> String {
        let plain = self.raw.to_lowercase().replace('’', "'");
        plain.strip_suffix("'s").map(str::to_owned).unwrap_or(plain)
    }

    /// Whether it begins with a capital.
    pub(crate) fn is_capital(&self) -> bool {
        self.raw.starts_with(char::is_uppercase)
    }
}

/// The words of a text: runs of letters and digits, held together by apostrophes, points between
/// letters (`a.m`) and hyphens.
pub(crate) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut from: Option<usize> = None;
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let inside = from.is_some()
            && matches!(c, '\'' | '’' | '.' | '-' | ',')
            && next.is_some_and(|next| {
                if c == ',' || c == '.' { joins(text, at, next, c) } else { next.is_alphanumeric() }
            });
        if c.is_alphanumeric() || inside {
            from.get_or_insert(at);
        } else if let Some(start) = from.take() {
            words.push(Word { raw: &text[start..at], at: start });
        }
    }
    words.extend(from.map(|start| Word { raw: &text[start..], at: start }));
    words
}

/// Whether a comma or point stands inside a number, or a point between single letters.
fn joins(text: &str, at: usize, next: char, mark: char) -> bool {
    let mut before = text[..at].chars().rev();
    let last = before.next();
    let digits = last.is_some_and(|c| c.is_ascii_digit()) && next.is_ascii_digit();
    let single = before.next().is_none_or(|c| !c.is_alphanumeric());
    digits
        || (mark == '.' && single && last.is_some_and(char::is_alphabetic) && next.is_alphabetic())
}

/// The plain words of a text.
pub(crate) fn plain(text: &str) -> Vec<String> {
    words(text).iter().map(Word::plain).collect()
}

/// Whether a word is small.
pub(crate) fn is_small(word: &str) -> bool {
    SMALL.contains(&word)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn table() {
        let raw = |text| words(text).iter().map(|word| word.raw).collect::<Vec<_>>().join("|");
        assert_eq!(raw("He takes the 4 a.m. train—home."), "He|takes|the|4|a.m|train|home");
        assert_eq!(
            raw("\"Carrots.\" Mrs. Lynde's 1,000.50 well-kept"),
            "Carrots|Mrs|Lynde's|1,000.50|well-kept"
        );
        assert_eq!(raw("’tis ended.Then"), "tis|ended|Then");
        assert_eq!(plain("Gatsby’s LIGHT"), ["gatsby", "light"]);
    }

    proptest! {
        #[test]
        fn words_stand_where_they_say(text in "\\PC{0,60}") {
            for word in words(&text) {
                prop_assert!(text[word.at..].starts_with(word.raw) && !word.raw.is_empty());
            }
        }
    }
}

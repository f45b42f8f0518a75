//! How long a text is by LV-Eval's rule, and which of its words say little.
//!
//! LV-Eval has two languages; any other is counted and cut like English.

use storymill_core::Heading;
use storymill_metrics::wordlists::WordLists;
use storymill_text::{Language, word_count};

/// The length of a text by LV-Eval's rule: words in English, characters in Chinese; punctuation
/// counts and white space does not (paper, section 3). An English word is what white space
/// parts, so a mark counts with the word it stands at, and as one where it stands alone.
///
/// Law: the length of texts joined by white space is the sum of their lengths.
///
/// ```
/// use storymill_mixing::length;
/// use storymill_text::Language;
/// assert_eq!(length("Well - she said, \"no\".", Language::English), 5);
/// assert_eq!(length("她说： “不。”", Language::Chinese), 7);
/// ```
pub fn length(text: &str, language: Language) -> u32 {
    if language == Language::Chinese {
        let signs = text.chars().filter(|c| !c.is_whitespace()).count();
        return u32::try_from(signs).unwrap_or(u32::MAX);
    }
    word_count(text)
}

/// What lengths in a language count: `words`.
pub(crate) fn unit(language: Language) -> &'static str {
    if language == Language::Chinese { "characters" } else { "words" }
}

/// Which words say little in a language: those of the scorers' lists, and what their normal form
/// drops.
#[derive(Debug)]
pub struct Idle {
    lists: WordLists,
    language: Language,
}

impl Idle {
    /// The idle words of a language, by our own lists.
    pub fn of(language: Language) -> Self {
        Self { lists: WordLists::ours(), language }
    }

    /// Whether a word in small letters says little.
    pub fn is(&self, word: &str) -> bool {
        if self.language == Language::Chinese {
            return self.lists.has_chinese(word);
        }
        matches!(word, "a" | "an" | "the" | "yes" | "no") || self.lists.has_english(word)
    }

    /// Whether a text says anything beside idle words.
    pub(crate) fn tells(&self, text: &str) -> bool {
        if self.language == Language::Chinese {
            let told: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
            return !told.is_empty() && !self.is(&told);
        }
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
        words.map(str::to_lowercase).any(|word| !self.is(&word))
    }
}

/// The line above the passage of this number, from 1, without its break.
pub(crate) fn heading(kind: Heading, number: usize) -> String {
    match kind {
        Heading::Released => format!("### Passage {number}"),
        Heading::Paper => format!("Passage {number}"),
        Heading::Chinese => format!("文章{number}"),
        Heading::Plain => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lengths_add_up(a in "[a-z 山。\n]{0,30}", b in "[a-z 山。\n]{0,30}") {
            for language in [Language::English, Language::Chinese] {
                let joined = length(&format!("{a} {b}"), language);
                prop_assert_eq!(joined, length(&a, language) + length(&b, language));
            }
        }
    }
}

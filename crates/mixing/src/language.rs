//! The two languages of LV-Eval, and how long a text is in each.

use storymill_core::Heading;
use storymill_metrics::wordlists::WordLists;

/// A language that contexts are mixed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Lengths in words.
    English,
    /// Lengths in characters.
    Chinese,
}

impl Language {
    /// The language of a tag, `en` or `zh`.
    pub fn of_tag(tag: &str) -> Option<Self> {
        match tag {
            "en" => Some(Self::English),
            "zh" => Some(Self::Chinese),
            _ => None,
        }
    }

    /// Its tag.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
        }
    }

    /// What its lengths count: `words`.
    pub fn unit(self) -> &'static str {
        match self {
            Self::English => "words",
            Self::Chinese => "characters",
        }
    }

    /// The length of a text by LV-Eval's rule: words in English, characters in Chinese; punctuation
    /// counts and white space does not (paper, section 3). An English word is what white space
    /// parts, so a mark counts with the word it stands at, and as one where it stands alone.
    ///
    /// Law: the length of texts joined by white space is the sum of their lengths.
    ///
    /// ```
    /// use storymill_mixing::Language;
    /// assert_eq!(Language::English.length("Well - she said, \"no\"."), 5);
    /// assert_eq!(Language::Chinese.length("她说： “不。”"), 7);
    /// ```
    pub fn length(self, text: &str) -> u32 {
        let length = match self {
            Self::English => words(text),
            Self::Chinese => text.chars().filter(|c| !c.is_whitespace()).count(),
        };
        u32::try_from(length).unwrap_or(u32::MAX)
    }

    /// The heading of contexts in this language where the user chose none.
    pub fn heading(self) -> Heading {
        match self {
            Self::English => Heading::Released,
            Self::Chinese => Heading::Chinese,
        }
    }
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
        match self.language {
            Language::English => {
                matches!(word, "a" | "an" | "the" | "yes" | "no") || self.lists.has_english(word)
            }
            Language::Chinese => self.lists.has_chinese(word),
        }
    }

    /// Whether a text says anything beside idle words.
    pub(crate) fn tells(&self, text: &str) -> bool {
        match self.language {
            Language::English => {
                let words = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
                words.map(str::to_lowercase).any(|word| !self.is(&word))
            }
            Language::Chinese => {
                let told: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
                !told.is_empty() && !self.is(&told)
            }
        }
    }
}

/// Words parted by white space. Most texts are ASCII, whose white space is six bytes.
fn words(text: &str) -> usize {
    if !text.is_ascii() {
        return text.split_whitespace().count();
    }
    let mut blank = true;
    let mut count = 0;
    for byte in text.bytes() {
        let now = matches!(byte, b' ' | b'\t'..=b'\r');
        count += usize::from(blank && !now);
        blank = now;
    }
    count
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
                let joined = language.length(&format!("{a} {b}"));
                prop_assert_eq!(joined, language.length(&a) + language.length(&b));
            }
            prop_assert_eq!(words(&a), a.split_whitespace().count());
        }

        #[test]
        fn ascii_is_counted_like_the_rest(text in "[ -~\t\n\r\u{b}\u{c}]{0,60}") {
            prop_assert_eq!(words(&text), text.split_whitespace().count());
        }
    }
}

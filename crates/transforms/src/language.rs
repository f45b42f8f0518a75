//! The languages whose rules differ, and how a text's language is told.

/// A language with rules of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English, and the default where nothing else is known.
    English,
    /// French.
    French,
    /// German.
    German,
    /// Chinese.
    Chinese,
    /// Any other language.
    Other,
}

impl Language {
    /// The language of a tag, `de` or `zh-Hant`; of several the first, as catalogs list the main
    /// one first.
    ///
    /// ```
    /// use storymill_transforms::Language;
    /// assert_eq!(Language::of_tag("fr; en"), Language::French);
    /// assert_eq!(Language::of_tag(""), Language::English);
    /// assert_eq!(Language::of_tag("fi"), Language::Other);
    /// ```
    pub fn of_tag(tag: &str) -> Self {
        let first = tag.split([';', ',', '-', '_', ' ']).next().unwrap_or_default();
        match first.to_ascii_lowercase().as_str() {
            "" | "en" | "eng" => Self::English,
            "fr" | "fra" | "fre" => Self::French,
            "de" | "deu" | "ger" => Self::German,
            "zh" | "zho" | "chi" => Self::Chinese,
            _ => Self::Other,
        }
    }

    /// The language of a text, told by its commonest small words (by its script for Chinese).
    ///
    /// For stages that see scenes and no catalog. A thousand words are plenty.
    ///
    /// ```
    /// use storymill_transforms::Language;
    /// assert_eq!(Language::of_text("Er ging in den Wald und die Tür war zu."), Language::German);
    /// ```
    pub fn of_text(text: &str) -> Self {
        let mut hits = [0_u32; 3];
        let (mut words, mut han) = (0_u32, 0_u32);
        for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            words += 1;
            han += u32::from(word.starts_with(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)));
            let word = word.to_lowercase();
            for (hits, small) in hits.iter_mut().zip([ENGLISH, FRENCH, GERMAN]) {
                *hits += u32::from(small.contains(&word.as_str()));
            }
        }
        if han * 2 > words {
            return Self::Chinese;
        }
        let best = hits.iter().copied().max().unwrap_or(0);
        let named = [Self::English, Self::French, Self::German];
        // In running text every fourth word is one of these; one in twelve is proof enough.
        match hits.iter().position(|hits| *hits == best) {
            Some(at) if best * 12 >= words => named[at],
            _ => Self::Other,
        }
    }
}

const ENGLISH: &[&str] = &[
    "the", "and", "of", "to", "a", "in", "that", "was", "he", "it", "her", "with", "had", "for",
    "she", "not", "at", "but", "his", "you",
];

const FRENCH: &[&str] = &[
    "le", "la", "les", "et", "de", "des", "une", "un", "que", "il", "elle", "dans", "qui", "pas",
    "ne", "est", "était", "pour", "avec", "vous",
];

const GERMAN: &[&str] = &[
    "der", "die", "das", "und", "ein", "eine", "nicht", "sie", "er", "ich", "zu", "den", "mit",
    "war", "von", "sich", "auf", "dem", "es", "ist",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, language: Language) {
        assert_eq!(Language::of_text(text), language, "{text}");
    }

    #[test]
    fn texts_tell_their_language() {
        check("The carter was late, and she had not waited for him.", Language::English);
        check("Il ne pensait pas que la porte était ouverte.", Language::French);
        check("Sie hatte den Brief nicht gelesen, und er war froh.", Language::German);
        check("她走進房間，看見那封信。他說：「走吧。」", Language::Chinese);
        check("Hän kulki metsässä eikä nähnyt ketään.", Language::Other);
        check("", Language::English);
    }
}

//! Titles: what stands before a name, or in place of one, and is none. The list is `data/names/titles.toml`.

use std::{collections::BTreeMap, sync::LazyLock};

use crate::{
    knowledge::{Known, given},
    lists::is_abbreviation,
    words::{Case, Words},
};
use storymill_metrics::shortcut::Map;

/// The text of the list.
pub(crate) const LIST: &str = storymill_data::text("names/titles.toml");

/// What is known of a title. A word may be several of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Title(u16);

impl Title {
    /// Of a woman.
    pub(crate) const FEMALE: Self = Self(1);
    /// Of a man.
    pub(crate) const MALE: Self = Self(2);
    /// Of either.
    pub(crate) const BOTH: Self = Self(4);
    /// A title only with a capital.
    pub(crate) const CAPITAL: Self = Self(8);
    /// Cut short with a point, and never a name.
    pub(crate) const SHORT: Self = Self(16);
    /// Saint, in the languages of Europe.
    pub(crate) const SAINT: Self = Self(32);
    /// It stands before a family's name.
    pub(crate) const FAMILY: Self = Self(64);
    /// It stands before a first name.
    pub(crate) const GIVEN: Self = Self(128);
    /// Families are called so too.
    pub(crate) const SURNAME: Self = Self(256);

    /// What is known of a lower-cased word.
    pub(crate) fn of(low: &str) -> Self {
        TITLES.get(low).copied().unwrap_or_default()
    }

    /// Whether it is any of these.
    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether it stands before names.
    pub(crate) fn is_title(self) -> bool {
        self.has(Self(Self::FEMALE.0 | Self::MALE.0 | Self::BOTH.0))
    }

    /// Whether the word at this place is a title there: `miss` and `count` are only with a capital.
    pub(crate) fn stands(words: &Words<'_>, at: usize) -> bool {
        let low = words.low(Some(at));
        let title = Self::of(low);
        let capital = words.all()[at].case != Case::Low;
        let point = || words.low(Some(at + 1)) == "." && !words.gap(at + 1);
        if is_name_too(low) && !is_owned(words, at) {
            return false;
        }
        (title.is_title() && (capital || !title.has(Self::CAPITAL)))
            || (low == "m" && capital && point())
    }
}

/// Whether a title is a woman's first name too, as Grace: then it is a title only where it is somebody's.
pub(crate) fn is_name_too(low: &str) -> bool {
    Title::of(low).has(Title::BOTH) && given(low).has(Known::FEMALE)
}

/// Whether a word such as `his` or `your` stands before another one.
pub(crate) fn is_owned(words: &Words<'_>, at: usize) -> bool {
    let before = words.low(at.checked_sub(1).filter(|_| !words.all()[at].breaks));
    matches!(before, "his" | "her" | "your" | "yer" | "their" | "the")
}

/// Small words between a title and the name, or before both.
const BETWEEN: &[&str] = &[
    "de", "du", "des", "la", "le", "van", "von", "der", "den", "di", "da", "del", "della", "zu",
    "old", "young", "little", "poor", "dear", "good",
];

/// The titles before a word, the nearest first, lower-cased.
pub(crate) fn before<'w>(words: &'w Words<'_>, first: usize) -> Vec<&'w str> {
    let mut titles = Vec::new();
    let mut at = first;
    for _ in 0..5 {
        let Some(mut before) = at.checked_sub(1).filter(|_| !words.all()[at].breaks) else { break };
        let sign = words.surface(before);
        if matches!(sign, "." | "'" | "’") && !words.gap(before) && before > 0 {
            before -= 1;
            let low = words.low(Some(before));
            let short = Title::of(low).has(Title::SHORT) || is_abbreviation(words.surface(before));
            if !(if sign == "." { short } else { matches!(low, "mis" | "mas" | "mars") }) {
                break;
            }
        }
        let low = words.low(Some(before));
        if Title::of(low).has(Title::SAINT) {
            // Of Lord St. Clare the title is Lord.
        } else if Title::stands(words, before) {
            titles.push(low);
        } else if !(BETWEEN.contains(&low) && words.gap(at)) {
            break;
        }
        at = before;
    }
    titles
}

/// The list of each of these, in the order of their bits.
const BITS: &str = "female male both capital_only abbreviation saint family given surname";

static TITLES: LazyLock<Map<String, Title>> = LazyLock::new(|| {
    let lists: BTreeMap<String, String> = toml::from_str(LIST).expect("our own lists are sound");
    let mut titles: Map<String, Title> = Map::default();
    for (bit, list) in BITS.split_whitespace().enumerate() {
        for word in lists[list].split_whitespace() {
            titles.entry(word.to_owned()).or_default().0 |= 1 << bit;
        }
    }
    titles
});

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let words = Words::new(text);
        let at = (0..words.len()).rfind(|at| words.surface(*at) == "Lee").unwrap();
        assert_eq!(before(&words, at), expected, "{text}");
    }

    #[test]
    fn titles_are_found_behind_small_words() {
        check("old Mr. Lee", &["mr"]);
        check("Madame la Marquise de Lee", &["marquise", "madame"]);
        check("M. van der Lee", &["m"]);
        check("Mester Lee", &["mester"]);
        check("I miss Lee", &[]);
        check("Miss Lee", &["miss"]);
        check("“Mis’ Lee”", &["mis"]);
        check("the Captain’s Lee", &[]);
        check("He met Dr. Who. Lee came", &[]);
        check("the Captain\n\nLee", &[]);
    }
}

//! Gender, from titles, lists of given names, and the pronouns that follow.

use super::{Gender, parts::Mention};
use crate::{
    knowledge::Known,
    words::{Case, Words},
};

const HE: &[&str] = &[
    "mr",
    "sir",
    "lord",
    "master",
    "mister",
    "monsieur",
    "father",
    "brother",
    "uncle",
    "pa",
    "pap",
    "paw",
    "king",
    "prince",
    "duke",
    "baron",
    "count",
    "earl",
    "captain",
    "capt",
    "colonel",
    "col",
    "major",
    "lieutenant",
    "sergeant",
    "sergt",
    "general",
    "gen",
    "admiral",
    "squire",
    "herr",
    "don",
    "signor",
    "señor",
    "senor",
    "emperor",
    "grandfather",
    "rev",
    "reverend",
    "bishop",
    "marquis",
    "viscount",
];
const SHE: &[&str] = &[
    "mrs",
    "miss",
    "ms",
    "lady",
    "madam",
    "madame",
    "mme",
    "mademoiselle",
    "mlle",
    "mother",
    "sister",
    "aunt",
    "queen",
    "princess",
    "duchess",
    "baroness",
    "countess",
    "dame",
    "frau",
    "fraulein",
    "fräulein",
    "signora",
    "signorina",
    "señora",
    "señorita",
    "senora",
    "senorita",
    "empress",
    "grandmother",
    "missis",
    "mistress",
    "nurse",
    "widow",
    "dona",
    "doña",
    "marchioness",
    "viscountess",
    "aunty",
    "auntie",
    "ma",
    "maw",
    "mam",
    "granny",
    "gran",
    "mammy",
];

/// Votes for he and for she.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Votes {
    he: u32,
    she: u32,
}

impl Votes {
    /// What a title says.
    pub(super) fn of_title(title: &str) -> Self {
        Self { he: 6 * u32::from(HE.contains(&title)), she: 6 * u32::from(SHE.contains(&title)) }
    }

    /// What the lists say of a given name.
    pub(super) fn of_given(known: Known) -> Self {
        match (known.has(Known::MALE), known.has(Known::FEMALE)) {
            (true, false) => Self { he: 12, she: 0 },
            (false, true) => Self { he: 0, she: 12 },
            _ => Self::default(),
        }
    }

    /// What the pronouns behind a mention say, up to the next name or the end of the sentence but one.
    pub(super) fn of_pronouns(words: &Words<'_>, mention: &Mention, next: usize) -> Self {
        let mut votes = Self::default();
        let end = (mention.words.end + 25).min(next).min(words.len());
        for at in mention.words.end..end {
            let word = words.all()[at];
            if word.breaks || (word.case == Case::Inside && word.letter && words.surface(at) != "I")
            {
                break;
            }
            match words.low(Some(at)) {
                "he" | "his" | "him" | "himself" => votes.he += 1,
                "she" | "her" | "hers" | "herself" => votes.she += 1,
                _ => continue,
            }
            break;
        }
        votes
    }

    pub(super) fn add(&mut self, other: Self) {
        self.he += other.he;
        self.she += other.she;
    }

    /// Who wins, where one has at least twice the votes of the other.
    pub(super) fn gender(self) -> Gender {
        match (self.he, self.she) {
            (0, 0) => Gender::Unknown,
            (he, she) if he >= 2 * she => Gender::Male,
            (he, she) if she >= 2 * he => Gender::Female,
            _ => Gender::Unknown,
        }
    }
}

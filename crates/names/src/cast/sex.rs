//! Gender, from titles, lists of given names, and the pronouns that follow.

use super::{Gender, mentions::Mention};
use crate::{
    knowledge::Known,
    titles::Title,
    words::{Case, Words},
};

/// Votes for he and for she.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Votes {
    he: u32,
    she: u32,
}

/// How many pronouns are weighed before a bare majority of them says something.
const MANY: u32 = 12;

/// What such a title counts.
const LANDS: u32 = 3;

impl Votes {
    /// What a title says.
    pub(super) fn of_title(title: &str) -> Self {
        let known = Title::of(title);
        let male = known.has(Title::MALE) || title == "m";
        Self { he: 8 * u32::from(male), she: 8 * u32::from(known.has(Title::FEMALE)) }
    }

    /// What the nearest title that says something says.
    pub(super) fn of_titles(titles: &[String]) -> Self {
        let all = titles.iter().map(|title| Self::of_title(title));
        all.into_iter().find(|votes| votes.he + votes.she > 0).unwrap_or_default()
    }

    /// What the title of somebody says who is called by lands, of which others are called so too.
    pub(super) fn of_lands(title: &str) -> Self {
        let Self { he, she } = Self::of_title(title);
        Self { he: he.min(LANDS), she: she.min(LANDS) }
    }

    /// What the lists say of a given name, or its ending where no list has it.
    pub(super) fn of_given(name: &str) -> Self {
        let low = name.to_lowercase();
        let known = crate::knowledge::given(&low);
        match (known.has(Known::MALE), known.has(Known::FEMALE)) {
            (true, false) => Self { he: 12, she: 0 },
            (false, true) => Self { he: 0, she: 12 },
            (true, true) => Self::default(),
            _ => {
                let ends = |ends: &[&str]| ends.iter().any(|end| low.ends_with(end));
                let she = ends(&["a", "ette", "elle", "ine", "ise", "een", "nore"]);
                let he = ends(&["us", "o", "bert", "ard", "win", "mund", "fred"]);
                Self { he: u32::from(he), she: u32::from(she) }
            }
        }
    }

    /// What the pronouns behind a mention say, up to the next name or the end of the sentence but one.
    ///
    /// *He* behind a name is mostly its bearer, *him* mostly somebody else.
    pub(super) fn of_pronouns(words: &Words<'_>, mention: &Mention, next: usize) -> Self {
        let end = (mention.words.end + 25).min(next).min(words.len());
        for at in mention.words.end..end {
            let word = words.all()[at];
            if word.breaks || (word.case == Case::Inside && word.letter && words.surface(at) != "I")
            {
                break;
            }
            let small = |at: usize| {
                words.all().get(at).is_some_and(|word| word.letter && word.case == Case::Low)
            };
            let votes = match words.low(Some(at)) {
                "he" => Self { he: 2, she: 0 },
                "she" => Self { he: 0, she: 2 },
                "himself" => Self { he: 4, she: 0 },
                "herself" => Self { he: 0, she: 4 },
                "his" => Self { he: 1, she: 0 },
                "her" if small(at + 1) => Self { he: 0, she: 1 },
                "him" | "her" | "hers" => Self::default(),
                _ => continue,
            };
            return votes;
        }
        Self::default()
    }

    /// Whether a list of first names said so, and not an ending.
    pub(super) fn is_listed(self) -> bool {
        self.he.max(self.she) >= 12
    }

    /// The same votes, so many times.
    pub(super) fn times(self, times: u32) -> Self {
        Self { he: self.he * times, she: self.she * times }
    }

    /// Whether more speaks for the one than for the other, however little.
    pub(super) fn leans(self) -> Gender {
        match self.he.cmp(&self.she) {
            std::cmp::Ordering::Greater => Gender::Male,
            std::cmp::Ordering::Less => Gender::Female,
            std::cmp::Ordering::Equal => Gender::Unknown,
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.he += other.he;
        self.she += other.she;
    }

    /// Who wins, if more speaks than an ending or one word: who has twice the votes of the other, or a majority of many that is no accident.
    pub(super) fn gender(self) -> Gender {
        let (he, she) = (self.he, self.she);
        let far = |one: u32, other: u32| {
            let all = u64::from(one) + u64::from(other);
            let lead = u64::from(one.saturating_sub(other));
            // Pronouns count double, so four times their number is one deviation squared.
            one >= 2 * other || (all > u64::from(MANY) && lead * lead > 9 * 2 * all)
        };
        match (he, she) {
            (0 | 1, 0) | (0, 1) => Gender::Unknown,
            _ if far(he, she) => Gender::Male,
            _ if far(she, he) => Gender::Female,
            _ => Gender::Unknown,
        }
    }
}

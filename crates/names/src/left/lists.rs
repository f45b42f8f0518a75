//! What the check knows beforehand: titles, verbs of speech, and why a word with a capital may stay. The lists are
//! `data/names/left.toml`; what is known of the world (places, months, nations, gods) is shared with casts.

use std::{collections::BTreeMap, sync::LazyLock};

use crate::{
    cast::is_listed,
    knowledge::{Known, is_god},
    titles::Title,
};
use storymill_metrics::shortcut::Map;

/// The text of the lists.
pub static LEFT_LIST: &str = storymill_data::text("names/left.toml");

/// What a lower-cased word says of its neighbours, or of itself. A word may be several of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Says(u16);

impl Says {
    pub(super) const TITLE: Self = Self(1);
    pub(super) const SHORT: Self = Self(2);
    pub(super) const BETWEEN: Self = Self(4);
    pub(super) const SAINT: Self = Self(8);
    pub(super) const SPEECH: Self = Self(16);
    pub(super) const DOES: Self = Self(32);
    pub(super) const INSIDE: Self = Self(64);
    pub(super) const ARTICLE: Self = Self(128);
    pub(super) const DATED: Self = Self(256);
    pub(super) const NOBODY: Self = Self(512);
    pub(super) const PLACE_WORD: Self = Self(1024);
    pub(super) const PART: Self = Self(2048);
    pub(super) const MAYBE: Self = Self(4096);
    pub(super) const HUMAN: Self = Self(8192);
    pub(super) const CRY: Self = Self(16384);

    /// What is known of a lower-cased word.
    pub(super) fn of(low: &str) -> Self {
        let known = SAYS.get(low).copied().unwrap_or_default();
        let place = Known::of(low).has(Known::PLACE_WORD);
        Self(known.0 | if place { Self::PLACE_WORD.0 } else { 0 })
    }

    /// Whether it is any of these.
    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Why a form may stay though it has a capital, or is none that is looked for as a matter of course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// Nothing speaks for it.
    Not,
    /// A title, a role, a word of kinship or of feeling: never a name.
    Never,
    /// A month or a day.
    Calendar,
    /// God, a nation, a virtue, a word such as Park: a name only where others of it were replaced.
    Word,
    /// A place or a person of history: a name where much speaks for it.
    World,
}

impl Why {
    /// The reason for a lower-cased word.
    pub(super) fn of(low: &str) -> Self {
        let (known, title) = (Known::of(low), Title::of(low));
        if Says::of(low).has(Says::NOBODY)
            || Says::of(low).has(Says::BETWEEN)
            || (title.is_title() && !title.has(Title::SURNAME))
        {
            Self::Never
        } else if known.has(Known::CALENDAR) {
            Self::Calendar
        } else if known.has(Known::PEOPLES)
            || known.only_capital()
            || known.has(Known::PLACE_WORD)
            || is_god(low)
            || title.is_title()
        {
            Self::Word
        } else if known.has(Known::PLACE) || known.has(Known::PEOPLE) || is_real(low) {
            Self::World
        } else {
            Self::Not
        }
    }
}

/// Whether the lists of casts know a place or a person of the world by a lower-cased word.
fn is_real(low: &str) -> bool {
    ["known", "places", "real-places"].into_iter().any(|list| is_listed(list, low))
}

/// How words end that are cried out and name nobody: *Ridiculous!*, *Impossible!*
const CRIED: &[&str] = &[
    "ly", "ous", "ble", "ing", "ed", "tion", "sion", "ness", "ful", "less", "ical", "ment", "ever",
    "est", "self",
];

/// Whether a word may be cried out without being a name: by the list, by how it ends, or because it is short.
pub(super) fn is_cry(low: &str) -> bool {
    Says::of(low).has(Says::CRY)
        || low.chars().nth(4).is_none()
        || CRIED.iter().any(|end| low.ends_with(end))
}

/// The list of each of these, in the order of their bits; words of places are on another one.
const BITS: &str =
    "title short between saint speech does inside article dated nobody - part maybe human cry";

static SAYS: LazyLock<Map<String, Says>> = LazyLock::new(|| {
    let lists: BTreeMap<String, String> =
        toml::from_str(LEFT_LIST).expect("our own lists are sound");
    let mut says: Map<String, Says> = Map::default();
    for (bit, list) in BITS.split_whitespace().enumerate() {
        for word in lists.get(list).into_iter().flat_map(|words| words.split_whitespace()) {
            says.entry(word.to_owned()).or_default().0 |= 1 << bit;
        }
    }
    says
});

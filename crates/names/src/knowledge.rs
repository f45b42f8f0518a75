//! What is known of words before any book is opened: given names, family names, real places, the
//! calendar, nations. The lists are `data/names`, ours, and come inside the crate.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use serde::Deserialize;

use crate::titles;
use storymill_metrics::shortcut::Map;

/// The texts of all lists: casts and substitutes are others where one of them is.
pub static LISTS: [&str; 12] = [
    storymill_data::text("names/english.toml"),
    storymill_data::text("names/french.toml"),
    storymill_data::text("names/german.toml"),
    storymill_data::text("names/italian.toml"),
    storymill_data::text("names/russian.toml"),
    storymill_data::text("names/nicknames.toml"),
    storymill_data::text("names/pet-names.toml"),
    storymill_data::text("names/blocked.txt"),
    storymill_data::text("names/anchors.toml"),
    storymill_data::text("names/given.toml"),
    titles::LIST,
    SIGNS,
];

/// Words around a name that show what it names.
pub(crate) const SIGNS: &str = storymill_data::text("names/signs.txt");

/// The names of one culture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Culture {
    pub(crate) female: List,
    pub(crate) male: List,
    pub(crate) surname: List,
    /// The first halves of places that do not exist.
    pub(crate) stem: List,
    /// Their second halves.
    pub(crate) ending: List,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Anchors {
    place: List,
    place_word: List,
    people: List,
    calendar: List,
    peoples: List,
    capital: List,
    gods: List,
}

static ANCHORED: LazyLock<Anchors> =
    LazyLock::new(|| toml::from_str(LISTS[8]).expect("our own lists are sound"));

/// Whether a lower-cased word names a god or a devil.
pub(crate) fn is_god(low: &str) -> bool {
    static GODS: LazyLock<BTreeSet<String>> =
        LazyLock::new(|| ANCHORED.gods.iter().map(|god| god.to_lowercase()).collect());
    GODS.contains(low)
}

/// Words in one string.
#[derive(Debug, Deserialize)]
#[serde(from = "String")]
pub(crate) struct List(Vec<String>);

impl std::ops::Deref for List {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl From<String> for List {
    fn from(words: String) -> Self {
        Self(words.split_whitespace().map(str::to_owned).collect())
    }
}

/// The cultures, the first of which is the default.
pub(crate) static CULTURES: LazyLock<Vec<(&'static str, Culture)>> = LazyLock::new(|| {
    ["english", "french", "german", "italian", "russian"]
        .into_iter()
        .zip(LISTS)
        .map(|(name, text)| (name, toml::from_str(text).expect("our own lists are sound")))
        .collect()
});

/// What a word may be. A word can be on several lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known(u16);

impl Known {
    pub(crate) const FEMALE: Self = Self(1);
    pub(crate) const MALE: Self = Self(2);
    pub(crate) const SURNAME: Self = Self(4);
    pub(crate) const PLACE: Self = Self(8);
    pub(crate) const PLACE_WORD: Self = Self(16);
    pub(crate) const PEOPLE: Self = Self(32);
    pub(crate) const CALENDAR: Self = Self(64);
    pub(crate) const PEOPLES: Self = Self(128);
    pub(crate) const CAPITAL: Self = Self(256);

    /// Every list with a short name of it.
    pub(crate) const ALL: [(Self, char); 9] = [
        (Self::FEMALE, 'f'),
        (Self::MALE, 'm'),
        (Self::SURNAME, 's'),
        (Self::PLACE, 'p'),
        (Self::PLACE_WORD, 'w'),
        (Self::PEOPLE, 'h'),
        (Self::CALENDAR, 'c'),
        (Self::PEOPLES, 'n'),
        (Self::CAPITAL, 'k'),
    ];

    /// What is known of a lower-cased word.
    pub(crate) fn of(low: &str) -> Self {
        KNOWN.get(low).copied().unwrap_or_default()
    }

    /// Whether it is written with a capital and names nobody: God, Heaven.
    pub(crate) fn only_capital(self) -> bool {
        self.has(Self::CAPITAL)
            && !self.has(Self::FEMALE)
            && !self.has(Self::MALE)
            && !self.has(Self::SURNAME)
    }

    /// Whether it is a person of history or myth, and no name that others have.
    pub(crate) fn only_people(self) -> bool {
        self.has(Self::PEOPLE)
            && !self.has(Self::FEMALE)
            && !self.has(Self::MALE)
            && !self.has(Self::SURNAME)
    }

    /// Whether the word is on this list.
    pub(crate) fn has(self, list: Self) -> bool {
        self.0 & list.0 != 0
    }
}

type Forms = BTreeMap<String, String>;

static NICKNAMES: LazyLock<Forms> = LazyLock::new(|| forms(LISTS[5]));
/// More of these, which no substitute is taken from.
static PET_NAMES: LazyLock<Forms> = LazyLock::new(|| forms(LISTS[6]));

fn forms(text: &str) -> Forms {
    toml::from_str(text).expect("our own lists are sound")
}

/// The names that a pet name may stand for.
pub(crate) fn long_forms(short: &str) -> impl Iterator<Item = &'static str> {
    NICKNAMES.get(short).into_iter().flat_map(|long| long.split_whitespace())
}

/// Names that a reader may take for another form of this one, itself among them, if it has any.
pub(crate) fn forms_of(name: &str) -> impl Iterator<Item = &'static str> {
    FORMS.get(name).into_iter().flatten().copied()
}

static FORMS: LazyLock<Map<&'static str, BTreeSet<&'static str>>> = LazyLock::new(|| {
    let mut of: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (short, long) in &*NICKNAMES {
        for long in long.split_whitespace() {
            of.entry(long).or_default().extend([long, short]);
        }
    }
    let mut forms: Map<&str, BTreeSet<&str>> = Map::default();
    for set in of.values() {
        for one in set {
            forms.entry(one).or_default().extend(set);
        }
    }
    forms
});

/// Whether a name is a short or pet form of another.
pub(crate) fn is_pet_name(name: &str) -> bool {
    NICKNAMES.contains_key(name)
}

/// Whether two given names may be one person's, being short or pet forms of each other or of a third.
///
/// `nicknames.toml` says so, or the letters: *Janey* is *Jane* with an ending, *Wilf* the beginning of *Wilfred*.
pub(crate) fn are_forms(one: &str, other: &str) -> bool {
    let long = |name: &str| {
        let more = PET_NAMES.get(name).into_iter().flat_map(|long| long.split_whitespace());
        long_forms(name).chain(more).collect::<Vec<_>>()
    };
    let [one_long, other_long] = [one, other].map(long);
    let third = one_long.iter().any(|form| other_long.contains(form));
    one_long.contains(&other)
        || other_long.contains(&one)
        || third
        || is_shortened(one, other)
        || is_shortened(other, one)
}

/// Whether the one is the other cut short, with an ending of pet names or without.
fn is_shortened(short: &str, long: &str) -> bool {
    let [short, long] = [short, long].map(str::to_lowercase);
    let opposite = |one: Known, other: Known| {
        let only = |known: Known, list: Known, not: Known| known.has(list) && !known.has(not);
        only(one, Known::FEMALE, Known::MALE) && only(other, Known::MALE, Known::FEMALE)
    };
    let [of_short, of_long] = [&short, &long].map(|name| given(name));
    if opposite(of_short, of_long) || opposite(of_long, of_short) {
        return false;
    }
    let given = Known::of(&short).has(Known(Known::FEMALE.0 | Known::MALE.0));
    let cut = |stem: &str, more: usize| {
        stem.chars().count() >= 3
            && long.starts_with(stem)
            && long.chars().count() >= stem.chars().count() + more
    };
    let ended = ["ie", "ey", "y", "kin", "ikins"].iter().any(|end| {
        short.strip_suffix(end).is_some_and(|stem| {
            // Zebbie is Zebulon.
            let twice = |c: char| stem.trim_end_matches(c).len() + c.len_utf8() < stem.len();
            let once = stem.strip_suffix(twice).unwrap_or(stem);
            (cut(stem, 0) || cut(once, 0)) && stem != long.trim_end_matches('y')
        })
    });
    !given && (ended || cut(&short, 2))
}

/// Which given name a lower-cased word is, by every list, and by those too from which none is drawn.
pub(crate) fn given(low: &str) -> Known {
    let known = Known::of(low);
    if known.has(Known::FEMALE) || known.has(Known::MALE) {
        return known;
    }
    MORE_GIVEN.get(low).copied().unwrap_or_default()
}

/// Whether a lower-cased word is a first name by any list.
pub(crate) fn is_given(low: &str) -> bool {
    given(low).has(Known(Known::FEMALE.0 | Known::MALE.0))
}

static MORE_GIVEN: LazyLock<Map<String, Known>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct More {
        female: List,
        male: List,
    }
    let more: More = toml::from_str(LISTS[9]).expect("our own lists are sound");
    let mut given: Map<String, Known> = Map::default();
    for (names, list) in [(more.female, Known::FEMALE), (more.male, Known::MALE)] {
        for name in &*names {
            given.entry(name.to_lowercase()).or_default().0 |= list.0;
        }
    }
    for (short, long) in &*PET_NAMES {
        let lists = long.split_whitespace().map(|name| Known::of(&name.to_lowercase()).0);
        let of = lists.fold(0, |all, one| all | one) & (Known::FEMALE.0 | Known::MALE.0);
        given.entry(short.to_lowercase()).or_default().0 |= of;
    }
    given
});

/// Names that make readers think of famous fiction, lower-cased.
pub(crate) static BLOCKED: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let lines = LISTS[7].lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).map(str::to_lowercase).collect()
});

static KNOWN: LazyLock<Map<String, Known>> = LazyLock::new(|| {
    let mut known: Map<String, Known> = Map::default();
    let mut add = |words: &List, list: Known| {
        for word in &**words {
            known.entry(word.to_lowercase()).or_default().0 |= list.0;
        }
    };
    for (_, culture) in &*CULTURES {
        add(&culture.female, Known::FEMALE);
        add(&culture.male, Known::MALE);
        add(&culture.surname, Known::SURNAME);
    }
    let anchors = &*ANCHORED;
    add(&anchors.place, Known::PLACE);
    add(&anchors.place_word, Known::PLACE_WORD);
    add(&anchors.people, Known::PEOPLE);
    add(&anchors.calendar, Known::CALENDAR);
    add(&anchors.peoples, Known::PEOPLES);
    add(&anchors.capital, Known::CAPITAL);
    for (short, long) in &*NICKNAMES {
        let lists =
            |known: &Map<String, Known>, name: &str| known.get(&name.to_lowercase()).copied();
        let given = Known::FEMALE.0 | Known::MALE.0;
        let of: u16 = long
            .split_whitespace()
            .filter_map(|name| lists(&known, name))
            .fold(0, |all, one| all | one.0);
        let entry = known.entry(short.to_lowercase()).or_default();
        entry.0 |= of & given;
    }
    known
});

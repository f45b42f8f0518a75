//! Words that say what their neighbours are.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    sync::LazyLock,
};

use crate::lists::{ABBREVIATIONS, PLACES, SPEECH, TITLES, VERBS};

/// What the counting asks of every form, looked up once.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a set of independent marks")]
pub(super) struct Signs {
    pub(super) title: bool,
    pub(super) speech: bool,
    pub(super) place: bool,
    pub(super) verb: bool,
    pub(super) the: bool,
    pub(super) article: bool,
    pub(super) apostrophe: bool,
    pub(super) s: bool,
    pub(super) point: bool,
    pub(super) short: bool,
    pub(super) hyphen: bool,
}

impl Signs {
    /// The signs of a lower-cased form.
    pub(super) fn of(low: &str) -> Self {
        let mut signs = SIGNS.get(low).copied().unwrap_or_default();
        // Initials stand as capitals in the text, and few single letters are words.
        signs.short |= low.len() == 1 && low.starts_with(char::is_alphabetic);
        signs
    }
}

/// The words that have signs; nearly all forms have none.
static SIGNS: LazyLock<HashMap<&'static str, Signs, Quick>> = LazyLock::new(|| {
    let mut signs: HashMap<&'static str, Signs, Quick> = HashMap::default();
    let mut set = |words: &[&'static str], set: fn(&mut Signs)| {
        for word in words {
            set(signs.entry(word).or_default());
        }
    };
    set(&TITLES, |signs| signs.title = true);
    set(&SPEECH, |signs| signs.speech = true);
    set(&PLACES, |signs| signs.place = true);
    set(&VERBS, |signs| signs.verb = true);
    set(&ABBREVIATIONS, |signs| signs.short = true);
    set(&["the"], |signs| signs.the = true);
    set(&["a", "an"], |signs| signs.article = true);
    set(&["'", "’"], |signs| signs.apostrophe = true);
    set(&["s"], |signs| signs.s = true);
    set(&["."], |signs| signs.point = true);
    set(&["-"], |signs| signs.hyphen = true);
    signs
});

/// A quick hash (FNV-1a) for tables whose keys nobody can choose to make it slow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fnv(u64);

pub(super) type Quick = BuildHasherDefault<Fnv>;

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

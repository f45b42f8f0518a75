//! Words that say what their neighbours are.

use std::sync::LazyLock;

use crate::lists::{ABBREVIATIONS, PLACES, SPEECH, TITLES, VERBS};
use storymill_metrics::shortcut::Map;

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
static SIGNS: LazyLock<Map<&'static str, Signs>> = LazyLock::new(|| {
    let mut signs: Map<&'static str, Signs> = Map::default();
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

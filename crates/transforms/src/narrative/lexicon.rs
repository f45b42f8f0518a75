//! Word lists of the rule-made stages, written by hand for English: `data/lexicon.txt`.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// Words that are asked for at every word of a book.
pub(crate) type Words = LazyLock<HashSet<&'static str>>;
/// Words, phrases or lines of words, in the order of the file.
pub(crate) type Lines = LazyLock<Vec<&'static str>>;
/// Words or phrases, each with what belongs to it.
pub(crate) type Pairs = LazyLock<Vec<(&'static str, &'static str)>>;

/// The lines of a group of a file.
fn group(file: &'static str, name: &str) -> impl Iterator<Item = &'static str> {
    let lines = file.lines().skip_while(move |line| {
        line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) != Some(name)
    });
    let lines = lines.skip(1).take_while(|line| !line.starts_with('['));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The words of a group.
pub(crate) fn words(file: &'static str, name: &str) -> impl Iterator<Item = &'static str> {
    group(file, name).flat_map(str::split_whitespace)
}

/// The lines of a group.
pub(crate) fn lines(file: &'static str, name: &str) -> Vec<&'static str> {
    group(file, name).collect()
}

/// The lines of a group, each cut at its first `=`.
pub(crate) fn pairs(file: &'static str, name: &str) -> Vec<(&'static str, &'static str)> {
    let pair = |line: &'static str| {
        let (one, other) = line.split_once('=').unwrap_or((line, ""));
        (one.trim(), other.trim())
    };
    group(file, name).map(pair).collect()
}

const FILE: &str = include_str!("../../data/lexicon.txt");

macro_rules! sets {
    ($($(#[$doc:meta])* $see:vis $name:ident = $group:literal;)*) => {
        $($(#[$doc])* $see static $name: Words = Words::new(|| words(FILE, $group).collect());)*
    };
}

sets! {
    /// Titles that stand before a name, without their full stop.
    pub(crate) TITLES = "titles";
    /// Words with a capital that name neither a person nor a place of the story.
    pub(crate) NOT_NAMES = "not-names";
    MEN = "men";
    WOMEN = "women";
    ANYBODY = "anybody";
    /// Prepositions that stand before places and seldom before persons.
    pub(crate) IN_PLACE = "in-place";
    /// Well-known women's names.
    pub(crate) FEMALE_NAMES = "female-names";
    /// Well-known men's names.
    pub(crate) MALE_NAMES = "male-names";
    STATES = "states";
    /// Words of whoever speaks and is spoken to.
    pub(crate) SPEAKERS = "speakers";
    /// Words of the present.
    pub(crate) PRESENT = "present";
}

/// Names that may mean the same person.
pub(crate) static NICKNAMES: Lines = Lines::new(|| lines(FILE, "nicknames"));

/// Number words. `one` is not among them: it is a pronoun as often.
pub(crate) static NUMBERS: LazyLock<Vec<(&str, u32)>> = LazyLock::new(|| {
    let value = |(word, value): (&'static str, &str)| Some((word, value.parse().ok()?));
    pairs(FILE, "numbers").into_iter().filter_map(value).collect()
});

/// Past tenses that are no participles of another verb, with their infinitives, in order.
pub(crate) static PAST: Pairs = Pairs::new(|| pairs(FILE, "past"));

/// Whether a noun in small letters is a person who may be a man, or a woman.
pub(crate) fn is_person(noun: &str, male: bool) -> bool {
    ANYBODY.contains(noun) || if male { &MEN } else { &WOMEN }.contains(noun)
}

/// Whether a small-letter word looks like the past of a verb that moves a story.
pub(crate) fn is_past(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ed") && !word.ends_with("eed") || base_of(word).is_some()
}

/// The infinitive of a past tense in the table.
pub(crate) fn base_of(past: &str) -> Option<&'static str> {
    static BASES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| PAST.iter().copied().collect());
    BASES.get(past).copied()
}

/// The value of a number word up to twelve, or of a round one.
pub(crate) fn number_of(word: &str) -> Option<u32> {
    static VALUES: LazyLock<HashMap<&str, u32>> =
        LazyLock::new(|| NUMBERS.iter().copied().collect());
    VALUES.get(word).copied()
}

/// Whether a word is a verb that moves no story: a past tense of such, or an auxiliary.
pub(crate) fn is_verb(word: &str) -> bool {
    STATES.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_in_order() {
        assert!(PAST.is_sorted() && PAST.len() == 151);
        assert_eq!(base_of("went"), Some("go"));
    }
}

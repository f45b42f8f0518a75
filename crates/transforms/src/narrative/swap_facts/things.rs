//! What it was and how many: swaps of nouns, colours, days and numbers.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    line::Line,
    slots::{Slot, SlotKind, Stock, Telling},
    tables::{BEFORE_NOUN, MASS, MEASURES, NATURAL, NOUNS, RARE, SAME, WORDS},
};
use storymill_text::lists::is_small;

use crate::narrative::lexicon::{NUMBERS, is_past, number_of};

impl Stock<'_> {
    /// Nouns, colours, days for others of their class that the book knows.
    pub(super) fn things_in(&self, line: &Line<'_>, slots: &mut Vec<Slot>) {
        for at in 0..line.words.len() {
            let word = line.words[at].text;
            let Some(class) = class_of(line, at) else { continue };
            if line.is_fixed(at)
                || line.is_named(at)
                || line.is_tied(at, at) && !line.text[line.words[at].end..].starts_with(['’', '\''])
            {
                continue;
            }
            let before = line.before(at);
            let of = NATURAL.iter().find(|(thing, _)| *thing == line.after(at)).map(|of| of.1);
            let fits = |other: &&str| {
                *other != word
                    && !RARE.contains(other)
                    && !matches!((&before[..], *other), ("his", "husband") | ("her", "wife"))
                    && of.is_none_or(|of| of.split(' ').any(|colour| colour == *other))
                    && !in_one_group(&SAME, other, word)
                    && !line.words.iter().any(|here| here.text == *other)
            };
            let tellings = class.split(' ').filter(fits).map(|other| Telling {
                changes: vec![line.replace(at, at, other)],
                said: self.says(other),
            });
            line.keep(SlotKind::Thing, (word, Some(self.says(word))), tellings.collect(), slots);
        }
    }

    /// Number words for others of like size, digits for other digits.
    pub(super) fn numbers_in(&self, line: &Line<'_>, slots: &mut Vec<Slot>) {
        for at in 0..line.words.len() {
            let word = line.words[at].text;
            let digits = word.starts_with(|c: char| c.is_ascii_digit());
            if !digits && number_of(word).is_none() && !word.contains('-') {
                continue;
            }
            let before = line.before(at);
            // `the two`, `one or two` and `these three` lean on what was said before.
            let leans = matches!(
                &before[..],
                "chapter" | "the" | "no" | "these" | "those" | "all" | "or" | "and" | "other"
            );
            let money = line.text[..line.words[at].start].ends_with(TIES) && digits;
            if leans && !digits || money || line.text[line.words[at].end..].starts_with(TIES_ON) {
                continue;
            }
            let others = if let Some(value) = number_of(word) {
                numbers_like(value)
            } else if let Some((tens, ones)) = word.split_once('-') {
                compounds_like(tens, ones)
            } else {
                digits_like(word)
            };
            // Digits and compounds are too many for the book to say each of them.
            let counted = number_of(word).is_some();
            let tellings = others.iter().map(|other| Telling {
                changes: vec![line.replace(at, at, other)],
                said: if counted { self.says(other) } else { 1 },
            });
            let said = counted.then(|| self.says(word));
            line.keep(SlotKind::Number, (word, said), tellings.collect(), slots);
        }
    }
}

/// Number words of like size.
fn numbers_like(value: u32) -> Vec<String> {
    let near = |other: u32| match value {
        2..=12 => (2..=12).contains(&other),
        13..=19 => (11..=19).contains(&other),
        100.. => other >= 100,
        _ => (20..=90).contains(&other),
    };
    let others = NUMBERS.iter().filter(|(_, other)| *other != value && near(*other));
    others.map(|(word, _)| (*word).to_owned()).collect()
}

/// Marks that tie digits to others: amounts, dates, ranges.
const TIES: [char; 6] = ['.', ',', '/', ':', '–', '-'];
const TIES_ON: [char; 4] = ['/', ':', '–', '-'];

/// The first class that each word is a member of, and whether it is one of nouns.
static CLASSES: LazyLock<HashMap<&str, (&str, bool)>> = LazyLock::new(|| {
    let nouns = NOUNS.iter().map(|class| (*class, true));
    let mut classes = HashMap::new();
    for (class, is_noun) in nouns.chain(WORDS.iter().map(|class| (*class, false))) {
        for member in class.split(' ') {
            classes.entry(member).or_insert((class, is_noun));
        }
    }
    classes
});

/// The class whose members may stand at a place.
fn class_of(line: &Line<'_>, at: usize) -> Option<&'static str> {
    let word = line.words[at].text;
    let (class, is_noun) = *CLASSES.get(word)?;
    if is_noun {
        return is_thing(line, at).then_some(class);
    }
    let before = line.before(at);
    let counted = || {
        number_of(&before).is_some() || matches!(&before[..], "few" | "several" | "many" | "some")
    };
    let fits = match word {
        "second" => matches!(&before[..], "the" | "a" | "his" | "her"),
        // `May` and `March` are names and verbs as often.
        "May" | "March" => matches!(&before[..], "of" | "in" | "last" | "next" | "early" | "late"),
        word if MEASURES.contains(&word) => counted(),
        _ => true,
    };
    fits.then_some(class)
}

/// Whether a noun is meant as the thing itself: an article or the like stands in front of it, and
/// nothing hangs on it.
fn is_thing(line: &Line<'_>, at: usize) -> bool {
    let owner = at > 0 && line.text[line.words[at - 1].end..].starts_with(['’', '\'']);
    let led = at > 0 && (BEFORE_NOUN.contains(&&line.before(at)[..]) || owner);
    // `the garden paths`: another noun hangs on it.
    let after = line.after(at);
    let goes_on = |end| after.ends_with(end);
    let ends = !line.is_joined(at)
        || is_small(&after)
        || is_past(&after)
        || line.is_named(at + 1)
        || goes_on("ly")
        || goes_on("ing");
    (led || MASS.contains(&line.words[at].text)) && ends
}

fn compounds_like(tens: &str, ones: &str) -> Vec<String> {
    let compound = number_of(tens).is_some_and(|tens| tens >= 20);
    if !compound || number_of(ones).is_none() && ones != "one" {
        return Vec::new();
    }
    let below_ten = NUMBERS.iter().filter(|(word, value)| *value < 10 && *word != ones);
    below_ten.map(|(word, _)| format!("{tens}-{word}")).collect()
}

/// Numbers of like size: a year some years off, a day of some month, or another amount.
fn digits_like(word: &str) -> Vec<String> {
    let Ok(value) = word.parse::<u32>() else { return Vec::new() };
    let others: Vec<u32> = match value {
        2..=12 => (2..=12).collect(),
        13..=31 => (13..=29).collect(),
        1000..=2100 => [2, 3, 5, 8, 12].iter().flat_map(|by| [value - by, value + by]).collect(),
        32..=9999 => vec![value / 2, value * 2, value / 3],
        _ => Vec::new(),
    };
    others.into_iter().filter(|other| *other != value).map(|other| other.to_string()).collect()
}

fn in_one_group(groups: &[&str], one: &str, other: &str) -> bool {
    let holds = |group: &str, word: &str| group.split(' ').any(|member| member == word);
    groups.iter().any(|group| holds(group, one) && holds(group, other))
}

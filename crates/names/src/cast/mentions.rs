//! Mentions: parts side by side, at every place of the book.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use storymill_metrics::shortcut::Map;
use storymill_text::word::fold;

use super::{parts::Census, pieces::piece};
use crate::{
    lists::PARTICLES,
    titles::{self, Title},
    words::{Case, Words},
};

/// A name at one place.
#[derive(Debug)]
pub(super) struct Mention {
    /// Numbers of parts.
    pub(super) parts: Vec<usize>,
    /// Its words.
    pub(super) words: Range<usize>,
    /// The titles before it, lower-cased, the nearest first.
    pub(super) titles: Vec<String>,
    /// Whether a hyphen holds it together: what is between two families is no person.
    pub(super) hyphen: bool,
}

impl Census {
    /// Reads the text for mentions: parts side by side, with small words and initials between them.
    pub(super) fn read(
        &mut self,
        words: &Words<'_>,
        numbers: &Map<String, usize>,
        plurals: &BTreeMap<String, String>,
        saints: &BTreeSet<usize>,
    ) {
        let mut forms: Vec<Option<usize>> = Vec::with_capacity(words.forms());
        let mut many: Vec<Option<usize>> = Vec::with_capacity(words.forms());
        for low in words.lows() {
            let key = fold(low);
            many.push(plurals.get(&key).and_then(|one| numbers.get(one)).copied());
            forms.push(numbers.get(&key).copied());
        }
        let part_at = |census: &Self, at: usize| -> Option<(usize, usize)> {
            let word = words.all().get(at)?;
            if word.case == Case::Low || saints.contains(&at) {
                return None;
            }
            let (number, length) = match forms[word.low as usize] {
                Some(number) => (number, 1),
                None if word.end == word.start + 1 => {
                    let key = piece(words, at).filter(|one| one.surface.contains('\''))?.key();
                    (*numbers.get(&key)?, 3)
                }
                None => return None,
            };
            let part = &census.parts[number];
            let is = if part.careful {
                part.places.binary_search(&at).is_ok()
            } else {
                piece(words, at).is_some()
            };
            is.then_some((number, length))
        };
        let mut at = 0;
        while at < words.len() {
            let Some((number, length)) = part_at(self, at) else {
                let word = words.all()[at];
                if word.case != Case::Low
                    && let Some(number) = many[word.low as usize]
                {
                    self.parts[number].plurals += 1;
                }
                at += 1;
                continue;
            };
            let start = at;
            let mut parts = vec![number];
            let mut end = at + length;
            if !self.parts[number].careful {
                self.parts[number].places.push(at);
            }
            let mut hyphen = false;
            let caps = words.all()[start].case == Case::Caps;
            while let Some((next, number, length)) = next_in_name(words, end)
                .filter(|next| (words.all()[*next].case == Case::Caps) == caps)
                .and_then(|next| part_at(self, next).map(|(part, length)| (next, part, length)))
            {
                hyphen |= words.surface(next - 1) == "-";
                parts.push(number);
                if !self.parts[number].careful {
                    self.parts[number].places.push(next);
                }
                end = next + length;
            }
            let titles = titles::before(words, start).into_iter().map(str::to_owned).collect();
            self.mentions.push(Mention { parts, words: start..end, titles, hyphen });
            at = end;
        }
    }
}

/// Where a name that ends before a word may go on.
fn next_in_name(words: &Words<'_>, end: usize) -> Option<usize> {
    for at in end..end + 4 {
        let word = words.all().get(at)?;
        if word.breaks {
            return None;
        }
        let surface = words.surface(at);
        let low = words.low(Some(at));
        let initial = word.case != Case::Low && surface.chars().count() == 1 && surface != "I";
        let saint = word.case != Case::Low && Title::of(low).has(Title::SAINT);
        let short = |at: usize| {
            words.surface(at).chars().count() == 1
                || Title::of(words.low(Some(at))).has(Title::SAINT)
        };
        let point = surface == "." && at > end && short(at - 1);
        let particle = PARTICLES.contains(&low) && !matches!(low, "of" | "and" | "the" | "'");
        let hyphen = surface == "-" && !words.gap(at) && at == end;
        if !(initial || saint || point || particle || hyphen) {
            return Some(at);
        }
    }
    None
}

//! How each form stands in a text: with a capital, without, and between what.

use storymill_metrics::shortcut::Map;
use storymill_text::word::fold;

use super::signs::Signs;
use crate::words::{Case, Words};

/// How often one form stands, and how.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// In small letters.
    pub(super) low: u32,
    /// With a capital, wherever.
    pub(super) capital: u32,
    /// With a capital inside a sentence, where that says something.
    pub(super) inside: u32,
    signs: [u32; Signs::COUNT],
}

impl Seen {
    /// How often it has a sign.
    pub(super) fn of(&self, sign: Signs) -> u32 {
        self.signs[sign.number()]
    }

    /// What speaks for a person.
    pub(super) fn person(&self) -> u32 {
        3 * (self.of(Signs::TITLE) + self.of(Signs::SPEECH))
            + self.of(Signs::CALLED)
            + self.of(Signs::DOES)
            + self.of(Signs::THE_TITLE)
    }

    /// What speaks for a place or a thing.
    pub(super) fn place(&self) -> u32 {
        let things = self.of(Signs::PLACE) + self.of(Signs::ARTICLE) + self.of(Signs::MAYBE_THING);
        self.of(Signs::INSIDE) + 2 * things
    }
}

/// The forms of a text, folded: lower-cased and without accents.
#[derive(Debug, Default)]
pub(super) struct Forms(Map<String, Seen>);

impl Forms {
    /// Reads a text.
    pub(super) fn read(words: &Words<'_>) -> Self {
        let mut by_low = vec![Seen::default(); words.forms()];
        for (at, word) in words.all().iter().enumerate().filter(|(_, word)| word.letter) {
            let seen = &mut by_low[word.low as usize];
            if word.case == Case::Low {
                seen.low += 1;
                continue;
            }
            seen.capital += 1;
            let signs = Signs::at(words, at);
            let inside = !signs.has(Signs::START.or(Signs::CAPS));
            seen.inside += u32::from(inside);
            for number in 0..Signs::COUNT {
                let sign = Signs::numbered(number);
                // What begins a sentence may be any word; only these say something there.
                let always = Signs::TITLE.or(Signs::THE_TITLE).or(Signs::SAINT).or(Signs::CALLED);
                if signs.has(sign) && (inside || always.has(sign)) {
                    seen.signs[number] += 1;
                }
            }
        }
        let mut forms: Map<String, Seen> = Map::default();
        for (low, seen) in words.lows().iter().zip(by_low) {
            let all = forms.entry(fold(low)).or_default();
            all.low += seen.low;
            all.capital += seen.capital;
            all.inside += seen.inside;
            for (sum, one) in all.signs.iter_mut().zip(seen.signs) {
                *sum += one;
            }
        }
        Self(forms)
    }

    /// How a form stands; never, if it is not there.
    pub(super) fn of(&self, form: &str) -> Seen {
        self.0.get(form).copied().unwrap_or_default()
    }

    /// Whether it stands there in any way.
    pub(super) fn has(&self, form: &str) -> bool {
        self.0.contains_key(form)
    }

    /// All that have a capital somewhere.
    pub(super) fn capitals(&self) -> impl Iterator<Item = (&str, &Seen)> {
        self.0.iter().filter(|(_, seen)| seen.capital > 0).map(|(form, seen)| (form.as_str(), seen))
    }
}

//! What a whole book says about each of its words: how often it has a capital, and whether it stands
//! where people or where places stand.
//!
//! This is the channel of the tagger `litner` (steps 3, 4 and 6 of `data/models/litner/README.md`).

use crate::{
    lists::{PLACES, SPEECH, TITLES, VERBS},
    words::{Case, Low, Word, Words},
};

/// The counts of one lower-cased form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often it begins without a capital.
    pub low: u32,
    /// How often it has a capital inside a sentence, behind a word or a comma.
    pub inside: u32,
    /// How often it has a capital where a person would stand.
    pub person: u32,
    /// How often it has a capital where a place would stand.
    pub place: u32,
}

/// The counts of all forms of a text.
#[derive(Debug)]
pub struct Counts(Vec<Count>);

impl Counts {
    /// Counts once over all words.
    pub fn new(words: &Words<'_>) -> Self {
        let kinds: Vec<Kind> = words.lows().iter().map(|low| Kind::of(low)).collect();
        let mut counts = vec![Count::default(); words.forms()];
        let all = words.all();
        let kind =
            |at: Option<usize>| at.and_then(|at| all.get(at)).map(|word| kinds[word.low as usize]);
        for (at, word) in all.iter().enumerate().filter(|(_, word)| word.letter) {
            let count = &mut counts[word.low as usize];
            if word.case == Case::Low {
                count.low += 1;
                continue;
            }
            let before = kind(at.checked_sub(1)).unwrap_or_default();
            let behind = kind(Some(at + 1)).unwrap_or_default();
            count.inside += u32::from(word.case == Case::Inside && (before.word || before.comma));
            let person = title(&kind, at)
                || before.speech
                || behind.speech
                || behind.verb
                || (behind.apostrophe && kind(Some(at + 2)).unwrap_or_default().s);
            count.person += u32::from(person);
            count.place += u32::from(!person && before.place);
        }
        Self(counts)
    }

    /// The counts of one form.
    pub fn of(&self, low: Low) -> Count {
        self.0[low as usize]
    }

    /// What the model reads beside the letters of a word, from 0 (no capital) to 168.
    pub fn channel(&self, word: &Word) -> u8 {
        if word.case == Case::Low {
            return 0;
        }
        let Count { low, inside, person, place } = self.of(word.low);
        let all = inside + low;
        let capital = match inside {
            _ if all == 0 => 1,
            _ if 10 * inside < all => 2,
            _ if 2 * inside < all => 3,
            _ if 10 * inside < 9 * all => 4,
            0..3 => 5,
            3..20 => 6,
            _ => 7,
        };
        let mut stands = match (person, place) {
            (0, 0) => 0,
            _ if place > 2 * person => 1,
            _ if person > 2 * place => 3,
            _ => 2,
        };
        if person + place >= 5 {
            stands += 3;
        }
        1 + ((word.case as u8 - 1) * 8 + capital) * 7 + stands
    }

    /// Whether a word may be part of a name; a sentence without such a word need not be read.
    pub fn candidate(&self, words: &Words<'_>, at: usize) -> bool {
        let word = words.all()[at];
        if word.case == Case::Low || matches!(words.low(Some(at)), "i" | "a" | "the" | "o" | "oh") {
            return false;
        }
        let Count { low, inside, .. } = self.of(word.low);
        word.case == Case::Inside || !(low > 0 && 10 * inside < inside + low)
    }
}

/// Which lists a form is on.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a set of independent marks")]
struct Kind {
    title: bool,
    speech: bool,
    verb: bool,
    place: bool,
    word: bool,
    comma: bool,
    point: bool,
    apostrophe: bool,
    s: bool,
}

impl Kind {
    fn of(low: &str) -> Self {
        Self {
            title: TITLES.contains(&low),
            speech: SPEECH.contains(&low),
            verb: VERBS.contains(&low),
            place: PLACES.contains(&low),
            word: low.starts_with(char::is_alphanumeric),
            comma: low == ",",
            point: low == ".",
            apostrophe: matches!(low, "'" | "’"),
            s: low == "s",
        }
    }
}

/// Whether a title stands before a word, with its point or without.
fn title(kind: &impl Fn(Option<usize>) -> Option<Kind>, at: usize) -> bool {
    match kind(at.checked_sub(1)) {
        Some(before) if before.point => kind(at.checked_sub(2)).is_some_and(|kind| kind.title),
        Some(before) => before.title,
        None => false,
    }
}

//! What stands around a word with a capital, and speaks for a person or against one.

use super::lists::Says;
use crate::words::{Case, Words};

/// The signs at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Signs(u16);

impl Signs {
    /// It begins a sentence, a line of speech, or what stands behind a mark that may do so.
    pub(super) const START: Self = Self(1);
    /// A title stands before it, or words that name a person: *a man named*.
    pub(super) const TITLE: Self = Self(2);
    /// A title stands before it, and an article before that: *the Czarina Catherine*.
    pub(super) const THE_TITLE: Self = Self(4);
    /// It is a saint's.
    pub(super) const SAINT: Self = Self(8);
    /// A verb of speech stands beside it.
    pub(super) const SPEECH: Self = Self(16);
    /// It does what people do.
    pub(super) const DOES: Self = Self(32);
    /// It owns something.
    pub(super) const OWNS: Self = Self(64);
    /// It is called: `“Jane!”`.
    pub(super) const CALLED: Self = Self(128);
    /// It stands behind *in*, *at*.
    pub(super) const INSIDE: Self = Self(256);
    /// An article stands before it.
    pub(super) const ARTICLE: Self = Self(512);
    /// A word such as *Park* stands behind it.
    pub(super) const PLACE: Self = Self(1024);
    /// A date or a small word says that it is a month, a day or a plain word here.
    pub(super) const DATED: Self = Self(2048);
    /// It is written in capitals.
    pub(super) const CAPS: Self = Self(4096);

    /// An article stands one word before, or a word before it that is sometimes like one.
    pub(super) const MAYBE_THING: Self = Self(8192);

    /// It ends as plurals do, and a small number stands before it: *the two Harrisons*.
    pub(super) const COUNTED: Self = Self(16384);

    /// How many signs there are.
    pub(super) const COUNT: usize = 15;

    /// The sign of a number.
    pub(super) fn numbered(number: usize) -> Self {
        Self(1 << number)
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Its number, if it is one sign.
    pub(super) fn number(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    /// The signs at a word.
    pub(super) fn at(words: &Words<'_>, at: usize) -> Self {
        let mut signs = 0;
        let mut set = |one: Self, is: bool| signs |= if is { one.0 } else { 0 };
        let before = at.checked_sub(1).filter(|_| !words.all()[at].breaks);
        let behind = |by: usize| {
            let mut next = (at + 1..=at + by).map(|next| words.all().get(next));
            let whole = next.all(|next| next.is_some_and(|word| !word.breaks));
            words.low(Some(at + by).filter(|_| whole))
        };
        let [low, next] = [words.low(before), behind(1)];
        let (says, next_says) = (Says::of(low), Says::of(next));
        let small = |at: Option<usize>| {
            at.is_some_and(|at| words.all()[at].letter && words.all()[at].case == Case::Low)
        };

        set(Self::START, is_start(words, at));
        set(Self::CAPS, words.all()[at].case == Case::Caps);
        match title(words, at) {
            Some(Before::Saint) => set(Self::SAINT, true),
            Some(Before::Title) => set(Self::TITLE, true),
            Some(Before::TheTitle) => set(Self::THE_TITLE, true),
            None => {}
        }
        // A man named, a girl called; her name was.
        let earlier = words.low(before.and_then(|before| before.checked_sub(1)));
        let called = matches!(low, "named" | "called") && Says::of(earlier).has(Says::HUMAN);
        let name = matches!(low, "is" | "was") && earlier == "name";
        set(Self::TITLE, called || name);
        let said = says.has(Says::SPEECH) && small(before) && low != "called";
        set(Self::SPEECH, said || next_says.has(Says::SPEECH));
        set(Self::DOES, next_says.has(Says::DOES));
        let owns = matches!(next, "'" | "’") && behind(2) == "s";
        set(Self::OWNS, owns);
        set(Self::CALLED, next == "!" || (low == "," && next == "?"));
        set(Self::INSIDE, says.has(Says::INSIDE));
        let second = before.and_then(|before| before.checked_sub(1));
        let far = small(before)
            && !says.has(Says::BETWEEN)
            && ["the", "a", "an"].contains(&words.low(second));
        set(Self::ARTICLE, says.has(Says::ARTICLE));
        set(Self::MAYBE_THING, far || says.has(Says::MAYBE));
        let many = words.low(Some(at)).strip_suffix('s').is_some_and(|one| !one.ends_with('s'));
        set(Self::COUNTED, many && matches!(low, "two" | "three" | "both") && small(before));
        let place = |by: usize| {
            let capital = words.all().get(at + by).is_some_and(|word| word.case != Case::Low);
            capital && Says::of(behind(by)).has(Says::PLACE_WORD)
        };
        set(Self::PLACE, place(1) || (owns && place(3)));
        let digit = |low: &str| low.starts_with(|c: char| c.is_ascii_digit());
        // Of May may be of hers: it is a date behind a day, or a part of a month.
        let part = words.low(second);
        let of = low == "of"
            && (digit(part)
                || Says::of(part).has(Says::PART)
                || ["st", "nd", "rd", "th"].iter().any(|end| part.ends_with(end)));
        let dated = (says.has(Says::DATED) || of) && !owns;
        set(Self::DATED, dated || digit(low) || digit(next));
        Self(signs)
    }
}

/// Whether a sentence or a line of speech may begin at a word, so that its capital says nothing.
pub(super) fn is_start(words: &Words<'_>, at: usize) -> bool {
    const MARKS: &[&str] =
        &["!", "?", ":", ";", "“", "‘", "\"", "”", "’", "'", "—", "–", "-", "(", "*", "["];
    if words.all()[at].case == Case::First || words.all()[at].breaks {
        return true;
    }
    let Some(before) = at.checked_sub(1) else { return true };
    let mark = words.surface(before);
    // Behind a point a sentence begins, unless it belongs to what was cut short.
    MARKS.contains(&mark) || (mark == "." && !is_cut_short(words, before))
}

/// Whether a point belongs to the word before it: a title or an initial.
fn is_cut_short(words: &Words<'_>, point: usize) -> bool {
    let Some(before) = point.checked_sub(1).filter(|_| !words.gap(point)) else { return false };
    let word = words.all()[before];
    Says::of(words.low(Some(before))).has(Says::SHORT) || is_initial(words, before) && word.letter
}

fn is_initial(words: &Words<'_>, at: usize) -> bool {
    let mut chars = words.surface(at).chars();
    chars.next().is_some_and(char::is_uppercase) && chars.next().is_none()
}

enum Before {
    Title,
    TheTitle,
    Saint,
}

/// The nearest title before a word, over initials and small words.
fn title(words: &Words<'_>, first: usize) -> Option<Before> {
    let mut at = first;
    for _ in 0..5 {
        if words.all()[at].breaks {
            return None;
        }
        at = at.checked_sub(1)?;
        if words.surface(at) == "." {
            if !is_cut_short(words, at) {
                return None;
            }
            continue;
        }
        let says = Says::of(words.low(Some(at)));
        let capital = words.all()[at].case != Case::Low;
        if says.has(Says::SAINT) && capital {
            return Some(Before::Saint);
        }
        if says.has(Says::TITLE) && capital {
            let article = at.checked_sub(1).is_some_and(|the| words.low(Some(the)) == "the");
            return Some(if article { Before::TheTitle } else { Before::Title });
        }
        if !says.has(Says::BETWEEN) && !is_initial(words, at) {
            return None;
        }
    }
    None
}

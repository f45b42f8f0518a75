//! Which forms of a book must not stand in its texts with other names: from what is counted, never from a cast.

use super::{
    lists::{Why, is_cry},
    seen::{Forms, Seen},
    signs::Signs,
};
use crate::knowledge::is_given;

/// What tells that a name is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// The book has the form, and it is gone from most of its places in the text with other names, or
    /// from some and stands as persons do.
    Gone,
    /// It is gone from some places, stands mostly as places do, and as a person here.
    Some,
    /// It is a plain word, a month or the like too; it is gone from some places, or stands as persons do.
    Word,
    /// It is the plural of a name.
    Plural,
    /// It is kept everywhere, and stands as persons do: behind titles, beside verbs of speech.
    Person,
    /// It is kept everywhere, and is a first name by the lists.
    Given,
    /// It is kept everywhere, a first name, and stands beside a new name.
    Beside,
    /// It is kept everywhere, never stands in small letters nor as places and things do, and no list has it.
    Unknown,
    /// It stands in neither text of the book, and as a person does: the name of another book.
    Foreign,
}

impl Sign {
    /// The word for it in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gone => "gone-elsewhere",
            Self::Some => "gone-in-places",
            Self::Word => "word-and-name",
            Self::Plural => "plural",
            Self::Person => "as-persons",
            Self::Given => "first-name",
            Self::Beside => "beside-new-name",
            Self::Unknown => "unknown-word",
            Self::Foreign => "other-book",
        }
    }
}

/// So often a word that nobody knows stands inside of sentences, at least.
const FEW: u32 = 4;

/// Whether a word ends as nations, creeds and tongues do, or is the plural of something.
fn is_kind(form: &str) -> bool {
    let ends = ["an", "ans", "ish", "ese", "ic", "ist", "ists", "ism", "s"];
    ends.iter().any(|end| form.ends_with(end))
}

/// How a form stands in the book with its own names and with other ones, if that is at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Both<'f> {
    pub(super) form: &'f str,
    pub(super) own: &'f Seen,
    pub(super) new: Option<Seen>,
    /// At how many places of the new text a word stands beside it that the own text does not have.
    pub(super) beside: u32,
    /// At how many places `and` joins it to such a word: *Poll and Meg*.
    pub(super) joined: u32,
}

impl Both<'_> {
    /// Why it must not stand, if it must not.
    pub(super) fn verdict(self) -> Option<Sign> {
        let Self { form, own, new, beside, joined } = self;
        let why = Why::of(form);
        if why == Why::Never || form.chars().nth(1).is_none() || own.capital == 0 {
            return None;
        }
        let new = new.unwrap_or(*own);
        let gone = own.capital.saturating_sub(new.capital);
        let [person, place] = [own.person(), own.place()];
        let spoken = own.of(Signs::SPEECH);
        let strong = own.of(Signs::TITLE) + spoken;
        if 5 * own.low > own.capital || matches!(why, Why::Calendar | Why::Word) {
            let gone = own.inside.saturating_sub(new.inside);
            // Of words that are hardly ever names, more must be gone, lest one error makes many.
            let few = if why == Why::Word { own.inside / 2 } else { own.inside / 10 };
            let least = if why == Why::Calendar { 3 } else { 2 };
            let owns = own.of(Signs::OWNS);
            let kept = why != Why::Word && spoken > 0 && strong >= least && person + owns > place;
            // A pet name that is a word too: beside a new name, and doing what persons do.
            let among = why == Why::Not && joined > 0 && own.of(Signs::DOES) > 1;
            let kept = kept || among && person + joined > place;
            return (gone >= 2 && gone >= few || kept && own.inside > 1).then_some(Sign::Word);
        }
        if gone > 0 {
            return Some(if 2 * gone >= own.capital || person >= place {
                Sign::Gone
            } else {
                Sign::Some
            });
        }
        // Always behind an article and a title, it is a ship as often as a lady.
        if 2 * own.of(Signs::SAINT) >= own.capital || own.of(Signs::THE_TITLE) > 3 * strong {
            return None;
        }
        let stands = own.inside + own.of(Signs::TITLE) > 0;
        let least = if why == Why::World { 6 } else { 3 };
        if stands && strong > 0 && person >= least && person > place && 10 * person >= own.capital {
            return Some(Sign::Person);
        }
        // Never in small letters, and mostly called.
        let cries = own.of(Signs::CALLED);
        let called = cries > 1 && 2 * cries >= own.capital && own.low == 0 && place == 0;
        if why == Why::Not && called && !is_cry(form) {
            return Some(Sign::Person);
        }
        let lives = [Signs::DOES, Signs::OWNS, Signs::CALLED, Signs::SPEECH];
        let lives = lives.into_iter().any(|sign| own.of(sign) > 0);
        let unknown = own.low == 0 && place == 0 && own.inside >= FEW && lives;
        if why == Why::Not && unknown && !is_given(form) && !is_kind(form) {
            return Some(Sign::Unknown);
        }
        if why != Why::Not || !is_given(form) {
            return None;
        }
        if 10 * beside >= 3 * own.capital {
            return Some(Sign::Beside);
        }
        (person + own.of(Signs::OWNS) > place).then_some(Sign::Given)
    }
}

/// Whether a form that is kept everywhere is a family in the plural, of whom the book has nobody alone: behind a
/// small number, never in small letters, nor what it may be the plural of.
pub(super) fn is_counted(form: &str, own: &Forms) -> bool {
    let seen = own.of(form);
    let of = |end: &str, instead: &str| {
        let one = form.strip_suffix(end).map(|stem| format!("{stem}{instead}"));
        one.is_none_or(|one| own.of(&one).low == 0 && Why::of(&one) == Why::Not)
    };
    seen.of(Signs::COUNTED) > 0
        && seen.low == 0
        && seen.inside == seen.capital
        && Why::of(form) == Why::Not
        && form.chars().nth(5).is_some()
        && [("s", ""), ("es", ""), ("ies", "y"), ("men", "man")]
            .into_iter()
            .all(|(end, instead)| of(end, instead))
}

/// Whether a form is the plural of a name that must not stand.
pub(super) fn is_plural(form: &str, own: &Forms, named: impl Fn(&str) -> bool) -> bool {
    let singular = |end: &str, instead: &str| {
        let one = format!("{}{instead}", form.strip_suffix(end)?);
        let seen = own.of(&one);
        (seen.inside > 0 && seen.low == 0 && named(&one)).then_some(())
    };
    let seen = own.of(form);
    seen.low == 0
        && !matches!(Why::of(form), Why::Never | Why::Word)
        && [("s", ""), ("es", ""), ("ies", "y")]
            .iter()
            .any(|(end, instead)| singular(end, instead).is_some())
}

//! The language of `--where`: which rows of a table are wanted, be it a catalog of books or the questions of a dataset.
//!
//! ```text
//! language = en, fr and subject ~ fiction and author.death < 1956 and locc != PN, PZ
//! ```
//!
//! A test is a field, an operator and a value, and every test of a filter has to hold. Texts are
//! compared without regard to capitals and accents. `=` means the whole text, `~` that it is in there
//! at the beginning of a word; several values mean any of them. Of a field with several texts one must
//! fit; of one with several numbers all must be known and fit, and `unknown` is said where one is
//! missing. `!=` and `!~` are true where `=` and `~` are not. A value with anything but letters,
//! digits and `. - _ : ? '` in it stands in quotes.

mod dates;
mod fold;
mod parse;

use std::ops::{Range, RangeInclusive};

pub use dates::{day, year};
pub use fold::has;
pub use parse::tests;

use fold::same;

/// What a field's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Compared as text.
    Text,
    /// Compared as numbers.
    Number,
    /// Compared as years, negative before our era.
    Year,
    /// Compared as days.
    Date,
    /// Compared as a text or as a number, as the value is.
    Id,
}

/// What a row has in a field.
pub trait Values {
    /// Whether one of its texts does.
    fn texts(&self, does: &mut dyn FnMut(&str) -> bool) -> bool;

    /// Whether all of its numbers do; nothing stands for one that is not known.
    fn numbers(&self, does: &mut dyn FnMut(Option<i64>) -> bool) -> bool;
}

/// What is wrong with a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .all.iter().map(|one| one.message.as_str()).collect::<Vec<_>>().join("; "))]
pub struct Mistakes {
    /// Each mistake, in the order of places; at least one.
    pub all: Vec<Mistake>,
}

/// One mistake in a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where it is, in bytes of the filter's text.
    pub at: Range<usize>,
    /// A lower-case fragment without a full stop.
    pub message: String,
    /// What can be done about it.
    pub hint: Option<String>,
}

/// A test of a field.
#[derive(Clone, Debug)]
pub struct Test {
    /// Which of the fields.
    pub field: usize,
    /// Where the field is named.
    pub at: Range<usize>,
    /// Whether what is wanted must not hold.
    not: bool,
    wanted: Wanted,
}

impl Test {
    /// Whether a row passes, by what it has in the field.
    pub fn passes(&self, values: &dyn Values) -> bool {
        self.wanted.holds(values) != self.not
    }
}

#[derive(Clone, Debug)]
enum Wanted {
    /// One of the texts is one of these, folded.
    Same(Vec<String>),
    /// One of the texts has one of these in it.
    Has(Vec<String>),
    /// Every number is known and in one of these ranges.
    Within(Vec<RangeInclusive<i64>>),
    /// A number is not known.
    Unknown,
}

impl Wanted {
    fn holds(&self, values: &dyn Values) -> bool {
        let mut any = false;
        match self {
            Self::Same(wanted) => {
                let found = values.texts(&mut |text| {
                    any = true;
                    wanted.iter().any(|wanted| same(text, wanted))
                });
                found || !any && wanted.iter().any(String::is_empty)
            }
            Self::Has(wanted) => {
                values.texts(&mut |text| wanted.iter().any(|wanted| has(text, wanted)))
            }
            Self::Within(ranges) => {
                let all = values.numbers(&mut |number| {
                    any = true;
                    number.is_some_and(|n| ranges.iter().any(|range| range.contains(&n)))
                });
                any && all
            }
            Self::Unknown => {
                let all = values.numbers(&mut |number| {
                    any = true;
                    number.is_some()
                });
                !(any && all)
            }
        }
    }
}

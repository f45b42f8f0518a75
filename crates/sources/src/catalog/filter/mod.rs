//! The language of `--where`: which rows of a catalog are wanted.
//!
//! ```text
//! language = en, fr and subject ~ fiction and author.death < 1956 and locc != PN, PZ
//! ```
//!
//! A test is a field, an operator and a value, and every test of a filter has to hold. Texts are
//! compared without regard to capitals and accents. `=` means the whole text, `~` that it is in there
//! at the beginning of a word; several values mean any of them. Of a field with several values
//! (languages, subjects, translators) one must fit. `author.birth` and `author.death` are stricter:
//! every author's year must be known and must fit, and `unknown` is said of a book where one is
//! missing. `!=` and `!~` are true where `=` and `~` are not. A value with anything but letters,
//! digits and `. - _ : ? '` in it stands in quotes.

mod fields;
mod parse;

use std::ops::{Range, RangeInclusive};

pub use fields::{FIELDS, Field};

use super::{
    Row,
    fold::{has, same},
};
use storymill_core::nearest;

/// A filter over the rows of a catalog.
///
/// ```
/// use storymill_sources::catalog::{Filter, Row};
///
/// let filter = Filter::parse("language = en and title ~ emile").unwrap();
/// let mut row = Row::of("5427".parse().unwrap());
/// row.title = "Émile".into();
/// row.language = "fr; en".into();
/// assert!(filter.matches(&row));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Filter {
    tests: Vec<Test>,
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

impl Filter {
    /// The filter that lets all through.
    pub fn all() -> Self {
        Self::default()
    }

    /// Reads a filter.
    pub fn parse(text: &str) -> Result<Self, Mistakes> {
        parse::tests(text).map(|tests| Self { tests }).map_err(|all| Mistakes { all })
    }

    /// Whether a row is wanted.
    pub fn matches(&self, row: &Row) -> bool {
        self.tests.iter().all(|test| test.wanted.holds(test.field, row) != test.not)
    }

    /// The tests of fields that a catalog with these columns cannot have.
    pub(super) fn beyond(&self, columns: &[String]) -> Vec<Mistake> {
        let is_there = |name: &&str| columns.iter().any(|have| have.eq_ignore_ascii_case(name));
        let beyond = self.tests.iter().filter(|test| !test.field.columns.iter().any(is_there));
        beyond.map(|test| no_column(test, columns)).collect()
    }

    /// Whether the filter has a test of this field.
    pub fn speaks_of(&self, field: &str) -> bool {
        self.tests.iter().any(|test| test.field.name == field)
    }
}

#[derive(Clone, Debug)]
struct Test {
    field: &'static Field,
    /// Where the field is named.
    at: Range<usize>,
    /// Whether what is wanted must not hold.
    not: bool,
    wanted: Wanted,
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

/// A test of a field for which the catalog has no column.
fn no_column(test: &Test, columns: &[String]) -> Mistake {
    let field = test.field;
    let wanted = field.columns.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let near = columns.iter().find_map(|have| {
        let wanted = nearest(&have.to_lowercase(), field.columns.iter().copied())?;
        Some(format!("did you mean your column `{have}`? It has to be called `{wanted}`; "))
    });
    let have = columns.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    Mistake {
        at: test.at.clone(),
        message: format!(
            "the catalog has no column {}, from which `{}` is read",
            wanted.join(" or "),
            field.name
        ),
        hint: Some(format!("{}its columns are {have}", near.unwrap_or_default())),
    }
}

impl Wanted {
    fn holds(&self, field: &Field, row: &Row) -> bool {
        let mut any = false;
        match self {
            Self::Same(wanted) => {
                let found = field.texts(row, &mut |text| {
                    any = true;
                    wanted.iter().any(|wanted| same(text, wanted))
                });
                found || !any && wanted.iter().any(String::is_empty)
            }
            Self::Has(wanted) => {
                field.texts(row, &mut |text| wanted.iter().any(|wanted| has(text, wanted)))
            }
            Self::Within(ranges) => {
                let all = field.numbers(row, &mut |number| {
                    any = true;
                    number.is_some_and(|n| ranges.iter().any(|range| range.contains(&n)))
                });
                any && all
            }
            Self::Unknown => {
                let all = field.numbers(row, &mut |number| {
                    any = true;
                    number.is_some()
                });
                !(any && all)
            }
        }
    }
}

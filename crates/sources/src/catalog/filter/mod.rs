//! The language of `--where`: which rows of a catalog are wanted.
//!
//! ```text
//! language = en and subject ~ fiction and author.death < 1956 and not locc in (PN, PZ)
//! ```
//!
//! A test is a field, an operator and a value; tests are joined by `and`, `or`, `not` and brackets,
//! of which `not` binds closest and `or` least. Texts are compared without regard to capitals and
//! accents. `=` means the whole text, `~` that it is in there at the beginning of a word; of a field
//! with several values (languages, subjects, translators) one must fit. `author.birth` and
//! `author.death` are stricter: every author's year must be known and must fit, and `unknown` is said
//! of a book where one is missing. `!=` and `!~` are true where `=` and `~` are not. A value with
//! anything but letters, digits and `. - _ : ? '` in it stands in quotes.

mod fields;
mod lex;
mod parse;
mod values;

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
    root: Option<Expr>,
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
        parse::expression(text).map(|root| Self { root: Some(root) }).map_err(|mut all| {
            all.sort_by_key(|mistake| mistake.at.start);
            Mistakes { all }
        })
    }

    /// Whether a row is wanted.
    pub fn matches(&self, row: &Row) -> bool {
        self.root.as_ref().is_none_or(|root| root.holds(row))
    }

    /// The tests of fields that a catalog with these columns cannot have.
    pub(super) fn beyond(&self, columns: &[String]) -> Vec<Mistake> {
        let mut all = Vec::new();
        if let Some(root) = &self.root {
            root.beyond(columns, &mut all);
        }
        all.sort_by_key(|mistake| mistake.at.start);
        all
    }

    /// Whether the filter has a test of this field.
    pub fn speaks_of(&self, field: &str) -> bool {
        self.root.as_ref().is_some_and(|root| root.speaks_of(field))
    }
}

#[derive(Clone, Debug)]
enum Expr {
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Not(Box<Expr>),
    Test {
        field: &'static Field,
        /// Where the field is named.
        at: Range<usize>,
        test: Test,
    },
    /// Stands for a test that was not understood, so that others can be looked at too.
    Broken,
}

#[derive(Clone, Debug)]
enum Test {
    /// One of the texts is one of these, folded.
    Same(Vec<String>),
    /// One of the texts has this in it.
    Has(String),
    /// Every number is known and in one of these ranges.
    Within(Vec<RangeInclusive<i64>>),
    /// A number is not known.
    Unknown,
}

impl Expr {
    fn holds(&self, row: &Row) -> bool {
        match self {
            Self::And(all) => all.iter().all(|one| one.holds(row)),
            Self::Or(all) => all.iter().any(|one| one.holds(row)),
            Self::Not(one) => !one.holds(row),
            Self::Test { field, test, .. } => test.holds(field, row),
            Self::Broken => false,
        }
    }

    fn beyond(&self, columns: &[String], found: &mut Vec<Mistake>) {
        match self {
            Self::And(all) | Self::Or(all) => all.iter().for_each(|one| one.beyond(columns, found)),
            Self::Not(one) => one.beyond(columns, found),
            Self::Test { field, at, .. } => {
                let is_there =
                    |name: &&str| columns.iter().any(|have| have.eq_ignore_ascii_case(name));
                if !field.columns.iter().any(is_there) {
                    found.push(no_column(field, at, columns));
                }
            }
            Self::Broken => {}
        }
    }

    fn speaks_of(&self, name: &str) -> bool {
        match self {
            Self::And(all) | Self::Or(all) => all.iter().any(|one| one.speaks_of(name)),
            Self::Not(one) => one.speaks_of(name),
            Self::Test { field, .. } => field.name == name,
            Self::Broken => false,
        }
    }
}

/// A test of a field for which the catalog has no column.
fn no_column(field: &Field, at: &Range<usize>, columns: &[String]) -> Mistake {
    let wanted = field.columns.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let near = columns.iter().find_map(|have| {
        let wanted = nearest(&have.to_lowercase(), field.columns.iter().copied())?;
        Some(format!("did you mean your column `{have}`? It has to be called `{wanted}`; "))
    });
    let have = columns.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    Mistake {
        at: at.clone(),
        message: format!(
            "the catalog has no column {}, from which `{}` is read",
            wanted.join(" or "),
            field.name
        ),
        hint: Some(format!("{}its columns are {have}", near.unwrap_or_default())),
    }
}

impl Test {
    fn holds(&self, field: &Field, row: &Row) -> bool {
        match self {
            Self::Same(wanted) => {
                let mut empty = true;
                let found = field.texts(row, &mut |text| {
                    empty = false;
                    wanted.iter().any(|wanted| same(text, wanted))
                });
                found || empty && wanted.iter().any(String::is_empty)
            }
            Self::Has(wanted) => field.texts(row, &mut |text| has(text, wanted)),
            Self::Within(ranges) => {
                let mut any = false;
                let all = field.numbers(row, &mut |number| {
                    any = true;
                    number.is_some_and(|n| ranges.iter().any(|range| range.contains(&n)))
                });
                any && all
            }
            Self::Unknown => {
                let mut any = false;
                let all = field.numbers(row, &mut |number| {
                    any = true;
                    number.is_some()
                });
                !(any && all)
            }
        }
    }
}

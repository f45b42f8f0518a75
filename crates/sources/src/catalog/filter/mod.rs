//! The language of `--where`: which rows of a catalog are wanted.
//!
//! ```text
//! language = en, fr and subject ~ fiction and author.death < 1956 and locc != PN, PZ
//! ```
//!
//! How tests are written and compared is in `storymill_text::filter`. `author.birth` and `author.death` are of every author.

mod fields;

use storymill_core::nearest;
use storymill_text::filter::{Kind, Test, tests};

pub use fields::{FIELDS, Field};
pub use storymill_text::filter::{Mistake, Mistakes};

use super::Row;
use fields::Cell;

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

impl Filter {
    /// The filter that lets all through.
    pub fn all() -> Self {
        Self::default()
    }

    /// Reads a filter.
    pub fn parse(text: &str) -> Result<Self, Mistakes> {
        let fields: Vec<(&str, Kind)> =
            FIELDS.iter().map(|field| (field.name, field.kind)).collect();
        tests(text, &fields).map(|tests| Self { tests })
    }

    /// Whether a row is wanted.
    pub fn matches(&self, row: &Row) -> bool {
        self.tests.iter().all(|test| test.passes(&Cell(&FIELDS[test.field], row)))
    }

    /// The tests of fields that a catalog with these columns cannot have.
    pub(super) fn beyond(&self, columns: &[String]) -> Vec<Mistake> {
        let is_there = |name: &&str| columns.iter().any(|have| have.eq_ignore_ascii_case(name));
        let beyond =
            self.tests.iter().filter(|test| !FIELDS[test.field].columns.iter().any(is_there));
        beyond.map(|test| no_column(test, columns)).collect()
    }

    /// Whether the filter has a test of this field.
    pub fn speaks_of(&self, field: &str) -> bool {
        self.tests.iter().any(|test| FIELDS[test.field].name == field)
    }
}

/// A test of a field for which the catalog has no column.
fn no_column(test: &Test, columns: &[String]) -> Mistake {
    let field = &FIELDS[test.field];
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

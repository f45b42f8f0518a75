//! The fields that a filter may test.

use super::super::{Contributor, Row};

/// A field of a catalog's rows.
#[derive(Debug)]
pub struct Field {
    /// Its name in filters.
    pub name: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    pub(super) kind: Kind,
    /// The columns of a catalog in CSV that it is read from: one of them is enough.
    pub(super) columns: &'static [&'static str],
}

/// What a field's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
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

macro_rules! fields {
    ($($name:literal $kind:ident $columns:tt $about:literal)*) => {
        /// All fields.
        pub const FIELDS: &[Field] =
            &[$(Field { name: $name, about: $about, kind: Kind::$kind, columns: &$columns }),*];
    };
}

fields! {
    "id" Id ["id", "Text#"] "the number, or the id of a catalog of one's own; also ranges: `id = 1..99, 1342`"
    "title" Text ["title"] "the title"
    "author" Text ["authors", "author"] "the name as catalogs put it: `author ~ \"austen, jane\"`"
    "author.birth" Year ["authors", "author", "author_birth"] "the year of birth: `1775`, `-43` or `\"43 BCE\"`, `unknown`"
    "author.death" Year ["authors", "author", "author_death"] "the year of death"
    "translator" Text ["authors", "author"] "a translator's name"
    "editor" Text ["authors", "author"] "an editor's name"
    "illustrator" Text ["authors", "author"] "an illustrator's name"
    "contributor" Text ["authors", "author"] "the name of anybody who is not an author"
    "language" Text ["language"] "a language tag: `en`"
    "subject" Text ["subjects"] "a subject heading: `subject ~ \"detective and mystery\"`"
    "locc" Text ["locc"] "a class of the Library of Congress: `PR`; `locc ~ P` is every class that begins so"
    "bookshelf" Text ["bookshelves"] "a bookshelf: `bookshelf ~ novels`"
    "flag" Text ["flags"] "a flag that `--flag` or the catalog gives: `pg19`"
    "life70" Year ["authors", "author", "author_death"] "the year from which life + 70 is over, translators counted: `life70 <= 2026`"
    "type" Text ["type"] "`Text`, `Sound`, `Image`; without a test of it only texts are taken"
    "rights" Text ["rights"] "rights; without a test of it what is copyrighted is left out"
    "issued" Date ["issued"] "the day of publication there: `2008`, `2008-06` or `2008-06-25`"
    "kind" Text ["kind"] "the kind, in a catalog of one's own: `novel`"
}

impl Field {
    /// Whether one of a row's texts does.
    pub(super) fn texts(&self, row: &Row, does: &mut impl FnMut(&str) -> bool) -> bool {
        let of_role = |others: &[Contributor], role: &str, does: &mut dyn FnMut(&str) -> bool| {
            let fitting = others.iter().filter(|other| other.role.contains(role));
            fitting.into_iter().any(|other| does(&other.agent.name))
        };
        let mut one = |text: &str| !text.is_empty() && does(text);
        match self.name {
            "id" => one(row.id.as_str()),
            "title" => one(&row.title),
            "author" => row.authors.iter().any(|author| one(&author.name)),
            "contributor" => of_role(&row.others, "", &mut one),
            "translator" | "editor" | "illustrator" => of_role(&row.others, self.name, &mut one),
            "language" => row.language.split([';', ',', ' ', '/']).any(one),
            "subject" => row.subjects.iter().any(|subject| one(subject)),
            "locc" => row.locc.iter().any(|class| one(class)),
            "bookshelf" => row.bookshelves.iter().any(|shelf| one(shelf)),
            "flag" => row.flags.iter().any(|flag| one(flag)),
            "type" => one(&row.medium),
            "rights" => one(&row.rights),
            "kind" => one(&row.kind),
            _ => false,
        }
    }

    /// Whether all of a row's numbers do; nothing stands for one that is not known.
    pub(super) fn numbers(&self, row: &Row, does: &mut impl FnMut(Option<i64>) -> bool) -> bool {
        match self.name {
            "id" => does(row.id.as_str().parse().ok()),
            "author.birth" => row.authors.iter().all(|a| does(a.birth_year.map(i64::from))),
            "author.death" => row.authors.iter().all(|a| does(a.death_year.map(i64::from))),
            "life70" => does(row.life70().map(i64::from)),
            "issued" => does(day(&row.issued).map(|range| *range.start())),
            _ => false,
        }
    }
}

/// The days of a year, a month or a day, as numbers that can be compared: `20080625`.
pub(super) fn day(text: &str) -> Option<std::ops::RangeInclusive<i64>> {
    let mut parts = text.split('-');
    let mut part = |digits: usize, from: i64, most: i64| match parts.next() {
        None => Some((from - 1, most + 1)),
        Some(text) if text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.parse().ok().filter(|n| (from..=most).contains(n)).map(|n| (n, n))
        }
        Some(_) => None,
    };
    let (year, month, date) = (part(4, 1, 9999)?, part(2, 1, 12)?, part(2, 1, 31)?);
    if text.is_empty() || parts.next().is_some() {
        return None;
    }
    let number = |year: i64, month: i64, date: i64| year * 10_000 + month * 100 + date;
    Some(number(year.0, month.0, date.0)..=number(year.1, month.1, date.1))
}

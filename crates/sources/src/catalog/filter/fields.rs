//! The fields that a filter may test.

use storymill_text::filter::{Kind, Values, day};

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

/// What a row has in a field.
pub(super) struct Cell<'r>(pub(super) &'static Field, pub(super) &'r Row);

impl Values for Cell<'_> {
    fn texts(&self, does: &mut dyn FnMut(&str) -> bool) -> bool {
        let Self(field, row) = self;
        let of_role = |others: &[Contributor], role: &str, does: &mut dyn FnMut(&str) -> bool| {
            let fitting = others.iter().filter(|other| other.role.contains(role));
            fitting.into_iter().any(|other| does(&other.agent.name))
        };
        let mut one = |text: &str| !text.is_empty() && does(text);
        match field.name {
            "id" => one(row.id.as_str()),
            "title" => one(&row.title),
            "author" => row.authors.iter().any(|author| one(&author.name)),
            "contributor" => of_role(&row.others, "", &mut one),
            "translator" | "editor" | "illustrator" => of_role(&row.others, field.name, &mut one),
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

    fn numbers(&self, does: &mut dyn FnMut(Option<i64>) -> bool) -> bool {
        let Self(field, row) = self;
        match field.name {
            "id" => does(row.id.as_str().parse().ok()),
            "author.birth" => row.authors.iter().all(|a| does(a.birth_year.map(i64::from))),
            "author.death" => row.authors.iter().all(|a| does(a.death_year.map(i64::from))),
            "life70" => does(row.life70().map(i64::from)),
            "issued" => does(day(&row.issued).map(|range| *range.start())),
            _ => false,
        }
    }
}

//! Names of a book, and what stands for them.

use serde::{Deserialize, Serialize};

use crate::{BookId, Digest, record};

/// The cast of a book, as the file that people read and change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cast {
    /// The book.
    pub book: BookId,
    /// The file: TOML.
    pub toml: String,
}

record!(Cast, "cast", 1);

/// A part of names and its substitute, the same everywhere in a book and in what is told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Substitution {
    /// The book.
    pub book: BookId,
    /// The part, a word: *Elizabeth*, *Bennet*.
    pub part: String,
    /// What stands for it.
    pub substitute: String,
    /// What it names: `female`, `male`, `given`, `family` or `place`.
    pub role: String,
    /// Other ways in which the book writes it: `BENNET`.
    pub written: Vec<String>,
    /// How many places of the book's text it is replaced at.
    pub count: u32,
    /// Whether it is replaced only where it is surely a name, being a common word too.
    pub careful: bool,
    /// Where a careful part is a name in the book's text: symbols before it.
    pub at: Vec<u32>,
}

record!(Substitution, "substitution", 1);

/// A name that still stands in a row with other names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leak {
    /// The book.
    pub book: BookId,
    /// Position among the leaks of the book.
    pub at: u32,
    /// The record it stands in: `scene`.
    pub record: String,
    /// The row: its id, as published.
    pub row: String,
    /// The part of a name.
    pub part: String,
    /// A few words around it.
    pub excerpt: String,
    /// What tells that it is left, by the search that knows no cast: `gone-elsewhere`, `as-persons`; blank if that
    /// search did not find it.
    pub sign: String,
    /// Whether it is a part that has a substitute, and so should have been replaced.
    pub has_substitute: bool,
}

impl Leak {
    /// The id: `84/leak/0003`.
    pub fn id(&self) -> String {
        format!("{}/leak/{:04}", self.book, self.at)
    }
}

record!(Leak, "leak", 3);

/// How many names are left in the rows of one record with other names, found without the cast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameCount {
    /// The book.
    pub book: BookId,
    /// The record that was looked through: `scene`.
    pub record: String,
    /// Words that were looked at.
    pub words: u32,
    /// Those of them that look like names: a capital inside a sentence, or behind a title.
    pub capitals: u32,
    /// Names that are left.
    pub left: u32,
}

impl NameCount {
    /// The id: `84/names/scene`.
    pub fn id(&self) -> String {
        format!("{}/names/{}", self.book, self.record)
    }
}

record!(NameCount, "name-count", 1);

/// What a model takes a passage of a book for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recognition {
    /// The book.
    pub book: BookId,
    /// The scene that was shown.
    pub scene: u32,
    /// The title that the model named; blank if it knew none.
    pub title: String,
    /// The author that it named; blank if it knew none.
    pub author: String,
    /// Whether the title is the book's, up to a subtitle.
    pub title_right: bool,
    /// Whether the author is one of the book's, by the family name.
    pub author_right: bool,
    /// The answer it was read from.
    pub answer: Digest,
}

record!(Recognition, "recognition", 1);

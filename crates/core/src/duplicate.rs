//! Which books hold the same text, and which of them is kept.

use serde::{Deserialize, Serialize};

use crate::{UnitId, record};

/// What is ruled on a book among all others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duplicate {
    /// The unit.
    pub unit: UnitId,
    /// The units that share text with it, directly or by way of others, named by the smallest id
    /// among them. They belong in one split.
    pub group: UnitId,
    /// Whether it stays where books are to be distinct.
    pub kept: bool,
    /// What it is to the other.
    pub relation: Relation,
    /// The other; itself where there is none.
    pub of: UnitId,
    /// Of a thousand, how much of its text the other has too.
    pub shared_pm: u16,
    /// Why it is kept or not, for people.
    pub why: String,
}

record!(Duplicate, "duplicate", 1);

/// What a book is to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// It shares text with none, or it is the one of its like that is kept.
    Itself,
    /// The same text, but for a few words.
    Copy,
    /// The same work in other words here and there: a revision, another edition.
    Edition,
    /// A volume or some chapters of the other.
    Part,
    /// Some text is in both, most is not. Both are kept.
    Overlap,
    /// Alike to none, but its author has as many books as are wanted.
    Crowded,
}

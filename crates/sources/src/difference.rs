//! What two readings of a page see differently.

use storymill_core::ByteSpan;

/// A place at which a second reading of the page sees something else than the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where it stands in the decoded page.
    pub page: ByteSpan,
    /// A short stable word: `lost`, `made-up`, `in-no-paragraph`, `not-of-page`, `no-chapter`, `no-heading`.
    pub what: &'static str,
    /// The first letters of what it is about.
    pub words: String,
}

impl Difference {
    /// What it means, for people.
    pub fn says(&self) -> &'static str {
        match self.what {
            "lost" => "the page shows letters that are neither kept nor cut",
            "made-up" => "letters were kept or cut that the page does not show",
            "in-no-paragraph" => "letters were kept and are in no paragraph",
            "not-of-page" => "the book has letters that the page does not show",
            "no-chapter" => "a heading of the page stands in the text as a line",
            _ => "a heading of the book is a line like others on the page",
        }
    }
}

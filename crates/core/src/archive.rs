//! One book of an archive in NarrativeXL's own formats: what its files say, as they say it.
//!
//! Nothing here is believed yet. A number stands as it was written, a row that cannot be read says
//! what is wrong with it; stages decide what can be placed, and say why the rest cannot.

use serde::{Deserialize, Serialize};

use crate::{Author, BookId, ByteSpan, PageFacts, record};

/// What an archive holds of one book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archive {
    /// The book.
    pub book: BookId,
    /// Title; blank where no catalog names one, for the archive does not.
    pub title: String,
    /// Authors in catalog order.
    pub authors: Vec<Author>,
    /// Language tags as in the catalog.
    pub language: String,
    /// What it is, as the catalog says.
    pub kind: String,
    /// Rights as the catalog puts them.
    pub rights: String,
    /// Where the book came from, as the catalog says.
    pub source_url: String,
    /// The file of chunks and summaries.
    pub page: PageFacts,
    /// The chunks in order, from 0, with what is told of each.
    pub chunks: Vec<ArchivedChunk>,
    /// The rows of the hierarchy in the order of the file.
    pub ladder: Vec<ArchivedRung>,
    /// The questions in the order of the file.
    pub questions: Vec<ArchivedQuestion>,
}

record!(Archive, "archive", 1);

/// One chunk of a book, with its true and its false summaries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedChunk {
    /// Its text without the blanks around it.
    pub text: String,
    /// The blanks between the chunk before and this one, where the overlapped chunks tell; the
    /// chunks themselves have lost them.
    pub gap: Option<String>,
    /// Where it stands in the decoded file, in bytes.
    pub page: ByteSpan,
    /// The true summary; blank where the original failed.
    pub summary: String,
    /// The false summaries.
    pub distortions: Vec<String>,
    /// How the summary went, in the file's word: `OK`, `Warning`, `Fail`.
    pub failure: String,
    /// What the file says of that.
    pub comment: String,
}

/// One row of a hierarchy: a true summary and a false one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedRung {
    /// Which row of the file, from 1.
    pub row: u32,
    /// Its level: 0 for scenes.
    pub level: u8,
    /// The true summary.
    pub truth: String,
    /// The false one.
    pub lie: String,
    /// What is wrong with the row; blank where it can be read.
    pub broken: String,
}

/// One question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedQuestion {
    /// Which row of the file, from 1.
    pub row: u32,
    /// Which question of that row, from 1.
    pub nth: u32,
    /// After which chunk it is asked, from 0.
    pub asked_at: String,
    /// Whether the row repeats that chunk, word for word. If not it is about another text.
    pub fits: bool,
    /// The question with its options.
    pub text: String,
    /// The number of the right option, from 1.
    pub answer: String,
    /// What its decoys are: `Lookahead`, `Change`, `Otherbook`.
    pub of: String,
    /// Chunks from the true one to the last one read.
    pub memload: String,
    /// What is wrong with the row; blank where it can be read.
    pub broken: String,
}

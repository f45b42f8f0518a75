//! What of a book is compared with others.

use serde::{Deserialize, Serialize};
use storymill_core::{Book, record};

use super::{notice, shape, sketch::Sketch};
use crate::corpus::people::{self, Writer};

/// What a corpus stage needs to know of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicatesFact {
    /// Its own words, notices left out: the longest of its like is kept.
    pub words: u32,
    /// The words of its licences and other notices, which are not compared.
    pub notices: u32,
    /// Its chapters, which decide between texts of about one length.
    pub chapters: u32,
    /// Its authors.
    pub authors: Vec<Writer>,
    /// Its text in short.
    pub sketch: Sketch,
}

record!(DuplicatesFact, "duplicates-fact", 2);

impl DuplicatesFact {
    pub(super) fn of(book: &Book) -> Self {
        let (own, notices) = notice::parted(book);
        let (words, notices) = (shape::words(book, &own), shape::words(book, &notices));
        let compared = if words < FEWEST { &[][..] } else { &own };
        let sketch = Sketch::of(book, compared);
        let chapters = u32::try_from(book.chapters.len()).unwrap_or(u32::MAX);
        let authors = people::writers(book, MOST_AUTHORS);
        Self { words, notices, chapters, authors, sketch }
    }
}

/// Fewer words of its own are no evidence that a text is another's.
pub(super) const FEWEST: u32 = 200;

/// Keeps a fact below 4 kB.
const MOST_AUTHORS: usize = 5;

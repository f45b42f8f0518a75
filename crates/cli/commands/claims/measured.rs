//! What was counted of the books of a private set: kept with the set, and counted anew where a book has another text by
//! now, be it that people decided on its cleaning or that another page took its place.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use storymill::decided_digest;
use storymill_core::{Digest, Fault};
use storymill_shelf::Shelf;

/// Words and tokens by book, as far as nobody else had said how many there are.
pub(super) type Counts = BTreeMap<String, (Option<u64>, Option<u64>)>;

/// What was counted, and of which texts.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) books: Counts,
    /// Digests of the texts that were counted.
    #[serde(default)]
    texts: BTreeMap<String, Digest>,
    /// What these texts were made of, known without reading them.
    #[serde(default)]
    stamps: BTreeMap<String, Digest>,
}

impl Measured {
    /// Notes what was counted of a text.
    pub(super) fn note(
        &mut self,
        shelf: &Shelf,
        book: &str,
        text: &str,
        counts: (Option<u64>, Option<u64>),
    ) -> Result<(), Fault> {
        self.books.insert(book.to_owned(), counts);
        self.texts.insert(book.to_owned(), digest(shelf, text));
        self.stamps.insert(book.to_owned(), stamp(shelf, book)?);
        Ok(())
    }

    /// Takes over what was noted later.
    pub(super) fn extend(&mut self, later: &Self) {
        self.books.extend(later.books.clone());
        self.texts.extend(later.texts.clone());
        self.stamps.extend(later.stamps.clone());
    }

    /// Whether a book is certainly as it was when it was counted.
    pub(super) fn is_sure_of(&self, shelf: &Shelf, book: &str) -> Result<bool, Fault> {
        Ok(self.stamps.get(book) == Some(&stamp(shelf, book)?))
    }

    /// Whether this is the text that was counted.
    pub(super) fn is_of(&self, shelf: &Shelf, book: &str, text: &str) -> bool {
        self.texts.get(book) == Some(&digest(shelf, text))
    }
}

fn digest(shelf: &Shelf, text: &str) -> Digest {
    shelf.digest("text that was counted v1", text.as_bytes())
}

fn stamp(shelf: &Shelf, book: &str) -> Result<Digest, Fault> {
    let files = ["book", "page"].map(|what| shelf.stamp(&format!("books/{book}/{what}")));
    let all = files.into_iter().chain([decided_digest(shelf)?]);
    let text: Vec<String> =
        all.map(|one| one.map_or(String::new(), |one| one.to_string())).collect();
    Ok(Digest::of(text.join("\n").as_bytes()))
}

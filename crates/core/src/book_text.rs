//! The text of a book in rows of a bounded length: chapters, and parts of long ones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Book, BookId, Place, Span, record};

/// A piece of a book's text: a chapter up to the next heading of whatever level, what stands before the first, or a part
/// of one that is longer than [`BookText::MOST_BYTES`].
///
/// The pieces of a book, joined, are its text, byte for byte. They are how texts are published: whole novels make rows
/// that viewers refuse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookText {
    /// The book.
    pub book: BookId,
    /// Position in the book, from 0.
    pub piece: u32,
    /// Position of the chapter that it is of, in `Book::chapters`; none before the first.
    pub chapter: Option<u32>,
    /// The chapter's heading in one line; blank before the first.
    pub title: String,
    /// Where it stands in the book.
    pub span: Span,
    /// The text.
    pub text: String,
}

impl BookText {
    /// The most bytes of UTF-8 that a piece has. A chapter with more is cut at the last blank line before, else at the
    /// last line or word.
    pub const MOST_BYTES: usize = 1_000_000;

    /// The config of the texts of the books of another: `books-text` beside `books`.
    pub fn beside(books: &str) -> String {
        format!("{books}-text")
    }

    /// The id of a piece: `84/text/0003`.
    pub fn id(&self) -> String {
        format!("{}/text/{:04}", self.book, self.piece)
    }

    /// The text of a book in pieces, in order; none of a book without text.
    pub fn of(book: &Book) -> Vec<Self> {
        Self::cut(book, Self::MOST_BYTES)
    }

    fn cut(book: &Book, most: usize) -> Vec<Self> {
        let mut pieces = Vec::new();
        let mut start = Place::default();
        let mut starts: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, chapter) in book.chapters.iter().enumerate() {
            // Where a part and its first chapter begin at once, the piece is of the chapter.
            starts.insert(chapter.span.start.byte as usize, at);
        }
        let ends = starts.keys().copied().filter(|end| book.text.is_char_boundary(*end));
        for end in ends.chain([book.text.len()]) {
            let chapter = starts.range(..=start.byte as usize).next_back().map(|(_, at)| *at);
            while (start.byte as usize) < end {
                let rest = &book.text[start.byte as usize..end];
                let text = &rest[..length(rest, most)];
                let end = Place {
                    byte: start.byte + number(text.len()),
                    symbol: start.symbol + number(text.chars().count()),
                };
                pieces.push(Self {
                    book: book.id.clone(),
                    piece: number(pieces.len()),
                    chapter: chapter.map(number),
                    title: chapter.map_or_else(String::new, |at| book.chapters[at].title.clone()),
                    span: Span { start, end },
                    text: text.to_owned(),
                });
                start = end;
            }
        }
        pieces
    }
}

record!(BookText, "book-text", 1);

/// How many bytes of a text a piece takes: all, or up to the last border within the bound.
fn length(text: &str, most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let within = &text[..text.floor_char_boundary(most)];
    let behind = |border: &str| within.rfind(border).map(|at| at + border.len());
    let word = || {
        let (at, blank) = within.char_indices().rfind(|(_, letter)| letter.is_whitespace())?;
        Some(at + blank.len_utf8())
    };
    let border = behind("\n\n").or_else(|| behind("\n")).or_else(word).unwrap_or(within.len());
    // One letter at least: a bound below its bytes must not go round for ever.
    border.max(text.chars().next().map_or(0, char::len_utf8))
}

/// A count of a book's bytes, symbols or pieces: books have fewer than 4 GB.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;

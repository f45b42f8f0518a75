//! The table of books' texts, in rows of at most a megabyte.

use storymill_core::BookText;

use super::row::SPLIT;
use crate::table;

table! { BookText, "a chapter of a book's text, or a part of a long one", plain, |piece, added| {}
    "text_id": Line => piece.id(), "the piece of text: `84/text/0003`";
    "book_id": Word => piece.book, "the book";
    "chapter": Int => piece.chapter.map_or(-1, i64::from), "position in `chapters`; -1 before the first";
    "chapter_title": Word => piece.title, "its heading in one line; blank before the first";
    "start_symbols": Int => piece.span.start.symbol, "first symbol in the book's text";
    "end_symbols": Int => piece.span.end.symbol, "the first symbol that is no longer in it";
    "text": Text => piece.text, "the text; the pieces of a book in order, joined, are its text";
    "split": Word => added.split, SPLIT;
}

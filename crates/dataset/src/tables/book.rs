//! The table of books: all but their texts, which are too long for rows that people look at.

use storymill_core::{Author, Book, Chapter};
use storymill_text::word_count;

use super::row::{SPLIT, records};
use crate::{hashed::sha256, table};

records! { AuthorRow(Author), |author|
    "agent_id": Word => author.agent_id, "the catalog's id, or the folded name";
    "name": Word => author.name, "name as in the catalog";
    "birth_year": or_null(Int) => author.birth_year, "negative before our era";
    "death_year": or_null(Int) => author.death_year, "negative before our era";
}

records! { ChapterRow(Chapter), |chapter|
    "title": Line => chapter.title, "heading in one line";
    "level": Int => chapter.level, "1; 0 for parts above chapters, 2 for sections below";
    "start_symbols": Int => chapter.span.start.symbol, "first symbol of its heading";
    "end_symbols": Int => chapter.span.end.symbol, "the first symbol that is no longer in it";
}

table! { Book, "a book", plain, |book, added| {}
    "book_id": Line => book.id, "the book";
    "title": Line => book.title, "title; blank if nobody names one";
    "authors": AuthorRow::kind() => AuthorRow::each(&book.authors), "authors in catalog order";
    "language": Word => book.language, "language tags as in the catalog";
    "kind": Word => book.kind, "novel, stories, ...; blank if nobody says";
    "kind_sure_pm": Int => book.kind_sure_pm, "how sure that is, of 1,000; 0 if nobody judged";
    "kind_evidence": list(Line) => book.kind_evidence, "what spoke for the kind, the weightiest first";
    "rights": Word => book.rights, "rights as the catalog puts them";
    "source_url": Line => book.source_url, "where the page came from; may be blank";
    "page_sha256": Line => book.page.sha256, "SHA-256 of the page as fetched";
    "text_sha256": Line => sha256(book.text.as_bytes()), "SHA-256 of the clean text in UTF-8";
    "symbols": Int => book.text.chars().count(), "length of the text";
    "words": Int => word_count(&book.text), "words of the text, split on whitespace";
    "chapters": ChapterRow::kind() => ChapterRow::each(&book.chapters), "chapters in order";
    "split": Word => added.split, SPLIT;
    "flags": list(Word) => book.flags, "notes by rule or person";
}

//! The table of books, each with its whole text.

use serde::Serialize;
use storymill_core::{Book, BookId, Encoding};
use storymill_text::word_count;

use crate::{
    column::{Column, Type},
    hashed::sha256,
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct BookRow {
    book_id: BookId,
    title: String,
    authors: Vec<AuthorRow>,
    language: String,
    kind: String,
    kind_sure_pm: u16,
    kind_evidence: Vec<String>,
    rights: String,
    source_url: String,
    page_sha256: String,
    text: String,
    text_sha256: String,
    symbols: usize,
    words: u32,
    chapters: Vec<ChapterRow>,
    split: String,
    flags: Vec<String>,
}

#[derive(Debug, Serialize)]
struct AuthorRow {
    agent_id: String,
    name: String,
    birth_year: Option<i32>,
    death_year: Option<i32>,
}

#[derive(Debug, Serialize)]
struct ChapterRow {
    title: String,
    level: u8,
    start_symbols: u32,
    end_symbols: u32,
}

impl Table for Book {
    type Row = BookRow;
    const ABOUT: &'static str = "a book";
    const EVALUATION: bool = false;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        vec![
            Column::new("book_id", Type::Line, "the book"),
            Column::new("title", Type::Line, "title; blank if nobody names one"),
            Column::new("authors", authors(), "authors in catalog order"),
            Column::new("language", Type::Word, "language tags as in the catalog"),
            Column::new("kind", Type::Word, "novel, stories, ...; blank if nobody says"),
            Column::new(
                "kind_sure_pm",
                Type::Int,
                "how sure that is, of 1,000; 0 if nobody judged",
            ),
            Column::new(
                "kind_evidence",
                Type::list(Type::Line),
                "what spoke for the kind, the weightiest first",
            ),
            Column::new("rights", Type::Word, "rights as the catalog puts them"),
            Column::new("source_url", Type::Line, "where the page came from; may be blank"),
            Column::new("page_sha256", Type::Line, "SHA-256 of the page as fetched"),
            Column::new("text", Type::Text, "the whole clean text"),
            Column::new("text_sha256", Type::Line, "SHA-256 of the text in UTF-8"),
            Column::new("symbols", Type::Int, "length of the text"),
            Column::new("words", Type::Int, "words of the text, split on whitespace"),
            Column::new("chapters", chapters(), "chapters in order"),
            Column::new("split", Type::Word, "train, validation or test"),
            Column::new("flags", Type::list(Type::Word), "notes by rule or person"),
        ]
    }

    fn row(self, added: &Added<'_>) -> BookRow {
        let author = |author: storymill_core::Author| AuthorRow {
            agent_id: author.agent_id,
            name: author.name,
            birth_year: author.birth_year,
            death_year: author.death_year,
        };
        let chapter = |chapter: storymill_core::Chapter| ChapterRow {
            title: chapter.title,
            level: chapter.level,
            start_symbols: chapter.span.start.symbol,
            end_symbols: chapter.span.end.symbol,
        };
        BookRow {
            book_id: self.id,
            title: self.title,
            authors: self.authors.into_iter().map(author).collect(),
            language: self.language,
            kind: self.kind,
            kind_sure_pm: self.kind_sure_pm,
            kind_evidence: self.kind_evidence,
            rights: self.rights,
            source_url: self.source_url,
            page_sha256: self.page.sha256,
            text_sha256: sha256(self.text.as_bytes()),
            symbols: self.text.chars().count(),
            words: word_count(&self.text),
            text: self.text,
            chapters: self.chapters.into_iter().map(chapter).collect(),
            split: added.split.to_owned(),
            flags: self.flags,
        }
    }
}

fn authors() -> Type {
    Type::records(vec![
        Column::new("agent_id", Type::Word, "the catalog's id, or the folded name"),
        Column::new("name", Type::Word, "name as in the catalog"),
        Column::new("birth_year", Type::Int, "negative before our era").or_null(),
        Column::new("death_year", Type::Int, "negative before our era").or_null(),
    ])
}

fn chapters() -> Type {
    Type::records(vec![
        Column::new("title", Type::Line, "heading in one line"),
        Column::new("level", Type::Int, "1; 0 for parts above chapters, 2 for sections below"),
        Column::new("start_symbols", Type::Int, "first symbol of its heading"),
        Column::new("end_symbols", Type::Int, "the first symbol that is no longer in it"),
    ])
}

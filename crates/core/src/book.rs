//! A book: the clean narrative text of one work, and what its catalog says of it.

use serde::{Deserialize, Serialize};

use crate::{BookId, ByteSpan, Span, record};

/// Clean narrative text of one work: chapters, paragraphs, catalog facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Book {
    /// Its id.
    pub id: BookId,
    /// Title; blank only where neither catalog nor page names one.
    pub title: String,
    /// Authors in catalog order; translators and illustrators are not among them.
    pub authors: Vec<Author>,
    /// Language tags as in the catalog, `en`; several are joined by `; `.
    pub language: String,
    /// What it is: `novel`, `stories`, ...; blank where nobody said.
    pub kind: String,
    /// How sure that is, of a thousand; 0 where nobody judged.
    pub kind_sure_pm: u16,
    /// What spoke for it, the weightiest first.
    pub kind_evidence: Vec<String>,
    /// Subject headings of the catalog: `England -- Fiction`.
    pub subjects: Vec<String>,
    /// Classes of the Library of Congress: `PR`.
    pub locc: Vec<String>,
    /// Bookshelves of the catalog: `Category: Novels`.
    pub bookshelves: Vec<String>,
    /// Rights as the catalog puts them.
    pub rights: String,
    /// Where the page came from, as an address or blank. Never a path of the building machine.
    pub source_url: String,
    /// The page it was made from.
    pub page: PageFacts,
    /// The text. Paragraphs are separated by a blank line, lines of verse by a line break.
    pub text: String,
    /// The chapters in order; what stands before the first belongs to none.
    pub chapters: Vec<Chapter>,
    /// The paragraphs in order, headings among them.
    pub paragraphs: Vec<Paragraph>,
    /// Notes by rule or person: `pg19`.
    pub flags: Vec<String>,
}

record!(Book, "book", 2);

/// One author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// Stable id: the catalog's agent id, or the folded name where it gives none.
    pub agent_id: String,
    /// Name as the catalog gives it: `Austen, Jane`.
    pub name: String,
    /// Year of birth; negative before our era.
    pub birth_year: Option<i32>,
    /// Year of death.
    pub death_year: Option<i32>,
}

/// Facts about the page that a book was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageFacts {
    /// SHA-256 of its bytes as fetched, in hexadecimal: what `sha256sum` prints.
    pub sha256: String,
    /// Bytes after unpacking.
    pub bytes: u32,
    /// The encoding it was read in: `UTF-8`, `windows-1252`.
    pub encoding: String,
    /// The rule that decided the encoding: `bom`, `xml`, `meta`, `utf-8`, `detected`.
    pub encoding_rule: String,
    /// Per mille of the page's visible text (in symbols, boilerplate left out) that was kept.
    pub kept_pm: u16,
}

/// One chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chapter {
    /// Its heading in one line: `CHAPTER I. The Letter`.
    pub title: String,
    /// 1 for chapters, 0 for parts or volumes above them, 2 for sections below.
    pub level: u8,
    /// From its heading to the next heading of its level or above.
    pub span: Span,
}

/// What a paragraph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParagraphKind {
    /// Running text.
    Prose,
    /// Lines that keep their breaks: verse, letters' heads, inscriptions.
    Verse,
    /// A heading of a part, a chapter or a section.
    Heading,
    /// A thought break, printed as `* * *`.
    Break,
}

/// One paragraph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paragraph {
    /// What it is.
    pub kind: ParagraphKind,
    /// Where it stands in the book's text, in bytes.
    pub text: ByteSpan,
    /// Where it stands in the decoded page, in bytes of UTF-8, from its first to its last kept
    /// letter.
    pub page: ByteSpan,
}

//! `archived-book`: an archived book as a book like any other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Archive, Book, ByteSpan, Cx, Edge, Options, Paragraph, ParagraphKind, Rows, Stage, Stop, stage,
};

use super::{joined, only};

/// Makes a book of an archived one: its chunks, with the blanks that stood between them.
///
/// ```
/// use storymill_transforms::ArchivedBook;
/// let stage: ArchivedBook = toml::from_str("from = 'archive'").unwrap();
/// assert_eq!(stage.from.step(), "archive");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArchivedBook {
    /// The source of the archive.
    pub from: Edge<Archive>,
}

impl Options for ArchivedBook {}

impl Stage for ArchivedBook {
    stage!("archived-book", 1, Rows<Archive> => Book, from);

    fn run(&self, archives: Rows<Archive>, _: &mut Cx<'_>) -> Result<Vec<Book>, Stop> {
        let archive = only(&archives)?;
        let (text, spans) = joined(archive);
        if text.trim().is_empty() {
            return Err(Stop::reject("no-text", "the chunks of the book are blank"));
        }
        let chunks = archive.chunks.iter().zip(spans);
        let paragraphs = chunks
            .flat_map(|(chunk, span)| paragraphs(&chunk.text, span.start, chunk.page.start))
            .collect();
        Ok(vec![Book {
            id: archive.book.clone(),
            title: archive.title.clone(),
            authors: archive.authors.clone(),
            language: archive.language.clone(),
            kind: archive.kind.clone(),
            kind_sure_pm: 0,
            kind_evidence: Vec::new(),
            subjects: Vec::new(),
            locc: Vec::new(),
            bookshelves: Vec::new(),
            rights: archive.rights.clone(),
            source_url: archive.source_url.clone(),
            page: archive.page.clone(),
            text,
            chapters: Vec::new(),
            paragraphs,
            flags: vec!["narrativexl".to_owned()],
        }])
    }
}

/// The paragraphs of a chunk that stands here in the book and there in the file.
fn paragraphs(chunk: &str, book: usize, file: u32) -> Vec<Paragraph> {
    let mut found = Vec::new();
    let mut at = 0;
    for piece in chunk.split("\n\n") {
        let text = piece.trim();
        if !text.is_empty() {
            let start = at + (piece.len() - piece.trim_start().len());
            let span = |from: usize| {
                let start = u32::try_from(from + start).expect("a book has at most 64 MB");
                let length = u32::try_from(text.len()).expect("a book has at most 64 MB");
                ByteSpan { start, end: start + length }
            };
            let (text, page) = (span(book), span(file as usize));
            found.push(Paragraph { kind: ParagraphKind::Prose, text, page });
        }
        at += piece.len() + 2;
    }
    found
}

//! Several documents walked into one run of blocks, as an EPUB has them.
//!
//! Names of anchors belong to their document, so that a link finds its place across documents. A
//! document without a heading takes the one that the book's table of contents gives it.

use std::{collections::HashMap, ops::Range};

use storymill_core::Reason;

use super::{
    blocks::{Block, Leaves},
    builder::{Builder, name_hash},
    events::{self, Attributes, Sink},
    marks::Marks,
    parted,
    tags::Tag,
    words::{Kind, fold, says},
};
use crate::{cut::Why, epub::styles::Styles};

/// An entry of the table of contents.
#[derive(Clone, Debug)]
pub(crate) struct Title {
    pub(crate) text: String,
    /// The anchor in the document, or blank for its beginning.
    pub(crate) fragment: String,
}

/// One document of a book.
pub(crate) struct Document<'p> {
    pub(crate) path: &'p str,
    /// Where it stands in the page.
    pub(crate) range: Range<usize>,
    pub(crate) titles: &'p [Title],
    /// Why it is no part of the story, where the book says so.
    pub(crate) apart: Option<Why>,
}

/// Blocks in which a document's heading is looked for.
const NEAR: usize = 6;

/// A document of fewer letters takes no title: a page number, an ornament that a converter split off.
const SCRAP: u32 = 40;

/// A document shorter than this takes only titles that say what they are: `Chapter I`, `Preface`.
const SHORT: u32 = 3_000;

/// No title page has more letters.
const LONGEST_TITLE_PAGE: u32 = 6_000;

/// An entry of a list of contents of which only a part is a link has no more letters.
const LONGEST_ENTRY: u32 = 200;

/// The blocks of all documents in order.
pub(crate) fn leaves(
    page: &str,
    documents: &[Document<'_>],
    styles: &Styles,
) -> Result<Leaves, Reason> {
    let leaves = built(page, documents, Builder::new(page).styled(styles))?;
    let parted = parted::parted(&leaves);
    if parted.is_empty() {
        Ok(leaves)
    } else {
        built(page, documents, Builder::parting(page, parted).styled(styles))
    }
}

fn built(page: &str, documents: &[Document<'_>], mut builder: Builder) -> Result<Leaves, Reason> {
    let mut apart: Vec<(Range<usize>, Why)> = Vec::new();
    for document in documents {
        let mark = builder.begin_document(document.path);
        walk(page, document, &mut builder)?;
        builder.end_document();
        let blocks = &builder.leaves.blocks[mark.blocks..];
        if let Some(why) = document.apart.filter(|why| may_be(blocks, *why)) {
            apart.push((mark.blocks..builder.leaves.blocks.len(), why));
        } else if let Some(title) = lacking(&mut builder.leaves, &mark, document) {
            builder.rewind(&mark);
            builder.insert_heading(title, document.range.start);
            walk(page, document, &mut builder)?;
            builder.end_document();
        }
    }
    let mut leaves = builder.finish();
    // Some books call all they have front matter, or not to be read in line: then it says nothing.
    let letters =
        |blocks: &[Block]| blocks.iter().map(|block| u64::from(block.letters)).sum::<u64>();
    let cut: u64 = apart.iter().map(|(blocks, _)| letters(&leaves.blocks[blocks.clone()])).sum();
    let believed = cut * 2 < letters(&leaves.blocks);
    for (blocks, why) in apart.into_iter().filter(|(_, why)| believed || *why == Why::Contents) {
        leaves.blocks[blocks].iter_mut().for_each(|block| block.fate = Some(why));
    }
    Ok(leaves)
}

/// Whether a document may be what the book says of it: a title page is short, contents are made of links.
fn may_be(blocks: &[Block], why: Why) -> bool {
    const LINKS: Marks = Marks::LINK.with(Marks::LINK_OUT);
    let entry = |block: &&Block| {
        block.all.any(LINKS) || block.any.any(LINKS) && block.letters <= LONGEST_ENTRY
    };
    let letters = |blocks: &mut dyn Iterator<Item = &Block>| -> u32 {
        blocks.map(|block| block.letters).sum()
    };
    let all = letters(&mut blocks.iter());
    match why {
        Why::TitlePage => all <= LONGEST_TITLE_PAGE,
        Why::Contents => letters(&mut blocks.iter().filter(entry)) * 2 >= all,
        _ => true,
    }
}

fn walk(page: &str, document: &Document<'_>, builder: &mut Builder) -> Result<(), Reason> {
    let mut shifted = Shifted { builder, by: document.range.start };
    events::walk_xml(&page[document.range.clone()], &mut shifted)
}

/// The title that a document has in the table of contents and not in its text. Where plain
/// paragraphs hold such titles, they become headings.
fn lacking<'t>(leaves: &mut Leaves, mark: &Mark, document: &Document<'t>) -> Option<&'t str> {
    let from = mark.blocks;
    // A converter may split behind a heading, and name the document by it, or by its own first lines.
    let is_plain = |title: &Title| says(&title.text).kind == Kind::Other;
    let before = leaves.blocks[..from].last().filter(|last| last.tag.heading().is_some());
    if let (Some(before), Some(title)) = (before, document.titles.first())
        && (is_plain(title) || fold(&leaves.line(before)) == fold(&title.text))
    {
        return None;
    }
    let anchors: HashMap<u64, u32> = leaves.anchors[mark.anchors..].iter().copied().collect();
    for title in document.titles.iter().filter(|title| !title.fragment.is_empty()) {
        let hash = name_hash(&format!("{}#{}", document.path, title.fragment));
        if let Some(at) = anchors.get(&hash) {
            let at = *at as usize;
            headed(leaves, at..at + 2, &title.text);
        }
    }
    let title = document.titles.first()?;
    if headed(leaves, from..from + NEAR, &title.text) || fold(&title.text).is_empty() {
        return None;
    }
    let letters: u32 = leaves.blocks[from..].iter().map(|block| block.letters).sum();
    (letters >= if is_plain(title) { SHORT } else { SCRAP }).then_some(&title.text)
}

/// Whether a heading stands among these blocks, or a paragraph that this title makes one.
fn headed(leaves: &mut Leaves, near: Range<usize>, title: &str) -> bool {
    let title = fold(title);
    for at in near.start..near.end.min(leaves.blocks.len()) {
        let block = &leaves.blocks[at];
        if block.tag.heading().is_some() || (block.marks | block.all).any(Marks::HEADING) {
            return true;
        }
        // Made-up tables of contents list pictures too, by their captions.
        if block.marks.any(Marks::TABLE | Marks::FIGURE | Marks::CAPTION) {
            continue;
        }
        let line = fold(&leaves.line(block));
        let alike = line == title
            || line.len() > 3 && block.letters < 90 && title.contains(&line)
            || title.len() > 3 && block.letters < 120 && line.contains(&title);
        if alike {
            leaves.blocks[at].tag = Tag::H2;
            return true;
        }
    }
    false
}

/// Hands events on with their places counted from the beginning of the page.
struct Shifted<'b> {
    builder: &'b mut Builder,
    by: usize,
}

impl Sink for Shifted<'_> {
    fn open(&mut self, tag: Tag, with: &Attributes, span: Range<usize>) -> Result<(), Reason> {
        self.builder.open(tag, with, span.start + self.by..span.end + self.by)
    }

    fn close(&mut self, tag: Tag) {
        self.builder.close(tag);
    }

    fn text(&mut self, text: &str, span: Range<usize>) {
        self.builder.text(text, span.start + self.by..span.end + self.by);
    }
}

/// How far a builder had come when a document began.
pub(super) struct Mark {
    pub(super) blocks: usize,
    pieces: usize,
    scroll: usize,
    anchors: usize,
    links: usize,
    pictures: usize,
}

impl Builder {
    /// What classes say that a converter made: `letra2` beside `letra`, `calibre7` with a style of its own.
    pub(super) fn converted_marks(&self, classes: &str, tag: Tag) -> Marks {
        let numbered = Marks::of_numbered_class(classes, tag);
        let styled = classes.split_ascii_whitespace().filter_map(|class| self.styles.get(class));
        styled.fold(numbered, |all, marks| all | *marks)
    }

    fn begin_document(&mut self, path: &str) -> Mark {
        self.document = Some(path.to_owned());
        let mark = Mark {
            blocks: self.leaves.blocks.len(),
            pieces: self.leaves.pieces.len(),
            scroll: self.leaves.scroll.len(),
            anchors: self.leaves.anchors.len(),
            links: self.leaves.links.len(),
            pictures: self.leaves.pictures.len(),
        };
        self.note_document();
        mark
    }

    /// Ends the block at hand and forgets what the document left open.
    fn end_document(&mut self) {
        self.end_block();
        self.close_from(0);
        self.in_title = false;
        self.rule = false;
        self.gap = 3;
    }

    /// Forgets what was walked since the document began.
    fn rewind(&mut self, mark: &Mark) {
        self.leaves.blocks.truncate(mark.blocks);
        self.leaves.pieces.truncate(mark.pieces);
        self.leaves.scroll.truncate(mark.scroll);
        self.leaves.anchors.truncate(mark.anchors);
        self.leaves.links.truncate(mark.links);
        self.leaves.pictures.truncate(mark.pictures);
        self.start = mark.scroll;
        self.first_piece = mark.pieces;
        self.first_picture = mark.pictures;
        self.anchored = false;
        self.note_document();
    }

    /// A heading that stands in no document: it takes no room in the page.
    fn insert_heading(&mut self, title: &str, at: usize) {
        let begun = self.leaves.blocks.len();
        self.push(title, at..at, Marks::NONE);
        self.end_block();
        if let Some(block) = self.leaves.blocks.get_mut(begun) {
            block.tag = Tag::H2;
        }
    }
}

/// Whether a converter wrapped this around a heading and all below it (`<section class="level2">`). It has the
/// heading's id, classes and style, which say nothing of the text.
pub(super) fn is_section(classes: &str) -> bool {
    let level = |class: &str| class.strip_prefix("level").is_some_and(|level| level.len() == 1);
    classes.split_ascii_whitespace().any(level)
}

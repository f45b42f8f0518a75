//! Several documents walked into one run of blocks, as an EPUB has them.
//!
//! Names of anchors belong to their document, so that a link finds its place across documents. Where a
//! document lacks a heading, the book's table of contents gives it ([`entries`]).

use std::ops::Range;

use storymill_core::Reason;

use super::{
    blocks::{Block, Leaves},
    builder::Builder,
    entries::{self, Lacking, Title},
    events::{self, Attributes, Sink},
    marks::Marks,
    parted,
    tags::Tag,
};
use crate::{cut::Why, epub::styles::Styles};

/// One document of a book.
pub(crate) struct Document<'p> {
    pub(crate) path: &'p str,
    /// Where it stands in the page.
    pub(crate) range: Range<usize>,
    pub(crate) titles: &'p [Title],
    /// Why it is no part of the story, where the book says so.
    pub(crate) apart: Option<Why>,
}

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
    let mut placed = Vec::new();
    for document in documents {
        let mark = builder.begin_document(document.path);
        walk(page, document, &mut builder, &[])?;
        let blocks = &builder.leaves.blocks[mark.blocks..];
        if let Some(why) = document.apart.filter(|why| may_be(blocks, *why)) {
            apart.push((mark.blocks..builder.leaves.blocks.len(), why));
            continue;
        }
        let mut found = entries::found(&mut builder.leaves, &mark, document, &placed);
        if !found.lacking.is_empty() {
            builder.rewind(&mark);
            walk(page, document, &mut builder, &found.lacking)?;
            found = entries::found(&mut builder.leaves, &mark, document, &placed);
        }
        placed.append(&mut found.placed);
    }
    let mut leaves = builder.finish();
    entries::rank(&mut leaves, &placed);
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

/// Walks a document, with the headings that it lacks.
fn walk(
    page: &str,
    document: &Document<'_>,
    builder: &mut Builder,
    lacking: &[Lacking<'_>],
) -> Result<(), Reason> {
    let mut shifted = Shifted { builder, by: document.range.start, lacking };
    events::walk_xml(&page[document.range.clone()], &mut shifted)?;
    shifted.put_in(usize::MAX);
    shifted.builder.end_document();
    Ok(())
}

/// Hands events on with their places counted from the beginning of the page.
struct Shifted<'b> {
    builder: &'b mut Builder,
    by: usize,
    /// Headings that are put in before what stands at their places.
    lacking: &'b [Lacking<'b>],
}

impl Shifted<'_> {
    /// Puts in the headings that belong before this place.
    fn put_in(&mut self, end: usize) {
        while let Some((first, rest)) = self.lacking.split_first()
            && first.at < end
        {
            self.builder.insert_heading(first.title, first.at);
            self.lacking = rest;
        }
    }
}

impl Sink for Shifted<'_> {
    fn open(&mut self, tag: Tag, with: &Attributes, span: Range<usize>) -> Result<(), Reason> {
        self.builder.open(tag, with, span.start + self.by..span.end + self.by)
    }

    fn close(&mut self, tag: Tag) {
        self.builder.close(tag);
    }

    fn text(&mut self, text: &str, span: Range<usize>) {
        self.put_in(span.end + self.by);
        self.builder.text(text, span.start + self.by..span.end + self.by);
    }
}

/// How far a builder had come when a document began.
pub(super) struct Mark {
    pub(super) blocks: usize,
    pieces: usize,
    scroll: usize,
    pub(super) anchors: usize,
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
        self.end_block();
        let begun = self.leaves.blocks.len();
        self.push(title, at..at, Marks::NONE);
        self.end_block();
        if let Some(block) = self.leaves.blocks.get_mut(begun) {
            (block.tag, block.marks, block.any) = (Tag::H2, Marks::NONE, Marks::NONE);
        }
    }
}

/// Whether a converter wrapped this around a heading and all below it (`<section class="level2">`). It has the
/// heading's id, classes and style, which say nothing of the text.
pub(super) fn is_section(classes: &str) -> bool {
    let level = |class: &str| class.strip_prefix("level").is_some_and(|level| level.len() == 1);
    classes.split_ascii_whitespace().any(level)
}

//! From events to blocks: a small stack of open elements, and the block at hand.
//!
//! The stack mends what pages leave out, as far as paragraphs need it: a paragraph ends where a
//! block begins, an item where the next begins, inline tags where their block ends.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
};

use super::{
    blocks::{BREAK, Block, Leaves, Piece, counts, small},
    documents,
    events::Attributes,
    marks::Marks,
    parted::Parted,
    tags::{TAGS, Tag},
};
use crate::epub::{resolve, styles::Styles};

/// How far down an item looks for the item that it ends.
const NEAR: usize = 64;

/// The hash by which anchors and links find each other.
pub(super) fn name_hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

pub(super) struct Open {
    pub(super) tag: Tag,
    /// What it adds.
    pub(super) own: Marks,
    /// What holds inside it.
    pub(super) marks: Marks,
    pub(super) serial: u32,
    /// Where its tag begins in the page.
    pub(super) at: u32,
    /// The innermost element that parts paragraphs, itself included.
    pub(super) holder: Option<usize>,
}

/// Builds the blocks; a [`Sink`](super::events::Sink) for the walk.
pub(crate) struct Builder {
    pub(super) leaves: Leaves,
    pub(super) open: Vec<Open>,
    pub(super) open_of: [u32; TAGS],
    pub(super) serial: u32,
    /// Where the current block began.
    pub(super) start: usize,
    pub(super) first_piece: usize,
    pub(super) first_picture: usize,
    pub(super) gap: u32,
    pub(super) rule: bool,
    pub(super) anchored: bool,
    pub(super) letters: u32,
    pub(super) all: u32,
    /// Line breaks since something showed.
    pub(super) breaks: u32,
    /// Elements in which each line is a paragraph.
    pub(super) parted: Parted,
    pub(super) in_title: bool,
    pub(super) common: Marks,
    pub(super) some: Marks,
    /// The document at hand, where a book has several.
    pub(super) document: Option<String>,
    /// What style sheets say of classes without a word in their name.
    pub(super) styles: Styles,
}

impl Builder {
    pub(crate) fn new(page: &str) -> Self {
        let mut leaves = Leaves::default();
        leaves.scroll.reserve(page.len());
        leaves.pieces.reserve(page.len() / 64);
        leaves.blocks.reserve(page.len() / 256);
        Self {
            leaves,
            open: Vec::new(),
            open_of: [0; TAGS],
            serial: 0,
            start: 0,
            first_piece: 0,
            first_picture: 0,
            gap: 0,
            rule: false,
            anchored: false,
            letters: 0,
            all: 0,
            breaks: 0,
            parted: Parted::default(),
            in_title: false,
            common: Marks::NONE,
            some: Marks::NONE,
            document: None,
            styles: Styles::new(),
        }
    }

    /// The same for a page of which it is known that it parts its paragraphs by line ends.
    pub(crate) fn parting(page: &str, parted: Parted) -> Self {
        Self { parted, ..Self::new(page) }
    }

    /// The same with what an EPUB's style sheets say of its classes.
    pub(crate) fn styled(self, styles: &Styles) -> Self {
        Self { styles: styles.clone(), ..self }
    }

    pub(crate) fn finish(mut self) -> Leaves {
        self.end_block();
        self.leaves
    }

    pub(super) fn marks(&self) -> Marks {
        self.open.last().map_or(Marks::NONE, |open| open.marks)
    }

    pub(super) fn holder(&self) -> Option<&Open> {
        self.open.last().and_then(|open| open.holder).map(|at| &self.open[at])
    }

    /// The element around the innermost one that parts paragraphs.
    pub(super) fn parent(&self) -> u32 {
        let holder = self.open.last().and_then(|open| open.holder).unwrap_or(0);
        let around = holder.checked_sub(1).and_then(|at| self.open[at].holder);
        around.map_or(0, |at| self.open[at].serial)
    }

    /// Ends the block at hand, if it shows anything.
    pub(super) fn end_block(&mut self) {
        let end = self.leaves.scroll.len();
        if self.letters > 0 || self.all > 0 {
            let (tag, marks, parent) = self.holder().map_or((Tag::Body, Marks::NONE, 0), |open| {
                let parent = if matches!(open.tag, Tag::Div | Tag::Quote | Tag::Pre | Tag::Body)
                    && !open.own.any(Marks::LINE)
                {
                    open.serial
                } else {
                    self.parent()
                };
                (open.tag, open.marks, parent)
            });
            // A cell that holds paragraphs is no cell.
            let tag = if tag == Tag::Cell && self.parting_here().is_some() { Tag::P } else { tag };
            self.leaves.blocks.push(Block {
                tag,
                marks,
                all: self.common,
                any: self.some | marks,
                text: small(self.start)..small(end),
                pieces: small(self.first_piece)..small(self.leaves.pieces.len()),
                parent,
                element: self.holder().map_or(0, |open| open.at),
                gap: u8::try_from(self.gap).unwrap_or(u8::MAX),
                rule: self.rule,
                anchored: self.anchored,
                letters: self.letters,
                fate: None,
            });
            for picture in &mut self.leaves.pictures[self.first_picture..] {
                picture.inside = true;
            }
            self.gap = 0;
            self.rule = false;
            self.anchored = false;
        } else {
            // An empty paragraph: a gap between two others.
            self.leaves.scroll.truncate(self.start);
            self.leaves.pieces.truncate(self.first_piece);
        }
        self.start = self.leaves.scroll.len();
        self.first_piece = self.leaves.pieces.len();
        self.first_picture = self.leaves.pictures.len();
        self.letters = 0;
        self.all = 0;
        self.breaks = 0;
        self.some = Marks::NONE;
    }

    /// Closes everything above and including the element at `at`.
    pub(super) fn close_from(&mut self, at: usize) {
        for open in self.open.drain(at..) {
            self.open_of[open.tag as usize] -= 1;
        }
    }

    /// What an opening block tag closes, though the page does not say so.
    pub(super) fn close_implied(&mut self, tag: Tag) {
        let closes = |open: Tag| match tag {
            Tag::Item => open == Tag::Item,
            Tag::Term => open == Tag::Term,
            Tag::Cell => open == Tag::Cell,
            Tag::Row => matches!(open, Tag::Cell | Tag::Row),
            _ => false,
        };
        let stops = |open: Tag| match tag {
            Tag::Item | Tag::Term => open == Tag::List,
            _ => open == Tag::Table,
        };
        // A paragraph ends where any block begins; the letters it left open end with it.
        if let Some(at) = self.open.last().and_then(|open| open.holder)
            && (self.open[at].tag == Tag::P
                || self.open[at].tag.heading().is_some() && tag.heading().is_some())
        {
            self.close_from(at);
        }
        if matches!(tag, Tag::Item | Tag::Term | Tag::Cell | Tag::Row) {
            let mut at = self.open.len();
            let top = at.saturating_sub(NEAR);
            while at > top && !stops(self.open[at - 1].tag) {
                at -= 1;
                if closes(self.open[at].tag) {
                    self.close_from(at);
                }
            }
        }
    }

    pub(super) fn note_anchor(&mut self, name: &str) {
        if !name.is_empty() {
            self.anchored = true;
            let hash = self.document.as_ref().map_or_else(
                || name_hash(name),
                |document| name_hash(&format!("{document}#{name}")),
            );
            self.leaves.anchors.push((hash, small(self.leaves.blocks.len())));
        }
    }

    /// The beginning of a document is a place that links may lead to.
    pub(super) fn note_document(&mut self) {
        if let Some(document) = &self.document {
            let hash = name_hash(&format!("{document}#"));
            self.leaves.anchors.push((hash, small(self.leaves.blocks.len())));
        }
    }

    /// The hash of the place inside the book that a reference leads to.
    fn target(&self, href: &str) -> Option<u64> {
        match &self.document {
            None => href.strip_prefix('#').map(name_hash),
            Some(document) => {
                let (path, fragment) = resolve(document, href)?;
                Some(name_hash(&format!("{path}#{fragment}")))
            }
        }
    }

    /// What an element adds to the marks of its content.
    pub(super) fn own_marks(&mut self, tag: Tag, attributes: &Attributes) -> Marks {
        let mut own = Marks::of_tag(tag);
        if self.document.is_some() && documents::is_section(&attributes.class) {
            return own | Marks::of_kind(&attributes.kind, tag);
        }
        if !attributes.class.is_empty() {
            own |= Marks::of_class(&attributes.class, tag);
            if self.document.is_some() {
                own |= self.converted_marks(&attributes.class, tag);
            }
        }
        if !attributes.id.is_empty() {
            own |= Marks::of_id(&attributes.id);
        }
        if !attributes.kind.is_empty() {
            own |= Marks::of_kind(&attributes.kind, tag);
        }
        if !attributes.style.is_empty() {
            own |= Marks::of_style(&attributes.style);
        }
        if !attributes.align.is_empty() && tag != Tag::Img {
            own |= Marks::of_align(&attributes.align);
        }
        if tag == Tag::A && !attributes.href.is_empty() {
            if let Some(hash) = self.target(&attributes.href) {
                own |= Marks::LINK;
                self.leaves.links.push((hash, small(self.leaves.blocks.len())));
            } else {
                own |= Marks::LINK_OUT;
            }
        }
        own
    }

    pub(super) fn push(&mut self, text: &str, span: Range<usize>, marks: Marks) {
        let start = self.leaves.scroll.len();
        if text.contains(BREAK) {
            self.leaves.scroll.push_str(&text.replace(BREAK, " "));
        } else {
            self.leaves.scroll.push_str(text);
        }
        let (letters, shown) = counts(text);
        if shown > 0 {
            self.common = if self.all == 0 {
                marks
            } else {
                self.common.without(Marks::EVERY.without(marks))
            };
            self.some |= marks;
            self.breaks = 0;
        }
        self.letters += letters;
        self.all += shown;
        let text = small(start)..small(self.leaves.scroll.len());
        let page = small(span.start)..small(span.end);
        // What the tokenizer parted though no tag does is one piece.
        if let Some(last) = self.leaves.pieces[self.first_piece..].last_mut()
            && last.text.end == text.start
            && last.page.end == page.start
            && last.text.len() == last.page.len()
            && text.len() == page.len()
            && last.marks == marks
        {
            last.text.end = text.end;
            last.page.end = page.end;
            return;
        }
        self.leaves.pieces.push(Piece { text, page, marks });
    }
}

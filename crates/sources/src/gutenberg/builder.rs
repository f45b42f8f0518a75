//! From events to blocks: a small stack of open elements, and the block at hand.
//!
//! The stack mends what pages leave out, as far as paragraphs need it: a paragraph ends where a
//! block begins, an item where the next begins, inline tags where their block ends.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
};

use storymill_core::Reason;

use super::{
    blocks::{BREAK, Block, Leaves, Piece, counts, small},
    events::{Attributes, Sink},
    marks::Marks,
    tags::{TAGS, Tag},
};

/// Open elements at one time; real pages stay below 40.
const DEEPEST: usize = 2_000;

/// How far down an item looks for the item that it ends.
const NEAR: usize = 64;

/// The hash by which anchors and links find each other.
fn name_hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

struct Open {
    tag: Tag,
    /// What it adds.
    own: Marks,
    /// What holds inside it.
    marks: Marks,
    serial: u32,
    /// The innermost element that parts paragraphs, itself included.
    holder: Option<usize>,
}

/// Builds the blocks; a [`Sink`] for the walk.
pub(crate) struct Builder {
    leaves: Leaves,
    open: Vec<Open>,
    open_of: [u32; TAGS],
    serial: u32,
    /// Where the current block began.
    start: usize,
    first_piece: usize,
    gap: u32,
    rule: bool,
    anchored: bool,
    letters: u32,
    all: u32,
    in_title: bool,
    common: Marks,
    some: Marks,
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
            gap: 0,
            rule: false,
            anchored: false,
            letters: 0,
            all: 0,
            in_title: false,
            common: Marks::NONE,
            some: Marks::NONE,
        }
    }

    pub(crate) fn finish(mut self) -> Leaves {
        self.end_block();
        self.leaves
    }

    fn marks(&self) -> Marks {
        self.open.last().map_or(Marks::NONE, |open| open.marks)
    }

    fn holder(&self) -> Option<&Open> {
        self.open.last().and_then(|open| open.holder).map(|at| &self.open[at])
    }

    /// The element around the innermost one that parts paragraphs.
    fn parent(&self) -> u32 {
        let holder = self.open.last().and_then(|open| open.holder).unwrap_or(0);
        let around = holder.checked_sub(1).and_then(|at| self.open[at].holder);
        around.map_or(0, |at| self.open[at].serial)
    }

    /// Ends the block at hand, if it shows anything.
    fn end_block(&mut self) {
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
            self.leaves.blocks.push(Block {
                tag,
                marks,
                all: self.common,
                any: self.some | marks,
                text: small(self.start)..small(end),
                pieces: small(self.first_piece)..small(self.leaves.pieces.len()),
                parent,
                gap: u8::try_from(self.gap).unwrap_or(u8::MAX),
                rule: self.rule,
                anchored: self.anchored,
                letters: self.letters,
                fate: None,
            });
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
        self.letters = 0;
        self.all = 0;
        self.some = Marks::NONE;
    }

    /// Closes everything above and including the element at `at`.
    fn close_from(&mut self, at: usize) {
        for open in self.open.drain(at..) {
            self.open_of[open.tag as usize] -= 1;
        }
    }

    /// What an opening block tag closes, though the page does not say so.
    fn close_implied(&mut self, tag: Tag) {
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

    fn note_anchor(&mut self, name: &str) {
        if !name.is_empty() {
            self.anchored = true;
            self.leaves.anchors.push((name_hash(name), small(self.leaves.blocks.len())));
        }
    }

    /// What an element adds to the marks of its content.
    fn own_marks(&mut self, tag: Tag, attributes: &Attributes) -> Marks {
        let mut own = Marks::of_tag(tag);
        if !attributes.class.is_empty() {
            own |= Marks::of_class(&attributes.class, tag);
        }
        if !attributes.id.is_empty() {
            own |= Marks::of_id(&attributes.id);
        }
        if !attributes.style.is_empty() {
            own |= Marks::of_style(&attributes.style);
        }
        if !attributes.align.is_empty() && tag != Tag::Img {
            own |= Marks::of_align(&attributes.align);
        }
        if tag == Tag::A && !attributes.href.is_empty() {
            if let Some(name) = attributes.href.strip_prefix('#') {
                own |= Marks::LINK;
                self.leaves.links.push((name_hash(name), small(self.leaves.blocks.len())));
            } else {
                own |= Marks::LINK_OUT;
            }
        }
        own
    }

    /// An image shows no text; but where it stands for the first letter of a chapter, that letter
    /// is in its alternative text alone.
    fn image(&mut self, attributes: &Attributes, span: Range<usize>) {
        let marks = self.marks();
        if marks.any(Marks::HIDDEN) {
            return;
        }
        let alt = if attributes.alt.is_empty() { &attributes.title } else { &attributes.alt };
        let alt = alt.trim();
        let letters = alt.chars().filter(|c| c.is_alphabetic()).count();
        let quotes = alt.chars().all(|c| c.is_alphabetic() || "\"'“‘«„—(".contains(c));
        let shape =
            letters == 1 && quotes && alt.chars().count() <= 3 && !alt.contains(char::is_lowercase);
        if shape && self.letters == 0 {
            self.push(alt, span, marks | Marks::ALT | Marks::INITIAL);
        }
    }

    fn push(&mut self, text: &str, span: Range<usize>, marks: Marks) {
        let start = self.leaves.scroll.len();
        self.leaves.scroll.push_str(text);
        let (letters, shown) = counts(text);
        if shown > 0 {
            self.common = if self.all == 0 {
                marks
            } else {
                self.common.without(Marks::EVERY.without(marks))
            };
            self.some |= marks;
        }
        self.letters += letters;
        self.all += shown;
        self.leaves.pieces.push(Piece {
            text: small(start)..small(self.leaves.scroll.len()),
            page: small(span.start)..small(span.end),
            marks,
        });
    }
}

impl Sink for Builder {
    fn open(
        &mut self,
        tag: Tag,
        attributes: &Attributes,
        span: Range<usize>,
    ) -> Result<(), Reason> {
        if tag.parts_blocks() {
            self.end_block();
            self.close_implied(tag);
        }
        if tag == Tag::Title && self.leaves.title.is_empty() {
            self.in_title = true;
        }
        self.note_anchor(&attributes.id);
        if tag == Tag::A && attributes.name != attributes.id {
            self.note_anchor(&attributes.name);
        }
        match tag {
            Tag::Br => {
                if self.all == 0 {
                    self.gap += 1;
                }
                self.leaves.scroll.push(BREAK);
            }
            Tag::Hr => {
                self.rule = true;
                if Marks::of_class(&attributes.class, tag).any(Marks::THOUGHT_BREAK) {
                    self.gap += 2;
                }
            }
            Tag::Img => self.image(attributes, span),
            Tag::Body => {}
            _ => {
                if tag == Tag::A
                    && self.open_of[Tag::A as usize] > 0
                    && let Some(at) = self.open.iter().rposition(|open| open.tag == Tag::A)
                    && self.open[at..].iter().all(|open| !open.tag.parts_blocks())
                {
                    self.close_from(at);
                }
                if self.open.len() >= DEEPEST {
                    let detail =
                        format!("more than {DEEPEST} tags are open at byte {}", span.start);
                    return Err(Reason::new("nested-too-deep", detail));
                }
                let own = self.own_marks(tag, attributes);
                self.serial += 1;
                let marks = self.marks() | own;
                let holder = if tag.parts_blocks() {
                    Some(self.open.len())
                } else {
                    self.open.last().and_then(|open| open.holder)
                };
                self.open.push(Open { tag, own, marks, serial: self.serial, holder });
                self.open_of[tag as usize] += 1;
                if tag == Tag::P {
                    self.gap += 1;
                }
            }
        }
        Ok(())
    }

    fn close(&mut self, tag: Tag) {
        if tag == Tag::Title {
            self.in_title = false;
        }
        if tag.parts_blocks() {
            self.end_block();
        }
        if self.open_of[tag as usize] == 0 {
            return;
        }
        let Some(at) = self.open.iter().rposition(|open| {
            open.tag == tag || tag.heading().is_some() && open.tag.heading().is_some()
        }) else {
            return;
        };
        let crosses = self.open[at + 1..].iter().any(|open| open.tag.parts_blocks());
        if tag.parts_blocks() || !crosses {
            self.close_from(at);
            return;
        }
        // An inline tag that ends inside a block it does not hold: its marks end, the block stays.
        self.open[at].own = Marks::NONE;
        self.open[at].tag = Tag::Other;
        self.open_of[tag as usize] -= 1;
        self.open_of[Tag::Other as usize] += 1;
        let mut marks = if at == 0 { Marks::NONE } else { self.open[at - 1].marks };
        for open in &mut self.open[at..] {
            marks |= open.own;
            open.marks = marks;
        }
    }

    fn text(&mut self, text: &str, span: Range<usize>) {
        let marks = self.marks();
        if marks.any(Marks::HIDDEN) {
            if self.in_title {
                self.leaves.title.push_str(text);
            }
            return;
        }
        let holder = self.holder().map_or(Tag::Body, |open| open.tag);
        let splits = !matches!(
            holder,
            Tag::P | Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::Cell
        );
        if !splits {
            self.push(text, span, marks);
            return;
        }
        // Text that stands in no paragraph, or is set as typed, is parted by its blank lines.
        let whole = span.len() == text.len();
        let mut from = 0;
        while let Some((end, next)) = blank_line(&text[from..]) {
            let (end, next) = (from + end, from + next);
            if whole {
                self.push(&text[from..end], span.start + from..span.start + end, marks);
                self.end_block();
                let lines = text[end..next].bytes().filter(|b| *b == b'\n').count();
                self.gap += u32::try_from(lines).unwrap_or(u32::MAX) - 1;
                from = next;
            } else {
                break;
            }
        }
        self.push(&text[from..], span.start + if whole { from } else { 0 }..span.end, marks);
    }
}

/// Where the first blank line begins and what stands behind it.
fn blank_line(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let first = from + bytes[from..].iter().position(|b| *b == b'\n')?;
        let mut next = first + 1;
        let mut lines = 1;
        for (at, byte) in bytes[first + 1..].iter().enumerate() {
            match byte {
                b'\n' => {
                    lines += 1;
                    next = first + 1 + at + 1;
                }
                b' ' | b'\t' | b'\x0c' => {}
                _ => break,
            }
        }
        if lines > 1 {
            return Some((first, next));
        }
        from = first + 1;
    }
}

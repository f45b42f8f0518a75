//! From events to blocks: the runs of shown text between two paragraph borders, each with what
//! the elements around it say.
//!
//! Text of all blocks lies in one string, the *scroll*, in the order of the page; a block, a line
//! break or a cut is a range of it, and [`Piece`]s lead from it back to the page. What a block is
//! (heading, footnote, story) is left to the rooms that follow.

use std::ops::Range;

use storymill_core::Reason;

use super::{marks::Marks, pictures::Picture, tags::Tag};
use crate::cut::{Cuts, Why};

/// Stands in the scroll for a `<br>`; in a page it is a blank.
pub(crate) const BREAK: char = '\u{1}';

/// A stretch of the scroll and where it stands in the page.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) text: Range<u32>,
    pub(crate) page: Range<u32>,
    pub(crate) marks: Marks,
}

/// A run of shown text between two paragraph borders.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The innermost element that parts paragraphs.
    pub(crate) tag: Tag,
    /// What that element and those around it say.
    pub(crate) marks: Marks,
    /// Marks that all its visible letters share.
    pub(crate) all: Marks,
    /// Marks that some of its letters have.
    pub(crate) any: Marks,
    /// Where it stands in the scroll.
    pub(crate) text: Range<u32>,
    /// Its pieces.
    pub(crate) pieces: Range<u32>,
    /// The element around it, by number, to tell the lines of one stanza from the next.
    pub(crate) parent: u32,
    /// Where the tag of the element that it stands in begins in the page.
    pub(crate) element: u32,
    /// Empty paragraphs and line breaks before it, at most 255.
    pub(crate) gap: u8,
    /// Whether a rule stands before it.
    pub(crate) rule: bool,
    /// Whether something in the page links to it or could.
    pub(crate) anchored: bool,
    /// Letters and digits that show.
    pub(crate) letters: u32,
    /// Why it is no part of the book.
    pub(crate) fate: Option<Why>,
}

/// A first letter that stands in a picture.
#[derive(Clone, Debug)]
pub(crate) struct Initial {
    /// Before which place of the scroll.
    pub(crate) at: u32,
    /// The picture.
    pub(crate) page: Range<u32>,
    /// The letter; a blank behind it where it is a word of its own.
    pub(crate) text: String,
}

/// A page as blocks.
#[derive(Debug, Default)]
pub(crate) struct Leaves {
    pub(crate) scroll: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) pieces: Vec<Piece>,
    /// Cuts inside blocks.
    pub(crate) cuts: Cuts,
    /// Anchors: the hash of a name, the block it stands in or before.
    pub(crate) anchors: Vec<(u64, u32)>,
    /// Links within the page: the hash of the name, the block.
    pub(crate) links: Vec<(u64, u32)>,
    /// Pictures, in order.
    pub(crate) pictures: Vec<Picture>,
    /// Letters that stand in pictures, in order.
    pub(crate) initials: Vec<Initial>,
    /// The page's `<title>`.
    pub(crate) title: String,
    /// Whether line ends in the scroll are line breaks, as in plain text.
    pub(crate) plain: bool,
}

impl Leaves {
    /// The text of a block, cuts and all.
    pub(crate) fn text(&self, block: &Block) -> &str {
        &self.scroll[block.text.start as usize..block.text.end as usize]
    }

    /// The lines of a block as they show, cuts and all.
    pub(crate) fn lines(&self, block: &Block) -> impl Iterator<Item = &str> {
        let typed = self.plain || block.marks.any(Marks::PRE);
        self.text(block).split(move |c| c == BREAK || typed && c == '\n')
    }

    /// The letters in pictures that stand in a stretch of the scroll.
    pub(crate) fn initials(&self, text: &Range<u32>) -> &[Initial] {
        let first = self.initials.partition_point(|initial| initial.at < text.start);
        let end = self.initials.partition_point(|initial| initial.at < text.end);
        &self.initials[first..end.max(first)]
    }

    /// Whether a picture stands inside a block, right before it, or right behind it.
    pub(crate) fn is_pictured(&self, at: usize) -> bool {
        let first = self.pictures.partition_point(|picture| picture.block as usize + 2 < at);
        self.pictures.get(first).is_some_and(|picture| picture.block as usize <= at + 1)
    }

    /// Whether a picture stands between two places of the page.
    pub(crate) fn is_picture_between(&self, from: u32, upto: u32) -> bool {
        let first = self.pictures.partition_point(|picture| picture.page.start < from);
        self.pictures.get(first).is_some_and(|picture| picture.page.end <= upto)
    }

    /// Hands on what is kept of a stretch, each letter in a picture where it belongs.
    pub(crate) fn each_kept(&self, text: Range<u32>, mut take: impl FnMut(&str)) {
        for range in self.cuts.kept(text) {
            let mut from = range.start;
            for initial in self.initials(&range) {
                take(&self.scroll[from as usize..initial.at as usize]);
                take(&initial.text);
                from = initial.at;
            }
            take(&self.scroll[from as usize..range.end as usize]);
        }
    }

    /// The text of a block in one line, without what is cut inside it.
    pub(crate) fn line(&self, block: &Block) -> String {
        let mut line = String::with_capacity(block.text.len());
        if !self.initials(&block.text).is_empty() {
            self.each_kept(block.text.clone(), |part| line.push_str(part));
            let words = line.split(is_blank).filter(|word| !word.is_empty());
            return words.collect::<Vec<_>>().join(" ").replace(is_unseen, "");
        }
        for range in self.cuts.kept(block.text.clone()) {
            let text = &self.scroll[range.start as usize..range.end as usize];
            for word in text.split(is_blank).filter(|word| !word.is_empty()) {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.extend(word.chars().filter(|c| !is_unseen(*c)));
            }
        }
        line
    }
}

/// Paragraphs of a page; the longest books have some ten thousand.
pub(crate) const PARAGRAPHS: usize = 1_000_000;

/// A page of more paragraphs than any book.
pub(crate) fn too_many() -> Reason {
    let detail = format!("the page has more than {PARAGRAPHS} paragraphs");
    Reason::new("too-many-paragraphs", detail)
}

/// How many letters and digits a text has, and how many characters that show.
pub(crate) fn counts(text: &str) -> (u32, u32) {
    let (mut letters, mut shown) = (0, 0);
    if text.is_ascii() {
        for byte in text.bytes() {
            letters += u32::from(byte.is_ascii_alphanumeric());
            shown += u32::from(byte > b' ');
        }
    } else {
        for c in text.chars() {
            letters += u32::from(c.is_alphanumeric());
            shown += u32::from(!is_blank(c) && !is_unseen(c));
        }
    }
    (letters, shown)
}

/// Whether a character only parts words.
pub(crate) fn is_blank(c: char) -> bool {
    c == BREAK || c.is_whitespace()
}

/// Whether a character shows nothing at all.
pub(crate) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Offsets fit: a page has at most 64 MB.
pub(crate) fn small(at: usize) -> u32 {
    u32::try_from(at).expect("a page has at most 64 MB")
}

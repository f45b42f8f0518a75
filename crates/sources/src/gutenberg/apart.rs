//! What stands apart from the running text though it is printed within it: page numbers, line
//! numbers, notes in the margin, footnotes and their marks, captions.
//!
//! Works piece by piece, so that a page number inside a word leaves the word whole.

use std::ops::Range;

use super::{
    blocks::{Block, Leaves, is_blank, is_unseen},
    brackets::brackets,
    links,
    marks::Marks,
    notes,
    tags::Tag,
    words::{Kind, says},
};
use crate::cut::Why;

/// Captions longer than this are taken for text that was set beside a picture.
const LONGEST_CAPTION: u32 = 700;

/// Numbers and marks of notes longer than this are text.
const LONGEST_MARK: usize = 60;

/// Marks what stands apart, inside the body.
pub(crate) fn mark(leaves: &mut Leaves, body: Range<usize>) {
    let mut cuts = Vec::new();
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        let why = whole(leaves, block);
        if why.is_none() {
            pieces(leaves, block, &mut cuts);
            brackets(leaves, block, &mut cuts);
        }
        leaves.blocks[at].fate = why;
    }
    leaves.cuts.set(cuts);
    notes::linked_notes(leaves, &body);
    notes::starred_notes(leaves, &body);
    notes::bracketed(leaves, &body);
    links::contents(leaves, &body);
    for at in body {
        let block = &leaves.blocks[at];
        if block.fate.is_none() && !shows(leaves, block) {
            let first = leaves.cuts.inside(block.text.clone()).first();
            leaves.blocks[at].fate = first.map(|(_, why)| *why);
        }
    }
}

/// Whether anything of a block is left to show.
fn shows(leaves: &Leaves, block: &Block) -> bool {
    leaves.cuts.kept(block.text.clone()).any(|range| {
        !leaves.scroll[range.start as usize..range.end as usize]
            .chars()
            .all(|c| is_blank(c) || is_unseen(c))
    })
}

/// A block that stands apart as a whole.
fn whole(leaves: &Leaves, block: &Block) -> Option<Why> {
    let marks = block.marks | block.all;
    if marks.any(Marks::PAGE) {
        return Some(Why::PageNumber);
    }
    if marks.any(Marks::LINE_NUMBER) {
        return Some(Why::LineNumber);
    }
    if marks.any(Marks::SIDENOTE) {
        return Some(Why::Sidenote);
    }
    if marks.any(Marks::FOOTNOTE) {
        return Some(Why::Footnote);
    }
    if marks.any(Marks::CAPTION) && block.letters <= LONGEST_CAPTION {
        return Some(Why::Caption);
    }
    if marks.any(Marks::ADVERT) {
        return Some(Why::Advertisement);
    }
    let heading = block.tag.heading().is_some() || block.letters < 40;
    if marks.any(Marks::FIGURE)
        && !marks.any(Marks::INITIAL | Marks::VERSE)
        && block.letters <= LONGEST_CAPTION
        && !(heading && matches!(says(&leaves.line(block)).kind, Kind::Chapter | Kind::Part))
    {
        return Some(Why::Caption);
    }
    // A link to a picture's file, or back to the contents.
    if block.letters <= 40 && block.all.any(Marks::LINK_OUT) && !marks.any(Marks::INITIAL) {
        return Some(Why::Caption);
    }
    if block.letters <= 30 && block.all.any(Marks::LINK) && block.tag != Tag::Cell {
        let line = leaves.line(block).to_lowercase();
        let back =
            ["contents", "back to", "return to", "top", "next", "previous", "enlarge", "original"];
        if back.iter().any(|word| line.contains(word)) && block.tag.heading().is_none() {
            return Some(Why::Navigation);
        }
    }
    None
}

/// Pieces that stand apart inside a block that does not.
fn pieces(leaves: &Leaves, block: &Block, cuts: &mut Vec<(Range<u32>, Why)>) {
    const APART: Marks = Marks::PAGE
        .with(Marks::LINE_NUMBER)
        .with(Marks::SIDENOTE)
        .with(Marks::NOTE_MARK)
        .with(Marks::CAPTION)
        .with(Marks::NOTE)
        .with(Marks::RAISED)
        .with(Marks::LINK);
    if !block.any.any(APART) {
        return;
    }
    let pieces = &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize];
    for (at, piece) in pieces.iter().enumerate() {
        let marks = piece.marks;
        let own = marks.without(block.marks);
        let why = if own.any(Marks::PAGE) {
            Why::PageNumber
        } else if own.any(Marks::LINE_NUMBER) {
            Why::LineNumber
        } else if own.any(Marks::SIDENOTE) {
            Why::Sidenote
        } else if own.any(Marks::NOTE_MARK) {
            Why::NoteMark
        } else if own.any(Marks::CAPTION) {
            Why::Caption
        } else if own.any(Marks::NOTE) {
            Why::TranscriberNote
        } else if own.any(Marks::LINK) && links::is_way_back(leaves, piece) {
            Why::Navigation
        } else if own.any(Marks::LINK | Marks::RAISED) && links::is_note_mark(leaves, pieces, at) {
            Why::NoteMark
        } else {
            continue;
        };
        let most = match why {
            Why::PageNumber | Why::LineNumber | Why::NoteMark => LONGEST_MARK,
            _ => LONGEST_CAPTION as usize,
        };
        if piece.text.len() <= most {
            cuts.push((piece.text.clone(), why));
        }
    }
}

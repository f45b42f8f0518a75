//! What stands apart from the running text though it is printed within it: page numbers, line
//! numbers, notes in the margin, footnotes and their marks, captions.
//!
//! Works piece by piece, so that a page number inside a word leaves the word whole.

use std::{cell::LazyCell, ops::Range};

use super::{
    blocks::{Block, Leaves, counts, is_blank, is_unseen},
    brackets::brackets,
    kana_marks, links,
    marks::Marks,
    notes,
    tags::Tag,
    words::{Kind, says},
};
use crate::cut::Why;

/// Captions longer than this are taken for text that was set beside a picture.
const LONGEST_CAPTION: u32 = 700;

/// The same where no picture is near, so that nothing but a class speaks for a caption.
const LONGEST_ALONE: u32 = 120;

/// A letter in large type, perhaps with those behind it.
const LONGEST_INITIAL: u32 = 3;

/// Notes in the margin are no longer than this.
const LONGEST_SIDENOTE: u32 = 250;

/// Marks of notes and numbers of lines are no longer than this.
const LONGEST_MARK: u32 = 12;

/// Numbers of pages are no longer than this: `[Pg xxxviii]`, `[Blank page 123]`.
const LONGEST_NUMBER: u32 = 24;

/// Marks what stands apart, inside the body.
pub(crate) fn mark(leaves: &mut Leaves, body: Range<usize>) {
    let mut cuts = Vec::new();
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        let why = whole(leaves, at);
        if why.is_none() {
            pieces(leaves, at, &mut cuts);
            brackets(leaves, block, &mut cuts);
        }
        leaves.blocks[at].fate = why;
    }
    leaves.cuts.set(cuts);
    notes::linked_notes(leaves, &body);
    notes::starred_notes(leaves, &body);
    notes::bracketed(leaves, &body);
    kana_marks::cut(leaves, &body);
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
fn whole(leaves: &Leaves, at: usize) -> Option<Why> {
    let block = &leaves.blocks[at];
    let marks = block.marks | block.all;
    // A class alone never cuts a paragraph: some books use its name for something else.
    if marks.any(Marks::PAGE) && is_page_number(leaves, block) {
        return Some(Why::PageNumber);
    }
    if marks.any(Marks::LINE_NUMBER) && block.letters <= LONGEST_MARK {
        return Some(Why::LineNumber);
    }
    if marks.any(Marks::SIDENOTE) && block.letters <= LONGEST_SIDENOTE {
        return Some(Why::Sidenote);
    }
    if marks.any(Marks::FOOTNOTE) {
        return Some(Why::Footnote);
    }
    let longest = if leaves.is_pictured(at) { LONGEST_CAPTION } else { LONGEST_ALONE };
    if marks.any(Marks::CAPTION) && block.letters <= longest {
        return Some(Why::Caption);
    }
    if marks.any(Marks::ADVERT) {
        return Some(Why::Advertisement);
    }
    let heading = block.tag.heading().is_some() || block.letters < 40;
    // `class="cap"` is a letter to some and a caption to others.
    let initial =
        marks.any(Marks::INITIAL) && (block.letters <= LONGEST_INITIAL || !leaves.is_pictured(at));
    if marks.any(Marks::FIGURE)
        && !(initial || marks.any(Marks::VERSE))
        && block.letters <= longest
        && !(heading && matches!(says(&leaves.line(block)).kind, Kind::Chapter | Kind::Part))
    {
        return Some(Why::Caption);
    }
    // A centred line below its picture in one paragraph.
    let below = || {
        let plain = block.tag.heading().is_none() && !block.anchored && marks.any(Marks::CENTER);
        plain && leaves.begins_with_picture(at)
    };
    if block.letters <= LONGEST_ALONE
        && leaves.is_pictured(at)
        && (names_page(&leaves.line(block))
            || below() && says(&leaves.line(block)).kind == Kind::Other)
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

/// Whether a line ends with the page that its picture belongs to: `The ferry by night. Page 9`.
fn names_page(line: &str) -> bool {
    let line = line.trim_end_matches(['.', ')', ']']);
    let (rest, number) = line.rsplit_once([' ', '\u{a0}']).unwrap_or((line, ""));
    let word = rest.rsplit([' ', '(', '[', '—', '\u{a0}']).next().unwrap_or("").to_lowercase();
    !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && ["page", "p.", "pg", "pg.", "seite", "s."].contains(&word.as_str())
}

/// Whether a block is no more than the number of a page. A heading may be a number itself.
fn is_page_number(leaves: &Leaves, block: &Block) -> bool {
    let heads = block.tag.heading().is_some() && !block.all.any(Marks::PAGE);
    block.letters <= LONGEST_NUMBER && !(heads && leaves.text(block).contains(char::is_alphabetic))
}

/// Pieces that stand apart inside a block that does not.
fn pieces(leaves: &Leaves, at: usize, cuts: &mut Vec<(Range<u32>, Why)>) {
    const APART: Marks = Marks::PAGE
        .with(Marks::LINE_NUMBER)
        .with(Marks::SIDENOTE)
        .with(Marks::NOTE_MARK)
        .with(Marks::CAPTION)
        .with(Marks::NOTE)
        .with(Marks::RAISED)
        .with(Marks::LINK);
    let block = &leaves.blocks[at];
    if !block.any.any(APART) {
        return;
    }
    let pieces = &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize];
    let longest = if leaves.is_pictured(at) { LONGEST_CAPTION } else { LONGEST_ALONE };
    let alone = LazyCell::new(|| links::are_links(leaves, pieces));
    for (at, piece) in pieces.iter().enumerate() {
        let marks = piece.marks;
        let own = marks.without(block.marks);
        let letters = counts(&leaves.scroll[piece.text.start as usize..piece.text.end as usize]).0;
        let why = if own.any(Marks::PAGE) && letters <= LONGEST_NUMBER {
            Why::PageNumber
        } else if own.any(Marks::LINE_NUMBER) && letters <= LONGEST_MARK {
            Why::LineNumber
        } else if own.any(Marks::SIDENOTE) && letters <= LONGEST_SIDENOTE {
            Why::Sidenote
        } else if own.any(Marks::NOTE_MARK) && letters <= LONGEST_MARK {
            Why::NoteMark
        } else if own.any(Marks::CAPTION) && letters <= longest {
            Why::Caption
        } else if own.any(Marks::NOTE) && letters <= LONGEST_CAPTION {
            Why::TranscriberNote
        } else if own.any(Marks::LINK) && links::is_way_back(leaves, piece) {
            Why::Navigation
        } else if own.any(Marks::LINK | Marks::RAISED)
            && links::is_note_mark(leaves, piece, at == 0, || *alone)
        {
            Why::NoteMark
        } else {
            continue;
        };
        cuts.push((piece.text.clone(), why));
    }
}

//! How far a mark may reach: a frame that holds more than such a thing can hold was never closed.
//!
//! Pages forget to close a `<div class="footnote">`, set a whole book in a `<center>` or a table, or use
//! a class for something of their own. Each mark that may cost text its place in the book has a bound;
//! where a run of blocks holds more running text than that, the mark says nothing about them.

use std::ops::Range;

use super::{
    ahead,
    blocks::{Block, Leaves},
    licence::LONGEST_LICENCE,
    marks::Marks,
    matter::reads,
    notes::is_labelled,
    words::{Kind, says},
};

/// How much running text may stand in a row under a mark, in letters.
const BOUNDS: [(Marks, u32); 16] = [
    (Marks::HEADER, 30_000),
    (Marks::FOOTER, LONGEST_LICENCE),
    (Marks::NOTE, 8_000),
    (Marks::FIGURE, 2_500),
    (Marks::CAPTION, 2_500),
    (Marks::SIDENOTE, 2_500),
    (Marks::PAGE, 200),
    (Marks::LINE_NUMBER, 200),
    (Marks::TITLE_PAGE, 4_000),
    (Marks::CONTENTS, 8_000),
    (Marks::LINK, 2_500),
    (Marks::TABLE, 8_000),
    (Marks::CENTER, 8_000),
    (Marks::RIGHT, 8_000),
    (Marks::BOLD, 8_000),
    (Marks::ADVERT, 40_000),
];

/// Longer than this, a page number or the number of a line is none.
const LONGEST_NUMBER: u32 = 40;

/// Footnotes without labels are none from this length in a row.
const UNLABELLED: u32 = 12_000;

/// A line of a list of contents has no more letters than this, on average.
const ENTRY: u32 = 500;

/// Takes marks from blocks where they reach too far; a quarter of a page is too far for any but the licence.
pub(crate) fn mend(leaves: &mut Leaves) {
    let page: u32 = leaves.blocks.iter().map(|block| block.letters).sum();
    let targets = ahead::targets(leaves);
    let entries = |run: &Range<usize>| u32::try_from(ahead::places(&targets, run)).unwrap_or(0);
    for (mark, most) in BOUNDS {
        let licence = matches!(mark, Marks::HEADER | Marks::FOOTER);
        let most = if licence { most } else { most.min(page / 4) };
        for run in runs(leaves, mark) {
            let read = read(leaves, run.clone()).0;
            // Links to as many places ahead as a list has lines say what they are, however many.
            let lists = mark == Marks::LINK && read > most && read <= entries(&run) * ENTRY;
            if read > most && !lists {
                unmark(leaves, run, mark);
            }
        }
    }
    for mark in [Marks::FOOTNOTE, Marks::ADVERT, Marks::NOTE, Marks::FIGURE] {
        for run in runs(leaves, mark) {
            // A chapter stands in no frame: only what is first in it may be what the frame is for.
            let chapter = run.clone().find(|at| is_chapter(leaves, *at));
            let told = |from: usize| {
                let (read, labelled) = read(leaves, from..run.end);
                read > 2_000 && read / (labelled + 1) > 1_000
            };
            if let Some(chapter) = chapter.filter(|from| told(*from)) {
                let own = own(leaves, run.start..chapter, mark);
                unmark(leaves, own..run.end, mark);
            }
        }
    }
    for run in runs(leaves, Marks::FOOTNOTE) {
        let (read, labelled) = read(leaves, run.clone());
        if read > UNLABELLED && read / (labelled + 1) > UNLABELLED / 4 {
            let own = own(leaves, run.clone(), Marks::FOOTNOTE);
            unmark(leaves, own..run.end, Marks::FOOTNOTE);
        }
    }
    for at in 0..leaves.blocks.len() {
        if leaves.blocks[at].letters > LONGEST_NUMBER {
            let block = &leaves.blocks[at];
            let holds = (block.marks | block.all).any(Marks::PAGE | Marks::LINE_NUMBER);
            if holds {
                unmark(leaves, at..at + 1, Marks::PAGE | Marks::LINE_NUMBER);
            }
        }
    }
}

/// What an open frame holds of its own has no more letters.
const LONGEST_OWN: u32 = 1_000;

/// The block behind those that a frame was opened for: the first, unless it is a footnote without a label, and
/// those that begin like notes.
fn own(leaves: &Leaves, run: Range<usize>, mark: Marks) -> usize {
    let mut letters = 0;
    let behind = run.clone().find(|at| {
        letters += leaves.blocks[*at].letters;
        let first = *at == run.start && mark != Marks::FOOTNOTE;
        letters > LONGEST_OWN || !first && !is_labelled(leaves, *at)
    });
    behind.unwrap_or(run.end)
}

/// Letters of running text, and how many of its paragraphs begin like notes.
fn read(leaves: &Leaves, blocks: Range<usize>) -> (u32, u32) {
    let (mut letters, mut labelled) = (0, 0);
    for at in blocks.filter(|at| reads(leaves, *at)) {
        letters += leaves.blocks[at].letters;
        labelled += u32::from(is_labelled(leaves, at));
    }
    (letters, labelled)
}

/// Runs of blocks that a mark holds for.
fn runs(leaves: &Leaves, mark: Marks) -> Vec<Range<usize>> {
    let holds = |block: &Block| (block.marks | block.all).any(mark);
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, block) in leaves.blocks.iter().enumerate() {
        if !holds(block) {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// Whether a block is the heading of a chapter by its tag and its words.
fn is_chapter(leaves: &Leaves, at: usize) -> bool {
    let block = &leaves.blocks[at];
    block.tag.heading().is_some()
        && block.letters < 200
        && matches!(says(&leaves.line(block)).kind, Kind::Chapter | Kind::Number | Kind::Part)
}

fn unmark(leaves: &mut Leaves, blocks: Range<usize>, mark: Marks) {
    for block in &mut leaves.blocks[blocks] {
        block.marks = block.marks.without(mark);
        block.all = block.all.without(mark);
        block.any = block.any.without(mark);
        let pieces = block.pieces.start as usize..block.pieces.end as usize;
        for piece in &mut leaves.pieces[pieces] {
            piece.marks = piece.marks.without(mark);
        }
    }
}

//! Everything accounted for: where kept and cut stretches stand in the page, and their shares.

use std::ops::Range;

use storymill_core::ByteSpan;

use super::blocks::{Block, Leaves, counts, is_blank, is_unseen};
use crate::{cut::Why, piece::Cut};

/// Where a block's kept letters stand in the page.
pub(super) fn shown(leaves: &Leaves, block: &Block) -> Range<u32> {
    let mut page: Option<Range<u32>> = None;
    for span in kept_spans(leaves, block) {
        page = Some(page.map_or(span.start, |page: Range<u32>| page.start)..span.end);
    }
    let mut page = page.unwrap_or(0..0);
    for initial in leaves.initials(&block.text) {
        page.start = page.start.min(initial.page.start);
    }
    page
}

/// The kept stretches of a block, in the page.
fn kept_spans(leaves: &Leaves, block: &Block) -> impl Iterator<Item = Range<u32>> {
    leaves.cuts.kept(block.text.clone()).filter_map(move |range| to_page(leaves, block, &range))
}

/// A range of the scroll in the page, from its first letter to its last.
fn to_page(leaves: &Leaves, block: &Block, range: &Range<u32>) -> Option<Range<u32>> {
    let text = &leaves.scroll[range.start as usize..range.end as usize];
    let blank = |c: char| is_blank(c) || is_unseen(c);
    let inner = text.trim_start_matches(blank);
    if inner.is_empty() {
        return None;
    }
    let start = range.end - u32::try_from(inner.len()).ok()?;
    let end = start + u32::try_from(inner.trim_end_matches(blank).len()).ok()?;
    let pieces = &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize];
    let first = &pieces[pieces.partition_point(|piece| piece.text.end <= start)];
    let last = &pieces[pieces.partition_point(|piece| piece.text.end < end)];
    let plain = |piece: &super::blocks::Piece| piece.text.len() == piece.page.len();
    let from =
        if plain(first) { first.page.start + start - first.text.start } else { first.page.start };
    let to = if plain(last) { last.page.start + end - last.text.start } else { last.page.end };
    Some(from..to)
}

/// What was kept and what was cut, in the order of the page: together all that it shows.
pub(crate) fn account(leaves: &Leaves) -> (Vec<ByteSpan>, Vec<Cut>) {
    let mut kept = Vec::new();
    let mut cuts: Vec<Cut> = Vec::new();
    let span = |range: Range<u32>| ByteSpan { start: range.start, end: range.end };
    for block in &leaves.blocks {
        if let Some(why) = block.fate {
            if let Some(page) = to_page(leaves, block, &block.text) {
                let text = one_line_of(leaves, &block.text);
                cuts.push(Cut { page: span(page), why, text });
            }
            continue;
        }
        kept.extend(kept_spans(leaves, block).map(span));
        for (range, why) in leaves.cuts.inside(block.text.clone()) {
            if let Some(page) = to_page(leaves, block, range) {
                cuts.push(Cut { page: span(page), why: *why, text: one_line_of(leaves, range) });
            }
        }
    }
    (kept, cuts)
}

fn one_line_of(leaves: &Leaves, range: &Range<u32>) -> String {
    let text = &leaves.scroll[range.start as usize..range.end as usize];
    text.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The letters of a page: how many it shows, how many of them were kept, how many are licence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letters {
    pub(crate) shown: u64,
    pub(crate) kept: u64,
    pub(crate) licence: u64,
}

/// Counts what was kept against all that the page shows.
pub(crate) fn letters(leaves: &Leaves) -> Letters {
    let mut letters = Letters { shown: 0, kept: 0, licence: 0 };
    for block in &leaves.blocks {
        let all = u64::from(block.letters);
        letters.shown += all;
        match block.fate {
            None => letters.kept += all - u64::from(cut_inside(leaves, block)),
            Some(why) if why.is_licence() => letters.licence += all,
            Some(_) => {}
        }
    }
    letters
}

/// Letters cut out of a block that was kept.
fn cut_inside(leaves: &Leaves, block: &Block) -> u32 {
    let cuts = leaves.cuts.inside(block.text.clone()).iter();
    let text = |range: &Range<u32>| &leaves.scroll[range.start as usize..range.end as usize];
    cuts.map(|(range, _)| counts(text(range)).0).sum::<u32>().min(block.letters)
}

/// A stretch of blocks that were cut one behind the other, the licence left out.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    pub(crate) blocks: Range<usize>,
    pub(crate) letters: u64,
    /// For what most of it was cut.
    pub(crate) why: Why,
}

/// The stretches of more letters than this.
pub(crate) fn stretches(leaves: &Leaves, more_than: u64) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    let mut open: Option<(Range<usize>, [u64; Why::ALL.len()])> = None;
    let mut close = |open: &mut Option<(Range<usize>, [u64; Why::ALL.len()])>| {
        let Some((blocks, counts)) = open.take() else { return };
        let letters: u64 = counts.iter().sum();
        let most = (0..counts.len()).max_by_key(|at| counts[*at]).unwrap_or_default();
        if letters > more_than {
            stretches.push(Stretch { blocks, letters, why: Why::ALL[most] });
        }
    };
    for (at, block) in leaves.blocks.iter().enumerate() {
        match block.fate {
            Some(why) if !why.is_licence() => {
                let (blocks, counts) = open.get_or_insert((at..at, [0; Why::ALL.len()]));
                blocks.end = at + 1;
                counts[why as usize] += u64::from(block.letters);
            }
            None if block.letters == 0 => {}
            _ => close(&mut open),
        }
    }
    close(&mut open);
    stretches
}

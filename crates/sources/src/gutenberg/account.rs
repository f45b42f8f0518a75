//! Everything accounted for: where kept and cut stretches stand in the page, and their shares.

use std::ops::Range;

use storymill_core::ByteSpan;

use super::blocks::{Block, Leaves, is_blank, is_unseen};
use crate::{clean::Cut, cut::Why};

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
fn kept_spans(leaves: &Leaves, block: &Block) -> Vec<Range<u32>> {
    leaves
        .cuts
        .kept(block.text.clone())
        .filter_map(|range| to_page(leaves, block, &range))
        .collect()
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
        kept.extend(kept_spans(leaves, block).into_iter().map(span));
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

/// Letters kept, and letters shown outside boilerplate.
pub(crate) fn shares(leaves: &Leaves) -> (u64, u64) {
    let (mut kept, mut all) = (0, 0);
    for block in &leaves.blocks {
        let letters = u64::from(block.letters);
        match block.fate {
            None => {
                kept += letters;
                all += letters;
            }
            Some(why) if why.is_boilerplate() => {}
            Some(Why::Contents | Why::Footnote | Why::PageNumber) => {}
            Some(_) => all += letters,
        }
    }
    (kept, all)
}

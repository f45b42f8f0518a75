//! Blocks parted where a heading begins and ends in them.

use std::{collections::BTreeMap, ops::Range};

use super::{
    blocks::{Block, Leaves, Piece, counts, is_blank, small},
    marks::Marks,
};

/// Parts blocks so that each of the stretches of the scroll given for it is a block of its own.
pub(super) fn split(leaves: &mut Leaves, places: &BTreeMap<usize, Vec<(u32, u32)>>) {
    if places.is_empty() {
        return;
    }
    let blocks = std::mem::take(&mut leaves.blocks);
    let pieces = std::mem::take(&mut leaves.pieces);
    // Of each block of before, its first and its last part.
    let mut parts = Vec::with_capacity(blocks.len());
    for (at, block) in blocks.into_iter().enumerate() {
        let own = &pieces[block.pieces.start as usize..block.pieces.end as usize];
        let first = leaves.blocks.len();
        let mut from = block.text.start;
        for &(head, end) in places.get(&at).map_or(&[][..], Vec::as_slice) {
            push(leaves, &block, own, from..head, first);
            push(leaves, &block, own, head..end, first);
            from = end;
        }
        let rest = from..block.text.end;
        if first == leaves.blocks.len() && rest.start == block.text.start {
            let start = small(leaves.pieces.len());
            leaves.pieces.extend_from_slice(own);
            leaves.blocks.push(Block { pieces: start..small(leaves.pieces.len()), ..block });
        } else {
            push(leaves, &block, own, rest, first);
        }
        parts.push((small(first), small(leaves.blocks.len() - 1)));
    }
    let end = small(leaves.blocks.len());
    let moved = |at: u32| parts.get(at as usize).copied().unwrap_or((end, end));
    for (_, at) in &mut leaves.anchors {
        *at = moved(*at).0;
    }
    // Marks of notes stand in the text.
    for (_, at) in &mut leaves.links {
        *at = moved(*at).1;
    }
    for picture in &mut leaves.pictures {
        let (first, last) = moved(picture.block);
        let after = |at: &u32| {
            leaves.blocks.get(*at as usize).is_some_and(|block| picture.at < block.text.end)
        };
        picture.block = (first..=last).find(after).unwrap_or(last);
    }
}

/// Adds a stretch of a block as one of its own, if it shows anything.
fn push(leaves: &mut Leaves, block: &Block, own: &[Piece], text: Range<u32>, first: usize) {
    let start = leaves.pieces.len();
    let (mut letters, mut shown, mut all, mut any) = (0, 0, Marks::EVERY, block.marks);
    for piece in own {
        let cut = piece.text.start.max(text.start)..piece.text.end.min(text.end);
        let part = cut.start < cut.end
            && !leaves.scroll[cut.start as usize..cut.end as usize]
                .trim_matches(is_blank)
                .is_empty();
        if !part {
            continue;
        }
        let even = piece.text.len() == piece.page.len();
        let page = if even {
            piece.page.start + (cut.start - piece.text.start)
                ..piece.page.end - (piece.text.end - cut.end)
        } else {
            piece.page.clone()
        };
        let (more, signs) = counts(&leaves.scroll[cut.start as usize..cut.end as usize]);
        (letters, shown) = (letters + more, shown + signs);
        all = all.without(Marks::EVERY.without(piece.marks));
        any |= piece.marks;
        leaves.pieces.push(Piece { text: cut, page, marks: piece.marks });
    }
    if shown == 0 {
        leaves.pieces.truncate(start);
        return;
    }
    let is_first = leaves.blocks.len() == first;
    let text = leaves.pieces[start].text.start..leaves.pieces[leaves.pieces.len() - 1].text.end;
    leaves.blocks.push(Block {
        all,
        any,
        text,
        pieces: small(start)..small(leaves.pieces.len()),
        gap: if is_first { block.gap } else { 1 },
        rule: block.rule && is_first,
        anchored: block.anchored && is_first,
        letters,
        ..block.clone()
    });
}

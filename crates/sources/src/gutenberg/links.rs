//! What links give away: lists of chapters, ways back to them, marks of footnotes.

use std::ops::Range;

use super::{
    blocks::{Block, Leaves, Piece, is_blank, small},
    lists::WAYS_BACK,
    marks::Marks,
};
use crate::cut::Why;

/// A link back to the contents, inside a heading or behind it.
pub(super) fn is_way_back(leaves: &Leaves, piece: &Piece) -> bool {
    let text = leaves.scroll[piece.text.start as usize..piece.text.end as usize].trim();
    let text = text.trim_matches(|c: char| !c.is_alphabetic() && c != '↑');
    text.len() <= 24 && WAYS_BACK.contains(&text.to_lowercase().as_str())
}

/// Lists of links: a paragraph or table that is little else, or a run of links on lines.
pub(super) fn contents(leaves: &mut Leaves, body: &Range<usize>) {
    let mut run = Vec::new();
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        let heading = block.tag.heading().is_some();
        if !heading && block.any.any(Marks::LINK) {
            let (links, letters) = links(leaves, block);
            if links >= 2 && letters * 10 >= block.letters * 7
                || links >= 4
                    && block.letters / links < 90
                    && (letters * 4 > block.letters || links >= 8)
            {
                leaves.blocks[at].fate = Some(Why::Contents);
                continue;
            }
        }
        if !heading && block.all.any(Marks::LINK) && block.letters < 150 {
            run.push(at);
            continue;
        }
        if !heading && block.letters <= 12 && !run.is_empty() {
            continue;
        }
        if run.len() >= 4 {
            for at in run.drain(..) {
                leaves.blocks[at].fate = Some(Why::Contents);
            }
        }
        run.clear();
    }
}

/// How many links with words a block holds, and their letters.
fn links(leaves: &Leaves, block: &Block) -> (u32, u32) {
    let (mut links, mut letters) = (0, 0);
    for piece in &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize] {
        if piece.marks.any(Marks::LINK) && !piece.marks.any(Marks::NOTE_MARK | Marks::PAGE) {
            let text = &leaves.scroll[piece.text.start as usize..piece.text.end as usize];
            let count = text.chars().filter(|c| c.is_alphanumeric()).count();
            if count > 0 {
                links += 1;
                letters += small(count);
            }
        }
    }
    (links, letters)
}

/// Whether pieces hold nothing but links.
pub(super) fn are_links(leaves: &Leaves, pieces: &[Piece]) -> bool {
    pieces.iter().all(|piece| {
        piece.marks.any(Marks::LINK)
            || leaves.scroll[piece.text.start as usize..piece.text.end as usize]
                .chars()
                .all(is_blank)
    })
}

/// A link or a raised sign whose text is a number, a letter or a star. `alone` says whether its
/// block holds nothing but links; `first`, whether it stands at its beginning.
pub(super) fn is_note_mark(
    leaves: &Leaves,
    piece: &Piece,
    first: bool,
    alone: impl FnOnce() -> bool,
) -> bool {
    let text = leaves.scroll[piece.text.start as usize..piece.text.end as usize].trim();
    let inner = text.trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
    if inner.is_empty() {
        return piece.marks.any(Marks::LINK) && !text.is_empty();
    }
    let digits = inner.len() <= 4 && inner.bytes().all(|byte| byte.is_ascii_digit());
    let stars = inner.chars().all(|c| "*†‡§¶‖#".contains(c)) && inner.chars().count() <= 4;
    let letter =
        inner.len() == 1 && inner.len() < text.len() && inner.as_bytes()[0].is_ascii_alphabetic();
    if piece.marks.any(Marks::LINK) {
        // In a heading or a table, a linked number is the heading's own or a page.
        return (digits || stars || letter) && !alone();
    }
    (digits || stars) && !first
}

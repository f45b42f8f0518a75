//! Plain text: Project Gutenberg's own `.txt` files, and texts that begin with `title:` and
//! `author:`.
//!
//! Blank lines part blocks; from there on a text is judged by the same rooms as a page, for lines
//! like `CHAPTER I` say the same in both.

use storymill_core::Reason;

use crate::{
    cut::Why,
    gutenberg::{
        blocks::{BREAK, Block, Leaves, PARAGRAPHS, Piece, small, too_many},
        marks::Marks,
        tags::Tag,
    },
};

/// The blocks of a plain text.
pub(crate) fn leaves(page: &str) -> Result<Leaves, Reason> {
    let mut leaves = Leaves { plain: true, scroll: page.replace(BREAK, " "), ..Leaves::default() };
    let mut gap = 0_u32;
    let mut open: Option<(usize, usize)> = None;
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        let text = line.trim();
        if text.is_empty() {
            if let Some((start, end)) = open.take() {
                push(&mut leaves, start, end, gap);
                gap = 0;
            }
            if leaves.blocks.len() >= PARAGRAPHS {
                return Err(too_many());
            }
            gap += 1;
        } else {
            let start = open.map_or(at, |(start, _)| start);
            open = Some((start, at + line.trim_end().len()));
        }
        at += line.len();
    }
    if let Some((start, end)) = open {
        push(&mut leaves, start, end, gap);
    }
    facts_first(&mut leaves);
    Ok(leaves)
}

fn push(leaves: &mut Leaves, start: usize, end: usize, gap: u32) {
    let range = small(start)..small(end);
    let letters = leaves.scroll[start..end].chars().filter(|c| c.is_alphanumeric()).count();
    let piece = small(leaves.pieces.len());
    leaves.pieces.push(Piece { text: range.clone(), page: range.clone(), marks: Marks::NONE });
    leaves.blocks.push(Block {
        tag: Tag::P,
        marks: Marks::NONE,
        all: Marks::NONE,
        any: Marks::NONE,
        text: range,
        pieces: piece..piece + 1,
        parent: 0,
        element: 0,
        gap: u8::try_from(gap).unwrap_or(u8::MAX),
        rule: false,
        anchored: false,
        letters: small(letters),
        fate: None,
    });
}

/// `title:` and `author:` at the top are the text's own header.
fn facts_first(leaves: &mut Leaves) {
    let Some(first) = leaves.blocks.first() else { return };
    let text = leaves.text(first).to_lowercase();
    let facts = ["title:", "author:", "language:", "year:", "date:"];
    let named =
        text.lines().all(|line| facts.iter().any(|name| line.trim_start().starts_with(name)));
    if !named {
        return;
    }
    // One block for each line, so that each is one fact.
    let block = leaves.blocks.remove(0);
    let piece = leaves.pieces.remove(0);
    let lines: Vec<(usize, usize)> = leaves.scroll[..block.text.end as usize]
        .split_inclusive('\n')
        .scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some((start, start + line.trim_end().len()))
        })
        .filter(|(start, end)| start < end)
        .collect();
    for block in &mut leaves.blocks {
        block.pieces =
            block.pieces.start + small(lines.len()) - 1..block.pieces.end + small(lines.len()) - 1;
    }
    let ranges = lines.iter().map(|(start, end)| small(*start)..small(*end));
    let pieces = ranges.clone().map(|range| Piece { text: range.clone(), page: range, ..piece });
    drop(leaves.pieces.splice(..0, pieces));
    let scroll = &leaves.scroll;
    let blocks = ranges.enumerate().map(|(at, range)| {
        let line = &scroll[range.start as usize..range.end as usize];
        Block {
            text: range,
            pieces: small(at)..small(at + 1),
            letters: small(line.chars().filter(|c| c.is_alphanumeric()).count()),
            fate: Some(Why::Header),
            ..block.clone()
        }
    });
    drop(leaves.blocks.splice(..0, blocks));
}

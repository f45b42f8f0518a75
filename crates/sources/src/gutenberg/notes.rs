//! Footnotes: those that link to their mark and back, those below a star, those in brackets.
//!
//! Footnotes that a class names need no search; [`apart`](super::apart) takes them.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::{
    blocks::{BREAK, Leaves, counts, is_blank, small},
    labels::{label, signs},
    marks::Marks,
    tags::Tag,
};
use crate::cut::Why;

/// A line below the words on a picture has no more letters.
const SHORT: u32 = 80;

/// Brackets longer than this are left to the search over several paragraphs.
pub(super) const LONG: usize = 3_000;

/// A note below a star has no more letters, nor has what a `<pre>` adds to it.
const LONGEST_STARRED: u32 = 4_000;

/// What stands in brackets over several paragraphs has no more letters, and no more paragraphs.
const LONGEST_BRACKET: u32 = 4_000;
const LONGEST_OPEN: u32 = 700;
const MOST_PARAGRAPHS: usize = 12;

/// `[Illustration: …]` and `[Footnote 3: …]` over several paragraphs.
pub(super) fn bracketed(leaves: &mut Leaves, body: &Range<usize>) {
    let mut cuts = Vec::new();
    let mut at = body.start;
    while at < body.end {
        let opened = leaves.blocks[at].fate.is_none().then(|| opened(leaves, at)).flatten();
        let Some(why) = opened else {
            at += 1;
            continue;
        };
        // A bracket that nobody closes takes only its own paragraph with it.
        let (mut end, behind) = closed(leaves, at..body.end).unwrap_or((at + 1, None));
        let most = if behind.is_some() { LONGEST_BRACKET } else { LONGEST_OPEN };
        let next = end;
        if let Some(behind) = behind
            && goes_on(leaves, end - 1, behind, why)
        {
            let block = &leaves.blocks[end - 1];
            let blank =
                leaves.text(block).len() - leaves.text(block).trim_start_matches(is_blank).len();
            cuts.push((block.text.start + small(blank)..behind, why));
            end -= 1;
        }
        for block in &mut leaves.blocks[at..end] {
            if block.tag.heading().is_none() && block.letters <= most {
                block.fate.get_or_insert(why);
            }
        }
        at = next;
    }
    leaves.cuts.set(cuts);
}

/// What a block opens with a bracket that it does not close, or so late that it is not looked for inside it.
fn opened(leaves: &Leaves, at: usize) -> Option<Why> {
    let block = &leaves.blocks[at];
    let text = leaves.text(block).trim_matches(is_blank).strip_prefix('[')?;
    let head = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    if close(text, 1).is_ok_and(|end| end <= LONG) {
        return None;
    }
    match head.to_lowercase().as_str() {
        "illustration" => Some(Why::Caption),
        "footnote" => Some(Why::Footnote),
        "transcriber" | "transcribers" => Some(Why::TranscriberNote),
        "sidenote" => Some(Why::Sidenote),
        _ => None,
    }
}

/// The block behind the one in which the first bracket is closed, and the place behind the bracket.
fn closed(leaves: &Leaves, blocks: Range<usize>) -> Option<(usize, Option<u32>)> {
    let (mut open, mut letters) = (0, 0);
    let inside = blocks.filter(|at| leaves.blocks[*at].fate.is_none());
    for at in inside.take(MOST_PARAGRAPHS) {
        let block = &leaves.blocks[at];
        letters += block.letters;
        if letters > LONGEST_BRACKET || block.tag.heading().is_some() {
            return None;
        }
        match close(leaves.text(block), open) {
            Ok(end) => return Some((at + 1, Some(block.text.start + small(end)))),
            Err(depth) => open = depth,
        }
    }
    None
}

/// Behind the bracket the paragraph goes on; below a picture a short line is of it.
fn goes_on(leaves: &Leaves, at: usize, behind: u32, why: Why) -> bool {
    let block = &leaves.blocks[at];
    let text = &leaves.scroll[behind as usize..block.text.end as usize];
    let rest = text.trim_start_matches(' ');
    let letters = counts(rest).0;
    letters > 0 && !(why == Why::Caption && rest.starts_with([BREAK, '\n']) && letters <= SHORT)
}

/// Where the last of so many open brackets is closed in a text, else how many are open behind it.
fn close(text: &str, before: u32) -> Result<usize, u32> {
    let mut depth = before;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return Ok(at + 1);
        }
    }
    Err(depth)
}

/// A note and its mark link to each other: the mark first, the note behind it.
pub(super) fn linked_notes(leaves: &mut Leaves, body: &Range<usize>) {
    let anchors: BTreeMap<u64, u32> = leaves.anchors.iter().copied().collect();
    let mut forth: BTreeSet<(u32, u32)> = BTreeSet::new();
    for (name, from) in &leaves.links {
        if let Some(to) = anchors.get(name) {
            forth.insert((*from, *to));
        }
    }
    let mut notes = Vec::new();
    for (from, to) in &forth {
        let (mark, note) = (*from as usize, *to as usize);
        if note > mark
            && body.contains(&mark)
            && body.contains(&note)
            && forth.contains(&(*to, *from))
        {
            notes.push((mark, note));
        }
    }
    for (mark, note) in notes {
        let block = &leaves.blocks[note];
        if block.fate.is_some()
            || block.tag.heading().is_some()
            || leaves.blocks[mark].tag == Tag::Cell
            || leaves.blocks[mark].all.any(Marks::LINK)
        {
            continue;
        }
        let pieces = &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize];
        let first = pieces.iter().find(|piece| {
            !leaves.scroll[piece.text.start as usize..piece.text.end as usize]
                .chars()
                .all(|c| is_blank(c) || c == '[')
        });
        let label = first.is_some_and(|piece| {
            let text = leaves.scroll[piece.text.start as usize..piece.text.end as usize]
                .trim_matches(is_blank);
            piece.marks.any(Marks::LINK) && text.chars().count() <= 16
        });
        if label {
            let parent = block.parent;
            leaves.blocks[note].fate = Some(Why::Footnote);
            // Its further paragraphs, where they share a frame with it that is not the book's.
            let shared = leaves.blocks[mark].parent == parent || parent == 0;
            let mut next = note + 1;
            let mut letters = 0;
            while !shared
                && next < body.end
                && next < note + MOST_PARAGRAPHS
                && leaves.blocks[next].parent == parent
                && leaves.blocks[next].tag.heading().is_none()
                && letters <= LONGEST_BRACKET
            {
                letters += leaves.blocks[next].letters;
                leaves.blocks[next].fate.get_or_insert(Why::Footnote);
                next += 1;
            }
        }
    }
}

/// Notes without links: a small block that begins with a star, below a text that has one.
pub(super) fn starred_notes(leaves: &mut Leaves, body: &Range<usize>) {
    let mut cuts = Vec::new();
    let mut marks: Vec<(usize, Range<u32>, String)> = Vec::new();
    let mut typed = None;
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        // A note set as typed may have further paragraphs in the same frame.
        if typed.is_some() && typed == block_parent(leaves, at) {
            leaves.blocks[at].fate = Some(Why::Footnote);
            continue;
        }
        typed = None;
        let text = leaves.text(block);
        let start = text.trim_start_matches(is_blank);
        let sign: String = start.chars().take_while(|c| "*†‡§".contains(*c)).collect();
        let label = if sign.is_empty() { label(start) } else { sign };
        let behind = &start[label.len().min(start.len())..];
        let speaks = behind
            .trim_start_matches(is_blank)
            .starts_with(|c: char| c.is_alphanumeric() || "\"“'‘".contains(c));
        let begins = !label.is_empty()
            && speaks
            && (4..=LONGEST_STARRED).contains(&block.letters)
            && block.tag.heading().is_none();
        let mark = marks.iter().rposition(|(from, _, sign)| at - from <= 40 && *sign == label);
        if let Some(from) = mark.filter(|_| begins) {
            cuts.push((marks[from].1.clone(), Why::NoteMark));
            marks.remove(from);
            leaves.blocks[at].fate = Some(Why::Footnote);
            typed =
                block_parent(leaves, at).filter(|frame| is_note_frame(leaves, *frame, at, body));
            continue;
        }
        if block.tag.heading().is_some() {
            marks.retain(|(from, _, _)| at - from <= 200);
        }
        for (offset, sign) in signs(text) {
            let start = block.text.start + small(offset);
            marks.push((at, start..start + small(sign.len()), sign.to_owned()));
        }
        if marks.len() > 64 {
            marks.drain(..32);
        }
    }
    leaves.cuts.set(cuts);
}

/// Whether a `<pre>` holds a note from here on, and not the book.
fn is_note_frame(leaves: &Leaves, frame: u32, at: usize, body: &Range<usize>) -> bool {
    let rest = (at..body.end).take_while(|at| block_parent(leaves, *at) == Some(frame));
    let before = at > body.start && block_parent(leaves, at - 1) == Some(frame);
    !before && rest.map(|at| leaves.blocks[at].letters).sum::<u32>() <= LONGEST_STARRED
}

/// The `<pre>` that a block stands in.
fn block_parent(leaves: &Leaves, at: usize) -> Option<u32> {
    let block = &leaves.blocks[at];
    (block.tag == Tag::Pre).then_some(block.parent)
}

/// Whether a block begins as a footnote does: with a number, a sign, or a link back.
pub(super) fn is_labelled(leaves: &Leaves, at: usize) -> bool {
    let block = &leaves.blocks[at];
    let text = leaves.text(block).trim_start_matches(is_blank);
    let first = leaves.pieces[block.pieces.start as usize].marks;
    first.any(Marks::LINK | Marks::RAISED)
        || text.starts_with(|c: char| c.is_ascii_digit() || "[*†‡§".contains(c))
        || !label(text).is_empty()
}

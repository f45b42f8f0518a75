//! What the makers of a file say within the book: credits, notes on spelling and corrections.

use std::ops::Range;

use super::{
    blocks::{BREAK, Block, Leaves, small},
    marks::Marks,
    matter::reads,
    said::judge,
    words::{Kind, says},
};
use crate::cut::Why;

/// Transcriber's notes whose surroundings are looked at; real pages have three.
const MOST_NOTES: usize = 100;

/// A note with its frame has no more letters.
const LONGEST_FRAME: u32 = 6_000;

/// Without a heading, and not first in its frame, a note's frame has no more letters.
const LONGEST_BOX: u32 = 2_000;

/// What stands last in a book and below the heading of a note has no more letters.
const LONGEST_LAST: u32 = 20_000;

/// No credits have more letters.
const LONGEST_CREDITS: u32 = 1_500;

/// No paragraph of a transcriber's note has more letters.
const LONGEST_NOTE: u32 = 4_000;

/// What is left inside the body: credits, notes of the transcriber, stray mentions.
pub(super) fn mark(leaves: &mut Leaves, hits: &[(usize, usize)], body: Range<usize>) {
    let mut notes = Vec::new();
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.marks.any(Marks::NOTE) && !block.marks.any(Marks::NOTE_MARK) {
            notes.push(at);
            leaves.blocks[at].fate.get_or_insert(Why::TranscriberNote);
        }
    }
    let mut cuts = Vec::new();
    for (at, hit) in hits.iter().filter(|(at, _)| body.contains(at)) {
        let block = &leaves.blocks[*at];
        if block.fate.is_some() {
            continue;
        }
        let near_edge = at - body.start < 60 || body.end - at < 60;
        let line = leaves.line(block).to_lowercase();
        let Some(why) = judge(&line, near_edge) else { continue };
        let most = if why == Why::Credits { LONGEST_CREDITS } else { LONGEST_NOTE };
        if block.letters <= most {
            if why == Why::TranscriberNote {
                notes.push(*at);
            }
            leaves.blocks[*at].fate = Some(why);
            continue;
        }
        // Too long for what it says: only the lines that say it go.
        cuts.extend(lines_that_say(leaves, block, *hit, near_edge));
    }
    leaves.cuts.set(cuts);
    notes.truncate(MOST_NOTES);
    for at in notes {
        spread(leaves, at, &body);
    }
}

/// The lines of a block that speak of the file, and where a line is long, its sentences.
fn lines_that_say(
    leaves: &Leaves,
    block: &Block,
    hit: usize,
    near_edge: bool,
) -> Vec<(Range<u32>, Why)> {
    let mut cuts = Vec::new();
    let text = leaves.text(block);
    let mut from = 0;
    for line in text.split_inclusive([BREAK, '\n']) {
        for part in parts(line) {
            let end = from + part.len();
            // The first trace stands at `hit`: before it nothing speaks of the file.
            let reached = block.text.start as usize + end > hit;
            let words = if reached { part.to_lowercase() } else { String::new() };
            let short = part.len() <= LONGEST_CREDITS as usize;
            if let Some(why) = judge(&words, near_edge).filter(|_| short) {
                cuts.push((block.text.start + small(from)..block.text.start + small(end), why));
            }
            from = end;
        }
    }
    cuts
}

/// A line, or its sentences where it is long.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    let long = line.len() > LONGEST_CREDITS as usize;
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = if long { rest.find(". ").map(|at| at + 2) } else { None };
        let (part, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind;
        Some(part)
    })
}

/// A note often has a frame of its own, and a heading: what stands beside it there is of it.
fn spread(leaves: &mut Leaves, at: usize, body: &Range<usize>) {
    let parent = leaves.blocks[at].parent;
    let line = leaves.line(&leaves.blocks[at]);
    let heads = says(&line).kind == Kind::Transcriber && line.len() < 60;
    let before = frame(leaves, (body.start..at).rev(), parent);
    let behind = frame(leaves, at + 1..body.end, parent);
    // In a frame of its own a note stands first, and no chapter stands there with it.
    let all = || before.iter().chain(&behind).copied();
    let small = all().map(|next| leaves.blocks[next].letters).sum::<u32>() <= LONGEST_BOX;
    let first = before.iter().all(|next| !reads(leaves, *next));
    if (first || small) && !all().any(|next| is_heading(leaves, next)) {
        for next in before.into_iter().chain(behind) {
            leaves.blocks[next].fate.get_or_insert(Why::TranscriberNote);
        }
    }
    if !heads {
        return;
    }
    // A heading of its own: the note is what follows, to the next heading or rule; at the very end also
    // what is no chapter.
    let rest: u32 = leaves.blocks[at..body.end].iter().map(|block| block.letters).sum();
    let whole: u32 = leaves.blocks[body.clone()].iter().map(|block| block.letters).sum();
    let last = rest < whole / 10 && rest < LONGEST_LAST;
    let mut letters = 0;
    let mut note = Vec::new();
    for next in at + 1..body.end {
        let block = &leaves.blocks[next];
        letters += block.letters;
        let heading = block.tag.heading().is_some();
        let ends = if last {
            heading && is_chapter(leaves, next, body)
        } else {
            heading || block.rule || letters > LONGEST_FRAME || block.fate.is_some()
        };
        if ends {
            break;
        }
        note.push(next);
    }
    let next = leaves.blocks[..body.end].get(at + 1 + note.len());
    let late = at * 10 > body.end * 9 && letters <= LONGEST_FRAME;
    let closed = next.is_some_and(|block| block.tag.heading().is_some() || block.rule);
    if last || late || closed {
        for next in note {
            leaves.blocks[next].fate.get_or_insert(Why::TranscriberNote);
        }
    }
}

/// What stands beside a note in its frame; nothing where the frame is too large for one.
fn frame(leaves: &Leaves, steps: impl Iterator<Item = usize>, parent: u32) -> Vec<usize> {
    let mut frame = Vec::new();
    let mut letters = 0;
    for next in steps {
        let block = &leaves.blocks[next];
        if block.parent != parent || parent == 0 {
            break;
        }
        letters += block.letters;
        frame.push(next);
        if frame.len() > 80 || letters > LONGEST_FRAME {
            return Vec::new();
        }
    }
    frame
}

/// Whether a block is a heading, of anything but a note.
fn is_heading(leaves: &Leaves, at: usize) -> bool {
    let block = &leaves.blocks[at];
    let kind = || says(&leaves.line(block)).kind;
    block.tag.heading().is_some() && !matches!(kind(), Kind::Transcriber | Kind::Notes)
}

/// Whether a heading has a chapter's text below it: by its words, or as long as one.
fn is_chapter(leaves: &Leaves, at: usize, body: &Range<usize>) -> bool {
    let below = (at + 1..body.end)
        .take_while(|next| leaves.blocks[*next].tag.heading().is_none())
        .map(|next| leaves.blocks[next].letters)
        .sum::<u32>();
    match says(&leaves.line(&leaves.blocks[at])).kind {
        Kind::Chapter | Kind::Number | Kind::Part => below >= 60,
        Kind::Other => below > 2_000,
        _ => false,
    }
}

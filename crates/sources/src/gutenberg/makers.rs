//! What the makers of a file say within the book: credits, notes on spelling and corrections.

use std::ops::Range;

use super::{
    blocks::Leaves,
    marks::Marks,
    words::{Kind, says},
};
use crate::cut::Why;

/// Transcriber's notes whose surroundings are looked at; real pages have three.
const MOST_NOTES: usize = 100;

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
    for (at, _) in hits.iter().filter(|(at, _)| body.contains(at)) {
        let block = &leaves.blocks[*at];
        if block.fate.is_some() {
            continue;
        }
        let line = leaves.line(block).to_lowercase();
        let near_edge = at - body.start < 60 || body.end - at < 60;
        let why = if is_note(&line) || near_edge && is_editing(&line) {
            notes.push(*at);
            Why::TranscriberNote
        } else if line.contains("project gutenberg") || near_edge && is_credit(&line) {
            Why::Credits
        } else {
            continue;
        };
        leaves.blocks[*at].fate = Some(why);
    }
    notes.truncate(MOST_NOTES);
    for at in notes {
        spread(leaves, at, &body);
    }
}

/// The words of a transcriber's note.
fn is_note(line: &str) -> bool {
    let short = line.len() < 1500;
    let spoken = [
        "note",
        "correct",
        "typographical",
        "spelling",
        "punctuation",
        "public domain",
        "cover",
        "hyphen",
    ];
    line.trim_start_matches(|c: char| !c.is_alphabetic()).starts_with("transcriber")
        || line.contains("transcriber")
            && (line.contains("transcriber's note") || line.contains("transcriber’s note"))
        || short
            && line.contains("transcri")
            && spoken.iter().any(|word| line.contains(word))
            && line.contains("text")
}

/// A note on how the text was edited, without the word.
fn is_editing(line: &str) -> bool {
    let things = [
        "typographical error",
        "spelling",
        "hyphenation",
        "punctuation",
        "printer's error",
        "printer’s error",
        "inconsisten",
        "misprint",
        "obvious error",
        "original text",
        "accents",
    ];
    let doings = [
        "have been",
        "has been",
        "were corrected",
        "was corrected",
        "corrected",
        "retained",
        "normalized",
        "normalised",
        "standardized",
        "changed to",
        "amended",
        "as in the original",
        "silently",
        "preserved",
        "left as",
    ];
    let count = |words: &[&str]| words.iter().filter(|word| line.contains(**word)).count();
    line.len() < 1200
        && count(&things) > 0
        && count(&doings) > 0
        && count(&things) + count(&doings) >= 3
        || line.len() < 120 && line.starts_with("spelling") && count(&doings) > 0
}

/// The words of credits.
fn is_credit(line: &str) -> bool {
    let start = line.trim_start_matches(|c: char| !c.is_alphabetic());
    let start = start.get(..start.floor_char_boundary(120)).unwrap_or(start);
    let opens = [
        "produced by",
        "this etext was",
        "this ebook was",
        "this e-text",
        "e-text prepared",
        "etext prepared",
        "ebook prepared",
        "transcribed",
        "prepared by",
        "scanned",
        "html version",
        "this html",
        "digitized",
        "text prepared",
        "proofread",
        "credits",
        "etext",
        "e-text",
        "ebook",
        "updated",
        "this file was produced",
    ];
    opens.iter().any(|open| start.starts_with(open))
        || line.contains("distributed proofread")
        || line.contains("pgdp.net")
        || line.contains("pglaf")
        || line.contains("internet archive") && line.contains("http")
        || line.contains("ebook #")
        || line.contains("etext #")
}

/// A note often has a frame of its own, and a heading: what stands beside it there is of it.
fn spread(leaves: &mut Leaves, at: usize, body: &Range<usize>) {
    let parent = leaves.blocks[at].parent;
    let line = leaves.line(&leaves.blocks[at]);
    let heads = says(&line).kind == Kind::Transcriber && line.len() < 60;
    let mut reach = |steps: &mut dyn Iterator<Item = usize>| {
        let mut frame = Vec::new();
        let mut letters = 0;
        for next in steps {
            let block = &leaves.blocks[next];
            if block.parent != parent || parent == 0 {
                break;
            }
            letters += block.letters;
            frame.push(next);
            if frame.len() > 80 || letters > 6_000 {
                return;
            }
        }
        for next in frame {
            leaves.blocks[next].fate.get_or_insert(Why::TranscriberNote);
        }
    };
    reach(&mut (body.start..at).rev());
    reach(&mut (at + 1..body.end));
    if heads {
        // A heading of its own: the note is what follows, to the next heading or rule.
        let rest: u32 = leaves.blocks[at..body.end].iter().map(|block| block.letters).sum();
        let whole: u32 = leaves.blocks[body.clone()].iter().map(|block| block.letters).sum();
        if rest < whole / 10 {
            for block in &mut leaves.blocks[at..body.end] {
                block.fate.get_or_insert(Why::TranscriberNote);
            }
            return;
        }
        let mut letters = 0;
        let mut note = Vec::new();
        for next in at + 1..body.end {
            let block = &leaves.blocks[next];
            letters += block.letters;
            if block.tag.heading().is_some()
                || block.rule
                || letters > 6_000
                || block.fate.is_some()
            {
                break;
            }
            note.push(next);
        }
        let late = at * 10 > body.end * 9;
        if late
            || leaves
                .blocks
                .get(at + 1 + note.len())
                .is_some_and(|block| block.tag.heading().is_some() || block.rule)
        {
            for next in note {
                leaves.blocks[next].fate.get_or_insert(Why::TranscriberNote);
            }
        }
    }
}

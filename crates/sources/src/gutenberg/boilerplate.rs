//! What Project Gutenberg and the makers of the file put around a book: header, small print,
//! licence, credits, notes of the transcriber.
//!
//! Newer pages mark header and footer by id. Older ones have marker lines, in forms that changed
//! over the years; the oldest only a block of small print. The licence never stands between two
//! chapters, so one footer line ends the book.

use std::{ops::Range, sync::LazyLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::{
    blocks::{BREAK, Block, Leaves, small},
    tags::Marks,
    words::{Kind, says},
};
use crate::cut::Why;

/// Transcriber's notes whose surroundings are looked at; real pages have three.
const MOST_NOTES: usize = 100;

/// Words that a novel as good as never has and boilerplate as good as always.
static TRACES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostFirst)
        .kind(Some(AhoCorasickKind::DFA))
        .build([
            "gutenberg",
            "small print",
            "transcri",
            "produced by",
            "prepared by",
            "proofread",
            "etext",
            "e-text",
            "ebook",
            "scanned",
            "pgdp.net",
            "pglaf",
            "html version",
            "digitized",
            "internet archive",
            "typographical",
            "spelling",
            "hyphenat",
            "punctuation",
            "printer's error",
            "printer’s error",
            "inconsisten",
        ])
        .expect("plain words make an automaton")
});

/// Marks boilerplate and says which blocks lie between header and footer.
pub(crate) fn mark(leaves: &mut Leaves) -> Range<usize> {
    let hits = hits(leaves);
    let (first, last) = body(leaves, &hits);
    cut(&mut leaves.blocks[..first], Why::Header);
    cut(&mut leaves.blocks[last..], Why::Footer);
    inner_markers(leaves, &hits, first..last);
    notes_and_credits(leaves, &hits, first..last);
    first..last
}

fn cut(blocks: &mut [Block], why: Why) {
    for block in blocks {
        block.fate.get_or_insert(why);
    }
}

/// The blocks that hold a trace, each once, with the place of the first.
fn hits(leaves: &Leaves) -> Vec<(usize, usize)> {
    let mut hits: Vec<(usize, usize)> = Vec::new();
    for hit in TRACES.find_iter(&leaves.scroll) {
        let block = leaves.blocks.partition_point(|block| block.text.end as usize <= hit.start());
        if block < leaves.blocks.len() && hits.last().is_none_or(|(last, _)| *last != block) {
            hits.push((block, hit.start()));
        }
    }
    hits
}

/// The first block behind the header and the first of the footer.
fn body(leaves: &Leaves, hits: &[(usize, usize)]) -> (usize, usize) {
    let blocks = &leaves.blocks;
    let total: u64 = blocks.iter().map(|block| u64::from(block.letters)).sum();
    let mut before = 0;
    let mut letters_before = Vec::with_capacity(blocks.len());
    for block in blocks {
        letters_before.push(before);
        before += u64::from(block.letters);
    }
    let mut first = blocks
        .iter()
        .take(400)
        .rposition(|block| block.marks.any(Marks::HEADER))
        .map_or(0, |at| at + 1);
    for (at, _) in hits {
        let early = letters_before[*at] * 5 < total * 2 || letters_before[*at] < 20_000;
        if *at >= first && early && is_start(&leaves.line(&blocks[*at])) {
            first = at + 1;
        }
    }
    if first == 0 {
        first = unmarked(leaves, hits);
    }
    let by_mark = blocks.iter().skip(first).position(|block| block.marks.any(Marks::FOOTER));
    let mut last = by_mark.map_or(blocks.len(), |at| first + at);
    for (at, _) in hits {
        if *at >= first && *at < last && is_end(&leaves.line(&blocks[*at])) {
            last = *at;
        }
    }
    (first, last)
}

/// The end of a header that no marker closes: the last line that only a header has.
fn unmarked(leaves: &Leaves, hits: &[(usize, usize)]) -> usize {
    let mut first = 0;
    let mut letters = 0;
    let named = hits.iter().any(|(at, _)| *at < 60);
    for (at, block) in leaves.blocks.iter().enumerate().take(if named { 200 } else { 0 }) {
        let line = leaves.line(block).to_lowercase();
        if is_header(&line) && !line.contains("end of") {
            first = at + 1;
            letters = 0;
        } else {
            letters += block.letters;
        }
        if letters > 5_000 || block.tag.heading().is_some() && letters > 2_500 {
            break;
        }
    }
    first
}

/// Words that only a header has.
fn is_header(line: &str) -> bool {
    let opens = [
        "title:",
        "author:",
        "language:",
        "release date:",
        "edition:",
        "character set encoding",
        "posting date:",
        "last updated:",
        "illustrator:",
        "translator:",
        "editor:",
        "credits:",
        "original publication:",
        "most recently updated",
        "the project gutenberg",
        "project gutenberg",
        "this ebook is for the use",
        "updates by",
    ];
    let holds = [
        "this header should be the first",
        "plain vanilla electronic",
        "readable by both humans",
        "prepared by thousands",
        "project gutenberg",
        "[etext",
        "[ebook",
        "copyright laws are changing",
        "please do not remove this",
        "this file should be named",
        "etext number",
        "gutenberg.org",
        "gutenberg.net",
        "ebook #",
        "etext #",
        "electronic path open",
        "prepared by hundreds of volunteers",
        "of volunteers and donations",
        "keep this file, exactly",
    ];
    opens.iter().any(|open| line.starts_with(open))
        || line.len() < 1500 && holds.iter().any(|words| line.contains(words))
}

/// A line behind which the book begins.
fn is_start(line: &str) -> bool {
    let line = line.get(..line.len().min(400)).unwrap_or(line).to_ascii_uppercase();
    let stars = line.contains("***") || line.contains("*END*") || line.contains("*END ");
    stars
        && (line.contains("START OF TH") && line.contains("GUTENBERG")
            || line.contains("START OF THE PROJECT")
            || line.contains("START: ") && line.contains("GUTENBERG") && !line.contains("LICENSE")
            || line.contains("*END") && line.contains("SMALL PRINT"))
}

/// A line with which the book has ended.
fn is_end(line: &str) -> bool {
    let line: String =
        line.chars().take(160).flat_map(char::to_uppercase).filter(|c| *c != '*').collect();
    let line = line.trim_start_matches(|c: char| !c.is_alphabetic());
    let named = line.contains("GUTENBERG") || line.contains("ETEXT") || line.contains("EBOOK");
    named
        && (line.starts_with("END OF TH")
            || line.starts_with("END OF PROJECT")
            || line.starts_with("END PROJECT")
            || line.starts_with("END THE PROJECT")
            || line.starts_with("END OF THIS")
            || line.starts_with("THIS IS THE END OF")
            || line.starts_with("FIN DU PROJET")
            || line.starts_with("FIN DE L")
            || line.starts_with("ENDE DIESES PROJEKT")
            || line.starts_with("ENDE DIESES PROJECT")
            || line.starts_with("START: FULL LICENSE")
            || line.starts_with("START FULL LICENSE")
            || line.starts_with("THE FULL PROJECT GUTENBERG LICENSE")
            || line.starts_with("END OF") && line.contains("PROJECT GUTENBERG"))
}

/// Where a marker stands behind a line break inside a paragraph, the paragraph ends before it.
fn inner_markers(leaves: &mut Leaves, hits: &[(usize, usize)], body: Range<usize>) {
    let mut cuts = Vec::new();
    for (at, _) in hits.iter().filter(|(at, _)| body.contains(at)) {
        let block = &leaves.blocks[*at];
        let text = leaves.text(block);
        for (from, _) in text.match_indices([BREAK, '\n']) {
            if is_end(&text[from..]) {
                cuts.push((block.text.start + small(from)..block.text.end, Why::Footer));
                break;
            }
        }
    }
    leaves.cuts.set(cuts);
}

/// What is left inside the body: credits, notes of the transcriber, stray mentions.
fn notes_and_credits(leaves: &mut Leaves, hits: &[(usize, usize)], body: Range<usize>) {
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

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
    makers,
    marks::Marks,
};
use crate::cut::Why;

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
    makers::mark(leaves, &hits, first..last);
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

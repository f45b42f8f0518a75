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
    licence::Measure,
    lists::{HEADER_BEGINS, HEADER_HAS, TRACES_OF_MAKERS},
    makers,
    marks::Marks,
};
use crate::cut::Why;

/// Words that a novel as good as never has and boilerplate as good as always, in small letters.
///
/// Where the machine can, they are searched many bytes at once, which an automaton for letters of both kinds
/// cannot do.
static TRACES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(TRACES_OF_MAKERS.iter())
        .expect("plain words make an automaton")
});

/// Marks boilerplate and says which blocks lie between header and footer.
pub(crate) fn mark(leaves: &mut Leaves) -> Range<usize> {
    let hits = hits(leaves);
    let (body, between) = body(leaves, &hits);
    cut(&mut leaves.blocks[..body.start], Why::Header);
    cut(&mut leaves.blocks[body.end..], Why::Footer);
    for stretch in between {
        cut(&mut leaves.blocks[stretch], Why::Footer);
    }
    inner_markers(leaves, &hits, body.clone());
    makers::mark(leaves, &hits, body.clone());
    body
}

fn cut(blocks: &mut [Block], why: Why) {
    for block in blocks {
        block.fate.get_or_insert(why);
    }
}

/// The blocks that hold a trace, each once, with the place of the first.
fn hits(leaves: &Leaves) -> Vec<(usize, usize)> {
    let mut hits: Vec<(usize, usize)> = Vec::new();
    for hit in TRACES.find_iter(&leaves.scroll.to_ascii_lowercase()) {
        let block = leaves.blocks.partition_point(|block| block.text.end as usize <= hit.start());
        if block < leaves.blocks.len() && hits.last().is_none_or(|(last, _)| *last != block) {
            hits.push((block, hit.start()));
        }
    }
    hits
}

/// A line at which a file begins or ends.
struct Marker {
    at: usize,
    ends: bool,
    /// Behind the next line at which a file begins: one may follow in the same page, with a header of its own.
    next: Option<usize>,
}

/// The blocks between header and footer, and what stands among them where a page joins several files.
fn body(leaves: &Leaves, hits: &[(usize, usize)]) -> (Range<usize>, Vec<Range<usize>>) {
    let measure = Measure::new(leaves, hits);
    let all = leaves.blocks.len();
    let mut first = header(leaves, hits, &measure);
    if first == 0 {
        first = unmarked(leaves, hits, &measure);
    }
    let by_mark = leaves.blocks[first..].iter().position(|block| block.marks.any(Marks::FOOTER));
    let most = by_mark.map_or(all, |at| first + at);
    let mut markers: Vec<Marker> = hits
        .iter()
        .filter(|(at, _)| (first..most).contains(at))
        .filter_map(|(at, _)| {
            let line = leaves.line(&leaves.blocks[*at]);
            let ends = is_end(&line);
            (ends || is_start(&line)).then_some(Marker { at: *at, ends, next: None })
        })
        .collect();
    let mut next = None;
    for marker in markers.iter_mut().rev() {
        marker.next = next;
        if !marker.ends {
            next = Some(marker.at + 1);
        }
    }
    let mut between = Vec::new();
    let mut last = most;
    for Marker { at, ends, next } in markers {
        if between.last().is_some_and(|stretch: &Range<usize>| at < stretch.end) {
            continue;
        }
        if !ends {
            between.push(at..at + 1);
            continue;
        }
        match next {
            Some(next) if measure.has_story(next..most) && measure.is_licence(at..next) => {
                between.push(at..next);
            }
            _ if measure.is_licence(at..most) => {
                last = at;
                break;
            }
            Some(next) if measure.is_licence(at..next) => between.push(at..next),
            _ => between.push(at..at + 1),
        }
    }
    (first..last, between)
}

/// The first block behind the header that marks or marker lines tell; 0 where none do.
fn header(leaves: &Leaves, hits: &[(usize, usize)], measure: &Measure) -> usize {
    let blocks = &leaves.blocks;
    let marked = blocks.iter().take(400).rposition(|block| block.marks.any(Marks::HEADER));
    let mut first = marked.map_or(0, |at| at + 1);
    // A header's frame that is not closed goes on behind its last line.
    let mut started = 0;
    for (at, _) in hits {
        let line = leaves.line(&blocks[*at]);
        if is_end(&line) {
            break;
        }
        if !is_start(&line) || !measure.is_licence(started..at + 1) {
            continue;
        }
        started = at + 1;
    }
    if started > first || started > 0 && !measure.is_licence(started..first) {
        first = started;
    }
    first
}

/// The end of a header that no marker closes: the last line that only a header has.
fn unmarked(leaves: &Leaves, hits: &[(usize, usize)], measure: &Measure) -> usize {
    let mut first = 0;
    let mut letters = 0;
    let named = hits.iter().any(|(at, _)| *at < 60);
    for (at, block) in leaves.blocks.iter().enumerate().take(if named { 200 } else { 0 }) {
        let line = leaves.line(block);
        // What speaks of the file behind its end is no header.
        if is_end(&line) {
            break;
        }
        let line = line.to_lowercase();
        if is_header(&line) && !line.contains("end of") && measure.is_licence(first..at + 1) {
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
    HEADER_BEGINS.iter().any(|open| line.starts_with(open))
        || line.len() < 1500 && HEADER_HAS.iter().any(|words| line.contains(words))
}

/// A line behind which the book begins.
fn is_start(line: &str) -> bool {
    let (head, tail) =
        (line.floor_char_boundary(400), line.ceil_char_boundary(line.len().saturating_sub(200)));
    let line = [&line[..head], &line[tail.max(head)..]].join(" ").to_ascii_uppercase();
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

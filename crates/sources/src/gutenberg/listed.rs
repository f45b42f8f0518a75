//! Tables of contents that nothing names: lines that say the headings that come later.
//!
//! A list of chapters may stand in a table without links, between two parts, or below no heading at
//! all. What it cannot hide is that the headings of the book repeat it, line by line.

use std::{collections::HashMap, ops::Range};

use super::{
    blocks::{Block, Leaves},
    lists::{CHAPTERS, PARTS},
    numbers::{arabic, number, roman},
    structure::Head,
    words::fold,
};
use crate::cut::Why;

/// Fewer lines than this are no list.
const FEWEST: usize = 3;

/// A line of a list has no more letters.
const LONGEST: u32 = 160;

/// A line between two of a list that no heading says: an author, the name of a part.
const SHORT: u32 = 80;

/// Headings by what they say, each with the block where it stands last.
type Headings = HashMap<String, usize>;

/// Marks lists of headings that come later; whether there was one.
pub(crate) fn mark(leaves: &mut Leaves, body: &Range<usize>, heads: &[Head]) -> bool {
    let headings = headings(leaves, heads);
    let Some(last) = headings.values().max().copied() else { return false };
    let mut found = false;
    let mut run = Run::default();
    for at in body.start..last.min(body.end) {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        let (lines, says) = lines(leaves, block, &headings, at);
        if lines >= FEWEST && says * 10 >= lines * 6 {
            leaves.blocks[at].fate = Some(Why::Contents);
            run.end(leaves);
            found = true;
            continue;
        }
        let strange = lines > 0 && says == 0;
        let fits = lines <= 1 && block.letters <= if strange { SHORT } else { LONGEST };
        if !fits || strange && run.ends_strange() {
            found |= run.end(leaves);
        }
        if fits {
            run.add(at, lines, says);
        }
    }
    run.end(leaves) || found
}

/// Blocks in a row that may be a list.
#[derive(Default)]
struct Run {
    /// Each block, whether it has words, and whether a heading says them.
    blocks: Vec<(usize, bool, bool)>,
}

impl Run {
    fn add(&mut self, at: usize, lines: usize, says: usize) {
        self.blocks.push((at, lines > 0, says > 0));
    }

    /// Whether its last line is one that no heading says.
    fn ends_strange(&self) -> bool {
        let words = self.blocks.iter().rev().find(|(_, words, _)| *words);
        words.is_some_and(|(_, _, says)| !says)
    }

    /// Ends the run and marks it, from its first line that a heading repeats to its last.
    fn end(&mut self, leaves: &mut Leaves) -> bool {
        let blocks = std::mem::take(&mut self.blocks);
        let said = |(_, _, says): &(usize, bool, bool)| *says;
        let Some(first) = blocks.iter().position(said) else { return false };
        let mut end = blocks.iter().rposition(said).map_or(0, |last| last + 1);
        let list = &blocks[first..end];
        let says = list.iter().filter(|one| said(one)).count();
        let lines = list.iter().filter(|(_, words, _)| *words).count();
        if says < FEWEST || says * 10 < lines * 6 {
            return false;
        }
        // The number of the last line's page.
        end += blocks[end..].iter().take_while(|(_, words, _)| !words).count();
        for (at, _, _) in &blocks[first..end] {
            leaves.blocks[*at].fate = Some(Why::Contents);
        }
        true
    }
}

/// How many lines with words a block has, and how many of them a later heading says.
fn lines(leaves: &Leaves, block: &Block, headings: &Headings, at: usize) -> (usize, usize) {
    if block.letters > LONGEST && leaves.lines(block).nth(1).is_none() {
        return (2, 0);
    }
    let (mut lines, mut says) = (0, 0);
    for line in leaves.lines(block) {
        let line = fold(line);
        let entry = without_page(&line);
        if entry.is_empty() {
            continue;
        }
        lines += 1;
        let later = |key: &str| headings.get(key).is_some_and(|place| *place > at);
        says += usize::from(
            line.len() < 400 && (later(&line) || later(entry) || later(without_number(entry))),
        );
    }
    (lines, says)
}

/// What the headings say: each line of them, all together, and that without its number.
fn headings(leaves: &Leaves, heads: &[Head]) -> Headings {
    let mut headings = Headings::new();
    for head in heads.iter().filter(|head| head.prose > 0) {
        // A heading's own lines do not say each other: each counts where it stands.
        let lines: Vec<(usize, String)> = head
            .lines
            .iter()
            .take(8)
            .map(|at| (*at, fold(&leaves.line(&leaves.blocks[*at]))))
            .collect();
        let whole = lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join(" ");
        let all = [without_number(&whole), &whole].map(|line| (head.end() - 1, line));
        for (at, line) in lines.iter().map(|(at, line)| (*at, line.as_str())).chain(all) {
            if !line.is_empty() {
                let last = headings.entry(line.to_owned()).or_default();
                *last = at.max(*last);
            }
        }
    }
    headings
}

/// A folded line without the number of a page at its end.
fn without_page(line: &str) -> &str {
    match line.rsplit_once(' ') {
        Some((rest, last)) if arabic(last).is_some() || last.len() > 1 && roman(last).is_some() => {
            rest
        }
        None if arabic(line).is_some() => "",
        _ => line,
    }
}

/// A folded line without `chapter iv`, `part 2`, `12` at its beginning; nothing is left of a number.
fn without_number(line: &str) -> &str {
    let mut rest = line;
    for _ in 0..4 {
        let (word, next) = rest.split_once(' ').unwrap_or((rest, ""));
        if next.is_empty()
            || !(CHAPTERS.contains(&word) || PARTS.contains(&word) || number(word).is_some())
        {
            break;
        }
        rest = next;
    }
    rest
}

//! Tables of contents that nothing names: lines that say the headings that come later.
//!
//! A list of chapters may stand in a table without links, between two parts, or below no heading at
//! all. What it cannot hide is that the headings of the book repeat it, line by line. So may the headings of
//! chapters themselves, where each volume counts anew or letters say who writes to whom: what has running
//! text below it is no line of a list.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

use super::{
    blocks::{Block, Leaves, is_blank},
    front::is_synopsis,
    list_runs::Run,
    lists::{CHAPTERS, PARTS},
    matter::is_prose,
    numbers::{arabic, number, roman},
    structure::Head,
    words::{Kind, fold},
};
use crate::cut::Why;

/// Fewer lines than this are no list.
pub(super) const FEWEST: usize = 3;

/// A line of a list has no more letters.
const LONGEST: u32 = 160;

/// What a chapter holds has no more letters.
const LONGEST_ARGUMENT: u32 = 600;

/// A line between two of a list that no heading says: an author, the name of a part.
const SHORT: u32 = 80;

/// So many letters without a list among them are running text.
const TEXT: u32 = 300;

/// Headings by what they say.
type Headings = HashMap<String, Place>;

#[derive(Default)]
struct Place {
    /// The block where it stands last.
    last: usize,
    /// Whether it has quotation marks.
    quoted: bool,
}

/// Marks lists of headings that come later; whether there was one.
pub(crate) fn mark(leaves: &mut Leaves, body: &Range<usize>, heads: &[Head]) -> bool {
    let headings = headings(leaves, heads);
    let Some(last) = headings.values().map(|place| place.last).max() else { return false };
    let mut chapters = chapters(leaves, heads, &headings);
    let text = chapters.keys().next().copied().unwrap_or(body.end);
    let parts: BTreeSet<usize> = heads
        .iter()
        .filter(|head| head.level == 0 || head.says.kind == Kind::Part)
        .map(Head::end)
        .collect();
    let mut found = false;
    let mut run = Run::default();
    for at in body.start..last.min(body.end) {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        // What a chapter holds stands below its line.
        if !run.blocks.is_empty() && is_argument(leaves, block) {
            run.add(at, 0, 0);
            continue;
        }
        let (lines, says) = lines(leaves, block, &headings, at);
        // The last line's page looks like the number of the chapter below.
        let page = lines == 0 && block.tag.heading().is_none() && !run.blocks.is_empty();
        if let Some(head) = chapters.get(&at).filter(|_| !page).map(|head| &heads[*head]) {
            if !run.leads_to(leaves, head) {
                found |= run.below_part(leaves, &parts) || run.end(leaves, text);
                continue;
            }
            for line in &head.lines {
                chapters.remove(line);
            }
        }
        let block = &leaves.blocks[at];
        if lines >= FEWEST && says * 10 >= lines * 6 {
            leaves.blocks[at].fate = Some(Why::Contents);
            run.end(leaves, text);
            found = true;
            continue;
        }
        let strange = lines > 0 && says == 0;
        let fits = (lines <= 1 || says == lines)
            && block.letters <= if strange { SHORT } else { LONGEST }
            && !(strange && leaves.text(block).trim_end().ends_with([':', ',']));
        if !fits || strange && run.ends_strange() {
            found |= run.end(leaves, text);
        }
        if fits {
            run.add(at, lines, says);
        }
    }
    run.end(leaves, text) || found
}

/// The blocks of headings with running text below them, and of those that stand right above with them, each
/// with its heading.
fn chapters(leaves: &Leaves, heads: &[Head], headings: &Headings) -> BTreeMap<usize, usize> {
    let mut chapters = BTreeMap::new();
    for (at, head) in heads.iter().enumerate() {
        let end = heads.get(at + 1).map_or(leaves.blocks.len(), Head::first);
        if has_text(leaves, head.end()..end, headings) {
            let first = above(leaves, heads, at);
            for (own, head) in (first..).zip(&heads[first..=at]) {
                chapters.extend(head.lines.iter().map(|line| (*line, own)));
            }
        }
    }
    chapters
}

/// Whether a block is what a chapter holds, in phrases that dashes part; and not what somebody says.
fn is_argument(leaves: &Leaves, block: &Block) -> bool {
    let text = leaves.text(block);
    block.letters <= LONGEST_ARGUMENT && !text.trim_start().starts_with(SPEAKS) && is_synopsis(text)
}

/// Whether running text stands below a heading, with no list before it.
fn has_text(leaves: &Leaves, section: Range<usize>, headings: &Headings) -> bool {
    let (mut letters, mut said) = (0, 0);
    for at in section {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        if is_argument(leaves, block) {
            continue;
        }
        // A motto may be what a later chapter is called.
        said += lines(leaves, block, headings, at).1;
        if said >= FEWEST {
            return false;
        }
        letters += block.letters;
        if letters >= TEXT || block.letters > SHORT && is_prose(leaves, at) {
            return true;
        }
    }
    false
}

/// The first of the headings that stand right above one and are its own: its number, the parts it begins. None
/// of them is set lower than it, as the last line of a list may be.
fn above(leaves: &Leaves, heads: &[Head], at: usize) -> usize {
    let touches = |above: &Head, head: &Head| {
        let tag = leaves.blocks[above.first()].tag.heading();
        above.prose == 0 && above.rank <= head.rank && (above.says.bare || tag.is_some())
    };
    let mut first = at;
    if heads[at].says.kind == Kind::Other {
        let above = heads[..at].iter().rev().take(8);
        let titles = above.take_while(|head| head.prose == 0 && head.says.kind == Kind::Other);
        let number = (at - titles.count()).checked_sub(1).filter(|number| {
            let number = &heads[*number];
            let counted = matches!(number.says.kind, Kind::Chapter | Kind::Number | Kind::Part);
            counted && touches(number, &heads[at])
        });
        first = number.unwrap_or(at);
    }
    while first > 0
        && touches(&heads[first - 1], &heads[first])
        && heads[first - 1].level < heads[first].level
    {
        first -= 1;
    }
    first
}

/// With these a line begins that somebody says.
const SPEAKS: [char; 10] = ['"', '“', '„', '«', '»', '‘', '’', '\'', '—', '–'];

/// How many lines with words a block has, and how many of them a later heading says.
fn lines(leaves: &Leaves, block: &Block, headings: &Headings, at: usize) -> (usize, usize) {
    if block.letters > LONGEST && leaves.is_one_line(block) {
        return (2, 0);
    }
    let (mut lines, mut says) = (0, 0);
    for shown in leaves.lines(block) {
        let spoken = shown.trim_start_matches(is_blank).starts_with(SPEAKS);
        let line = fold(shown);
        let entry = without_page(&line);
        if entry.is_empty() {
            continue;
        }
        lines += 1;
        let later = |key: &str| {
            headings.get(key).is_some_and(|place| place.last > at && (place.quoted || !spoken))
        };
        if line.len() < 400 && (later(&line) || later(entry) || later(without_number(entry))) {
            says += 1;
            continue;
        }
        // Several in one line: `I. Dusk—II. Dawn`.
        if !shown.contains(['—', '–']) {
            continue;
        }
        let parts: Vec<String> = shown.split(['—', '–']).map(fold).collect();
        if parts.iter().all(|part| later(part) || later(without_page(part))) {
            lines += parts.len() - 1;
            says += parts.len();
        }
    }
    (lines, says)
}

/// What the headings say: each line of them, all together, and that without its number.
fn headings(leaves: &Leaves, heads: &[Head]) -> Headings {
    let mut headings = Headings::new();
    for head in heads.iter().filter(|head| head.prose > 0) {
        // A heading's own lines do not say each other: each counts where it stands.
        let shown: Vec<String> =
            head.lines.iter().take(8).map(|at| leaves.line(&leaves.blocks[*at])).collect();
        let quoted = shown.iter().any(|line| line.contains(['"', '“', '„', '«', '»', '‘']));
        let lines: Vec<(usize, String)> =
            head.lines.iter().copied().zip(shown.iter().map(|line| fold(line))).collect();
        let whole = lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join(" ");
        let all = [without_number(&whole), &whole].map(|line| (head.end() - 1, line));
        for (at, line) in lines.iter().map(|(at, line)| (*at, line.as_str())).chain(all) {
            if !line.is_empty() {
                let place = headings.entry(line.to_owned()).or_default();
                place.last = at.max(place.last);
                place.quoted |= quoted;
            }
        }
    }
    headings
}

/// A folded line without the number of a page at its end.
fn without_page(line: &str) -> &str {
    match line.rsplit_once(' ') {
        Some(("page", last)) if number(last).is_some() => "",
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

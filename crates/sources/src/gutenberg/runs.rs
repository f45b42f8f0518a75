//! The evidence for lines with numbers, and which of them stay.
//!
//! Lines of one kind are judged together, so that a chapter that lost its tag is found between its neighbours; what
//! is left of them may be sections, whose numbers begin anew below each chapter.

use std::{collections::BTreeMap, ops::Range};

use super::{
    blocks::{Block, Leaves},
    lines::Line,
    marks::Marks,
    matter::{HEADING, Judge, worth},
    sequence::{self, Candidate},
    tags::Tag,
    words::Kind,
};

/// A margin of fewer points is a doubt.
const SURE: i32 = 3;

/// What a line with a heading tag has for it.
const TAG: i32 = 8;

/// Judges the lines that count: first all of one kind together, then those that are left, as sections.
pub(super) fn runs(
    leaves: &Leaves,
    body: &Range<usize>,
    lines: &mut Vec<Line>,
    judge: &mut Judge<'_>,
) {
    let points: Vec<i32> = (0..lines.len()).map(|at| points(leaves, lines, at, body.end)).collect();
    let nested = lines.windows(2).any(|two| opens_story(&two[0], &two[1]));
    let mut sure: Vec<Option<i32>> = lines.iter().map(|line| (!line.weak).then_some(TAG)).collect();
    for sections in [false, true] {
        let mut streams: BTreeMap<(u8, u8), Vec<(usize, Candidate)>> = BTreeMap::new();
        let mut higher = 0;
        for (at, line) in lines.iter().enumerate() {
            let kept = sure[at].is_some_and(|margin| margin > 0);
            let (Some(number), false) = (line.says.number, sections && kept) else {
                higher += usize::from(kept || line.says.kind == Kind::Other);
                continue;
            };
            higher += usize::from(line.says.kind == Kind::Part);
            let candidate = Candidate { points: points[at], number, higher };
            let sections = u8::from(nested && line.says.bare);
            streams.entry((stream(line), sections)).or_default().push((at, candidate));
        }
        for stream in streams.values() {
            let candidates: Vec<Candidate> = stream.iter().map(|(_, line)| *line).collect();
            let mut last: Option<usize> = None;
            for ((at, _), margin) in stream.iter().zip(sequence::margins(&candidates)) {
                sure[*at] = Some(margin);
                if margin <= 0 {
                    continue;
                }
                // A chapter that lost its tag stands as deep as the one before it.
                if let Some(last) = last.filter(|_| lines[*at].weak && !sections)
                    && lines[*at].says.kind == lines[last].says.kind
                {
                    lines[*at].rank = lines[last].rank;
                }
                last = Some(*at);
            }
        }
    }
    keep(leaves, lines, &sure, judge);
}

/// Leaves out the lines that no run has, and notes what is hardly surer than its contrary.
fn keep(leaves: &Leaves, lines: &mut Vec<Line>, sure: &[Option<i32>], judge: &mut Judge<'_>) {
    let mut stays: Vec<bool> = Vec::with_capacity(lines.len());
    for (line, sure) in lines.iter_mut().zip(sure) {
        let Some(margin) = *sure else {
            stays.push(true);
            continue;
        };
        let mut kept = margin > 0 || !line.weak;
        if (1 - SURE..SURE).contains(&margin) {
            kept = judge.keeps(leaves, line.at..line.at + 1, HEADING, kept);
        }
        stays.push(kept);
    }
    // The name of a part stands above a number that begins anew, and is not the only one.
    let named = |at: usize| lines[at].weak && lines[at].says.number.is_none();
    let above = |at: usize| lines.get(at + 1).is_some_and(|next| next.says.number == Some(1));
    let names: Vec<usize> =
        (0..lines.len()).filter(|at| named(*at) && above(*at) && stays[at + 1]).collect();
    let named: Vec<usize> = (0..lines.len()).filter(|at| named(*at)).collect();
    for at in named {
        stays[at] = names.len() >= 2 && names.binary_search(&at).is_ok();
    }
    for at in names {
        lines[at].says.kind = Kind::Part;
    }
    let mut at = 0;
    lines.retain(|_| {
        at += 1;
        stays[at - 1]
    });
}

/// Whether a line is the numbered title of a story whose sections have numbers alone: `I. THE MILL`, then `I.`
fn opens_story(title: &Line, section: &Line) -> bool {
    let first = |line: &Line| line.says.number == Some(1);
    first(title) && !title.says.bare && first(section) && section.says.bare
}

/// Lines of one kind: parts, chapters, numbers in letters, numbers in digits.
fn stream(line: &Line) -> u8 {
    match line.says.kind {
        Kind::Part => 0,
        Kind::Chapter => 1,
        _ if line.folded.starts_with(|c: char| c.is_ascii_digit()) => 2,
        _ => 3,
    }
}

/// What the page says for a line that counts.
fn points(leaves: &Leaves, lines: &[Line], at: usize, end: usize) -> i32 {
    let line = &lines[at];
    if !line.weak {
        return TAG;
    }
    let block = &leaves.blocks[line.at];
    let opens = lines.get(at + 1).is_some_and(|next| opens_story(line, next));
    let next = lines.get(at + 1 + usize::from(opens)).map_or(end, |next| next.at);
    let cell = |block: &Block| block.tag == Tag::Cell || block.marks.any(Marks::TABLE);
    // What stands beside a number in a table, or below one that is a link, is of a list.
    let below = leaves.blocks[line.at + 1..next].iter().filter(|below| {
        below.fate.is_none() && !block.all.any(Marks::LINK) && !(cell(block) && cell(below))
    });
    let below: u32 = below.map(|block| worth(leaves, block)).sum();
    let text = leaves.line(block);
    let marks = block.marks | block.all;
    let shown = marks.any(Marks::BOLD | Marks::CENTER | Marks::HEADING | Marks::PRE)
        || block.gap >= 2
        || block.rule
        || block.anchored
        || block.all.any(Marks::ITALIC)
        || text.chars().all(|c| !c.is_lowercase()) && text.len() > 4;
    let inside = leaves.blocks[..line.at].iter().rfind(|block| block.fate.is_none());
    let inside = inside.is_some_and(|block| {
        block.letters > 60
            && leaves.text(block).trim_end().ends_with(|c: char| c.is_lowercase() || c == ',')
    });
    let named = matches!(line.says.kind, Kind::Chapter | Kind::Part);
    // `I` below `CHAPTER IV` begins its title.
    let titles = at.checked_sub(1).map(|at| &lines[at]).is_some_and(|above| {
        !above.weak && above.says.bare && above.says.kind != Kind::Part && above.at + 1 == line.at
    });
    let runs_on = !line.says.bare && !shown && text.ends_with('.');
    let text = match below {
        ..60 => -6,
        60..300 => 0,
        _ => 1,
    };
    let against = i32::from(inside || titles) * 3 + i32::from(runs_on);
    text - 3 + i32::from(shown) + i32::from(named) * 3 - against
}

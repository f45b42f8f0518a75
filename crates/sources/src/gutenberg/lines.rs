//! Which blocks may be headings, one by one.
//!
//! A heading tag is enough, unless a page uses it for running text. Other lines need their words, a
//! link from the contents, or a number that runs on from the last.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::{
    blocks::{BREAK, Block, Leaves, is_blank},
    marks::Marks,
    words::{Kind, Says, fold, may_count, says},
};

/// The rank of a heading that has no heading tag.
pub(super) const PLAIN: u8 = 7;

#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) at: usize,
    pub(super) says: Says,
    pub(super) rank: u8,
    /// Counts only if its number follows that of another.
    pub(super) weak: bool,
    pub(super) folded: String,
}

/// The lines that are headings.
pub(super) fn lines(leaves: &Leaves, body: Range<usize>) -> Vec<Line> {
    let targets = contents_targets(leaves, &body);
    let mut lines = Vec::new();
    for at in body {
        let block = &leaves.blocks[at];
        if block.fate.is_some() || block.letters == 0 || block.letters > 220 {
            continue;
        }
        let rank = block.tag.heading();
        if rank.is_none() && block.letters > 90 {
            continue;
        }
        let text = leaves.line(block);
        // Most short paragraphs are speech; few need a closer look.
        let marks = block.marks | block.all;
        let plain = rank.is_none()
            && !block.anchored
            && !marks.any(Marks::BOLD | Marks::CENTER | Marks::HEADING)
            && text.chars().any(char::is_lowercase);
        if plain && !may_count(&text) {
            continue;
        }
        let says = by_first_line(leaves, block, says(&text));
        let weak = match rank {
            Some(_) => false,
            None => match plain_heading(block, &text, says, targets.contains(&at)) {
                Some(weak) => weak,
                None => continue,
            },
        };
        lines.push(Line { at, says, rank: rank.unwrap_or(PLAIN), weak, folded: fold(&text) });
    }
    drop_weak(&mut lines);
    drop_misused(leaves, &mut lines);
    even_ranks(&mut lines);
    lines
}

/// `I` above `Introduction` in one tag: the first line says what the heading is.
fn by_first_line(leaves: &Leaves, block: &Block, whole: Says) -> Says {
    let text = leaves.text(block).trim_matches(is_blank);
    match text.split_once(BREAK) {
        Some((first, _)) if !matches!(whole.kind, Kind::Chapter | Kind::Part) => {
            let first = says(first);
            let counts = matches!(first.kind, Kind::Chapter | Kind::Part | Kind::Number);
            if counts { Says { bare: false, ..first } } else { whole }
        }
        _ => whole,
    }
}

/// Whether a block without a heading tag is a heading; inside, whether its number must run on.
fn plain_heading(block: &Block, text: &str, says: Says, linked: bool) -> Option<bool> {
    let marks = block.marks | block.all;
    if marks.any(Marks::VERSE | Marks::LIST) && says.kind == Kind::Other {
        return None;
    }
    let caps = !text.chars().any(char::is_lowercase);
    let set_off = marks.any(Marks::BOLD | Marks::CENTER | Marks::HEADING) || block.anchored;
    let upper = text.chars().find(|c| c.is_alphabetic()).is_none_or(|c| !c.is_lowercase());
    let sentence = text.ends_with(['?', '!', ',', ';', '”', '"'])
        || text.ends_with('.') && !caps && !says.bare;
    match says.kind {
        _ if marks.any(Marks::HEADING) && !sentence => Some(false),
        Kind::Chapter | Kind::Part if !upper || marks.any(Marks::TABLE) && !set_off => None,
        Kind::Chapter | Kind::Part if says.bare || caps => Some(false),
        Kind::Chapter | Kind::Part
            if set_off || !sentence && says.number.is_some() && text.len() < 100 =>
        {
            Some(false)
        }
        Kind::Number if says.bare && !marks.any(Marks::TABLE | Marks::PRE) => {
            (set_off || block.gap >= 2 || block.rule).then_some(true)
        }
        Kind::Number if says.bare => Some(true),
        Kind::Number if (set_off || caps) && text.len() < 90 => Some(true),
        Kind::Contents
        | Kind::Notes
        | Kind::Transcriber
        | Kind::Front
        | Kind::Back
        | Kind::Adverts
            if text.len() < 60 && (caps || set_off || says.kind == Kind::Notes) && !sentence =>
        {
            Some(false)
        }
        Kind::Other if linked && !sentence && (set_off || caps) && text.len() < 110 => {
            (caps || marks.any(Marks::BOLD | Marks::CENTER)).then_some(false)
        }
        _ => None,
    }
}

/// The blocks that links with words point to: what a table of contents lists.
fn contents_targets(leaves: &Leaves, body: &Range<usize>) -> BTreeSet<usize> {
    let mut anchors = leaves.anchors.clone();
    anchors.sort_unstable();
    let mut targets = BTreeSet::new();
    // Links lie in the order of their blocks: each block is read once.
    let mut last = (usize::MAX, false);
    for (name, from) in &leaves.links {
        let from = *from as usize;
        let Some(source) = leaves.blocks.get(from) else { continue };
        let first = anchors.partition_point(|(other, _)| other < name);
        let Some((_, to)) = anchors.get(first).filter(|(other, _)| other == name) else { continue };
        let to = *to as usize;
        if last.0 != from {
            last = (from, source.any.any(Marks::LINK) && links_words(leaves, source));
        }
        if last.1 && to > from && body.contains(&to) {
            // The anchor may stand in a page number or an empty paragraph before the heading.
            let next = (to..body.end.min(to + 3)).find(|at| leaves.blocks[*at].fate.is_none());
            targets.extend(next);
        }
    }
    targets
}

/// Whether a link of the block has words.
fn links_words(leaves: &Leaves, block: &Block) -> bool {
    leaves.pieces[block.pieces.start as usize..block.pieces.end as usize].iter().any(|piece| {
        piece.marks.any(Marks::LINK)
            && leaves.scroll[piece.text.start as usize..piece.text.end as usize]
                .chars()
                .any(char::is_alphabetic)
    })
}

/// `ACT I` in one tag and `ACT II` in another are of one rank: that of most.
fn even_ranks(lines: &mut [Line]) {
    let word = |line: &Line| line.folded.split(' ').next().unwrap_or("").to_owned();
    let mut ranks: BTreeMap<String, [u32; 8]> = BTreeMap::new();
    for line in lines.iter().filter(|line| matches!(line.says.kind, Kind::Chapter | Kind::Part)) {
        ranks.entry(word(line)).or_default()[line.rank as usize] += 1;
    }
    for line in lines.iter_mut().filter(|line| matches!(line.says.kind, Kind::Chapter | Kind::Part))
    {
        let counts = ranks.get(&word(line)).copied().unwrap_or_default();
        let most = counts.iter().max().copied().unwrap_or(0);
        if let Some(rank) = counts.iter().position(|count| *count == most) {
            line.rank = u8::try_from(rank).unwrap_or(line.rank);
        }
    }
}

/// Leaves out numbers on lines of their own that do not run on from one to the next.
fn drop_weak(lines: &mut Vec<Line>) {
    let strong = lines
        .iter()
        .filter(|line| !line.weak && matches!(line.says.kind, Kind::Chapter | Kind::Number))
        .count();
    let mut last = None;
    let mut runs = vec![false; lines.len()];
    for at in 0..lines.len() {
        if !lines[at].weak {
            continue;
        }
        let number = lines[at].says.number;
        if let (Some(before), Some(this)) = (last, number) {
            let previous: &Line = &lines[before];
            if previous.says.number.is_some_and(|number| number + 1 == this || this == 0) {
                runs[before] = true;
                runs[at] = true;
            }
        }
        last = Some(at);
    }
    let total = runs.iter().filter(|runs| **runs).count();
    let keep = total >= 3 || total == 2 && strong < 2;
    let mut at = 0;
    lines.retain(|line| {
        at += 1;
        !line.weak || keep && (runs[at - 1] || line.says.number == Some(1) && total >= 4)
    });
}

/// Leaves out a heading tag that a page uses for running text.
fn drop_misused(leaves: &Leaves, lines: &mut Vec<Line>) {
    for rank in 1..=6 {
        let of_rank = || lines.iter().filter(|line| line.rank == rank);
        let all = of_rank().count();
        let prose = of_rank()
            .filter(|line| {
                line.says.kind == Kind::Other && reads_on(&leaves.line(&leaves.blocks[line.at]))
            })
            .count();
        if all >= 20 && prose * 2 > all {
            lines.retain(|line| line.rank != rank || line.says.kind != Kind::Other);
        }
    }
}

/// Whether a line is a sentence or a part of one.
fn reads_on(text: &str) -> bool {
    let long = text.chars().count();
    let inner = text.chars().filter(|c| ",;，。；、」”！".contains(*c)).count();
    let wide = text.chars().any(|c| c > '\u{2e80}');
    if wide {
        long >= 18 || inner > 0
    } else {
        long >= 60 && inner > 0 || text.starts_with(char::is_lowercase)
    }
}

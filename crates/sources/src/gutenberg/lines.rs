//! Which blocks may be headings, one by one.
//!
//! A heading tag is enough, unless a page uses it for running text. Other lines need their words, a
//! link from the contents, or a number that runs on from the last.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::{Range, RangeInclusive},
};

use super::{
    ahead,
    blocks::{BREAK, Block, Leaves, is_blank, small},
    marks::Marks,
    matter::{Judge, is_prose},
    runs::runs,
    words::{self, Kind, Says, fold, may_count, says},
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

/// No heading that is a number and an argument has more letters.
const LONGEST_ARGUMENT: u32 = 600;

/// The lines that are headings.
pub(super) fn lines(leaves: &Leaves, body: Range<usize>, judge: &mut Judge<'_>) -> Vec<Line> {
    let targets = contents_targets(leaves, &body);
    let mut lines = Vec::new();
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() || block.letters == 0 || block.letters > LONGEST_ARGUMENT {
            continue;
        }
        let rank = block.tag.heading();
        let long = block.letters > if rank.is_some() { 220 } else { 90 };
        let begins = leaves.text(block).trim_start_matches(is_blank);
        if long && !may_argue(&begins[..begins.floor_char_boundary(40)]) {
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
        // A part's argument names no chapter: a list inside one does.
        let lists = || {
            text.split([',', ')', '.']).skip(1).any(|one| words::says(one).kind == Kind::Chapter)
        };
        if long
            && (says.number.is_none()
                || !matches!(says.kind, Kind::Chapter | Kind::Part)
                || says.kind == Kind::Part && lists())
        {
            continue;
        }
        let weak = match rank {
            Some(_) => false,
            None => match plain_heading(block, &text, says, targets.contains(&at)) {
                Some(weak) => weak,
                None if names_part(leaves, at, &text, says) => true,
                None => continue,
            },
        };
        lines.push(Line { at, says, rank: rank.unwrap_or(PLAIN), weak, folded: fold(&text) });
    }
    runs(leaves, &body, &mut lines, judge);
    // The book's title is no chapter.
    if lines.len() <= 3 && lines.iter().all(|line| line.rank == 1 || line.says.kind == Kind::End) {
        lines.extend(set_off(leaves, &body));
        lines.sort_by_key(|line| line.at);
    }
    drop_misused(leaves, &mut lines);
    even_ranks(&mut lines);
    lines
}

/// Fewer lines than this that are set off are no titles of chapters, nor are those with less text below.
const FEWEST: usize = 3;
const SHORTEST: u32 = 600;

/// Lines in the middle or in capitals, each right above running text: titles, in a page that has no other headings.
fn set_off(leaves: &Leaves, body: &Range<usize>) -> Vec<Line> {
    let shown: Vec<usize> = body.clone().filter(|at| leaves.blocks[*at].fate.is_none()).collect();
    let title = |two: &[usize]| {
        let block = &leaves.blocks[two[0]];
        let marks = block.marks | block.all;
        let looks = |text: &str| marks.any(Marks::CENTER) || !text.chars().any(char::is_lowercase);
        if marks.any(Marks::VERSE | Marks::LINK | Marks::RIGHT | Marks::TABLE)
            || !(2..=60).contains(&block.letters)
        {
            return None;
        }
        let text = leaves.line(block);
        let says = says(&text);
        let ends = text.ends_with([',', ';', ':', '?', '!', '”', '"']);
        let led = two[0].checked_sub(1).is_some_and(|above| {
            leaves.text(&leaves.blocks[above]).trim_end().ends_with([':', ','])
        });
        let plain = says.kind == Kind::Other && !ends && !led && is_prose(leaves, two[1]);
        let titles = plain && looks(&text);
        titles.then(|| Line { at: two[0], says, rank: PLAIN, weak: false, folded: fold(&text) })
    };
    let found: Vec<Line> = shown.windows(2).filter_map(title).collect();
    let first = found.first().map_or(body.end, |line| line.at);
    let below: u32 = leaves.blocks[first..body.end].iter().map(|block| block.letters).sum();
    let many = found.len() >= FEWEST && below / small(found.len()) >= SHORTEST;
    if many { found } else { Vec::new() }
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
        // `To my …`, `The best of …`: lines of verse begin so as well, and each may have an anchor.
        _ if says.loose && !caps && !marks.any(Marks::BOLD | Marks::CENTER) => None,
        Kind::Chapter | Kind::Part if !upper => None,
        // In a table stands a list, or one heading.
        Kind::Chapter | Kind::Part if marks.any(Marks::TABLE) && !set_off => {
            says.number.map(|_| true)
        }
        Kind::Chapter | Kind::Part if says.bare || caps => Some(false),
        Kind::Chapter | Kind::Part
            if set_off || !sentence && says.number.is_some() && text.len() < 100 =>
        {
            Some(false)
        }
        Kind::Chapter | Kind::Part if says.number.is_some() && is_argument(text) => Some(true),
        Kind::Number if says.bare => Some(true),
        Kind::Number if set_off || caps || !sentence || text.len() < 60 => {
            (text.len() < 90 && !text.starts_with(['“', '"', '‘'])).then_some(true)
        }
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
    let mut targets = BTreeSet::new();
    // Links stand in the order of their blocks: each block is read once.
    let mut last = (usize::MAX, false);
    for (from, to) in ahead::targets(leaves) {
        if last.0 != from {
            let links = |source: &Block| source.any.any(Marks::LINK) && links_words(leaves, source);
            last = (from, leaves.blocks.get(from).is_some_and(links));
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

/// Whether a long line may be a number and an argument: its second word is no word of a sentence.
fn may_argue(begins: &str) -> bool {
    let second = begins.split_whitespace().nth(1).unwrap_or("");
    (second == "the" || !second.starts_with(char::is_lowercase)) && may_count(begins)
}

/// Whether a sign parts the number of a line from what follows: `CHAPTER IV. In which …`.
fn is_argument(text: &str) -> bool {
    text.split_whitespace().nth(1).is_some_and(|number| number.ends_with(['.', ':', '—', ',']))
        || text.contains(['—', '–'])
        || text.contains(" - ")
}

/// Whether a short line right above a number one may be the name of a part: `SUSAN` above `I`.
fn names_part(leaves: &Leaves, at: usize, text: &str, says: Says) -> bool {
    let block = &leaves.blocks[at];
    let shown = says.kind == Kind::Other
        && block.letters <= 40
        && (block.marks | block.all).any(Marks::BOLD | Marks::CENTER)
        && !text.ends_with(['.', ',', ';', ':', '?', '!', '”', '"'])
        // An imprint has a year; below `BOOK FIRST` stands its title.
        && !text.ends_with(|c: char| c.is_ascii_digit());
    let before = || leaves.blocks[..at].iter().rfind(|block| block.fate.is_none());
    let titles = || {
        before().is_some_and(|block| {
            block.letters <= 40 && {
                let says = words::says(&leaves.line(block));
                says.kind == Kind::Part && says.bare
            }
        })
    };
    shown
        && !titles()
        && leaves.blocks[at + 1..].iter().find(|next| next.fate.is_none()).is_some_and(|next| {
            next.letters <= 20 && {
                let says = words::says(&leaves.line(next));
                says.bare && says.number == Some(1) && says.kind != Kind::Part
            }
        })
}

/// Leaves out a heading tag that a page uses for running text; where most tags are, each line that reads on.
fn drop_misused(leaves: &Leaves, lines: &mut Vec<Line>) {
    let reads = |line: &Line| {
        line.says.kind == Kind::Other && reads_on(&leaves.line(&leaves.blocks[line.at]))
    };
    let misused = |lines: &[Line], ranks: RangeInclusive<u8>| {
        let of_rank = || lines.iter().filter(|line| ranks.contains(&line.rank));
        let (all, prose) = (of_rank().count(), of_rank().filter(|line| reads(line)).count());
        all >= 20 && prose * 2 > all
    };
    let most = misused(lines, 1..=6);
    for rank in 1..=6 {
        if misused(lines, rank..=rank) {
            lines.retain(|line| line.rank != rank || line.says.kind != Kind::Other);
        }
    }
    lines.retain(|line| !(most && line.rank < PLAIN && reads(line)));
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

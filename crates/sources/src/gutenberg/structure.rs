//! Headings: which blocks are headings, which of them belong together, and how deep they stand.
//!
//! A heading tag is the best sign; but many pages set their chapters as plain or bold paragraphs,
//! and some have nothing but a number on a line. Such lines count when their words say so, or when
//! their numbers run on. The level comes from the words first (`BOOK`, `CHAPTER`), then from the
//! rank of the tag against the rank that most chapters have.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::{
    blocks::{BREAK, Block, Leaves, is_blank},
    tags::Marks,
    words::{Kind, Says, fold, may_count, says},
};

/// A heading and the section below it.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    /// The blocks that make it, in order.
    pub(crate) lines: Vec<usize>,
    pub(crate) says: Says,
    /// 0 part, 1 chapter, 2 section.
    pub(crate) level: u8,
    /// Letters between it and the next heading.
    pub(crate) prose: u32,
    /// Whether it repeats the book's title.
    pub(crate) is_title: bool,
    /// The heading tag's number; 7 for a plain block.
    pub(crate) rank: u8,
}

impl Head {
    /// Its first block.
    pub(crate) fn first(&self) -> usize {
        self.lines[0]
    }

    /// The block behind its last.
    pub(crate) fn end(&self) -> usize {
        self.lines[self.lines.len() - 1] + 1
    }
}

/// The rank of a heading that has no heading tag.
const PLAIN: u8 = 7;

#[derive(Clone, Debug)]
struct Line {
    at: usize,
    says: Says,
    rank: u8,
    /// Counts only if its number follows that of another.
    weak: bool,
    folded: String,
}

/// Finds the headings of the body.
pub(crate) fn heads(leaves: &Leaves, body: Range<usize>, titles: &BTreeSet<String>) -> Vec<Head> {
    let mut lines = lines(leaves, body.clone());
    drop_weak(&mut lines);
    drop_misused(leaves, &mut lines);
    even_ranks(&mut lines);
    let groups = groups(leaves, &lines);
    let main = main_rank(leaves, &groups, &body);
    let mut heads = Vec::new();
    for group in &groups {
        split(group, main, titles, &mut heads);
    }
    titled(leaves, &mut heads, &body);
    measure(leaves, &mut heads, &body);
    for head in &mut heads {
        head.level = level(head, main);
    }
    heads
}

/// The blocks that may be headings.
fn lines(leaves: &Leaves, body: Range<usize>) -> Vec<Line> {
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
    for (name, from) in &leaves.links {
        let from = *from as usize;
        let Some(source) = leaves.blocks.get(from) else { continue };
        let first = anchors.partition_point(|(other, _)| other < name);
        let Some((_, to)) = anchors.get(first).filter(|(other, _)| other == name) else { continue };
        let to = *to as usize;
        let words = source.any.any(Marks::LINK)
            && leaves.pieces[source.pieces.start as usize..source.pieces.end as usize].iter().any(
                |piece| {
                    piece.marks.any(Marks::LINK)
                        && leaves.scroll[piece.text.start as usize..piece.text.end as usize]
                            .chars()
                            .any(char::is_alphabetic)
                },
            );
        if words && to > from && body.contains(&to) {
            // The anchor may stand in a page number or an empty paragraph before the heading.
            let next = (to..body.end.min(to + 3)).find(|at| leaves.blocks[*at].fate.is_none());
            targets.extend(next);
        }
    }
    targets
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

/// Lines with nothing but cut blocks between them.
fn groups(leaves: &Leaves, lines: &[Line]) -> Vec<Vec<Line>> {
    let mut groups: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        let joins = groups.last().and_then(|group| group.last()).is_some_and(|last| {
            leaves.blocks[last.at + 1..line.at]
                .iter()
                .all(|block| block.fate.is_some() || block.letters == 0)
        });
        match groups.last_mut() {
            Some(group) if joins => group.push(line.clone()),
            _ => groups.push(vec![line.clone()]),
        }
    }
    groups
}

/// The rank of most chapters: of the last line of a group that has text below it.
fn main_rank(leaves: &Leaves, groups: &[Vec<Line>], body: &Range<usize>) -> u8 {
    let mut numbered = [0_u32; 8];
    let mut any = [0_u32; 8];
    for (at, group) in groups.iter().enumerate() {
        let last = &group[group.len() - 1];
        let end = groups.get(at + 1).map_or(body.end, |next| next[0].at);
        let prose: u32 = letters(leaves, last.at + 1..end);
        if prose < 200 {
            continue;
        }
        // A chapter's title may stand below its number in a smaller tag.
        let chief = group
            .iter()
            .rev()
            .find(|line| matches!(line.says.kind, Kind::Chapter | Kind::Number))
            .unwrap_or(last);
        match chief.says.kind {
            Kind::Chapter | Kind::Number | Kind::Part => numbered[chief.rank as usize] += 1,
            Kind::Other => any[chief.rank as usize] += 1,
            _ => {}
        }
    }
    let best = |counts: &[u32; 8]| {
        let most = counts.iter().max().copied().unwrap_or(0);
        counts
            .iter()
            .position(|count| *count == most)
            .filter(|_| most >= 2)
            .map(|rank| (rank, most))
    };
    let rank = match (best(&numbered), best(&any)) {
        (Some((rank, count)), Some((other, others))) => {
            // Stories with numbered sections: the stories are the chapters.
            if other < rank && others * 3 > count || others > count * 3 { other } else { rank }
        }
        (Some((rank, _)), None) | (None, Some((rank, _))) => rank,
        (None, None) => groups.iter().flatten().map(|line| line.rank as usize).max().unwrap_or(2),
    };
    u8::try_from(rank).unwrap_or(PLAIN)
}

fn letters(leaves: &Leaves, blocks: Range<usize>) -> u32 {
    let Range { start, end } = blocks;
    leaves.blocks[start.min(end)..end]
        .iter()
        .filter(|block| block.fate.is_none())
        .map(|block| block.letters)
        .sum()
}

/// Parts a group into headings: `BOOK I`, `CHAPTER I` and its title are two.
fn split(group: &[Line], main: u8, titles: &BTreeSet<String>, heads: &mut Vec<Head>) {
    let from = heads.len();
    for line in group {
        let is_title = titles.contains(&line.folded);
        let own = heads.len() > from;
        let last = heads.last_mut().filter(|_| own);
        let joins = last.as_ref().is_some_and(|head| match line.says.kind {
            // Below a bare number even `Introduction` and `Conclusion` are its title.
            Kind::Part | Kind::Chapter | Kind::Number | Kind::Transcriber => false,
            kind => {
                let counted = matches!(head.says.kind, Kind::Chapter | Kind::Number | Kind::Part);
                let untitled = counted && head.lines.len() == 1 && head.says.bare;
                let part = head.says.kind == Kind::Part;
                let below = line.rank > main && (line.rank > head.rank || head.lines.len() > 1);
                let titles = if kind == Kind::Other {
                    untitled && (!part || line.rank >= head.rank) || below
                } else {
                    untitled && !part
                };
                !is_title && !head.is_title && titles || head.is_title && is_title
            }
        });
        match last {
            Some(head) if joins => head.lines.push(line.at),
            _ => heads.push(Head {
                lines: vec![line.at],
                says: line.says,
                level: 1,
                prose: 0,
                is_title,
                rank: line.rank,
            }),
        }
    }
}

/// Titles that stand below `CHAPTER I` without a heading tag, where most chapters have one.
fn titled(leaves: &Leaves, heads: &mut [Head], body: &Range<usize>) {
    let mut bare = 0;
    let mut found = Vec::new();
    for at in 0..heads.len() {
        let head = &heads[at];
        if head.lines.len() > 1
            || !head.says.bare
            || !matches!(head.says.kind, Kind::Chapter | Kind::Number | Kind::Part)
        {
            continue;
        }
        let end = heads.get(at + 1).map_or(body.end, Head::first);
        let below = (head.end()..end)
            .filter(|at| leaves.blocks[*at].fate.is_none())
            .take(2)
            .collect::<Vec<_>>();
        let &[title, next] = &below[..] else { continue };
        if head.says.kind != Kind::Part {
            bare += 1;
        }
        let block = &leaves.blocks[title];
        let text = leaves.line(block);
        let marks = block.marks | block.all;
        let caps = !text.chars().any(char::is_lowercase);
        let wide = leaves.blocks[next].gap > block.gap;
        let opens = text
            .chars()
            .next()
            .is_some_and(|c| c.is_uppercase() || c.is_ascii_digit() || "\"“‘'".contains(c));
        let ends = text.ends_with(['.', ',', ';', ':', '—', '-', '!', '?', '”', '"', '’']);
        let fits = block.letters > 0
            && text.chars().count() <= 90
            && opens
            && !marks.any(Marks::VERSE | Marks::RIGHT)
            && !block.any.any(Marks::INITIAL);
        let sure = fits && (caps && block.letters > 2 || marks.any(Marks::HEADING));
        let likely = fits
            && (!ends
                || marks.any(Marks::CENTER | Marks::BOLD)
                || wide && text.chars().count() < 70)
            && (marks.any(Marks::CENTER | Marks::BOLD | Marks::ITALIC)
                || wide
                || leaves.blocks[next].tag != block.tag
                || title_case(&text));
        if sure || likely {
            found.push((at, title, sure));
        }
    }
    let usual = found.len() * 10 >= bare * 6 && found.len() >= 2;
    for (at, title, sure) in found {
        if usual || sure {
            heads[at].lines.push(title);
        }
    }
}

/// Whether most long words of a line begin with a capital.
fn title_case(text: &str) -> bool {
    let long = text.split_whitespace().filter(|word| word.chars().count() > 3);
    let (mut upper, mut all) = (0, 0);
    for word in long {
        all += 1;
        upper +=
            usize::from(word.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase));
    }
    all == 0 || upper * 10 >= all * 8
}

fn measure(leaves: &Leaves, heads: &mut [Head], body: &Range<usize>) {
    for at in 0..heads.len() {
        let end = heads.get(at + 1).map_or(body.end, Head::first);
        heads[at].prose = letters(leaves, heads[at].end()..end);
    }
}

fn level(head: &Head, main: u8) -> u8 {
    match head.says.kind {
        Kind::Part if head.rank > main && head.prose > 0 => 2,
        Kind::Part => 0,
        Kind::Number if head.rank > main => 2,
        Kind::Chapter if head.rank > main && head.says.number.is_none() => 2,
        Kind::Chapter | Kind::Number => 1,
        _ if head.rank < main => 0,
        _ if head.rank > main => 2,
        _ => 1,
    }
}

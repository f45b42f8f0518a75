//! Headings: which blocks are headings, which of them belong together, and how deep they stand.
//!
//! A heading tag is the best sign; but many pages set their chapters as plain or bold paragraphs,
//! and some have nothing but a number on a line. Such lines count when their words say so, or when
//! their numbers run on. The level comes from the words first (`BOOK`, `CHAPTER`), then from the
//! rank of the tag against the rank that most chapters have.

use std::{collections::BTreeSet, ops::Range};

use super::{
    back::{is_told, sells_nothing},
    blocks::Leaves,
    lines::{Line, PLAIN, lines},
    lists::{BACK, NOTES},
    matter::Judge,
    subtitles::titled,
    words::{Kind, Says, fold},
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

/// Finds the headings of the body.
pub(crate) fn heads(
    leaves: &Leaves,
    body: Range<usize>,
    titles: &BTreeSet<String>,
    judge: &mut Judge<'_>,
) -> Vec<Head> {
    judge.doubts.clear();
    let lines = lines(leaves, body.clone(), judge);
    let groups = groups(leaves, &lines);
    let main = main_rank(leaves, &groups, &body);
    let mut heads = Vec::new();
    for group in &groups {
        split(group, main, titles, &mut heads);
    }
    titled(leaves, &mut heads, &body);
    measure(leaves, &mut heads, &body);
    stories(leaves, &mut heads, &body);
    for at in 0..heads.len() {
        heads[at].level = level(&heads[at], &heads[at + 1..], main);
    }
    heads
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
        // `CONCLUSION` below `XXIII` is its title.
        let is_word = line.says.kind == Kind::Chapter && line.says.number.is_none();
        let joins = last.as_ref().is_some_and(|head| match line.says.kind {
            _ if is_word && line.rank >= head.rank => {
                let counted = matches!(head.says.kind, Kind::Chapter | Kind::Number);
                counted && head.lines.len() == 1 && head.says.bare && head.says.number.is_some()
            }
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

/// Shorter than this, a section is no story among stories.
const SHORTEST_STORY: u32 = 3_000;

/// A tale among tales may be as short as this, if it is told like one.
const SHORTEST_TALE: u32 = 600;

/// In a collection, a long section among others of its rank is a story, even if its title begins like
/// that of a preface, a list or an advertisement.
fn stories(leaves: &Leaves, heads: &mut [Head], body: &Range<usize>) {
    let titled = |head: &Head| !head.is_title && (head.says.kind == Kind::Other || head.says.loose);
    let long = |head: &Head| titled(head) && head.prose >= SHORTEST_STORY;
    let (mut ranks, mut told) = ([0_u32; 8], [0_u32; 8]);
    for head in heads.iter() {
        ranks[head.rank as usize] += u32::from(long(head));
        told[head.rank as usize] += u32::from(titled(head) && head.prose >= SHORTEST_TALE);
    }
    for at in 0..heads.len() {
        let head = &heads[at];
        let rank = head.rank as usize;
        let end = heads.get(at + 1).map_or(body.end, Head::first);
        // What it tells counts more than a title that is more than the word for such a thing.
        let tells = || {
            let named = match head.says.kind {
                Kind::Back | Kind::Adverts => true,
                kind => head.says.loose && kind != Kind::Other,
            };
            let section = head.end()..end;
            named
                && !is_thing(leaves, head)
                && told[rank] >= 3
                && is_told(leaves, head, section.clone())
                && sells_nothing(leaves, section)
        };
        if long(head) && ranks[rank] >= 3 || !head.is_title && tells() {
            heads[at].says = Says { kind: Kind::Other, ..heads[at].says };
        }
    }
}

/// Whether a heading is the word for what stands behind a book, and nothing else: `Appendix`, `Notes`.
fn is_thing(leaves: &Leaves, head: &Head) -> bool {
    let line = fold(&leaves.line(&leaves.blocks[head.first()]));
    [&BACK, &NOTES].iter().any(|list| list.contains(&line.as_str()))
}

/// Counts what stands below each heading.
pub(crate) fn measure(leaves: &Leaves, heads: &mut [Head], body: &Range<usize>) {
    for at in 0..heads.len() {
        let end = heads.get(at + 1).map_or(body.end, Head::first);
        heads[at].prose = letters(leaves, heads[at].end()..end);
    }
}

/// Text below a part's number that an imprint may have.
pub(super) const IMPRINT: u32 = 300;

fn level(head: &Head, rest: &[Head], main: u8) -> u8 {
    // Below the number of a volume stand an imprint and a half title, and then the first chapter anew.
    let counted =
        |head: &&Head| matches!(head.says.kind, Kind::Part | Kind::Chapter | Kind::Number);
    let first = rest.iter().position(|head| counted(&head)).filter(|at| {
        rest[*at].says.number == Some(1)
            && rest[*at].says.kind != Kind::Part
            && rest[*at].rank <= main
    });
    let anew = || first.is_some_and(|at| rest[..at].iter().all(|head| head.prose < IMPRINT));
    match head.says.kind {
        Kind::Part if head.says.bare && head.prose < IMPRINT && anew() => 0,
        Kind::Part if head.rank > main && head.prose > 0 => 2,
        Kind::Part => 0,
        Kind::Number if head.rank > main => 2,
        Kind::Chapter if head.rank > main && head.rank < PLAIN && head.says.number.is_none() => 2,
        Kind::Chapter | Kind::Number => 1,
        _ if head.rank < main => 0,
        _ if head.rank > main => 2,
        _ => 1,
    }
}

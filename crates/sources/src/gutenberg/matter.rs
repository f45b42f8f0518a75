//! Front matter and back matter: where the story begins and where it has ended.
//!
//! Sections are judged by their headings and by how much prose they hold, never by a single line.
//! The story begins with the first chapter, or with what stands before it and is neither title
//! page nor contents nor preface. Where that is doubtful, the decision is noted with its default.

use std::ops::Range;

use super::{
    account::{self, Stretch},
    back, between,
    blocks::{Block, Leaves, is_blank},
    front,
    marks::Marks,
    structure::Head,
};
use crate::cut::Why;

/// More letters than this in a heading's tag are no heading.
const LONGEST_HEADING: u32 = 400;

/// A decision that a person may want to look at.
#[derive(Clone, Debug)]
pub(crate) struct Doubt {
    pub(crate) blocks: Range<usize>,
    pub(crate) code: &'static str,
    pub(crate) question: &'static str,
    pub(crate) kept: bool,
    /// Letters that are cut with it.
    pub(crate) cut: u64,
}

/// The doubt whether a line is a heading.
pub(crate) const HEADING: (&str, &str) = ("heading", "is this line the heading of a chapter?");

/// What is doubtful, and what people decided about it.
pub(crate) struct Judge<'t> {
    /// Doubts that people decided against the default: the code, and where on the page it begins.
    pub(crate) turned: &'t [(&'static str, u32)],
    pub(crate) doubts: Vec<Doubt>,
}

impl Judge<'_> {
    /// Notes a doubt; whether its blocks are kept.
    pub(crate) fn keeps(
        &mut self,
        leaves: &Leaves,
        blocks: Range<usize>,
        (code, question): (&'static str, &'static str),
        default: bool,
    ) -> bool {
        let start = leaves.blocks.get(blocks.start);
        let start = start.map(|block| leaves.pieces[block.pieces.start as usize].page.start);
        let turned = self.turned.iter().any(|(one, at)| *one == code && Some(*at) == start);
        let kept = default != turned;
        self.doubts.push(Doubt { blocks, code, question, kept, cut: 0 });
        kept
    }
}

/// Marks what is around the story. Headings of what is cut are taken from `heads`.
pub(crate) fn mark(
    leaves: &mut Leaves,
    body: Range<usize>,
    heads: &mut Vec<Head>,
    judge: &mut Judge<'_>,
) {
    let start = front::start(leaves, &body, heads, judge);
    let start = titled_like_a_preface(leaves, start, heads, judge);
    front::mark(leaves, body.start..start, heads);
    let end = back::end(leaves, start..body.end, heads, judge);
    let end = titled_like_notes(leaves, start..end, heads, judge);
    back::mark(leaves, end..body.end, heads);
    between::mark(leaves, start..end, heads);
    // Whether a line that was cut is a heading is no question.
    judge.doubts.retain(|doubt| {
        doubt.code != HEADING.0 || leaves.blocks[doubt.blocks.start].fate.is_none()
    });
    long_cuts(leaves, judge);
    heads.retain(|head| head.lines.iter().any(|at| leaves.blocks[*at].fate.is_none()));
}

/// Where the story begins if its first section is a preface, as its title may say: people decide.
fn titled_like_a_preface(
    leaves: &Leaves,
    mut start: usize,
    heads: &[Head],
    judge: &mut Judge<'_>,
) -> usize {
    let first = heads.partition_point(|head| head.first() < start);
    for two in heads[first..].windows(2) {
        let section = two[0].end()..two[1].first();
        let noted = judge.doubts.iter().any(|doubt| doubt.blocks.start == section.start);
        if !two[0].says.is_story_by_length() || noted || letters(leaves, start..two[0].first()) > 0
        {
            break;
        }
        let doubt = ("preface", "is this story or preface?");
        if judge.keeps(leaves, section, doubt, true) {
            break;
        }
        start = two[1].first();
    }
    start
}

/// Where the story ends if its last section is notes or the like, as its title may say: people decide.
fn titled_like_notes(
    leaves: &Leaves,
    story: Range<usize>,
    heads: &[Head],
    judge: &mut Judge<'_>,
) -> usize {
    let mut end = story.end;
    for head in heads.iter().rev().skip_while(|head| head.first() >= story.end) {
        let first = head.first() <= story.start;
        let doubt = ("back-matter", "is this part of the story?");
        if first
            || !head.says.is_story_by_length()
            || judge.keeps(leaves, head.first()..end, doubt, true)
        {
            break;
        }
        end = head.first();
    }
    end
}

/// A cut of more than this, in percent of the page's letters, is a doubt.
const LONG_CUT: u64 = 3;

/// What is no part of a story wherever it stands: it stays cut where people keep what is around it.
const BESIDE: [Why; 9] = [
    Why::Credits,
    Why::TranscriberNote,
    Why::Contents,
    Why::PageNumber,
    Why::LineNumber,
    Why::NoteMark,
    Why::Caption,
    Why::EndLine,
    Why::Navigation,
];

/// Whatever the reason, a long cut is a doubt: so no rule can lose a story without a word.
fn long_cuts(leaves: &mut Leaves, judge: &mut Judge<'_>) {
    let shown: u64 = leaves.blocks.iter().map(|block| u64::from(block.letters)).sum();
    for Stretch { blocks, letters, why } in account::stretches(leaves, shown * LONG_CUT / 100) {
        let noted = judge.doubts.iter_mut().find(|doubt| {
            !doubt.kept && doubt.blocks.start < blocks.end && blocks.start < doubt.blocks.end
        });
        if let Some(noted) = noted {
            noted.cut = noted.cut.max(letters);
            continue;
        }
        let doubt = ("long-cut", "this long cut: is it part of the story?");
        if !judge.keeps(leaves, blocks.clone(), doubt, false) {
            judge.doubts.last_mut().expect("it was just noted").cut = letters;
            continue;
        }
        for block in &mut leaves.blocks[blocks] {
            block.fate = block.fate.filter(|fate| *fate != why && BESIDE.contains(fate));
        }
    }
}

/// Letters of running text: lists, tables and links do not count.
pub(super) fn story(leaves: &Leaves, blocks: Range<usize>) -> u32 {
    let Range { start, end } = blocks;
    leaves.blocks[start.min(end)..end]
        .iter()
        .filter(|block| block.fate.is_none() && !is_listed(block))
        .map(|block| worth(leaves, block))
        .sum()
}

/// The letters of a block, as those of words: a Chinese symbol is a word.
pub(super) fn worth(leaves: &Leaves, block: &Block) -> u32 {
    let first = leaves.text(block).trim_start_matches(is_blank).chars().next();
    block.letters * if first.is_some_and(|c| c > '\u{2e80}') { 3 } else { 1 }
}

/// Whether a block belongs to a table of contents by its markup.
pub(super) fn is_listed(block: &Block) -> bool {
    block.marks.any(Marks::CONTENTS)
        || block.all.any(Marks::LINK)
        || block.any.any(Marks::LINK) && block.letters < 200
        || block.marks.any(Marks::TABLE) && block.letters < 60
}

/// A paragraph of running text.
pub(super) fn is_prose(leaves: &Leaves, at: usize) -> bool {
    let block = &leaves.blocks[at];
    block.fate.is_none()
        && !is_listed(block)
        && !block.marks.any(Marks::CENTER | Marks::TITLE_PAGE | Marks::RIGHT)
        && reads(leaves, at)
}

/// Whether a block is as long as a paragraph of running text, or ends like one.
pub(super) fn reads(leaves: &Leaves, at: usize) -> bool {
    let block = &leaves.blocks[at];
    let heading = block.tag.heading().is_some() && block.letters <= LONGEST_HEADING;
    let text = leaves.text(block).trim_matches(is_blank);
    let letters = worth(leaves, block);
    let ends = ['.', '!', '?', '"', '”', '’', '。', '！', '？', '」'];
    !heading && (letters >= 120 || letters >= 60 && text.ends_with(ends))
}

pub(super) fn letters(leaves: &Leaves, blocks: Range<usize>) -> u32 {
    leaves.blocks[blocks]
        .iter()
        .filter(|block| block.fate.is_none())
        .map(|block| block.letters)
        .sum()
}

pub(super) fn prose_letters(leaves: &Leaves, blocks: Range<usize>) -> u32 {
    blocks.filter(|at| is_prose(leaves, *at)).map(|at| leaves.blocks[at].letters).sum()
}

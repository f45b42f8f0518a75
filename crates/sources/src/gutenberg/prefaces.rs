//! What stands before the first chapter and may be story: preludes, frames, letters; or a preface.

use std::ops::Range;

use super::{
    blocks::Leaves,
    front::{SECTION, UNKNOWN_STORY},
    matter::{Judge, is_prose, story},
    structure::Head,
    voice,
    words::{Kind, fold},
};

/// The doubt about what stands before the first chapter.
pub(super) const PREFACE: (&str, &str) = ("preface", "is this story or preface?");

/// Fewer letters tell nothing; below [`SECTION`] a story must show more than by its title.
const SHORT: u32 = 150;

/// The first chapter behind a preface with numbers of its own: it counts anew.
pub(super) fn behind_preface(leaves: &Leaves, heads: &[Head], first: usize) -> Option<usize> {
    let anew = |head: &Head| {
        head.says.number == Some(1) && matches!(head.says.kind, Kind::Chapter | Kind::Number)
    };
    let anew = first + 1 + heads[first + 1..].iter().position(anew)?;
    is_of_preface(leaves, heads, first, anew).then_some(anew)
}

/// Whether a number is one of those that a preface has, which goes on to the chapter that is named.
pub(super) fn is_of_preface(leaves: &Leaves, heads: &[Head], at: usize, chapter: usize) -> bool {
    let above = heads[..at].iter().rfind(|head| head.says.kind != Kind::Number);
    let Some(preface) = above.filter(|head| head.says.kind == Kind::Front) else { return false };
    let blocks = preface.end()..heads[chapter].first();
    voice::tells(leaves, blocks, heads[chapter].end()..leaves.blocks.len()) < voice::TELLS
}

/// A line with a year that ends a preface is no longer.
const LONGEST_DATE: u32 = 60;

/// Where a story begins that follows a preface without a heading: behind the line with place and year that ends it.
pub(super) fn behind_date(leaves: &Leaves, heads: &[Head], begin: usize) -> Option<usize> {
    let front = |at: &usize| heads[*at].says.kind == Kind::Front;
    let at = (begin.saturating_sub(1)..=begin).rev().find(front)?;
    let section = heads[at].end()..heads.get(at + 1)?.first();
    let year =
        |word: &str| word.len() == 4 && word.parse().is_ok_and(|year| (1500..2000).contains(&year));
    let dates = |at: &usize| {
        let block = &leaves.blocks[*at];
        let line = leaves.line(block);
        block.letters <= LONGEST_DATE && line.split(|c: char| !c.is_alphanumeric()).any(year)
    };
    let date = section.clone().find(dates)?;
    let told = (date + 1..section.end).find(|at| is_prose(leaves, *at))?..section.end;
    let tells =
        |blocks: Range<usize>| voice::tells(leaves, blocks, section.end..leaves.blocks.len());
    let follows = story(leaves, told.clone()) >= UNKNOWN_STORY
        && tells(told.clone()) >= voice::TELLS
        && tells(section.start..date) < voice::TELLS;
    follows.then_some(told.start)
}

/// Whether the section below a heading before the first chapter belongs to the story: by what it speaks of,
/// and where that does not say, by how long it is.
pub(super) fn tells_story(
    leaves: &Leaves,
    heads: &[Head],
    at: usize,
    first: usize,
    judge: &mut Judge<'_>,
) -> bool {
    let (head, blocks) = (&heads[at], heads[at].end()..heads[at + 1].first());
    let prose = story(leaves, blocks.clone());
    let among = is_among_tales(heads, at, first);
    if prose < SHORT {
        return among && prose == 0;
    }
    let others = heads[first].end()..leaves.blocks.len();
    let told = voice::tells(leaves, blocks.clone(), others);
    if among && prose >= SECTION && told > voice::EXPLAINS {
        return true;
    }
    if prose < SECTION && told < voice::TELLS + if opens(leaves, head) { 0 } else { 2 } {
        return false;
    }
    let titled = match head.says.kind {
        // What is called a preface must tell more than what is called a prelude.
        Kind::Front if opens(leaves, head) => voice::TELLS - 2,
        Kind::Front if !head.says.loose => voice::TELLS + 1,
        _ => voice::TELLS,
    };
    let open = match head.says.kind {
        Kind::Front => false,
        Kind::Part => true,
        _ => prose >= UNKNOWN_STORY && !dedicates(leaves, head),
    };
    let keep = told >= titled || open && told > voice::EXPLAINS;
    (keep || open) && judge.keeps(leaves, blocks, PREFACE, keep)
}

/// Whether titles of its rank stand behind the first chapter too: a tale among tales, of which one has chapters.
fn is_among_tales(heads: &[Head], at: usize, first: usize) -> bool {
    let tale = |one: &&Head| one.says.kind == Kind::Other && one.rank == heads[at].rank;
    let long = |one: &&Head| one.prose >= UNKNOWN_STORY;
    tale(&&heads[at]) && heads[first..].iter().filter(tale).filter(long).count() >= 2
}

/// Whether a title of front matter is as often that of a first chapter.
fn opens(leaves: &Leaves, head: &Head) -> bool {
    let line = fold(&leaves.line(&leaves.blocks[head.first()]));
    line.split(' ').any(|word| ["prelude", "proem", "chapter", "scene"].contains(&word))
}

/// `TO THE READER`, `To my Wife`: before the first chapter that is a dedication or a preface.
pub(super) fn dedicates(leaves: &Leaves, head: &Head) -> bool {
    let line = fold(&leaves.line(&leaves.blocks[head.first()]));
    line.starts_with("to ") || line.starts_with("letter to ") || line.starts_with("letter from ")
}

//! Where the story has ended, and what stands behind it.
//!
//! `THE END` is a sign, a heading of notes or an index another, prices and publishers a third; none
//! counts while chapters follow.

use std::{cell::LazyCell, collections::BTreeMap, ops::Range};

use super::{
    blocks::Leaves,
    foreign::sells,
    lists::PRINTERS,
    marks::Marks,
    matter::{Judge, is_prose, letters, prose_letters},
    structure::Head,
    voice,
    words::{Kind, is_end, says},
};
use crate::cut::Why;

/// The block behind the story's last.
pub(super) fn end(
    leaves: &Leaves,
    story_blocks: Range<usize>,
    heads: &[Head],
    judge: &mut Judge<'_>,
) -> usize {
    let total = letters(leaves, story_blocks.clone()).max(1);
    let mut end = story_blocks.end;
    // `THE END` in the last part of the book, with little behind it.
    let mut behind = 0;
    let stories = told_stories(leaves, heads, &story_blocks);
    let last_story = LazyCell::new(|| last_story(leaves, heads, &stories, &story_blocks));
    let mut ended = None;
    for at in story_blocks.clone().rev() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        behind += block.letters;
        if behind > total / 4 {
            break;
        }
        let short = block.letters > 0 && block.letters <= 40;
        if !short || !is_end_line(leaves, heads, at) {
            continue;
        }
        // Where each of several stories has its end, only the last ends the book.
        let of_several = ended.replace(at).is_some_and(|next| {
            told(leaves, at..next) >= STORY
                || stories.iter().any(|story| (at..next).contains(&heads[*story].first()))
        });
        if !of_several && last_story.is_none_or(|head| head <= at) {
            let doubt = ("behind-the-end", "is this story, behind its end?");
            let blocks = at..story_blocks.end;
            if behind > 3_000 && judge.keeps(leaves, blocks, doubt, false) {
                continue;
            }
            end = at;
        }
    }
    // Headings of back matter behind the last chapter, the first of them.
    let last = heads
        .iter()
        .rposition(|head| {
            head.first() < end
                && matches!(head.says.kind, Kind::Chapter | Kind::Number | Kind::Part)
                && head.prose > 200
        })
        .map_or(0, |last| last + 1);
    let others_of = |heads: &[Head]| {
        let others = heads.iter().filter(|head| head.says.kind == Kind::Other);
        others.map(|head| head.prose).sum::<u32>()
    };
    let mut others = others_of(heads.get(last..).unwrap_or_default());
    let mut share = heads.get(last).map_or(0, |head| letters(leaves, head.first().min(end)..end));
    for (at, head) in heads.iter().enumerate().skip(last) {
        if head.first() >= end {
            break;
        }
        if head.says.kind == Kind::Other {
            others -= head.prose;
        }
        if at > last {
            share -= letters(leaves, heads[at - 1].first()..head.first()).min(share);
        }
        if head.first() < story_blocks.start {
            continue;
        }
        let ends = match head.says.kind {
            Kind::Back | Kind::Transcriber | Kind::Adverts | Kind::End => others * 3 < total,
            // Notes may follow each of several stories.
            Kind::Notes | Kind::Contents => others < 2_000,
            // `AUTHOR'S NOTE` behind the last chapter, if it tells nothing.
            Kind::Front if !head.says.loose => {
                let section = head.end()..heads.get(at + 1).map_or(end, Head::first).min(end);
                others * 3 < total
                    && voice::tells(
                        leaves,
                        section.start.min(section.end)..section.end,
                        story_blocks.start..head.first(),
                    ) < voice::TELLS
            }
            _ => false,
        };
        let next = stories.get(stories.partition_point(|story| *story <= at));
        let told = next.is_some_and(|next| heads[*next].first() < end);
        if ends && !told && share < total / 2 {
            let doubt = ("back-matter", "is this part of the story?");
            let blocks = head.first()..story_blocks.end;
            let long = head.says.kind == Kind::Back && share > 5_000;
            if long && judge.keeps(leaves, blocks, doubt, false) {
                continue;
            }
            end = head.first();
            break;
        }
    }
    let end = adverts(leaves, story_blocks.start..end, heads);
    imprint(leaves, story_blocks.start..end)
}

/// Sections of so much text behind another's end are stories.
const STORY: u32 = 2_000;

/// Whether a block is `THE END`, and not the title of a story that begins like it.
fn is_end_line(leaves: &Leaves, heads: &[Head], at: usize) -> bool {
    let head = heads.binary_search_by_key(&at, Head::first);
    let heads_a_story = head.is_ok_and(|head| heads[head].says.kind == Kind::Other);
    !heads_a_story && is_end(&leaves.line(&leaves.blocks[at]))
}

/// Letters of running text that sells nothing.
fn told(leaves: &Leaves, blocks: Range<usize>) -> u32 {
    let tells = |at: &usize| is_prose(leaves, *at) && !sells(&leaves.line(&leaves.blocks[*at]));
    blocks.filter(tells).map(|at| leaves.blocks[at].letters).sum()
}

/// The printer's lines below the last.
fn imprint(leaves: &Leaves, blocks: Range<usize>) -> usize {
    let mut end = blocks.end;
    for at in blocks.rev().take(12) {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        let line = leaves.line(block).to_lowercase();
        if block.letters > 160 || !PRINTERS.iter().any(|word| line.contains(word)) {
            break;
        }
        end = at;
    }
    end
}

/// The last heading with a story below it: a `THE END` before it ended one among several.
fn last_story(
    leaves: &Leaves,
    heads: &[Head],
    stories: &[usize],
    blocks: &Range<usize>,
) -> Option<usize> {
    let last = heads.iter().enumerate().rev().find(|(at, head)| {
        head.first() < blocks.end
            && match head.says.kind {
                Kind::Chapter | Kind::Number | Kind::Part => head.prose > STORY,
                Kind::Other => {
                    stories.binary_search(at).is_ok()
                        || head.prose > STORY
                            && head.level < 2
                            && prose_letters(leaves, head.end()..blocks.end) > 6_000
                }
                _ => false,
            }
    });
    last.map(|(_, head)| head.first())
}

/// The sections that are one of several stories: as long as one, or told like one, of the rank that two before
/// have, and with nothing to sell.
fn told_stories(leaves: &Leaves, heads: &[Head], blocks: &Range<usize>) -> Vec<usize> {
    let mut of_rank = BTreeMap::new();
    let mut stories = Vec::new();
    for (at, head) in heads.iter().enumerate() {
        let next = heads[at + 1..].iter().find(|next| next.first() > head.first());
        let section = head.end()..next.map_or(blocks.end, Head::first).min(blocks.end);
        let counts = |head: &Head| matches!(head.says.kind, Kind::Chapter | Kind::Number);
        // Numbers that run on stand before the titles of tales too. Of long ones only those at the end need a look.
        let before = heads[..at].iter().rfind(|before| before.rank == head.rank);
        let follows = before.is_some_and(|before| {
            counts(head)
                && counts(before)
                && before.says.number.is_some_and(|number| head.says.number == Some(number + 1))
        });
        let titled = (head.says.kind == Kind::Other || follows)
            && !head.is_title
            && head.first() < blocks.end;
        if !(titled && (head.prose >= STORY || is_told(leaves, head, section.clone()))) {
            continue;
        }
        let peers = of_rank.entry(head.rank).or_insert(0_u32);
        let late = || heads.len() - at <= LATE;
        if *peers >= 2 && (!follows || late()) && sells_nothing(leaves, section) {
            stories.push(at);
        }
        *peers += u32::from(head.first() >= blocks.start);
    }
    stories
}

/// Numbered sections from the end that are looked at.
const LATE: usize = 3;

/// A story has no fewer letters.
const SHORTEST: u32 = 600;

/// Whether a short section tells a story all the same.
pub(super) fn is_told(leaves: &Leaves, head: &Head, section: Range<usize>) -> bool {
    head.prose >= SHORTEST && voice::tells(leaves, section.clone(), section) >= voice::TELLS
}

/// Paragraphs by which a section shows whether it sells.
const LOOKED_AT: usize = 40;

/// Whether a section has running text that is not an announcement.
pub(super) fn sells_nothing(leaves: &Leaves, section: Range<usize>) -> bool {
    let (mut read, mut sold) = (0, 0);
    for at in section.filter(|at| is_prose(leaves, *at)).take(LOOKED_AT) {
        read += 1;
        sold += usize::from(sells(&leaves.line(&leaves.blocks[at])));
    }
    read > 0 && sold * 4 < read
}

/// Announcements hold no more running text than this that sells nothing.
const LONGEST_UNSOLD: u32 = 6_000;

/// Announcements of other books without a heading that says so, at the very end.
fn adverts(leaves: &Leaves, blocks: Range<usize>, heads: &[Head]) -> usize {
    let first = heads
        .iter()
        .rev()
        .find(|head| {
            head.first() < blocks.end
                && matches!(head.says.kind, Kind::Chapter | Kind::Number)
                && head.prose > 200
        })
        .map_or(blocks.start, Head::end);
    let first = first.max(blocks.start);
    // From behind: the share of lines that sell, so that each line is read once.
    let (mut signs, mut lines, mut read, mut begin) = (0, 0, 0, blocks.end);
    for at in (first..blocks.end).rev().take(600) {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        let line = leaves.line(block);
        lines += 1;
        let sign = sells(&line);
        signs += usize::from(sign);
        read += if !sign && is_prose(leaves, at) { block.letters } else { 0 };
        if lines > 30 && signs * 6 < lines {
            break;
        }
        let marks = block.marks | block.all;
        let stands_off = block.rule
            || block.gap >= 3
            || block.tag.heading().is_some()
            || marks.any(Marks::CENTER | Marks::BOLD)
                && (sign || says(&line).kind == Kind::Adverts)
            || sign && line.ends_with(':');
        if (block.letters <= 120 || sign) && stands_off {
            let named = says(&line).kind == Kind::Adverts && !line.chars().any(char::is_lowercase);
            let sold = signs * 2 >= lines || named && signs * 4 >= lines;
            if sold && read <= LONGEST_UNSOLD {
                begin = at;
            }
        }
    }
    // Where the people of the story act, nothing is sold.
    let told = begin < blocks.end
        && voice::tells(leaves, begin..blocks.end, blocks.start..begin) >= voice::TELLS;
    if told { blocks.end } else { begin }
}

pub(super) fn mark(leaves: &mut Leaves, blocks: Range<usize>, heads: &[Head]) {
    let mut why = Why::BackMatter;
    for at in blocks {
        if leaves.blocks[at].fate.is_some() {
            continue;
        }
        let line = leaves.line(&leaves.blocks[at]);
        let says = if line.len() < 80 { says(&line).kind } else { Kind::Other };
        let heading = heads.binary_search_by_key(&at, Head::first).is_ok();
        if heading || says == Kind::End {
            why = match says {
                Kind::Notes => Why::Footnote,
                Kind::Transcriber => Why::TranscriberNote,
                Kind::Adverts => Why::Advertisement,
                Kind::End => Why::EndLine,
                _ if why == Why::EndLine => Why::BackMatter,
                _ => why,
            };
        } else if why == Why::EndLine {
            why = Why::BackMatter;
        }
        leaves.blocks[at].fate = Some(why);
    }
}

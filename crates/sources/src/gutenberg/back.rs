//! Where the story has ended, and what stands behind it.
//!
//! `THE END` is a sign, a heading of notes or an index another, prices and publishers a third; none
//! counts while chapters follow.

use std::{cell::LazyCell, ops::Range};

use super::{
    blocks::Leaves,
    matter::{Judge, letters, prose_letters},
    structure::Head,
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
    let last_story = LazyCell::new(|| last_story(leaves, heads, &story_blocks));
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
        if short && is_end(&leaves.line(block)) && last_story.is_none_or(|head| head <= at) {
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
            _ => false,
        };
        if ends && share < total / 2 {
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

/// The printer's lines below the last.
fn imprint(leaves: &Leaves, blocks: Range<usize>) -> usize {
    let mut end = blocks.end;
    for at in blocks.rev().take(12) {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        let line = leaves.line(block).to_lowercase();
        let prints = [
            "printed by",
            "printed in",
            "printed and",
            "electrotyped",
            "press of",
            "university press",
            "printers",
            "letterpress",
            "typography by",
            "imprimerie",
            "gedruckt",
            "druck von",
            "printed at",
        ];
        if block.letters > 160 || !prints.iter().any(|word| line.contains(word)) {
            break;
        }
        end = at;
    }
    end
}

/// The last heading with a story below it: a `THE END` before it ended one among several.
fn last_story(leaves: &Leaves, heads: &[Head], blocks: &Range<usize>) -> Option<usize> {
    let last = heads.iter().rev().find(|head| {
        head.first() < blocks.end
            && head.prose > 2_000
            && match head.says.kind {
                Kind::Chapter | Kind::Number | Kind::Part => true,
                Kind::Other => {
                    prose_letters(leaves, head.end()..blocks.end) > 6_000 && head.level < 2
                }
                _ => false,
            }
    });
    last.map(Head::first)
}

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
    let (mut signs, mut lines, mut begin) = (0, 0, blocks.end);
    for at in (first..blocks.end).rev().take(600) {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        let line = leaves.line(block);
        lines += 1;
        signs += usize::from(sells(&line));
        if lines > 30 && signs * 6 < lines {
            break;
        }
        let stands_off = block.rule || block.gap >= 3 || block.tag.heading().is_some();
        if block.letters <= 120 && stands_off {
            let named = says(&line).kind == Kind::Adverts && !line.chars().any(char::is_lowercase);
            if named || signs * 2 >= lines {
                begin = at;
            }
        }
    }
    begin
}

/// Whether a line speaks of prices, editions and publishers.
fn sells(line: &str) -> bool {
    let words = [
        "12mo",
        "8vo",
        "cloth",
        "gilt",
        "postpaid",
        "price",
        "cents",
        "publishers",
        "copyright",
        "illustrated by",
        "by the author of",
        "& co",
        "and company",
        "net.",
        "edition",
        "library",
        "printed in",
        "novels",
        "booksellers",
        "fcap",
        "crown 8",
        "shilling",
        "bound in",
    ];
    let line = line.to_lowercase();
    words.iter().any(|word| line.contains(word))
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

//! Front matter and back matter: where the story begins and where it has ended.
//!
//! Sections are judged by their headings and by how much prose they hold, never by a single line.
//! The story begins with the first chapter, or with what stands before it and is neither title
//! page nor contents nor preface. Where that is doubtful, the decision is noted with its default.

use std::{collections::BTreeSet, ops::Range};

use super::{
    blocks::{BREAK, Block, Leaves, is_blank, small},
    structure::Head,
    tags::Marks,
    words::{Kind, fold, is_end, says},
};
use crate::cut::Why;

/// Untitled or unknown matter before the first chapter counts as story from this many letters.
const UNKNOWN_STORY: u32 = 1_500;

/// The same for text that stands right below the book's title.
const TITLE_STORY: u32 = 5_000;

/// A decision that a person may want to look at.
#[derive(Clone, Debug)]
pub(crate) struct Doubt {
    pub(crate) blocks: Range<usize>,
    pub(crate) question: &'static str,
    pub(crate) kept: bool,
}

/// Marks what is around the story. Headings of what is cut are taken from `heads`.
pub(crate) fn mark(leaves: &mut Leaves, body: Range<usize>, heads: &mut Vec<Head>) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let start = start(leaves, &body, heads, &mut doubts);
    front(leaves, body.start..start, heads);
    let end = end(leaves, start..body.end, heads, &mut doubts);
    back(leaves, end..body.end, heads);
    inner(leaves, start..end, heads);
    inner_title_pages(leaves, start..end, heads);
    end_words(leaves, start..end, heads);
    heads.retain(|head| head.lines.iter().any(|at| leaves.blocks[*at].fate.is_none()));
    doubts
}

/// The block with which the story begins.
fn start(leaves: &Leaves, body: &Range<usize>, heads: &[Head], doubts: &mut Vec<Doubt>) -> usize {
    let total: u32 = heads.iter().map(|head| head.prose).sum();
    let counted =
        |head: &Head| matches!(head.says.kind, Kind::Chapter | Kind::Number) && head.level < 2;
    let has_story = |at: usize| -> bool {
        let head: &Head = &heads[at];
        let next = heads[at + 1..].iter().find(|next| next.level <= head.level);
        story(leaves, head.end()..next.map_or(body.end, Head::first)) >= 60
    };
    let first = (0..heads.len()).find(|at| counted(&heads[*at]) && has_story(*at));
    // A number deep in the book heads a section of something that began before.
    let first = first.filter(|at| {
        let before: u32 = heads[..*at].iter().map(|head| head.prose).sum();
        before * 2 < total || heads[..*at].iter().all(|head| !starts_story(head))
    });
    let Some(first) = first else { return unnumbered(leaves, body, heads) };
    let mut begin = first;
    while begin > 0 {
        let head = &heads[begin - 1];
        let blocks = head.end()..heads[begin].first();
        let prose = story(leaves, blocks.clone());
        let keep = match head.says.kind {
            // Of a list of parts only the last may be the one that begins here.
            Kind::Part => prose < 600 && !repeats(leaves, head, &heads[begin]),
            Kind::Chapter | Kind::Number => {
                prose >= 60 || head.level < heads[begin].level && letters(leaves, blocks) == 0
            }
            Kind::Other if head.is_title => {
                if prose >= TITLE_STORY {
                    doubts.push(Doubt {
                        blocks,
                        question: "is the text below the title story?",
                        kept: true,
                    });
                    begin -= 1;
                }
                break;
            }
            Kind::Other => {
                let long = prose >= UNKNOWN_STORY && !dedicates(leaves, head);
                // The name of a part, between the contents and the first chapter.
                let names = prose == 0
                    && heads[begin].level > 0
                    && head.level < heads[begin].level
                    && begin > 1
                    && !byline(leaves, head);
                if long {
                    doubts.push(Doubt {
                        blocks,
                        question: "is this story or preface?",
                        kept: true,
                    });
                }
                long || names
            }
            _ => false,
        };
        if !keep {
            break;
        }
        begin -= 1;
    }
    heads[begin].first()
}

/// Whether a heading could begin the story.
fn starts_story(head: &Head) -> bool {
    matches!(head.says.kind, Kind::Other | Kind::Part | Kind::Chapter | Kind::Number)
        && head.prose >= 400
}

/// Letters of running text: lists, tables and links do not count.
fn story(leaves: &Leaves, blocks: Range<usize>) -> u32 {
    let Range { start, end } = blocks;
    leaves.blocks[start.min(end)..end]
        .iter()
        .filter(|block| block.fate.is_none() && !is_listed(block))
        .map(|block| block.letters)
        .sum()
}

/// Whether a block belongs to a table of contents by its markup.
fn is_listed(block: &Block) -> bool {
    block.marks.any(Marks::CONTENTS)
        || block.all.any(Marks::LINK)
        || block.any.any(Marks::LINK) && block.letters < 200
        || block.marks.any(Marks::TABLE) && block.letters < 60
}

/// Whether two headings begin with the same word, as the lines of a list do.
fn repeats(leaves: &Leaves, head: &Head, next: &Head) -> bool {
    let word = |head: &Head| {
        fold(&leaves.line(&leaves.blocks[head.first()])).split(' ').next().map(str::to_owned)
    };
    head.says.kind == next.says.kind
        && head.says.number != next.says.number
        && word(head) == word(next)
}

/// `TO THE READER`, `To my Wife`: before the first chapter that is a dedication or a preface.
fn dedicates(leaves: &Leaves, head: &Head) -> bool {
    let line = fold(&leaves.line(&leaves.blocks[head.first()]));
    line.starts_with("to ") || line.starts_with("letter to ") || line.starts_with("letter from ")
}

fn byline(leaves: &Leaves, head: &Head) -> bool {
    let line = leaves.line(&leaves.blocks[head.first()]).to_lowercase();
    line == "by"
        || line.starts_with("by ")
        || line.contains("illustrat")
        || line.starts_with("translated")
}

/// The beginning of a book whose chapters have no numbers, or that has none.
fn unnumbered(leaves: &Leaves, body: &Range<usize>, heads: &[Head]) -> usize {
    for (at, head) in heads.iter().enumerate() {
        if matches!(head.says.kind, Kind::Other | Kind::Part | Kind::Chapter | Kind::Number) {
            let end = heads.get(at + 1).map_or(body.end, Head::first);
            if story(leaves, head.end()..end) < 300 {
                continue;
            }
            let titles = head.is_title || byline(leaves, head) || at == 0;
            if !titles {
                return above(leaves, heads, at);
            }
            // Text right below the title: the title page ends where paragraphs begin.
            let Some(prose) = (head.end()..end).find(|at| is_prose(leaves, *at)) else { continue };
            if story(leaves, prose..end) >= 300 {
                return if prose == head.end() { head.first() } else { prose };
            }
        }
    }
    let front = body.clone().find(|at| is_prose(leaves, *at));
    front.unwrap_or(body.start)
}

/// The headings right above one, with no text of their own, are of it.
fn above(leaves: &Leaves, heads: &[Head], at: usize) -> usize {
    let mut first = at;
    while first > 0 {
        let head = &heads[first - 1];
        let part = head.says.kind == Kind::Part || head.says.kind == Kind::Other && head.level == 0;
        if !part || head.is_title || byline(leaves, head) || head.prose > 0 || first == 1 {
            break;
        }
        first -= 1;
    }
    heads[first].first()
}

/// A paragraph of running text.
fn is_prose(leaves: &Leaves, at: usize) -> bool {
    let block = &leaves.blocks[at];
    block.fate.is_none()
        && block.tag.heading().is_none()
        && !is_listed(block)
        && !block.marks.any(Marks::CENTER | Marks::TITLE_PAGE | Marks::RIGHT)
        && (block.letters >= 120
            || block.letters >= 60
                && leaves.text(block).trim_end().ends_with(['.', '!', '?', '"', '”']))
}

/// Cuts what stands before the story, each section by its heading.
fn front(leaves: &mut Leaves, blocks: Range<usize>, heads: &[Head]) {
    let mut why = Why::TitlePage;
    let mut next = 0;
    for at in blocks {
        while next < heads.len() && heads[next].first() < at {
            next += 1;
        }
        if let Some(head) = heads.get(next).filter(|head| head.first() == at) {
            why = match head.says.kind {
                Kind::Contents => Why::Contents,
                Kind::Front => Why::Preface,
                Kind::Transcriber => Why::TranscriberNote,
                Kind::Adverts => Why::Advertisement,
                Kind::Notes | Kind::Back => Why::BackMatter,
                Kind::Chapter | Kind::Number | Kind::Part if why == Why::Contents => Why::Contents,
                _ => Why::TitlePage,
            };
        }
        let block = &mut leaves.blocks[at];
        let listed = is_listed(block);
        block.fate.get_or_insert(if listed { Why::Contents } else { why });
    }
}

/// The block behind the story's last.
fn end(
    leaves: &Leaves,
    story_blocks: Range<usize>,
    heads: &[Head],
    doubts: &mut Vec<Doubt>,
) -> usize {
    let total = letters(leaves, story_blocks.clone()).max(1);
    let mut end = story_blocks.end;
    // `THE END` in the last part of the book, with little behind it.
    let mut behind = 0;
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
        if short && is_end(&leaves.line(block)) && !goes_on(leaves, heads, at, &story_blocks) {
            end = at;
            if behind > 3_000 {
                let blocks = at..story_blocks.end;
                doubts.push(Doubt {
                    blocks,
                    question: "is this story, behind its end?",
                    kept: false,
                });
            }
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
            end = head.first();
            if head.says.kind == Kind::Back && share > 5_000 {
                let blocks = head.first()..story_blocks.end;
                doubts.push(Doubt { blocks, question: "is this part of the story?", kept: false });
            }
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

/// Whether chapters follow: then `THE END` was the end of a story among several.
fn goes_on(leaves: &Leaves, heads: &[Head], at: usize, blocks: &Range<usize>) -> bool {
    heads.iter().any(|head| {
        head.first() > at
            && head.first() < blocks.end
            && head.prose > 2_000
            && match head.says.kind {
                Kind::Chapter | Kind::Number | Kind::Part => true,
                Kind::Other => {
                    prose_letters(leaves, head.end()..blocks.end) > 6_000 && head.level < 2
                }
                _ => false,
            }
    })
}

fn letters(leaves: &Leaves, blocks: Range<usize>) -> u32 {
    leaves.blocks[blocks]
        .iter()
        .filter(|block| block.fate.is_none())
        .map(|block| block.letters)
        .sum()
}

fn prose_letters(leaves: &Leaves, blocks: Range<usize>) -> u32 {
    blocks.filter(|at| is_prose(leaves, *at)).map(|at| leaves.blocks[at].letters).sum()
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

fn back(leaves: &mut Leaves, blocks: Range<usize>, heads: &[Head]) {
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

/// Between first and last chapter: sections of notes, half titles, `THE END` of one of several.
fn inner(leaves: &mut Leaves, blocks: Range<usize>, heads: &mut [Head]) {
    for at in 0..heads.len() {
        let head = &heads[at];
        if !blocks.contains(&head.first()) {
            continue;
        }
        let section =
            head.first()..heads.get(at + 1).map_or(blocks.end, Head::first).min(blocks.end);
        let half_title = head.is_title
            && heads.get(at + 1).is_some_and(|next| {
                matches!(next.says.kind, Kind::Chapter | Kind::Part | Kind::Number)
            })
            && head.prose < 600
            && prose_letters(leaves, section.clone()) == 0;
        let why = match head.says.kind {
            Kind::Notes => Why::Footnote,
            Kind::Contents if story(leaves, head.end()..section.end) < 600 => Why::Contents,
            Kind::Transcriber => Why::TranscriberNote,
            _ if half_title || head.is_title && head.prose < 60 => Why::TitlePage,
            _ => continue,
        };
        for block in section {
            leaves.blocks[block].fate.get_or_insert(why);
        }
    }
    for at in blocks {
        let block = &leaves.blocks[at];
        if block.fate.is_none()
            && block.letters > 0
            && block.letters < 40
            && is_end(&leaves.line(block))
        {
            let alone = leaves.blocks.get(at + 1).is_none_or(|next| {
                next.fate.is_some() || next.tag.heading().is_some() || next.rule || next.gap > 2
            });
            if alone {
                leaves.blocks[at].fate = Some(Why::EndLine);
            }
        }
    }
}

/// `THE END` as the last words of a story's last paragraph.
fn end_words(leaves: &mut Leaves, blocks: Range<usize>, heads: &[Head]) {
    let mut lasts: Vec<usize> =
        heads.iter().map(Head::first).filter(|at| blocks.contains(at)).collect();
    lasts.push(blocks.end);
    let mut cuts = Vec::new();
    for next in lasts {
        let Some(at) =
            (blocks.start..next).rev().take(200).find(|at| leaves.blocks[*at].fate.is_none())
        else {
            continue;
        };
        let block = &leaves.blocks[at];
        let text = leaves.text(block);
        let plain = text.trim_end_matches(|c: char| is_blank(c) || "._*-".contains(c));
        for words in ["THE END", "FINIS", "The End", "FIN", "ENDE"] {
            let Some(rest) = plain.strip_suffix(words) else { continue };
            let parted = rest.trim_end_matches(['_', '*']).ends_with(is_blank);
            let shouted =
                rest.ends_with(BREAK) || words.len() > 4 || rest.trim_end().ends_with(BREAK);
            if parted && shouted && !rest.trim().is_empty() {
                let from = block.text.start + small(rest.len());
                cuts.push((from..block.text.end, Why::EndLine));
                break;
            }
        }
    }
    leaves.cuts.set(cuts);
}

/// Title pages between two volumes: short lines only, and an imprint among them.
fn inner_title_pages(leaves: &mut Leaves, blocks: Range<usize>, heads: &[Head]) {
    let words = [
        "in three volumes",
        "in two volumes",
        "in four volumes",
        "by the author of",
        "printed for",
        "printed by",
        "publishers",
        "& co",
        "copyright",
        "london:",
        "new york:",
        "boston:",
        "a novel",
        "vol.",
        "all rights reserved",
        "paris:",
        "leipzig",
    ];
    let parts: BTreeSet<usize> = heads
        .iter()
        .filter(|head| head.says.kind == Kind::Part)
        .flat_map(|head| head.lines.iter().copied())
        .collect();
    for head in heads.iter().filter(|head| matches!(head.says.kind, Kind::Chapter | Kind::Number)) {
        if head.first() <= blocks.start || head.first() >= blocks.end {
            continue;
        }
        let (mut signs, mut lines) = (0, Vec::new());
        for at in (blocks.start..head.first()).rev().take(100) {
            let block = &leaves.blocks[at];
            if block.fate.is_some() {
                continue;
            }
            let line = leaves.line(block);
            let spoken = line.ends_with(['!', '?', '"', '”', '’', ','])
                || line.starts_with(['"', '“', '‘', '«', '—']);
            if block.letters > 120
                || is_prose(leaves, at)
                || spoken && block.tag.heading().is_none()
                || lines.len() > 24
            {
                break;
            }
            let lower = line.to_lowercase();
            signs += usize::from(words.iter().any(|word| lower.contains(word)));
            lines.push(at);
        }
        // The line above may be the last of the story: a sentence in a tag of its own.
        while let Some(at) = lines.last() {
            let block = &leaves.blocks[*at];
            let line = leaves.line(block);
            let title = block.tag.heading().is_some()
                || block.rule
                || block.marks.any(Marks::CENTER)
                || !line.chars().any(char::is_lowercase);
            if title {
                break;
            }
            lines.pop();
        }
        if signs >= 2 && lines.len() >= 3 {
            for at in lines {
                let part = parts.contains(&at);
                if !part {
                    leaves.blocks[at].fate = Some(Why::TitlePage);
                }
            }
        }
    }
}

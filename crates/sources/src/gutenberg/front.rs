//! Where the story begins, and what stands before it.
//!
//! The first chapter is found first; then what lies above it is taken in as long as it is neither
//! title page nor contents nor preface.

use std::ops::Range;

use super::{
    blocks::Leaves,
    matter::{Judge, is_listed, is_prose, letters, story},
    structure::Head,
    words::{Kind, fold},
};
use crate::cut::Why;

/// Untitled or unknown matter before the first chapter counts as story from this many letters.
const UNKNOWN_STORY: u32 = 1_500;

/// The same for text that stands right below the book's title.
const TITLE_STORY: u32 = 5_000;

/// The block with which the story begins.
pub(super) fn start(
    leaves: &Leaves,
    body: &Range<usize>,
    heads: &[Head],
    judge: &mut Judge<'_>,
) -> usize {
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
                let doubt = ("title-story", "is the text below the title story?");
                if prose >= TITLE_STORY && judge.keeps(leaves, blocks, doubt, true) {
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
                let doubt = ("preface", "is this story or preface?");
                long && judge.keeps(leaves, blocks, doubt, true) || names
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

/// Cuts what stands before the story, each section by its heading.
pub(super) fn mark(leaves: &mut Leaves, blocks: Range<usize>, heads: &[Head]) {
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

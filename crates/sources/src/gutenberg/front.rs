//! Where the story begins, and what stands before it.
//!
//! The first chapter is found first; then what lies above it is taken in as long as it is neither
//! title page nor contents nor preface.

use std::ops::Range;

use super::{
    ahead::Ahead,
    blocks::Leaves,
    marks::Marks,
    matter::{Judge, is_listed, is_prose, letters, prose_letters, reads, story},
    prefaces::{PREFACE, behind_date, behind_preface, dedicates, is_of_preface, tells_story},
    structure::{Head, IMPRINT},
    voice,
    words::{Kind, fold},
};
use crate::cut::Why;

/// Untitled or unknown matter before the first chapter counts as story from this many letters.
pub(super) const UNKNOWN_STORY: u32 = 1_500;

/// Matter that no list of contents precedes counts as story from this many letters.
const LONG_STORY: u32 = 20_000;

/// The first section of a story whose second is numbered has this many letters.
pub(super) const SECTION: u32 = 300;

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
    let chapter =
        |from: usize| (from..heads.len()).find(|at| counted(&heads[*at]) && has_story(*at));
    let first = chapter(0).map(|first| behind_preface(leaves, heads, first).unwrap_or(first));
    // A number deep in the book heads a section of something that began before.
    let first = first.filter(|at| {
        let before: u32 = heads[..*at].iter().map(|head| head.prose).sum();
        before * 2 < total || heads[..*at].iter().all(|head| !starts_story(head))
    });
    let Some(first) = first else {
        let start = unnumbered(leaves, body, heads);
        let Ok(mut begin) = heads.binary_search_by_key(&start, Head::first) else { return start };
        while begin > 0
            && heads[begin - 1].says.kind == Kind::Front
            && tells_story(leaves, heads, begin - 1, begin, judge)
        {
            begin -= 1;
        }
        return heads[begin].first();
    };
    // Before `II.` stands what is the first section, whatever it says.
    let goes_on = heads[first].says.number == Some(2);
    let least = if goes_on { SECTION } else { UNKNOWN_STORY };
    let mut begin = first;
    while begin > 0 {
        let head = &heads[begin - 1];
        let blocks = head.end()..heads[begin].first();
        let prose = story(leaves, blocks.clone());
        let keep = match head.says.kind {
            // Of a list of parts only the last may be the one that begins here.
            Kind::Part if prose < 600 => !repeats(leaves, head, &heads[begin]),
            Kind::Part | Kind::Front => tells_story(leaves, heads, begin - 1, first, judge),
            Kind::Chapter | Kind::Number => {
                let above = head.level < heads[begin].level || titles_first(head, &heads[begin]);
                (prose >= 60 || above && letters(leaves, blocks) == 0)
                    && !is_of_preface(leaves, heads, begin - 1, begin)
            }
            // A half title between the first part and its first chapter.
            Kind::Other
                if names_book(heads, begin - 1)
                    && prose == 0
                    && begin > 1
                    && opens_part(&heads[begin - 2]) =>
            {
                true
            }
            Kind::Other if names_book(heads, begin - 1) => {
                let doubt = ("title-story", "is the text below the title story?");
                let least = if goes_on { SECTION } else { TITLE_STORY };
                let told = || {
                    let others = heads[first].end()..leaves.blocks.len();
                    // Of the author a sketch tells as well, but nobody speaks in it.
                    let spoken = |at: usize| {
                        leaves
                            .text(&leaves.blocks[at])
                            .trim_start()
                            .starts_with(['"', '“', '„', '«', '»'])
                    };
                    blocks.clone().any(spoken)
                        && voice::tells(leaves, blocks.clone(), others) > voice::TELLS
                };
                let tells = prose >= least || prose >= SECTION && told();
                if tells && judge.keeps(leaves, blocks.clone(), doubt, true) {
                    return below_title(leaves, head.first(), blocks);
                }
                break;
            }
            Kind::Other => {
                // The name of a part, between the contents and the first chapter.
                let names = prose == 0
                    && heads[begin].level > 0
                    && head.level < heads[begin].level
                    && (begin > 1 || is_part_of_several(heads))
                    && !byline(leaves, head);
                let long = goes_on && prose >= least && !dedicates(leaves, head);
                long && judge.keeps(leaves, blocks, PREFACE, true)
                    || names
                    || tells_story(leaves, heads, begin - 1, first, judge)
            }
            _ => false,
        };
        if !keep {
            break;
        }
        begin -= 1;
    }
    let begin = earlier(leaves, heads, begin, judge).unwrap_or(begin);
    if let Some(story) = behind_date(leaves, heads, begin) {
        return story;
    }
    heads[first_volume(leaves, heads, begin).unwrap_or(begin)].first()
}

/// `VOL. I.` on the title page, with an imprint and a half title below it, where the second stands in the book.
fn first_volume(leaves: &Leaves, heads: &[Head], begin: usize) -> Option<usize> {
    let volume = |head: &Head, number| {
        head.says.kind == Kind::Part && head.says.bare && head.says.number == Some(number)
    };
    let short = |at: &usize| heads[*at].prose < IMPRINT && heads[*at].says.kind != Kind::Contents;
    // The parts of a list of contents stand side by side.
    let first = (0..begin).rev().take_while(short).find(|at| heads[*at].says.kind == Kind::Part)?;
    let second = heads[begin..].iter().find(|head| volume(head, 2))?;
    let own = volume(&heads[first], 1) && heads[begin].says.kind != Kind::Part;
    (own && repeats(leaves, &heads[first], second)).then_some(first)
}

/// Of what stands before the beginning that was found, the first section that is as long as a story: one
/// behind the list of contents, or of such a length that it is no front matter.
fn earlier(leaves: &Leaves, heads: &[Head], begin: usize, judge: &mut Judge<'_>) -> Option<usize> {
    let listed = heads[..begin].iter().rposition(|head| head.says.kind == Kind::Contents);
    let before_contents = before_contents(leaves);
    (0..begin).find(|at| {
        let head = &heads[*at];
        let kinds = [Kind::Other, Kind::Part, Kind::Chapter, Kind::Number];
        if !kinds.contains(&head.says.kind) || names_book(heads, *at) || byline(leaves, head) {
            return false;
        }
        // What a glossary parts from the chapters is of the edition: the story in short.
        let apparatus = |head: &Head| matches!(head.says.kind, Kind::Back | Kind::Notes);
        if heads[at + 1..begin].iter().any(apparatus) {
            return false;
        }
        let blocks = head.end()..heads[at + 1].first();
        let prose = prose_letters(leaves, blocks.clone());
        let behind = listed.is_some_and(|listed| listed < *at);
        let least = if behind && !dedicates(leaves, head) {
            UNKNOWN_STORY
        } else if listed.is_none_or(|listed| listed < *at) {
            LONG_STORY
        } else {
            before_contents
        };
        prose >= least && judge.keeps(leaves, blocks, PREFACE, true)
    })
}

/// What stands before the list of contents is front matter, unless it has more letters than this.
fn before_contents(leaves: &Leaves) -> u32 {
    let all: u32 = leaves.blocks.iter().map(|block| block.letters).sum();
    LONG_STORY.max(all / 5)
}

/// Whether a heading is the book's title on its title page, and not that of a story of the same name.
fn names_book(heads: &[Head], at: usize) -> bool {
    let again = || heads[..at].iter().any(|head| head.is_title);
    heads[at].is_title && (heads[at].prose < UNKNOWN_STORY || !again())
}

/// Where the story begins below the book's title: with the title where a paragraph follows, else with the
/// first paragraph.
fn below_title(leaves: &Leaves, title: usize, blocks: Range<usize>) -> usize {
    let first = blocks.clone().find(|at| is_prose(leaves, *at)).unwrap_or(blocks.start);
    if first == blocks.start { title } else { first }
}

/// Whether a heading could begin the story.
fn starts_story(head: &Head) -> bool {
    matches!(head.says.kind, Kind::Other | Kind::Part | Kind::Chapter | Kind::Number)
        && head.prose >= 400
}

/// Whether a heading is that of the first part, with nothing below it but other headings.
fn opens_part(head: &Head) -> bool {
    head.says.kind == Kind::Part && head.says.number == Some(1) && head.prose == 0
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

/// `I. A SCANDAL IN BOHEMIA` above the `I.` of the story's first section: no line of contents, which would end with a later
/// number.
fn titles_first(head: &Head, below: &Head) -> bool {
    let first = |head: &Head| head.says.number == Some(1);
    first(head) && !head.says.bare && first(below) && below.says.bare
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
            let titles = head.is_title || byline(leaves, head) || at == 0 && !is_one_of_many(heads);
            if !titles {
                return above(leaves, heads, at);
            }
            // Where contents or a preface follow, a few paragraphs are of the title page.
            let follow = heads[at + 1..]
                .iter()
                .any(|next| matches!(next.says.kind, Kind::Contents | Kind::Front));
            if follow && prose_letters(leaves, head.end()..end) < TITLE_STORY {
                continue;
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
        if !part || head.is_title || byline(leaves, head) || head.prose > 0 {
            break;
        }
        if first == 1 && !is_part_of_several(heads) {
            break;
        }
        first -= 1;
    }
    heads[first].first()
}

/// Whether the first heading is a chapter's, and not the book's title: others of its rank have text below them too.
fn is_one_of_many(heads: &[Head]) -> bool {
    let alike = |head: &&Head| head.rank == heads[0].rank && head.prose >= SECTION;
    heads[0].rank > 1 && heads.iter().filter(alike).count() > 1
}

/// Whether the first heading is that of a part, and not the book's title: another one stands above chapters, as high.
fn is_part_of_several(heads: &[Head]) -> bool {
    let part = |head: &&Head| head.level == 0 && head.prose == 0 && head.rank == heads[0].rank;
    !heads[0].is_title && heads.iter().filter(part).count() > 1 && part(&&heads[0])
}

/// Cuts what stands before the story, each section by its heading and only as far as such a thing goes.
pub(super) fn mark(leaves: &mut Leaves, blocks: Range<usize>, heads: &[Head]) {
    let mut why = Why::TitlePage;
    let inner = heads.iter().filter(|head| blocks.contains(&head.first()));
    let mut starts = vec![(blocks.start, None)];
    starts.extend(inner.map(|head| (head.first(), Some(head))));
    let is_contents = |head: &Head| head.says.kind == Kind::Contents;
    let contents = starts.iter().rposition(|(_, head)| head.is_some_and(is_contents));
    let before_list = before_list(leaves, blocks.clone());
    let before_contents = before_contents(leaves);
    let ahead = contents.map(|_| Ahead::of(leaves, heads, blocks.end));
    for (at, (start, head)) in starts.iter().enumerate() {
        let end = starts.get(at + 1).map_or(blocks.end, |(next, _)| *next);
        if let Some(head) = head {
            why = match head.says.kind {
                Kind::Contents => Why::Contents,
                Kind::Front => Why::Preface,
                Kind::Transcriber => Why::TranscriberNote,
                Kind::Adverts => Why::Advertisement,
                Kind::Notes | Kind::Back => Why::BackMatter,
                Kind::Chapter | Kind::Number | Kind::Part
                    if matches!(why, Why::Contents | Why::Preface) =>
                {
                    why
                }
                _ => Why::TitlePage,
            };
        }
        let listed = contents.is_some_and(|contents| at < contents)
            || before_list.is_some_and(|last| *start <= last);
        let most = match why {
            Why::TitlePage if listed => before_contents,
            Why::Contents => LONGEST_CONTENTS,
            Why::TitlePage => LONGEST_TITLE_PAGE,
            Why::TranscriberNote => LONGEST_NOTE,
            _ => u32::MAX,
        };
        let ahead = ahead.as_ref().filter(|_| why == Why::Contents);
        let end = reaches(leaves, *start..end, most, ahead);
        for block in &mut leaves.blocks[*start..end] {
            let listed = is_listed(block);
            block.fate.get_or_insert(if listed { Why::Contents } else { why });
        }
    }
}

/// Entries in which a list of contents shows, behind running text.
const FEWEST_ENTRIES: usize = 8;

/// The last running text behind which a list of contents stands, with or without a heading.
fn before_list(leaves: &Leaves, blocks: Range<usize>) -> Option<usize> {
    let mut entries = 0;
    blocks.rev().find(|at| {
        if entries >= FEWEST_ENTRIES && is_prose(leaves, *at) {
            return true;
        }
        entries += usize::from(is_listed(&leaves.blocks[*at]) && !reads(leaves, *at));
        false
    })
}

/// No title page holds more running text.
const LONGEST_TITLE_PAGE: u32 = 6_000;

/// No list of contents holds more running text.
const LONGEST_CONTENTS: u32 = 6_000;

/// No transcriber's note before a book holds more running text.
const LONGEST_NOTE: u32 = 8_000;

/// How far front matter reaches: to the end of its section, or where that holds more running text than
/// front matter does, to where the running text begins. In a list of contents, what announces a chapter ahead
/// is no running text, however long it is.
fn reaches(leaves: &Leaves, section: Range<usize>, most: u32, ahead: Option<&Ahead>) -> usize {
    let told = |at: &usize| {
        is_prose(leaves, *at)
            && !is_synopsis(&leaves.line(&leaves.blocks[*at]))
            && ahead.is_none_or(|ahead| !ahead.lists(leaves, *at))
    };
    let letters = |at: usize| leaves.blocks[at].letters;
    if section.clone().filter(told).map(letters).sum::<u32>() <= most {
        return section.end;
    }
    // From the first paragraph on whose neighbours are paragraphs as well.
    let dense = |at: &usize| {
        let near = *at..section.end.min(*at + 12);
        let all: u32 = near.clone().map(letters).sum();
        told(at) && near.filter(told).map(letters).sum::<u32>() * 10 >= all * 7
    };
    let Some(first) = section.clone().find(dense) else { return section.end };
    // Its title stands right above it.
    let title = first.checked_sub(1).filter(|at| *at > section.start).filter(|at| {
        let block = &leaves.blocks[*at];
        let marks = block.marks | block.all;
        let caps = !leaves.line(block).chars().any(char::is_lowercase);
        !is_listed(block) && (caps || marks.any(Marks::CENTER | Marks::BOLD | Marks::HEADING))
    });
    title.unwrap_or(first)
}

/// What a chapter holds, in a list of contents: phrases that dashes part.
pub(super) fn is_synopsis(line: &str) -> bool {
    let phrases = line.split(['—', '–']).flat_map(|part| part.split("--")).count();
    phrases >= 4 && line.len() / phrases < 60
}

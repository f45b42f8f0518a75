//! Lines that look like headings and are none: heads of pages, signs and inscriptions in the story, captions,
//! the names of advertisements between two chapters.
//!
//! A title without a number is weighed: for it speak its tag, a list of contents that has it, a long section
//! below; against it a sentence that leads up to it, a picture right above, its coming again and again, and
//! numbers around it that run on without it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::{
    blocks::{Leaves, is_blank},
    foreign::is_sold,
    marks::Marks,
    matter::{HEADING, Judge, prose_letters, reads},
    numbers::arabic,
    structure::Head,
    words::{Kind, fold, may_count, says},
};
use crate::cut::Why;

/// No head of a page has more letters.
const LONGEST_PAGE_HEAD: u32 = 60;

/// Fewer lines than this that come again are no heads of pages, and of lines other than the title.
const FEWEST: usize = 3;
const FEWEST_OTHERS: usize = 5;

/// Cuts the heads of pages: a line with a number of a page that goes up, the book's title above all.
pub(crate) fn page_heads(leaves: &mut Leaves, body: &Range<usize>, titles: &BTreeSet<String>) {
    let mut all: BTreeMap<String, Vec<(usize, u32)>> = BTreeMap::new();
    for at in body.clone() {
        let block = &leaves.blocks[at];
        let text = leaves.text(block).trim();
        if block.fate.is_some()
            || block.letters > LONGEST_PAGE_HEAD
            || !(text.starts_with(|c: char| c.is_ascii_digit())
                || text.ends_with(|c: char| c.is_ascii_digit()))
        {
            continue;
        }
        let line = fold(&leaves.line(block));
        let parted = [line.split_once(' '), line.rsplit_once(' ').map(|(rest, last)| (last, rest))];
        for (number, rest) in parted.into_iter().flatten() {
            if let Some(number) = arabic(number) {
                all.entry(rest.to_owned()).or_default().push((at, number));
                break;
            }
        }
    }
    for at in bare_page_numbers(leaves, body) {
        leaves.blocks[at].fate = Some(Why::PageNumber);
    }
    for (line, places) in all {
        let rises = places.windows(2).all(|two| two[0].1 < two[1].1);
        let least = if titles.contains(&line) { FEWEST } else { FEWEST_OTHERS };
        let counts = matches!(says(&line).kind, Kind::Other) && line.contains(' ');
        if rises && places.len() >= least && (counts || titles.contains(&line)) {
            for (at, _) in places {
                leaves.blocks[at].fate = Some(Why::PageNumber);
            }
        }
    }
}

/// Numbers alone on lines without a heading tag that go up through chapters which have one, and numbers of their own.
fn bare_page_numbers(leaves: &Leaves, body: &Range<usize>) -> Vec<usize> {
    let (mut places, mut last, mut chapters, mut crossed) = (Vec::new(), 0, 0, 0);
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() || block.letters == 0 || block.letters > LONGEST_PAGE_HEAD {
            continue;
        }
        let text = leaves.text(block).trim_matches(is_blank);
        if block.tag.heading().is_some() {
            chapters += usize::from(
                may_count(text) && {
                    let says = says(&leaves.line(block));
                    says.number.is_some() && says.kind != Kind::Part
                },
            );
            continue;
        }
        let Some(number) = text.parse().ok().filter(|_| text.len() <= 3) else { continue };
        if number <= last {
            return Vec::new();
        }
        crossed += usize::from(!places.is_empty() && chapters > 0);
        (last, chapters) = (number, 0);
        places.push(at);
    }
    if places.len() >= FEWEST && crossed >= 2 { places } else { Vec::new() }
}

/// What a title that is hardly one has more or less than this is sure.
const SURE: i32 = 2;

/// So many letters below a title are a chapter.
const LONG: u32 = 3_000;

/// Takes out the headings that are none; whether there were any.
pub(crate) fn mark(
    leaves: &mut Leaves,
    body: &Range<usize>,
    heads: &mut Vec<Head>,
    judge: &mut Judge<'_>,
) -> bool {
    let listed = listed(leaves);
    let lines: Vec<String> =
        heads.iter().map(|head| fold(&leaves.line(&leaves.blocks[head.first()]))).collect();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for line in &lines {
        *times.entry(line).or_default() += 1;
    }
    let spare = spare(heads);
    let begun = heads.iter().position(|head| is_counted(head) && head.prose > 0);
    let mut out = Vec::new();
    let mut led = false;
    for at in 1..heads.len() {
        let head = &heads[at];
        let begun = begun.is_some_and(|begun| begun < at);
        // The lines of one inscription are one.
        led = led && heads[at - 1].prose == 0 && head.says.kind == Kind::Other;
        led |= is_led_to(leaves, head.first());
        if head.says.kind != Kind::Other || !(begun || head.is_title) || head.level > 1 && !led {
            continue;
        }
        let end = heads.get(at + 1).map_or(body.end, Head::first);
        // A half title, or the title page of another volume.
        if head.is_title && prose_letters(leaves, head.end()..end) == 0 {
            continue;
        }
        if begun && let Some(end) = advertisement(leaves, head.end()..end) {
            for block in &mut leaves.blocks[head.first()..end] {
                block.fate.get_or_insert(Why::Advertisement);
            }
            out.push(at);
            continue;
        }
        let pictured = spare[at].is_some() && is_pictured(leaves, head.first());
        let again = times[lines[at].as_str()] >= FEWEST && (spare[at].is_some() || head.is_title);
        let against = 7 * i32::from(led)
            + 4 * i32::from(pictured || head.is_title && begun)
            + 5 * i32::from(again)
            + spare[at].unwrap_or(0);
        let points = i32::from(head.rank < 7) * 2
            + i32::from(listed.contains(&lines[at])) * 4
            + i32::from(head.prose >= LONG) * 2
            - against;
        let doubtful = points.abs() < SURE && against > 0;
        if points >= 0 && !doubtful
            || doubtful && judge.keeps(leaves, head.first()..head.end(), HEADING, points >= 0)
        {
            continue;
        }
        out.push(at);
        let why = match (led, pictured) {
            (true, _) => None,
            (_, true) => Some(Why::Caption),
            _ if head.is_title && !again => Some(Why::TitlePage),
            _ => again.then_some(Why::PageNumber),
        };
        for line in &head.lines {
            leaves.blocks[*line].fate = why;
        }
    }
    let mut at = 0;
    heads.retain(|_| {
        at += 1;
        out.binary_search(&(at - 1)).is_err()
    });
    !out.is_empty()
}

fn is_counted(head: &Head) -> bool {
    matches!(head.says.kind, Kind::Chapter | Kind::Number) && head.says.number.is_some()
}

/// The headings around which the numbers of chapters run on without them, with text of a chapter above each, and
/// what speaks against them for it: more where they cut one chapter in two.
fn spare(heads: &[Head]) -> Vec<Option<i32>> {
    let chapters = heads.iter().filter(|head| is_counted(head));
    let (count, all) = chapters.fold((0, 0), |(count, all), head| (count + 1, all + head.prose));
    let mut next = vec![None; heads.len()];
    let mut of_kind = [None; 2];
    for (at, head) in heads.iter().enumerate().rev() {
        next[at] = Some(of_kind);
        if is_counted(head) {
            of_kind[usize::from(head.says.kind == Kind::Number)] = head.says.number;
        }
    }
    let mut before: Option<&Head> = None;
    let mut spare = vec![None; heads.len()];
    for (at, head) in heads.iter().enumerate() {
        if is_counted(head) {
            before = Some(head);
            continue;
        }
        let Some(last) = before.filter(|_| heads[at - 1].prose > 0) else { continue };
        let next = next[at].and_then(|next| next[usize::from(last.says.kind == Kind::Number)]);
        let runs_on = next.map_or(count >= 2, |next| last.says.number == next.checked_sub(1));
        if runs_on && head.rank >= last.rank.min(6) {
            let whole = head.prose + heads[at - 1].prose;
            let beside = if is_counted(&heads[at - 1]) { heads[at - 1].prose } else { 0 };
            let mean = (all - beside) / (count - u32::from(beside > 0)).max(1);
            // Behind the last number an equal may be what became of them all.
            let cuts = whole / 14 <= mean / 10 && (next.is_some() || head.rank > last.rank);
            spare[at] = Some(if cuts { 4 } else { 2 });
        }
    }
    spare
}

/// Whether a sentence leads up to a block: `Over the door was written:`.
fn is_led_to(leaves: &Leaves, at: usize) -> bool {
    let before =
        leaves.blocks[..at].iter().rfind(|block| block.fate.is_none() && block.letters > 0);
    before.is_some_and(|block| {
        let line = leaves.line(block);
        block.tag.heading().is_none() && line.ends_with([':', ',']) && line.contains(' ')
    })
}

/// Whether a picture stands right above a block.
fn is_pictured(leaves: &Leaves, at: usize) -> bool {
    let start = |at: usize| leaves.pieces[leaves.blocks[at].pieces.start as usize].page.start;
    at > 0 && leaves.is_picture_between(start(at - 1), start(at))
}

/// Where an advertisement ends with which a section begins: most of its lines sell.
fn advertisement(leaves: &Leaves, section: Range<usize>) -> Option<usize> {
    let shown = |at: &usize| leaves.blocks[*at].fate.is_none() && leaves.blocks[*at].letters > 0;
    let (mut lines, mut sold, mut end) = (0, 0, None);
    for at in section.filter(shown) {
        let sign = is_sold(&leaves.line(&leaves.blocks[at]));
        if reads(leaves, at) && !sign || leaves.blocks[at].marks.any(Marks::INSET) {
            break;
        }
        lines += 1;
        sold += usize::from(sign);
        if sign && sold * 2 >= lines {
            end = Some(at + 1);
        }
    }
    end
}

/// The lines of the lists of contents, as they are folded, without pages and numbers.
fn listed(leaves: &Leaves) -> BTreeSet<String> {
    let lists = leaves.blocks.iter().filter(|block| block.fate == Some(Why::Contents));
    let lines = lists.flat_map(|block| leaves.lines(block));
    lines
        .map(|line| fold(line.trim_end_matches(|c: char| c.is_ascii_digit() || " .".contains(c))))
        .collect()
}

//! Chinese and Japanese texts whose lines were each made a paragraph: joined again.
//!
//! Such a page gives itself away: most of its paragraphs have one and the same width, and none is
//! longer. The first line of a paragraph is two symbols shorter, for its indent; a line that is not
//! full ends its paragraph.

use std::collections::BTreeMap;

use storymill_core::ParagraphKind;

use crate::piece::CleanParagraph;

/// Fewer paragraphs than this show no pattern.
const FEWEST: usize = 40;

/// Narrower lines than this are verse or lists.
const NARROWEST: usize = 20;

/// Joins lines, where the text is such.
pub(super) fn rejoined(paragraphs: Vec<CleanParagraph>) -> Vec<CleanParagraph> {
    let Some(full) = width(&paragraphs) else { return paragraphs };
    let mut out: Vec<CleanParagraph> = Vec::with_capacity(paragraphs.len() / 2);
    // The width of the last line, and whether it began its paragraph.
    let mut last: Option<(usize, bool)> = None;
    for mut paragraph in paragraphs {
        let symbols = paragraph.text.chars().count();
        let line = is_line(&paragraph)
            || paragraph.kind == ParagraphKind::Heading && (full - 3..=full + 1).contains(&symbols);
        if !line {
            last = None;
            out.push(paragraph);
            continue;
        }
        let goes_on = last.is_some_and(|(width, first)| width + 2 + usize::from(first) >= full);
        match out.last_mut() {
            Some(before) if goes_on && !speaks_anew(&before.text, &paragraph.text) => {
                before.text.push_str(&paragraph.text);
                before.page.end = paragraph.page.end;
                last = Some((symbols, false));
            }
            _ => {
                (paragraph.kind, paragraph.level) = (ParagraphKind::Prose, None);
                out.push(paragraph);
                last = Some((symbols, true));
            }
        }
    }
    out
}

fn is_line(paragraph: &CleanParagraph) -> bool {
    paragraph.kind == ParagraphKind::Prose
}

/// The width that the lines of the text have, if they were broken to one.
fn width(paragraphs: &[CleanParagraph]) -> Option<usize> {
    // Most texts part their words by blanks and are done here.
    let wide = |paragraph: &&CleanParagraph| {
        paragraph.text.chars().any(|c| ('\u{3040}'..='\u{9fff}').contains(&c))
    };
    let sample = paragraphs.iter().filter(|paragraph| is_line(paragraph)).take(FEWEST);
    if sample.filter(wide).count() < FEWEST * 3 / 4 {
        return None;
    }
    let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
    for paragraph in paragraphs.iter().filter(|paragraph| is_line(paragraph)) {
        *widths.entry(paragraph.text.chars().count()).or_default() += 1;
    }
    let all: usize = widths.values().sum();
    let full = widths.iter().max_by_key(|(_, count)| **count).map(|(width, _)| *width)?;
    let near: usize = widths.range(full.saturating_sub(2)..=full + 1).map(|(_, n)| n).sum();
    let over: usize = widths.range(full + 4..).map(|(_, n)| n).sum();
    (full >= NARROWEST && near * 20 >= all * 9 && over * 50 <= all).then_some(full)
}

/// Whether speech ends with one line and begins with the next.
fn speaks_anew(before: &str, next: &str) -> bool {
    before.ends_with(['。', '！', '？', '”', '」', '…']) && next.starts_with(['“', '「', '‘', '『'])
}

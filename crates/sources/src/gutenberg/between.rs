//! What stands between two chapters and is no story: notes, half titles, the title pages of further
//! volumes, the words `THE END`.

use std::{collections::BTreeSet, ops::Range};

use super::{
    blocks::{BREAK, Leaves, is_blank, small},
    lists::IMPRINTS,
    marks::Marks,
    matter::{is_prose, prose_letters, story},
    notes::is_labelled,
    structure::Head,
    words::{Kind, is_end},
};
use crate::cut::Why;

/// Marks what is no story between its first block and its last.
pub(super) fn mark(leaves: &mut Leaves, blocks: Range<usize>, heads: &[Head]) {
    sections(leaves, blocks.clone(), heads);
    inner_title_pages(leaves, blocks.clone(), heads);
    end_words(leaves, blocks, heads);
}

/// Between first and last chapter: sections of notes, half titles, `THE END` of one of several.
fn sections(leaves: &mut Leaves, blocks: Range<usize>, heads: &[Head]) {
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
            // A section of more text than notes have, without a label, is a story of this name.
            Kind::Notes | Kind::Transcriber if is_story(leaves, section.clone()) => continue,
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

/// Notes between two chapters that have no label have no more running text.
const LONGEST_NOTES: u32 = 6_000;

/// Whether a section is too long for notes, and nothing in it begins like one.
fn is_story(leaves: &Leaves, section: Range<usize>) -> bool {
    let labelled = section.clone().filter(|at| is_labelled(leaves, *at)).count();
    prose_letters(leaves, section) > LONGEST_NOTES && labelled < 3
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
            signs += IMPRINTS.iter().filter(|word| lower.contains(**word)).count();
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

//! Note marks that became kana: in some Chinese pages the circled numbers of notes were read in another
//! encoding, and `徐錫林く` is left of `徐錫林⑥`. A lone kana in a book of Chinese is no word.

use std::ops::Range;

use super::{
    blocks::{Leaves, small},
    tags::Tag,
};
use crate::cut::Why;

/// Fewer than this are words that somebody meant: a name, a brand.
const FEWEST: usize = 5;

/// Chinese characters for each of them, at least: in Japanese it is fewer than two.
const CHINESE_EACH: usize = 100;

fn is_kana(c: char) -> bool {
    matches!(c, 'ぁ'..='ゖ' | 'ゝ' | 'ゞ' | 'ァ'..='ヺ' | 'ー' | 'ヽ' | 'ヾ')
}

/// Cuts the lone kana of a Chinese text. A text that has them side by side keeps them all.
pub(super) fn cut(leaves: &mut Leaves, body: &Range<usize>) {
    // All kana begin with one and the same byte.
    if !leaves.scroll.as_bytes().contains(&0xe3) {
        return;
    }
    let mut marks = Vec::new();
    let mut chinese = 0;
    for block in leaves.blocks[body.clone()].iter().filter(|block| block.fate.is_none()) {
        let mut last = false;
        for (at, c) in leaves.text(block).char_indices() {
            let kana = is_kana(c);
            if kana && last {
                return;
            }
            if kana {
                let start = block.text.start + small(at);
                marks.push((start..start + small(c.len_utf8()), Why::NoteMark));
            }
            chinese += usize::from(('\u{4e00}'..='\u{9fff}').contains(&c));
            last = kana;
        }
    }
    if marks.len() >= FEWEST && marks.len() * CHINESE_EACH <= chinese {
        leaves.cuts.set(marks);
        sections(leaves, body);
    }
}

/// No title of a tale in such a page has more letters, and none of these signs.
const LONGEST_TITLE: u32 = 12;
const SIGNS: &str = "。，、︰：；？！…—“”「」『』《》（）﹝﹞";

/// The notes of each tale, below a line that says so; the short line behind them is the title of the next tale.
fn sections(leaves: &mut Leaves, body: &Range<usize>) {
    let (mut notes, mut ended) = (false, true);
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() || block.letters == 0 {
            continue;
        }
        let line = leaves.line(block);
        let plain = line.trim_matches(|c: char| !c.is_alphanumeric());
        let title = notes
            && ended
            && block.letters <= LONGEST_TITLE
            && !line.contains(|c| SIGNS.contains(c));
        notes = matches!(plain, "注釋" | "注释" | "註釋" | "註解") || notes && !title;
        // A line that is not full ends its paragraph too.
        ended = line.ends_with(|c| SIGNS.contains(c)) || block.letters <= LONGEST_TITLE;
        let block = &mut leaves.blocks[at];
        if title {
            block.tag = Tag::H2;
        } else if notes {
            block.fate = Some(Why::Footnote);
        }
    }
}

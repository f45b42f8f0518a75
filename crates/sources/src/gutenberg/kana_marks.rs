//! Note marks that became kana: in some Chinese pages the circled numbers of notes were read in another
//! encoding, and `徐錫林く` is left of `徐錫林⑥`. A lone kana in a book of Chinese is no word.

use std::ops::Range;

use super::blocks::{Leaves, small};
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
    }
}

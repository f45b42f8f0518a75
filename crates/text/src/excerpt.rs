//! Excerpts of a book: whole paragraphs, about as many words in each.

use std::ops::Range;

use crate::{Language, sentence::ends, word_count};

/// The words of an excerpt that the paper gives (section 4, BM25): 285 on average.
pub const WORDS: usize = 285;

/// The excerpts of a text as ranges of bytes, without the blanks between them.
///
/// Paragraphs are taken together while that comes nearer to the wanted number of words; one that is
/// half as long again is cut where sentences end, and a sentence that long between words.
///
/// Laws: in order and apart; together they have every word of the text.
pub fn excerpts(text: &str, words: usize) -> Vec<Range<usize>> {
    let words = words.max(1);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<(Range<usize>, usize)> = None;
    for (piece, count) in pieces(text, words) {
        open = Some(match open.take() {
            Some((range, held)) if (held + count).abs_diff(words) <= held.abs_diff(words) => {
                (range.start..piece.end, held + count)
            }
            Some((range, _)) => {
                found.push(range);
                (piece, count)
            }
            None => (piece, count),
        });
    }
    found.extend(open.map(|(range, _)| range));
    found
}

/// Paragraphs, those that are too long in parts, each with its words.
fn pieces(text: &str, words: usize) -> Vec<(Range<usize>, usize)> {
    let mut pieces = Vec::new();
    let mut from = 0;
    while from < text.len() {
        let end = blank_line(&text[from..]).map_or(text.len(), |at| from + at);
        let paragraph = &text[from..end];
        if count(paragraph) > words + words / 2 {
            // A line of a book that is set in lines ends no sentence.
            let flat = paragraph.replace(['\n', '\r'], " ");
            let mut start = 0;
            for end in ends(&flat, Language::English) {
                split(text, &paragraph[start..end], words, &mut pieces);
                start = end;
            }
        } else if let Some(range) = trimmed(text, paragraph) {
            pieces.push((range, count(paragraph)));
        }
        from = end;
        from += text[from..].len() - text[from..].trim_start().len();
    }
    pieces
}

/// Where the first blank line begins.
fn blank_line(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find('\n') {
        let rest = &text[from + at + 1..];
        let line = rest.trim_start_matches([' ', '\t', '\r']);
        if line.starts_with('\n') {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

/// A sentence, in parts if it is longer than an excerpt.
fn split(text: &str, sentence: &str, words: usize, pieces: &mut Vec<(Range<usize>, usize)>) {
    let all: Vec<&str> = sentence.split_whitespace().collect();
    for part in all.chunks(words) {
        let (first, last) = (part[0], part[part.len() - 1]);
        pieces.push((place(text, first).start..place(text, last).end, part.len()));
    }
}

/// Where a part of a text stands in it.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

fn trimmed(text: &str, part: &str) -> Option<Range<usize>> {
    let part = part.trim();
    (!part.is_empty()).then(|| place(text, part))
}

fn count(text: &str) -> usize {
    word_count(text) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paragraph_breaks_are_kept() {
        let text = "a b c\nd\n\ne f\n\n\n g h i j k l m n o pp. Q r s t u v w x y z\n";
        let found: Vec<_> = excerpts(text, 6).into_iter().map(|range| &text[range]).collect();
        assert_eq!(
            found,
            ["a b c\nd\n\ne f", "g h i j k l", "m n o pp.", "Q r s t u v", "w x y z"]
        );
        assert!(excerpts(" \n\n", 9).is_empty());
    }

    proptest! {
        #[test]
        fn every_word_is_there(text in "[a-cA-C. \n]{0,200}", words in 1_usize..20) {
            let ranges = excerpts(&text, words);
            let mut joined = Vec::new();
            for pair in ranges.windows(2) {
                prop_assert!(pair[0].end <= pair[1].start);
            }
            for range in &ranges {
                joined.extend(text[range.clone()].split_whitespace());
            }
            prop_assert_eq!(joined, text.split_whitespace().collect::<Vec<_>>());
        }
    }
}

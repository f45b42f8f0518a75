//! Texts in pieces: what is evidence, what was put in, what is false.

use serde::Serialize;
use storymill_text::{Difference, differences};

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Piece {
    /// What it is: blank, `evidence`, `inserted`, `replaced`, `evidence replaced`, `new`, `gone`.
    pub(crate) is: &'static str,
    /// Its text.
    pub(crate) text: String,
}

/// A span of a text that is marked, in symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) is: &'static str,
}

/// The paragraphs of a text in pieces. The text begins at symbol `start`; of marks that overlap the first one counts.
pub(crate) fn paragraphs(text: &str, start: u32, marks: &[Mark]) -> Vec<Vec<Piece>> {
    let mut marks: Vec<Mark> = marks.iter().filter(|mark| mark.end > start).copied().collect();
    marks.sort_unstable();
    let mut all = Vec::new();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut next = 0;
    let mut breaks = 0;
    for (symbol, letter) in (start..).zip(text.chars()) {
        while marks.get(next).is_some_and(|mark| mark.end <= symbol) {
            next += 1;
        }
        let mark = marks.get(next).filter(|mark| mark.start <= symbol);
        let is = mark.map_or("", |mark| mark.is);
        if letter == '\n' {
            breaks += 1;
            continue;
        }
        if breaks > 1 && !pieces.is_empty() {
            all.push(std::mem::take(&mut pieces));
        }
        if breaks == 1 && !pieces.is_empty() {
            add(&mut pieces, is, '\n');
        }
        breaks = 0;
        add(&mut pieces, is, letter);
    }
    if !pieces.is_empty() {
        all.push(pieces);
    }
    all
}

fn add(pieces: &mut Vec<Piece>, is: &'static str, letter: char) {
    match pieces.last_mut() {
        Some(last) if last.is == is => last.text.push(letter),
        _ => pieces.push(Piece { is, text: letter.to_string() }),
    }
}

/// A text beside the one that it was made from, word by word: what is `new` in it, what is `gone` from the other. Changes
/// with nothing but a blank between them are one.
pub(crate) fn edits(before: &str, after: &str) -> Vec<Piece> {
    let (before, after) = (words_and_blanks(before), words_and_blanks(after));
    let mut changes: Vec<Difference> = Vec::new();
    for (gone, new) in differences(&before, &after) {
        match changes.last_mut() {
            Some((was, is)) if was.end + 1 == gone.start && before[was.end].trim().is_empty() => {
                (was.end, is.end) = (gone.end, new.end);
            }
            _ => changes.push((gone, new)),
        }
    }
    let mut pieces: Vec<Piece> = Vec::new();
    let mut at = 0;
    for (gone, new) in changes {
        put(&mut pieces, "", &before[at..gone.start].concat());
        at = gone.end;
        put(&mut pieces, "gone", &before[gone].concat());
        put(&mut pieces, "new", &after[new].concat());
    }
    put(&mut pieces, "", &before[at..].concat());
    pieces
}

fn words_and_blanks(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let blank = first.is_whitespace();
        let end = rest.find(|letter: char| letter.is_whitespace() != blank).unwrap_or(rest.len());
        parts.push(&rest[..end]);
        rest = &rest[end..];
    }
    parts
}

fn put(pieces: &mut Vec<Piece>, is: &'static str, text: &str) {
    match pieces.last_mut() {
        Some(last) if last.is == is => last.text.push_str(text),
        _ if text.is_empty() => {}
        _ => pieces.push(Piece { is, text: text.to_owned() }),
    }
}

/// Every place of a text in another one, in symbols.
pub(crate) fn places(text: &str, wanted: &str, is: &'static str) -> Vec<Mark> {
    if wanted.trim().is_empty() {
        return Vec::new();
    }
    let (mut seen, mut symbol) = (0, 0);
    let length = symbols(wanted);
    let mut marks = Vec::new();
    for (at, _) in text.match_indices(wanted) {
        symbol += symbols(&text[seen..at]);
        seen = at;
        marks.push(Mark { start: symbol, end: symbol + length, is });
    }
    marks
}

fn symbols(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mark(start: u32, end: u32) -> Mark {
        Mark { start, end, is: "evidence" }
    }

    #[test]
    fn a_mark_may_go_over_paragraphs() {
        let found = paragraphs("Ünder rain.\n\nIt fell.\nStill.", 100, &[mark(106, 116)]);
        let texts: Vec<Vec<(&str, &str)>> =
            found.iter().map(|all| all.iter().map(|one| (one.is, &*one.text)).collect()).collect();
        assert_eq!(
            texts,
            [
                vec![("", "Ünder "), ("evidence", "rain.")],
                vec![("evidence", "It "), ("", "fell.\nStill.")]
            ]
        );
    }

    #[test]
    fn words_that_changed() {
        let found = edits("The bell is sent back.", "The boat is sent back.");
        let is: Vec<_> = found.iter().map(|one| (one.is, one.text.trim())).collect();
        assert_eq!(is, [("", "The"), ("gone", "bell"), ("new", "boat"), ("", "is sent back.")]);
        let found = edits("he was the surveyor who had", "he was an engineer whom she had");
        let is: Vec<_> = found.iter().map(|one| (one.is, &*one.text)).collect();
        assert_eq!(
            is,
            [
                ("", "he was "),
                ("gone", "the surveyor who"),
                ("new", "an engineer whom she"),
                ("", " had")
            ]
        );
        assert_eq!(places("ä bell, a bell", "bell", "new").len(), 2);
        assert_eq!(places("ä bell", "bell", "new")[0], Mark { start: 2, end: 6, is: "new" });
    }

    proptest! {
        /// Whatever is marked, no letter is lost and none comes twice.
        #[test]
        fn every_letter_stays(text in "[a-cé \n]{0,60}", marks in prop::collection::vec((0_u32..70, 0_u32..20), 0..4)) {
            let marks: Vec<Mark> = marks.into_iter().map(|(start, long)| mark(start, start + long)).collect();
            let found: String = paragraphs(&text, 0, &marks).into_iter().flatten().map(|one| one.text).collect();
            let letters = |text: &str| text.chars().filter(|letter| *letter != '\n').collect::<String>();
            prop_assert_eq!(letters(&found), letters(&text));
        }

        #[test]
        fn both_texts_come_back(one in "[a-c ]{0,30}", two in "[a-c ]{0,30}") {
            let found = edits(&one, &two);
            let without = |gone: &str| found.iter().filter(|piece| piece.is != gone).map(|piece| &*piece.text).collect::<String>();
            prop_assert_eq!(without("gone"), two);
            prop_assert_eq!(without("new"), one);
        }
    }
}

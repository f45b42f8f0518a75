//! What brackets say in plain letters: `[Pg 12]`, `[Illustration: A mill]`, `[12]`, `{12}`.

use std::ops::Range;

use super::{
    blocks::{Block, Leaves, is_blank, small},
    notes::LONG,
    numbers::roman,
    pictures::described,
};
use crate::cut::Why;

/// `[Pg 12]`, `[Illustration: …]`, `[12]`, `{12}` in plain letters.
pub(super) fn brackets(leaves: &Leaves, block: &Block, cuts: &mut Vec<(Range<u32>, Why)>) {
    let text = leaves.text(block);
    let bytes = text.as_bytes();
    let mut from = 0;
    for (open, close) in pairs(bytes) {
        // Only a picture, a note or the like may be long inside its brackets.
        let named = bytes[open + 1].is_ascii_alphabetic();
        let reach = if named { LONG } else { 24 };
        if open < from || close - open >= reach {
            continue;
        }
        if let Some(why) = bracket(&text[open + 1..close], bytes[open] == b'[') {
            if why == Why::Caption
                && let Some(letter) = initial(text, open, close)
            {
                let place = |at: usize| block.text.start + small(at);
                cuts.push((place(open)..place(letter.start), why));
                cuts.push((place(letter.end)..place(close + 1), why));
                from = close + 1;
                continue;
            }
            let start = block.text.start + small(open);
            cuts.push((start..start + small(close + 1 - open), why));
            from = close + 1;
        }
    }
}

/// Where the letter of `[Illustration: T]he` stands, which begins the word behind it.
fn initial(text: &str, open: usize, close: usize) -> Option<Range<usize>> {
    let letter = described(&text[open + 1..close]).0?;
    let letter = letter.chars().last()?;
    let mut next = text[close + 1..].chars();
    let (first, second) = (next.next()?, next.next());
    let goes_on = first.is_lowercase()
        || first.is_uppercase() && first != letter && !second.is_some_and(char::is_lowercase);
    let begins = !text[..open].contains(char::is_alphanumeric);
    let alone = |side: Option<char>| !side.is_some_and(char::is_alphabetic);
    let (at, sign) = text[open..close].char_indices().rev().find(|(at, c)| {
        let (before, behind) = text[open..close].split_at(*at);
        c.to_uppercase().eq([letter])
            && alone(before.chars().next_back())
            && alone(behind.chars().nth(1))
    })?;
    (begins && goes_on).then(|| open + at..open + at + sign.len_utf8())
}

/// The brackets that have a partner, each with its place, in order.
fn pairs(bytes: &[u8]) -> Vec<(usize, usize)> {
    let (mut square, mut curly, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    if !bytes.contains(&b'[') && !bytes.contains(&b'{') {
        return pairs;
    }
    for (at, byte) in bytes.iter().enumerate() {
        let open = match byte {
            b'[' => {
                square.push(at);
                continue;
            }
            b'{' => {
                curly.push(at);
                continue;
            }
            b']' => square.pop(),
            b'}' => curly.pop(),
            _ => continue,
        };
        pairs.extend(open.map(|open| (open, at)));
    }
    pairs.sort_unstable();
    pairs
}

fn bracket(inner: &str, square: bool) -> Option<Why> {
    let inner = inner.trim_matches(is_blank);
    let word = |c: char| c.is_alphabetic() || c == '\'';
    let end = inner.find(|c| !word(c)).unwrap_or(inner.len());
    let head = if end <= 24 { inner[..end].to_lowercase() } else { return None };
    let rest = inner[end..].trim_start_matches(['.', ' ', ':', '#']);
    let count = !rest.is_empty()
        && (rest.bytes().all(|byte| byte.is_ascii_digit()) && rest.len() < 5
            || rest.len() < 12 && roman(&rest.to_ascii_lowercase()).is_some());
    match head.as_str() {
        "pg" | "page" | "p" | "pag" | "seite" | "s" if count => Some(Why::PageNumber),
        "illustration" | "illustrations" | "frontispiece" | "illus" | "image" | "plate"
        | "picture" | "ill"
            if square =>
        {
            Some(Why::Caption)
        }
        "footnote" | "footnotes" | "fußnote" if square => Some(Why::Footnote),
        "sidenote" if square => Some(Why::Sidenote),
        "transcriber" | "transcriber's" | "transcribers" if square => Some(Why::TranscriberNote),
        "" if square || inner.len() <= 4 => {
            let digits = !inner.is_empty()
                && inner.len() <= 4
                && inner.bytes().all(|byte| byte.is_ascii_digit());
            let stars = !inner.is_empty() && inner.chars().all(|c| "*†‡§".contains(c));
            if digits {
                Some(if square { Why::NoteMark } else { Why::PageNumber })
            } else {
                stars.then_some(Why::NoteMark)
            }
        }
        _ => None,
    }
}

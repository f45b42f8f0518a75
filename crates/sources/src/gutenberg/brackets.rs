//! What brackets say in plain letters: `[Pg 12]`, `[Illustration: A mill]`, `[12]`, `{12}`.

use std::ops::Range;

use super::{
    blocks::{Block, Leaves, is_blank, small},
    numbers::roman,
};
use crate::cut::Why;

/// `[Pg 12]`, `[Illustration: …]`, `[12]`, `{12}` in plain letters.
pub(super) fn brackets(leaves: &Leaves, block: &Block, cuts: &mut Vec<(Range<u32>, Why)>) {
    let text = leaves.text(block);
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|byte| matches!(byte, b'[' | b'{')) {
        let open = from + at;
        let close = if bytes[open] == b'[' { b']' } else { b'}' };
        from = open + 1;
        // Only a picture, a note or the like may be long inside its brackets.
        let named = bytes.get(open + 1).is_some_and(u8::is_ascii_alphabetic);
        let reach = if named { 3_000 } else { 24 };
        let near = &bytes[open..bytes.len().min(open + reach)];
        let Some(len) = matching(near, bytes[open], close) else { continue };
        let inner = &text[open + 1..open + len];
        if let Some(why) = bracket(inner, bytes[open] == b'[') {
            let start = block.text.start + small(open);
            cuts.push((start..start + small(len + 1), why));
            from = open + len + 1;
        }
    }
}

/// The place of the bracket that closes the first one.
fn matching(bytes: &[u8], open: u8, close: u8) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == open {
            depth += 1;
        } else if *byte == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

fn bracket(inner: &str, square: bool) -> Option<Why> {
    let inner = inner.trim_matches(is_blank);
    let word = |c: char| c.is_alphabetic() || c == '\'';
    let end = inner.find(|c| !word(c)).unwrap_or(inner.len());
    let head = if end <= 24 { inner[..end].to_lowercase() } else { return None };
    let rest = inner[end..].trim_start_matches(['.', ' ', ':', '#']);
    let count = !rest.is_empty()
        && (rest.bytes().all(|byte| byte.is_ascii_digit()) && rest.len() < 5
            || roman(&rest.to_ascii_lowercase()).is_some());
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

//! What stands for a footnote where nothing links to it: `*`, `†`, `[3]`, before the note and behind a word.

#![expect(
    clippy::needless_bitwise_bool,
    reason = "without a jump, many bytes are compared at once"
)]

use super::blocks::is_blank;
use crate::glance;

/// `[3]` or `(3)` at the beginning of a note.
pub(super) fn label(text: &str) -> String {
    for (open, close) in [('[', b']'), ('(', b')')] {
        if let Some(rest) = text.strip_prefix(open)
            && let Some(end) = rest.bytes().take(4).position(|byte| byte == close)
            && end > 0
            && end <= 3
            && rest[..end].chars().all(|c| c.is_ascii_alphanumeric() || c == '*')
        {
            return text[..end + 2].to_owned();
        }
    }
    String::new()
}

/// Signs of notes behind a word.
pub(super) fn signs(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let plain = |byte: u8| (byte == b'*') | (byte == b'[') | (byte == b'(');
    let dagger = |byte: u8, next: u8, third: u8| {
        plain(byte) | (byte == 0xe2) & (next == 0x80) & (third.wrapping_sub(0xa0) < 2)
    };
    if !glance::any(text, |byte, _| plain(byte), dagger) {
        return found;
    }
    let mut from = 0;
    let bytes = text.as_bytes();
    let is_sign = |at: &usize| match bytes[*at] {
        b'*' | b'[' | b'(' => true,
        0xe2 => text[*at..].starts_with(['†', '‡']),
        _ => false,
    };
    while let Some(at) = (from..bytes.len()).find(is_sign) {
        let attached = text[..at].chars().rev().take(2).any(|c| !is_blank(c));
        let len = text[at..]
            .chars()
            .take_while(|c| "*†‡§".contains(*c))
            .map(char::len_utf8)
            .sum::<usize>();
        let len = if len == 0 { label(&text[at..]).len() } else { len };
        if len > 0 && (attached || text[at..].starts_with('[')) {
            found.push((at, &text[at..at + len]));
        }
        from = at + len.max(1);
    }
    found
}

//! A glance at a text: whether any of its bytes asks for a closer look, and how many are of a kind.
//!
//! Most of a page is plain text to which none of the careful rules applies. What is asked here is asked of
//! blocks of bytes without an end in between, so that the compiler compares many of them at once; the rules
//! themselves are left to whoever asks.

/// Bytes that are looked at together.
const BLOCK: usize = 32;

/// Whether something holds anywhere in a text: for a byte and the one behind it among ASCII alone, for a byte and the
/// two behind it elsewhere. Behind the end stand letters.
#[inline]
pub(crate) fn any(
    text: &str,
    in_ascii: impl Fn(u8, u8) -> bool,
    elsewhere: impl Fn(u8, u8, u8) -> bool,
) -> bool {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let mut padded = [b'a'; BLOCK + 2];
        let block = if let Some(block) = rest.first_chunk() {
            block
        } else {
            padded[..rest.len()].copy_from_slice(rest);
            &padded
        };
        let found = if block[..BLOCK].is_ascii() {
            (0..BLOCK).fold(false, |found, at| found | in_ascii(block[at], block[at + 1]))
        } else {
            let holds = |at: usize| elsewhere(block[at], block[at + 1], block[at + 2]);
            (0..BLOCK).fold(false, |found, at| found | holds(at))
        };
        if found {
            return true;
        }
        rest = rest.get(BLOCK..).unwrap_or_default();
    }
    false
}

/// How many bytes are such.
#[inline]
pub(crate) fn count(bytes: &[u8], is_such: impl Fn(u8) -> bool) -> u32 {
    // No block has more bytes than a byte can count.
    let counted = |block: &[u8]| {
        block.iter().fold(0_u8, |count, byte| count.wrapping_add(u8::from(is_such(*byte))))
    };
    bytes.chunks(BLOCK).map(|block| u32::from(counted(block))).sum()
}

/// The characters of a text that are not ASCII.
pub(crate) fn beyond_ascii(text: &str) -> impl Iterator<Item = char> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let plain = bytes.chunks(BLOCK / 2).take_while(|block| block.is_ascii()).count();
        let from = (plain * BLOCK / 2).min(bytes.len());
        let at = from + bytes[from..].iter().position(|byte| !byte.is_ascii())?;
        let c = rest[at..].chars().next()?;
        rest = &rest[at + c.len_utf8()..];
        Some(c)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Law: a glance finds what a look at one byte after another finds.
        #[test]
        fn nothing_is_missed(text in "([a-z ]{0,40}[“” éXYZ]{0,3}){0,4}") {
            let at = |at: usize| text.as_bytes().get(at).copied().unwrap_or(b'a');
            let two = |a: u8, b: u8| a == b'X' && b == b'Y';
            let three = |a: u8, b: u8, c: u8| two(a, b) || (a, b, c) == (0xe2, 0x80, 0x9d);
            let slow = (0..text.len()).any(|from| three(at(from), at(from + 1), at(from + 2)));
            prop_assert_eq!(super::any(&text, two, three), slow);
            let slow = text.bytes().filter(u8::is_ascii_lowercase).count();
            prop_assert_eq!(count(text.as_bytes(), |byte| byte.is_ascii_lowercase()) as usize, slow);
            prop_assert!(beyond_ascii(&text).eq(text.chars().filter(|c| !c.is_ascii())));
        }
    }
}

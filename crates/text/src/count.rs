//! Words split on whitespace: counted at the speed of memory, and set in one line.
//!
//! The card tells the length of every question, and the options of a large dataset are more than
//! a gigabyte of text.

/// A text in one line, one blank between its words.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many words a text has: as many as `split_whitespace` yields.
pub fn word_count(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let words = if !text.is_ascii() && has_wide_blanks(bytes) {
        text.split_whitespace().count()
    } else {
        let first = bytes.first().is_some_and(|byte| !is_blank(*byte));
        usize::from(first) + word_starts(bytes)
    };
    u32::try_from(words).unwrap_or(u32::MAX)
}

/// Blanks of one byte. Those of several bytes are looked for apart.
fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// Bytes compared at once. The count of a piece fits a byte, which lets the compiler count many
/// places in one instruction.
const PIECE: usize = 128;

/// Places where a byte that is no blank follows one that is.
fn word_starts(bytes: &[u8]) -> usize {
    let after = bytes.get(1..).unwrap_or_default();
    let pieces = bytes.chunks(PIECE).zip(after.chunks(PIECE));
    pieces
        .map(|(before, after)| {
            let pairs = before.iter().zip(after);
            let starts = pairs.fold(0_u8, |starts, (before, after)| {
                // A check for overflow would take the many places apart again.
                starts.wrapping_add(u8::from(is_blank(*before) & !is_blank(*after)))
            });
            usize::from(starts)
        })
        .sum()
}

/// Whether two bytes stand anywhere that a blank of several bytes may begin with: U+0085, U+00A0,
/// U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000.
#[expect(clippy::needless_bitwise_bool, reason = "without branches, many places at once")]
fn has_wide_blanks(bytes: &[u8]) -> bool {
    let (second, third) = (bytes.get(1..).unwrap_or_default(), bytes.get(2..).unwrap_or_default());
    let two = bytes.chunks(PIECE).zip(second.chunks(PIECE)).any(|(first, second)| {
        first.iter().zip(second).fold(false, |found, (a, b)| {
            let (a, b) = (*a, *b);
            found
                | ((a == 0xC2) & ((b == 0x85) | (b == 0xA0)))
                | ((a == 0xE1) & (b == 0x9A))
                | ((a == 0xE2) & (b == 0x81))
                | ((a == 0xE3) & (b == 0x80))
        })
    });
    let general = |(second, third): (&[u8], &[u8])| {
        second.iter().zip(third).fold(false, |found, (b, c)| {
            let blank = (c.wrapping_sub(0x80) <= 0x0A) | (c.wrapping_sub(0xA8) <= 1) | (*c == 0xAF);
            found | ((*b == 0x80) & blank)
        })
    };
    two || second.chunks(PIECE).zip(third.chunks(PIECE)).any(general)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_are_those_of_the_standard_library(
            words in prop::collection::vec("[a-zé’—]{0,40}", 0..30),
            blanks in prop::collection::vec(r"\s{1,2}", 30),
        ) {
            let pairs = words.iter().zip(&blanks);
            let text: String = pairs.flat_map(|(word, blank)| [word.as_str(), blank]).collect();
            prop_assert_eq!(word_count(&text) as usize, text.split_whitespace().count());
            let plain = words.join(" ");
            prop_assert_eq!(word_count(&plain) as usize, plain.split_whitespace().count());
        }

        #[test]
        fn every_text_is_counted(text in any::<String>()) {
            prop_assert_eq!(word_count(&text) as usize, text.split_whitespace().count());
        }
    }

    #[test]
    fn every_blank_parts_words() {
        for blank in ('\0'..='\u{10FFFF}').filter(|symbol| symbol.is_whitespace()) {
            assert_eq!(word_count(&format!("a{blank}b")), 2, "{blank:?}");
        }
        assert_eq!(word_count(""), 0);
        assert_eq!(word_count("it’s “so” — \u{80}\u{200B}"), 4);
    }
}

//! Texts in UTF-16: in which of the two byte orders, with a mark or without.
//!
//! Read in the wrong order, a page in English is a book in no language, though each of its symbols
//! is one that Chinese has. What gives the right order away is what all texts have and what in the wrong
//! order hardly is a symbol: blanks, line ends, the brackets of tags.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// A text has at least one blank, line end or tag in so many symbols.
const APART: usize = 500;

/// A text in UTF-16.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide<'b> {
    pub(crate) encoding: &'static Encoding,
    /// The rule that decided: `bom`, `utf-16`.
    pub(crate) rule: &'static str,
    /// The text without its mark.
    pub(crate) bytes: &'b [u8],
}

impl<'b> Wide<'b> {
    /// The text that these bytes are, if they are UTF-16. A mark that the bytes contradict does not count.
    pub(crate) fn of(bytes: &'b [u8]) -> Option<Self> {
        let (mark, bytes) = match bytes {
            [0xff, 0xfe, rest @ ..] => (Some(UTF_16LE), rest),
            [0xfe, 0xff, rest @ ..] => (Some(UTF_16BE), rest),
            // Blanks and line ends have a zero in UTF-16, and no other text has one.
            _ if bytes.contains(&0) => (None, bytes),
            _ => return None,
        };
        let bytes = unended(bytes);
        let little = Signs::of(bytes, u16::from_le_bytes);
        let big = Signs::of(bytes, u16::from_be_bytes);
        let found = if little.beat(&big) {
            Some(UTF_16LE)
        } else if big.beat(&little) {
            Some(UTF_16BE)
        } else {
            None
        };
        let marked = mark.filter(|mark| {
            let signs = if *mark == UTF_16LE { &little } else { &big };
            !signs.has_nul
        });
        let (encoding, rule) = match (found, marked) {
            (Some(found), marked) if marked != Some(found) => (found, "utf-16"),
            (_, marked) => (marked?, "bom"),
        };
        Some(Self { encoding, rule, bytes })
    }

    /// The text in Unicode.
    pub(crate) fn text(self) -> String {
        self.encoding.decode_without_bom_handling(self.bytes).0.into_owned()
    }
}

/// Texts without the NUL symbols at their end: some programs write out the sign that ends their strings.
fn unended(mut bytes: &[u8]) -> &[u8] {
    while bytes.len().is_multiple_of(2)
        && let [rest @ .., 0, 0] = bytes
    {
        bytes = rest;
    }
    bytes
}

/// What a reading in one byte order meets.
#[derive(Debug, Default)]
struct Signs {
    all: usize,
    /// Blanks, line ends, brackets of tags.
    plain: usize,
    /// What no text has: control signs, halves of symbols, places without a symbol.
    bad: usize,
    has_nul: bool,
}

impl Signs {
    fn of(bytes: &[u8], read: fn([u8; 2]) -> u16) -> Self {
        let units = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
        let mut signs = Self::default();
        for symbol in char::decode_utf16(units) {
            signs.all += 1;
            match symbol {
                Ok(' ' | '\n' | '\r' | '\t' | '<' | '>') => signs.plain += 1,
                Ok('\0') => signs.has_nul = true,
                Ok(c) if c.is_control() || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..) => {
                    signs.bad += usize::from(c < '\u{10000}');
                }
                Ok(_) => {}
                Err(_) => signs.bad += 1,
            }
        }
        signs
    }

    /// Whether this reading is a text and the other is none.
    fn beat(&self, other: &Self) -> bool {
        // A NUL or two may be anything.
        !self.has_nul
            && self.plain >= 4
            && self.plain * APART >= self.all
            && self.plain > other.plain * 8
            && self.bad * 200 <= self.all
    }
}

//! Where something stands in a text: in bytes for the program, in symbols for its users.
//!
//! A **symbol** is one Unicode scalar value, what Python's `len` counts (NarrativeXL counts
//! scenes this way). Rust slices by bytes. A [`Place`] holds both, so neither is ever guessed.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// One place in a text.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Place {
    /// UTF-8 bytes before it.
    pub byte: u32,
    /// Unicode scalar values before it.
    pub symbol: u32,
}

/// A half-open stretch of a text, in bytes and in symbols.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Span {
    /// Where it begins.
    pub start: Place,
    /// Where it ends: the first place that is no longer in it.
    pub end: Place,
}

impl Span {
    /// The bytes, ready to slice with.
    pub fn bytes(self) -> Range<usize> {
        self.start.byte as usize..self.end.byte as usize
    }

    /// How many symbols it covers.
    pub fn symbols(self) -> u32 {
        self.end.symbol - self.start.symbol
    }
}

/// A half-open stretch in bytes alone, as of a source page whose symbols nobody counts.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ByteSpan {
    /// The first byte.
    pub start: u32,
    /// The first byte that is no longer in it.
    pub end: u32,
}

impl ByteSpan {
    /// The bytes, ready to slice with.
    pub fn bytes(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Turns byte offsets of one text into places.
///
/// ```
/// use storymill_core::SymbolIndex;
/// let text = "Éloïse read on";
/// let span = SymbolIndex::new(text).span(0..8);
/// assert_eq!((span.symbols(), &text[span.bytes()]), (6, "Éloïse"));
/// ```
#[derive(Debug)]
pub struct SymbolIndex<'t> {
    text: &'t str,
    /// Symbols that begin before byte `STEP * i`.
    before: Vec<u32>,
}

const STEP: usize = 256;

impl<'t> SymbolIndex<'t> {
    /// Counts the symbols of a text once.
    ///
    /// # Panics
    ///
    /// If the text is longer than `u32::MAX` bytes; a book is at most 64 MB.
    pub fn new(text: &'t str) -> Self {
        u32::try_from(text.len()).expect("a text has at most u32::MAX bytes");
        let mut before = vec![0];
        let mut count = 0;
        for block in text.as_bytes().chunks(STEP) {
            count += starts(block);
            before.push(count);
        }
        Self { text, before }
    }

    /// The place before the given byte, which must lie on a border of symbols.
    ///
    /// # Panics
    ///
    /// If the byte lies inside a symbol or beyond the text.
    pub fn place(&self, byte: usize) -> Place {
        assert!(self.text.is_char_boundary(byte), "byte {byte} lies inside a symbol");
        let block = byte / STEP;
        let symbol = self.before[block] + starts(&self.text.as_bytes()[block * STEP..byte]);
        Place { byte: u32::try_from(byte).expect("checked in `new`"), symbol }
    }

    /// The span over a range of bytes.
    pub fn span(&self, bytes: Range<usize>) -> Span {
        Span { start: self.place(bytes.start), end: self.place(bytes.end) }
    }
}

/// How many symbols begin in these bytes: all bytes but continuation bytes begin one.
fn starts(bytes: &[u8]) -> u32 {
    let count = bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count();
    u32::try_from(count).expect("a text has at most u32::MAX bytes")
}

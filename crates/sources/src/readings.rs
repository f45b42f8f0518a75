//! Which of several readings of bytes is the text: those of browsers, the Macintosh's and DOS's.
//!
//! Nothing in a file of one byte a symbol says how it is to be read, and what it says of itself may be wrong. So
//! each reading is judged by what comes out ([`Points`]), over all stretches that are not ASCII.

use std::{borrow::Cow, collections::HashMap};

use encoding_rs::{
    Encoding, IBM866, ISO_8859_2, KOI8_U, MACINTOSH, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, X_MAC_CYRILLIC,
};

use storymill_text::looks;

use crate::{
    dos::{CP437, CP850, CP852},
    likely::{FINE, Points},
};

/// A way to read bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As browsers know it.
    Web(&'static Encoding),
    /// By a table of the symbols from 0x80 on: its name, the symbols.
    Table(&'static str, &'static str),
}

impl Reading {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Web(encoding) => encoding.name(),
            Self::Table(name, _) => name,
        }
    }

    pub(crate) fn text(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Self::Web(encoding) => encoding.decode_without_bom_handling(bytes).0,
            Self::Table(_, symbols) => {
                let high: Vec<char> = symbols.chars().collect();
                let symbol = |byte: &u8| {
                    byte.checked_sub(0x80).map_or(char::from(*byte), |at| high[usize::from(at)])
                };
                Cow::Owned(bytes.iter().map(symbol).collect())
            }
        }
    }

    fn is_single_byte(self) -> bool {
        !matches!(self, Self::Web(encoding) if !encoding.is_single_byte())
    }
}

/// What is read where nothing is declared, in the order of how often it is met.
const OTHERS: [Reading; 12] = [
    Reading::Web(WINDOWS_1252),
    Reading::Web(MACINTOSH),
    Reading::Table("IBM850", CP850),
    Reading::Table("IBM437", CP437),
    Reading::Web(WINDOWS_1250),
    Reading::Web(ISO_8859_2),
    Reading::Table("IBM852", CP852),
    Reading::Web(WINDOWS_1251),
    Reading::Web(KOI8_U),
    Reading::Web(IBM866),
    Reading::Web(X_MAC_CYRILLIC),
    Reading::Web(WINDOWS_1253),
];

/// What was found: the reading, and another that gives a text nearly as good, where one does.
#[derive(Debug)]
pub(crate) struct Best {
    pub(crate) reading: Reading,
    pub(crate) other: Option<Reading>,
}

/// Stretches that are looked at to see whether a declaration is right.
const SAMPLE: usize = 150;

/// Whether bytes that declare an encoding are good text in it, by stretches from all over.
pub(crate) fn is_good(reading: Reading, bytes: &[u8]) -> bool {
    if !reading.is_single_byte() {
        return !matches!(reading, Reading::Web(encoding) if encoding.decode_without_bom_handling(bytes).1);
    }
    let (mut points, mut many) = (Points::new(false), 0);
    for stretch in stretches(bytes, bytes.len() / SAMPLE) {
        points.add(&reading.text(stretch), 1);
        many += symbols(stretch);
    }
    points.sum(None) * 10 >= many * i64::from(FINE) * 9
}

/// The best reading. A first one, declared or guessed, is given up only for one that is clearly better.
pub(crate) fn best(first: Reading, declared: bool, guess: Reading, bytes: &[u8]) -> Best {
    if !guess.is_single_byte() && is_wide(guess, bytes) {
        return Best { reading: guess, other: None };
    }
    let mut readings = vec![first, guess];
    readings.extend(OTHERS);
    readings.retain(|reading| reading.is_single_byte());
    let mut counts: HashMap<&[u8], i64> = HashMap::new();
    for stretch in stretches(bytes, 0) {
        *counts.entry(stretch).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable();
    let plain: String =
        bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { ' ' }).collect();
    let language = looks(&plain.lines());
    let judged = readings.into_iter().map(|reading| {
        let mut points = Points::new(true);
        for (stretch, times) in &counts {
            points.add(&reading.text(stretch), *times);
        }
        (points.sum(language) + line_ends(reading, &plain), reading)
    });
    let judged: Vec<_> = judged.collect();
    // By how much a reading must win, by the symbols that it reads otherwise.
    let margin = |one: Reading, other: Reading| {
        let differs = counts.iter().filter(|(bytes, _)| one.text(bytes) != other.text(bytes));
        let many: i64 = differs.map(|(stretch, times)| symbols(stretch) * times).sum();
        i64::from(FINE).max(many / 4)
    };
    let (mine, first) = judged[0];
    // Of equal readings the first in order counts.
    let best = judged.iter().fold(judged[0], |best, one| if one.0 > best.0 { *one } else { best });
    let needed = if declared { margin(first, best.1) * 2 } else { 0 };
    let (own, reading) = if best.0 > mine + needed { best } else { (mine, first) };
    let differs =
        |other: Reading| counts.iter().any(|(one, _)| reading.text(one) != other.text(one));
    let near = |(points, other): &&(i64, Reading)| {
        differs(*other) && *points + margin(reading, *other) > own
    };
    let other = judged.iter().filter(near).max_by_key(|(points, _)| *points);
    Best { reading, other: other.map(|(_, other)| *other) }
}

/// The line ends of old systems speak for their encodings, though files are carried over.
fn line_ends(reading: Reading, plain: &str) -> i64 {
    let mac = plain.contains('\r') && !plain.contains('\n');
    let dos = plain.contains("\r\n");
    i64::from(match reading {
        Reading::Table(..) => dos,
        Reading::Web(encoding) if encoding == MACINTOSH => mac,
        Reading::Web(_) => false,
    })
}

/// Whether bytes read two or more at a time are text: most symbols beyond ASCII stand beside others.
fn is_wide(reading: Reading, bytes: &[u8]) -> bool {
    let Reading::Web(encoding) = reading else { return false };
    let (text, bad) = encoding.decode_without_bom_handling(bytes);
    let (mut alone, mut together) = (0_usize, 0_usize);
    let mut before = ' ';
    for c in text.chars() {
        if c >= '\u{2e80}' {
            if before.is_ascii_alphanumeric() { alone += 1 } else { together += 1 }
        }
        before = c;
    }
    !bad && alone * 8 < together
}

fn symbols(stretch: &[u8]) -> i64 {
    i64::try_from(stretch.iter().filter(|byte| !byte.is_ascii()).count()).unwrap_or(i64::MAX)
}

/// Words and signs that are not ASCII, each with the byte before it and the one behind; between two, bytes are left
/// out.
fn stretches(bytes: &[u8], apart: usize) -> impl Iterator<Item = &[u8]> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let high = from + bytes.get(from..)?.iter().position(|byte| !byte.is_ascii())?;
        let is_word = |byte: &u8| !byte.is_ascii() || byte.is_ascii_alphabetic();
        let start = high - bytes[from..high].iter().rev().take_while(|byte| is_word(byte)).count();
        let end = high + bytes[high..].iter().take_while(|byte| is_word(byte)).count();
        from = end + apart;
        Some(&bytes[start.saturating_sub(1)..bytes.len().min(end + 1)])
    })
}

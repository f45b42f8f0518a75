//! A made-up table whose rows may be very long, in every kind of column that can hold a text.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub, missing_docs)]

use std::path::Path;

use serde::{Deserialize, Serialize};
use storymill_core::{Record, UnitId};
use storymill_dataset::{Config, Publication, Published, Tables, publish, table};

use super::support::{Kept, TestDisk, publication};

/// A row whose texts say how long they are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Long {
    pub at: u32,
    pub bytes: u32,
}

impl Record for Long {
    const NAME: &'static str = "long";
    const VERSION: u32 = 1;
}

table! { Long, "a text of some length", evaluation, |long, _added| {
        let (text, odd) = (letters(long.at, long.bytes), long.at % 2 == 1);
        let third = text.len() / 3;
        let parts = [&text[..third], &text[third..2 * third], &text[2 * third..]];
        let line = format!("line {}", long.at);
    }
    "at": Int => long.at, "the place of the row";
    "symbols": Int => long.bytes, "the length of its text";
    "text": Text => text, "the text";
    "parts": list(Text) => if odd { Vec::new() } else { parts.to_vec() }, "the text, cut in three; none where the row is odd";
    "note": or_null(Text) => odd.then_some(&text), "the text; null where the row is even";
    "word": Word => if long.at.is_multiple_of(5) { &*text } else { "word" }, "a short text, or the text";
    "line": Line => if long.at.is_multiple_of(7) { &text } else { &line }, "a short text, or the text";
}

/// A text of plain letters in which no page repeats another.
pub fn letters(seed: u32, bytes: u32) -> String {
    let mut state = u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut letter = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        b"etaoin shrdlu   "[usize::try_from(state >> 60).unwrap()] as char
    };
    (0..bytes).map(|_| letter()).collect()
}

/// Publishes one row for each length, in this order.
pub fn publish_long(lengths: &[u32], out: &Path) -> Published {
    let (mut spec, _): (Publication, _) = publication(&[]);
    let mut shelf = Kept::default();
    let unit: UnitId = "long".parse().unwrap();
    let rows: Vec<_> = (0..).zip(lengths).map(|(at, bytes)| Long { at, bytes: *bytes }).collect();
    let parts = vec![shelf.put(&unit, &rows)];
    spec.configs = vec![Config {
        name: "long".to_owned(),
        record: "long".to_owned(),
        encodings: Vec::new(),
        parts,
    }];
    spec.splits.clear();
    let tables = Tables::standard().with::<Long>();
    publish(&spec, &tables, &shelf, &TestDisk::sound(), out).unwrap()
}

/// Long rows before, between and behind short ones, and nothing but long ones.
pub fn orders() -> Vec<(&'static str, Vec<u32>)> {
    const HALF: u32 = 1 << 19;
    const LONG: [u32; 3] = [HALF, 2 << 20, 12 << 20];
    let short = |count| vec![300; count];
    let turned = |by: usize| {
        let mut long = LONG.to_vec();
        long.rotate_left(by);
        long
    };
    vec![
        ("first", [turned(2), short(38)].concat()),
        ("middle", [short(11), turned(1), short(24)].concat()),
        ("last", [short(38), turned(0)].concat()),
        ("alone", turned(2)),
        ("between", (0..38).map(|at| if at % 4 == 2 { LONG[at / 4 % 2] } else { 40 }).collect()),
        // Exactly a page, and a byte less and more.
        ("borders", vec![1 << 20, (1 << 20) - 1, (1 << 20) + 1, 1_000_000, 1_000_001, 999_980]),
    ]
}

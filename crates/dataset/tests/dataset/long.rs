//! A made-up table whose rows may be very long, in every kind of column that can hold a text.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub, missing_docs)]

use std::path::Path;

use serde::{Deserialize, Serialize};
use storymill_core::{Encoding, Record, UnitId};
use storymill_dataset::{
    Added, Column, Config, Publication, Published, Table, Tables, Type, publish,
};

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

#[derive(Debug, Serialize)]
pub struct Row {
    at: u32,
    symbols: u32,
    text: String,
    parts: Vec<String>,
    note: Option<String>,
    word: String,
    line: String,
    canary: String,
}

impl Table for Long {
    type Row = Row;
    const ABOUT: &'static str = "a text of some length";
    const EVALUATION: bool = true;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        vec![
            Column::new("at", Type::Int, "the place of the row"),
            Column::new("symbols", Type::Int, "the length of its text"),
            Column::new("text", Type::Text, "the text"),
            Column::new(
                "parts",
                Type::list(Type::Text),
                "the text, cut in three; none where the row is odd",
            ),
            Column::new("note", Type::Text, "the text; null where the row is even").or_null(),
            Column::new("word", Type::Word, "a short text, or the text"),
            Column::new("line", Type::Line, "a short text, or the text"),
            Column::canary(),
        ]
    }

    fn row(self, added: &Added<'_>) -> Row {
        let text = letters(self.at, self.bytes);
        let odd = self.at % 2 == 1;
        let third = text.len() / 3;
        let parts = [&text[..third], &text[third..2 * third], &text[2 * third..]];
        Row {
            at: self.at,
            symbols: self.bytes,
            parts: if odd { Vec::new() } else { parts.map(str::to_owned).to_vec() },
            note: odd.then(|| text.clone()),
            word: if self.at.is_multiple_of(5) { text.clone() } else { "word".to_owned() },
            line: if self.at.is_multiple_of(7) {
                text.clone()
            } else {
                format!("line {}", self.at)
            },
            canary: added.canary.to_owned(),
            text,
        }
    }
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

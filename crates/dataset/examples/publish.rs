//! Publishes a made-up dataset into a folder: `publish OUT [BOOKS [SCENES [SCENE_BYTES]]]`.
//!
//! The readers' test and the measure of memory run on what it writes. Parts are made when they
//! are asked for, so that only what publishing itself holds is in memory.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/dataset/support.rs"]
mod support;

use std::path::PathBuf;

use storymill_core::{Digest, Fault, PartRef, Parts, Record, UnitId};
use storymill_dataset::{Tables, publish};

use support::{TestDisk, publication, work};

#[derive(Debug)]
struct Made {
    scenes: u32,
    bytes: usize,
}

/// The digest of a part that is made on demand says which one it is.
fn named(table: u8, book: u32) -> Digest {
    let mut digest = [0; 32];
    digest[0] = table;
    digest[1..5].copy_from_slice(&book.to_le_bytes());
    Digest::from(digest)
}

impl Parts for Made {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        let [table, a, b, c, d, ..] = *part.digest.as_bytes();
        let seed = u64::from(u32::from_le_bytes([a, b, c, d]));
        let work = work(part.unit.as_str(), seed, self.scenes, self.bytes);
        let bytes = match table {
            0 => Record::encode(&[work.book]),
            1 => Record::encode(&work.scenes),
            2 => Record::encode(&work.summaries),
            3 => Record::encode(&work.distortions),
            _ => Record::encode(&work.questions),
        };
        Ok(bytes.unwrap())
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let out = PathBuf::from(words.next().expect("usage: publish OUT [BOOKS [SCENES [BYTES]]]"));
    let mut number = |default| words.next().map_or(default, |word| word.parse::<u32>().unwrap());
    let (books, scenes, bytes) = (number(7), number(40), number(2_500));
    let (mut spec, _) = publication(&[]);
    for book in 0..books {
        let unit: UnitId = format!("b{book}").parse().unwrap();
        for (table, config) in (0_u8..).zip(&mut spec.configs) {
            let rows = if table == 0 { 1 } else { scenes };
            config.parts.push(PartRef { unit: unit.clone(), digest: named(table, book), rows });
        }
        let split = ["train", "train", "train", "validation", "test"][book as usize % 5];
        spec.splits.insert(unit, split.to_owned());
    }
    let parts = Made { scenes, bytes: bytes as usize };
    let published = publish(&spec, &Tables::standard(), &parts, &TestDisk::sound(), &out).unwrap();
    for file in &published.manifest.files {
        println!("{} {} rows {} bytes", file.path, file.rows, file.bytes);
    }
    println!("{}", published.manifest.digest);
}

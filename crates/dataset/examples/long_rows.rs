//! Publishes tables with very long rows, for the readers' test: `long_rows OUT`.
//!
//! A dataset for each order of rows, `OUT/ORDER`, and the same texts as contexts that are written
//! out, `OUT/ORDER.parquet`.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/dataset/long.rs"]
mod long;
#[path = "../tests/dataset/support.rs"]
mod support;

use std::{fs::File, path::PathBuf};

use storymill_dataset::materialize::{Record, Sheet};

use long::{letters, orders, publish_long};

fn main() {
    let out = PathBuf::from(std::env::args().nth(1).expect("usage: long_rows OUT"));
    for (name, lengths) in orders() {
        publish_long(&lengths, &out.join(name));
        let mut sheet =
            Sheet::new(File::create(out.join(format!("{name}.parquet"))).unwrap()).unwrap();
        for (at, bytes) in (0..).zip(&lengths) {
            sheet.push(&context(at, *bytes, &letters(at, *bytes))).unwrap();
        }
        sheet.finish().unwrap();
        println!("{name}: {} rows", lengths.len());
    }
}

fn context(at: u32, bytes: u32, text: &str) -> Record<'_> {
    Record {
        input: "Where?",
        context: text,
        answers: &[],
        length: bytes,
        dataset: "long_16k".to_owned(),
        language: "en",
        all_classes: None,
        answer_keywords: None,
        confusing_facts: &[],
        id: "long/q",
        level: at,
        ablation: "none",
        evidence: Vec::new(),
        cut: (0, 0),
        canary: "c",
    }
}

//! Golden tests: NoCha's public sample, and pairs that were broken on purpose.
//!
//! The sample lies beside the checkout; where it is absent each test prints one line and passes.

#![expect(clippy::unwrap_used, reason = "a test that panics fails, as it should")]
#![expect(clippy::print_stdout, reason = "says what is skipped")]

mod lint;
mod sample;
mod scores;

use std::{collections::BTreeMap, fs, path::Path};

use storymill_claims::{
    import::{Set, merge},
    read::{self, Format, Read},
};

/// A golden file, or nothing and a line that says so.
fn golden(path: &str) -> Option<Vec<u8>> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if !shared.is_dir() {
        println!("skip: ../shared is not here");
        return None;
    }
    Some(fs::read(shared.join("golden/nocha").join(path)).unwrap())
}

/// The public sample as it was read.
fn sample() -> Option<Read> {
    Some(read::claims(&golden("data_sample_shared.json")?, Format::Json).unwrap())
}

/// The sample as a set, and its books.
fn set() -> Option<(Set, BTreeMap<String, String>)> {
    let mut set = Set::default();
    merge(&mut set, sample()?, &|_| true).unwrap();
    let text = |id: &str| String::from_utf8(golden(&format!("books/{id}.txt")).unwrap()).unwrap();
    let texts = set.books.iter().map(|book| (book.id.clone(), text(&book.id))).collect();
    Some((set, texts))
}

fn borrowed(texts: &BTreeMap<String, String>) -> BTreeMap<String, &str> {
    texts.iter().map(|(id, text)| (id.clone(), text.as_str())).collect()
}

//! Golden tests: a small set of claims about two books of our own (`tests/golden`), NoCha's public
//! sample where it lies beside the checkout, and pairs that were broken on purpose.

#![expect(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod lint;
mod sample;
#[path = "../../../../tests/golden/sets.rs"]
mod sets;

use std::{collections::BTreeMap, fs, path::PathBuf};

use serde_json::Value;
use storymill_claims::{
    import::{Set, merge},
    read::{self, Format, Read},
};

/// A golden set: its folder, its claims, their books, and the sample as it was read.
struct Golden {
    folder: PathBuf,
    set: Set,
    texts: BTreeMap<String, String>,
    sample: Read,
}

impl Golden {
    fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.join(name)).unwrap()
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.file(name)).unwrap()
    }
}

fn sets() -> Vec<Golden> {
    let read = |folder: PathBuf| {
        let sample = fs::read(folder.join("data_sample_shared.json")).unwrap();
        let sample = read::claims(&sample, Format::Json).unwrap();
        let mut set = Set::default();
        merge(&mut set, sample.clone(), &|_| true).unwrap();
        let text = |id: &str| fs::read_to_string(folder.join(format!("books/{id}.txt"))).unwrap();
        let texts = set.books.iter().map(|book| (book.id.clone(), text(&book.id))).collect();
        Golden { folder, set, texts, sample }
    };
    sets::sets("nocha").into_iter().map(read).collect()
}

fn borrowed(texts: &BTreeMap<String, String>) -> BTreeMap<String, &str> {
    texts.iter().map(|(id, text)| (id.clone(), text.as_str())).collect()
}

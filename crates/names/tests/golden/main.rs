//! The taggers against their worked examples, and against the names in two books of our own and in
//! LitBank's, where those lie beside the checkout.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    missing_docs,
    reason = "a test may fail loudly"
)]

#[cfg(feature = "litner")]
mod chapters;
#[cfg(feature = "litner")]
mod examples;
#[cfg(feature = "litner")]
mod leaks;
mod left;
mod litbank;
mod others;
mod places;
#[path = "../../../../tests/golden/sets.rs"]
mod sets;
mod shared_names;

#[cfg(feature = "litner")]
use std::path::Path;
use std::{fs, path::PathBuf};

use storymill_names::Gold;
#[cfg(feature = "litner")]
use storymill_names::Litner;

/// The folder of models in the repository.
#[cfg(feature = "litner")]
fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/models/litner")
}

#[cfg(feature = "litner")]
fn litner(file: &str) -> Litner {
    let vocabulary = fs::read_to_string(models().join("vocab.txt")).unwrap();
    Litner::load(fs::read(models().join(file)).unwrap(), &vocabulary).unwrap()
}

/// The model in the folder that the environment names.
#[cfg(feature = "rust-bert")]
fn rust_bert() -> Option<storymill_names::RustBert> {
    let Some(folder) = std::env::var_os("STORYMILL_RUST_BERT").map(PathBuf::from) else {
        println!("skip: STORYMILL_RUST_BERT names no model");
        return None;
    };
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let weights = fs::read(folder.join("model.safetensors")).unwrap();
    let (config, vocabulary) = (text("config.json"), text("vocab.txt"));
    let files = storymill_names::rust_bert::Files {
        config: &config,
        vocabulary: &vocabulary,
        weights: &weights,
    };
    Some(storymill_names::RustBert::load(&files).unwrap())
}

/// The texts on which no tagger was fitted, of each golden set.
fn dev_books() -> Vec<Vec<Gold>> {
    let read = |file: PathBuf| {
        let lines = fs::read_to_string(file).unwrap();
        let all = lines.lines().map(|line| serde_json::from_str::<Gold>(line).unwrap());
        all.filter(|gold| gold.split.as_deref() == Some("dev")).collect()
    };
    sets::sets("litbank/proper_names.jsonl").into_iter().map(read).collect()
}

fn full() -> bool {
    std::env::var_os("CI_FULL").is_some_and(|value| value == "1")
}

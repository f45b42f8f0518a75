//! The taggers against their worked examples and against LitBank's names.
//!
//! The gold lies outside the repository; where it is absent the tests say so and pass.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    missing_docs,
    reason = "a test may fail loudly"
)]

mod chapters;
mod examples;
mod leaks;
mod litbank;

use std::{
    fs,
    path::{Path, PathBuf},
};

use storymill_names::{Gold, Litner};

/// The folder of models in the repository.
fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/models/litner")
}

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

/// A file that is not part of the project.
fn shared(what: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(what);
    if !path.exists() {
        println!("skip: ../shared/{what} is not here");
        return None;
    }
    Some(fs::read_to_string(path).unwrap())
}

/// LitBank's texts of one split.
fn litbank(split: &str) -> Option<Vec<Gold>> {
    let lines = shared("golden/litbank/proper_names.jsonl")?;
    let all = lines.lines().map(|line| serde_json::from_str::<Gold>(line).unwrap());
    Some(all.filter(|gold| gold.split.as_deref() == Some(split)).collect())
}

fn full() -> bool {
    std::env::var_os("CI_FULL").is_some_and(|value| value == "1")
}

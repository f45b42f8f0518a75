//! Books to scenes to Parquet, in Rust: `cargo run --release --package storymill --example quickstart [OUT]`.
#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

use std::{error::Error, path::PathBuf};

use serde_json::json;
use storymill::{BuildOptions, Depth, Project, Registry, Workflow};
use storymill_core::Options;
use storymill_pipeline::Publish;
use storymill_sources::Folder;
use storymill_transforms::{Chunk, Extract};

fn main() -> Result<(), Box<dyn Error>> {
    let scratch = tempfile::tempdir()?;
    let named = std::env::args_os().nth(1).map(PathBuf::from);
    let out = named.unwrap_or_else(|| scratch.path().join("out"));
    let books = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/books");

    let registry = Registry::standard();
    let workflow = Workflow::builder("scenes-and-summaries", "1.0.0", 2023)
        .publish(Publish::new(
            "Scenes and summaries",
            "cc0-1.0",
            "storymill-canary-quickstart-in-rust",
        ))
        .source("books", Folder::at(books))
        .stage("scenes", Chunk { max: 2_000, ..Chunk::with(json!({ "from": "books" }))? })
        .stage("summaries", Extract::with(json!({ "from": "scenes" }))?)
        .dataset("scenes", "scenes")
        .dataset("summaries", "summaries")
        .build(registry.kinds())?;

    let project = Project::of(workflow, registry).in_folder(scratch.path().join("store"));
    let built = project.build(&BuildOptions { out: Some(out), ..BuildOptions::default() })?;
    let dataset = built.dataset.ok_or("no table has a row")?;
    assert!(dataset.verify(Depth::Both)?.is_sound());
    for file in &dataset.manifest().files {
        println!("{}: {} rows", file.path, file.rows);
    }
    println!("{}", dataset.rows("summaries")?[0]);
    Ok(())
}

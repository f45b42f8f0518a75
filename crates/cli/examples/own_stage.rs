//! A stage of one's own beside those of storymill: counts the words of each scene's dialogue.
//!
//! ```text
//! cargo run --release --example own_stage
//! ```
#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

use std::{path::Path, sync::Arc, sync::atomic::AtomicBool};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Cx, Edge, Options, Parts, Record, Rows, Scene, Stage, Stop};
use storymill_pipeline::{
    Claim, NoModel, Registry, RunOptions, Store, Workflow, run, store::RealDisk,
};

/// How many words of a scene stand between quotation marks.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Spoken {
    scene: u32,
    words: u32,
}

impl Record for Spoken {
    const NAME: &'static str = "spoken";
    const VERSION: u32 = 1;
}

/// Counts the words of dialogue in each scene.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CountSpoken {
    /// The scenes.
    from: Edge<Scene>,
}

impl Options for CountSpoken {}

impl Stage for CountSpoken {
    const KIND: &'static str = "count-spoken";
    const VERSION: u32 = 1;
    type In = Rows<Scene>;
    type Out = Spoken;

    fn edges(&self) -> Edge<Scene> {
        self.from.clone()
    }

    fn run(&self, scenes: Rows<Scene>, _: &mut Cx<'_>) -> Result<Vec<Spoken>, Stop> {
        let spoken = |scene: &Scene| {
            // Text between quotation marks is every second piece.
            let words = scene.text.split(['"', '\u{201c}', '\u{201d}']).skip(1).step_by(2);
            let words: usize = words.map(|piece| piece.split_whitespace().count()).sum();
            Spoken { scene: scene.scene, words: u32::try_from(words).expect("a scene is short") }
        };
        Ok(scenes.iter().map(spoken).collect())
    }
}

const WORKFLOW: &str = r#"
name = "spoken"
version = "1.0.0"
seed = 1

[publish]
title = "Spoken words"
license = "mit"
canary = "storymill-canary-example"

[source.books.folder]
path = "BOOKS"

[stage.scenes.chunk]
from = "books"

[stage.spoken.count-spoken]
from = "scenes"

[dataset.spoken]
from = "spoken"
"#;

/// The stages of storymill, and ours.
fn registry() -> Registry {
    Registry::new()
        .with_source::<storymill_sources::Folder>()
        .with_all(storymill_transforms::register)
        .with_stage::<CountSpoken>()
        .with_table::<Spoken>()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let books = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/books");
    let file = folder.path().join("spoken.toml");
    std::fs::write(&file, WORKFLOW.replace("BOOKS", &books.display().to_string()))?;

    let workflow = Workflow::read(&file, &registry())?;
    let store = Store::open(folder.path().join("store"), Arc::new(RealDisk), Claim::Whole)?;
    let options = RunOptions { threads: 0, shard: None, stop: &AtomicBool::new(false) };
    let outcome = run(&workflow, &store, &NoModel, &(), &options)?.outcome;

    for part in &outcome.parts["spoken"] {
        let rows = (&store as &dyn Parts).rows::<Spoken>(part)?;
        let words: u32 = rows.iter().map(|row| row.words).sum();
        println!("{}: {words} words of dialogue in {} scenes", part.unit, rows.len());
    }
    Ok(())
}

//! The same dataset as `spoken.toml`, composed and built in Rust: `from_rust BOOKS OUT`.

use std::{env, error::Error, path::PathBuf};

use own_stage::{CountSpoken, registry};
use serde_json::json;
use storymill::{BuildOptions, Project, Workflow};
use storymill_core::{Edge, Options};
use storymill_pipeline::Publish;
use storymill_sources::Folder;
use storymill_transforms::Chunk;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (books, out) = arguments.next().zip(arguments.next()).ok_or("from_rust BOOKS OUT")?;
    let registry = registry();
    let workflow = Workflow::builder("spoken", "1.0.0", 1)
        .publish(Publish::new("Spoken words", "mit", "storymill-canary-example"))
        .source("books", Folder::at(books))
        .stage("scenes", Chunk::with(json!({ "from": "books" }))?)
        .stage("spoken", CountSpoken { from: Edge::to("scenes") })
        .dataset("spoken", "spoken")
        .build(registry.kinds())?;
    let project = Project::of(workflow, registry).in_folder(out.join("store"));
    let out = Some(out.join("spoken"));
    let built = project.build(&BuildOptions { out, ..BuildOptions::default() })?;
    let dataset = built.dataset.ok_or("nothing was published")?;
    for row in dataset.rows("spoken")? {
        println!("{} {}: {} words of dialogue", row["book_id"], row["scene"], row["words"]);
    }
    println!("{}", dataset.manifest().digest);
    Ok(())
}

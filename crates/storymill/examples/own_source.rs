//! A source of one's own: books from one file of JSON lines, `{"id": "b1", "text": "The Gate\n\nby Ann Lee\n\n..."}`.
//!
//! ```text
//! cargo run --release --package storymill --example own_source
//! ```
#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

use std::{
    collections::BTreeMap,
    error::Error,
    path::{Path, PathBuf},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use storymill::{BuildOptions, Project, Registry, Workflow};
use storymill_core::{
    Book, BookId, Digest, Env, Fault, FaultKind, Known, Listing, OpenSource, Options, Reviews,
    Source, SourceUnit, Stop,
};
use storymill_pipeline::Publish;
use storymill_sources::clean;
use storymill_transforms::Chunk;

/// Books that stand in one file, a line of JSON each.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct JsonLines {
    /// The file, relative to the workflow. No part of any key: digests of the books are.
    #[serde(skip_serializing)]
    path: PathBuf,
}

impl Options for JsonLines {}

#[derive(Deserialize)]
struct Line {
    id: BookId,
    text: String,
}

/// The file as it was when it was opened.
struct Open {
    path: PathBuf,
    texts: BTreeMap<BookId, String>,
}

impl Source for JsonLines {
    const KIND: &'static str = "json-lines";
    const VERSION: u32 = 1;
    type Out = Book;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<Book>>, Fault> {
        let path = env.root.join(&self.path);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Fault::io("cannot read the books", &path, error).input())?;
        let line = |line: &str| {
            let line: Line = serde_json::from_str(line)?;
            Ok((line.id, line.text))
        };
        let texts: Result<_, serde_json::Error> = text.lines().map(line).collect();
        let texts = texts.map_err(|error| {
            Fault::new(FaultKind::Input, "a line is not a book").at(&path).because(error)
        })?;
        Ok(Box::new(Open { path, texts }))
    }
}

impl OpenSource<Book> for Open {
    fn units(&self, _: &Known) -> Result<Listing, Fault> {
        let unit = |(id, text): (&BookId, &String)| SourceUnit {
            unit: id.clone(),
            path: self.path.clone(),
            digest: Digest::of(text.as_bytes()),
            spoiled: None,
            stamp: None,
        };
        Ok(Listing { units: self.texts.iter().map(unit).collect(), notes: Vec::new() })
    }

    fn read(&self, unit: &SourceUnit, _: &mut Reviews<'_>) -> Result<Vec<Book>, Stop> {
        // Title, author and chapters are read from the text as they are from a file of one book.
        let cleaned = clean(self.texts[&unit.unit].as_bytes(), "book.txt").map_err(Stop::Reject)?;
        Ok(vec![cleaned.book(unit.unit.clone(), None)])
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    write_books(&folder.path().join("books.jsonl"))?;
    let registry = Registry::standard().with_source::<JsonLines>();
    let workflow = Workflow::builder("lines", "1.0.0", 1)
        .root(folder.path())
        .publish(Publish::new("Books of one file", "cc0-1.0", "storymill-canary-example"))
        .source("books", JsonLines { path: "books.jsonl".into() })
        .stage("scenes", Chunk::with(json!({ "from": "books" }))?)
        .dataset("books", "books")
        .dataset("scenes", "scenes")
        .build(registry.kinds())?;
    let project = Project::of(workflow, registry).in_folder(folder.path().join("store"));
    let out = Some(folder.path().join("out"));
    let built = project.build(&BuildOptions { out, ..BuildOptions::default() })?;
    for book in built.dataset.ok_or("nothing was published")?.rows("books")? {
        println!("{} by {}", book["title"], book["authors"]);
    }
    Ok(())
}

/// Two very short novels.
fn write_books(path: &Path) -> std::io::Result<()> {
    let book = |(id, title, who): (&str, &str, &str)| {
        let said = format!("{who} went to the river and saw nobody there. ").repeat(150);
        json!({ "id": id, "text": format!("{title}\n\nby Ann Lee\n\n{said}") }).to_string()
    };
    let books = [("b1", "The Gate", "Mary"), ("b2", "The Wall", "John")].map(book);
    std::fs::write(path, books.join("\n"))
}

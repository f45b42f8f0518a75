//! A project from outside: the same dataset from a file and from Rust, plans, pilots, releases, and what is told.

#![allow(missing_docs, clippy::unwrap_used, clippy::default_trait_access)]

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

use serde_json::json;
use storymill::{
    BuildOptions, Comparison, Dataset, Depth, End, Events, FaultKind, ModelOptions, NotAWorkflow,
    Notice, Project, Registry, Version, Workflow,
};
use storymill_core::{Options, Scene};
use storymill_dataset::diff::Verdict;
use storymill_llm::{AskEvent, AskEvents};
use storymill_pipeline::{Event, Publish};
use storymill_sources::Folder;
use storymill_transforms::{Chunk, Split};

const WORKFLOW: &str = r#"
name = "mine"
version = "1.0.0"
seed = 7

[publish]
title = "Mine"
license = "cc0-1.0"
canary = "storymill-canary-of-a-test"
split = "splits"

[source.books.folder]
path = "books"

[stage.splits.split]
from = "books"

[stage.scenes.chunk]
from = "books"
max = 1000

[dataset.scenes]
from = "scenes"
"#;

/// A folder with two books and a workflow.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("books")).unwrap();
    for (name, who) in [("1", "Ann"), ("2", "Ben")] {
        let text = format!(
            "The Gate\n\nby {who} Lee\n\n{}",
            format!("{who} saw the old gate. ").repeat(200)
        );
        fs::write(folder.path().join(format!("books/{name}.txt")), text).unwrap();
    }
    fs::write(folder.path().join("mine.toml"), WORKFLOW).unwrap();
    folder
}

fn project(folder: &Path) -> Project {
    let project = Project::open(folder.join("mine.toml"), Registry::standard()).unwrap();
    project.in_folder(folder.join("store"))
}

fn composed(folder: &Path) -> Workflow {
    let publish = Publish::new("Mine", "cc0-1.0", "storymill-canary-of-a-test");
    Workflow::builder("mine", "1.0.0", 7)
        .root(folder)
        .publish(Publish { split: Some("splits".to_owned()), ..publish })
        .source("books", Folder::at("books"))
        .corpus_stage("splits", Split::with(json!({ "from": "books" })).unwrap())
        .stage("scenes", Chunk { max: 1_000, ..Chunk::with(json!({ "from": "books" })).unwrap() })
        .dataset("scenes", "scenes")
        .build(Registry::standard().kinds())
        .unwrap()
}

fn out(folder: &Path, name: &str) -> BuildOptions {
    BuildOptions { out: Some(folder.join(name)), ..BuildOptions::default() }
}

#[test]
fn a_workflow_from_rust_has_the_lock_of_its_file() {
    let folder = folder();
    let from_file = project(folder.path()).build(&out(folder.path(), "one")).unwrap();
    let from_rust = Project::of(composed(folder.path()), Registry::standard());
    let from_rust = from_rust.in_folder(folder.path().join("other-store"));
    let from_rust = from_rust.build(&out(folder.path(), "two")).unwrap();
    let text = |built: storymill::Built| built.dataset.unwrap().lock().unwrap().to_text();
    assert_eq!(text(from_file), text(from_rust));
}

#[test]
fn rows_are_had_without_a_dataset() {
    let folder = folder();
    let built = project(folder.path()).build(&out(folder.path(), "one")).unwrap();
    let workflow = Workflow::builder("mine", "1.0.0", 7)
        .root(folder.path())
        .unpublished()
        .source("books", Folder::at("books"))
        .stage("scenes", Chunk { max: 1_000, ..Chunk::with(json!({ "from": "books" })).unwrap() })
        .build(Registry::standard().kinds())
        .unwrap();
    let store = folder.path().join("other-store");
    let project = Project::of(workflow, Registry::standard()).in_folder(store);
    let ready = project.ready(&ModelOptions::default()).unwrap();
    let rows: Vec<Scene> = ready.rows("scenes").unwrap();
    let texts: Vec<_> = rows.iter().map(|scene| json!(scene.text)).collect();
    let published = built.dataset.unwrap().rows("scenes").unwrap();
    assert!(!texts.is_empty());
    assert_eq!(texts, published.iter().map(|row| row["text"].clone()).collect::<Vec<_>>());
    // It publishes nothing, whoever builds it.
    drop(ready);
    let built = project.build(&out(folder.path(), "two")).unwrap();
    assert!(built.end == End::Empty && !folder.path().join("two").exists());
    let both = Workflow::builder("mine", "1.0.0", 7)
        .unpublished()
        .source("books", Folder::at("books"))
        .dataset("books", "books")
        .build(Registry::standard().kinds());
    let Err(NotAWorkflow::Problems(problems)) = both else { panic!("{both:?}") };
    assert!(problems.to_string().contains("without a dataset publishes"), "{problems}");
}

#[test]
fn mistakes_of_a_composed_workflow_come_at_once() {
    let mistakes = Workflow::builder("a b", "1", 7)
        .stage("scenes", Chunk::with(json!({ "from": "bokes", "max": 0 })).unwrap())
        .source("books", Folder::at("nowhere"))
        .dataset("scenes", "scenes")
        .build(Registry::standard().kinds());
    let Err(NotAWorkflow::Problems(problems)) = mistakes else { panic!("{mistakes:?}") };
    let told = problems.to_string();
    for part in [
        "dataset's name",
        "version",
        "no step `bokes`",
        "did you mean `books`",
        "`max`",
        "[publish]",
    ] {
        assert!(told.contains(part), "{part} is not told:\n{told}");
    }
    assert!(problems.problems.iter().all(|problem| problem.span.is_none()));
}

#[test]
fn a_dataset_is_read_verified_compared_and_built_again() {
    let folder = folder();
    let project = project(folder.path());
    let plan = project.plan(&Default::default()).unwrap().plan;
    assert_eq!(plan.steps.iter().map(|row| row.run).max(), Some(2));
    let built = project.build(&out(folder.path(), "one")).unwrap();
    assert_eq!(built.end, End::Published);
    let dataset = built.dataset.unwrap();
    assert!(dataset.verify(Depth::Both).unwrap().is_sound());
    let rows = dataset.rows("scenes").unwrap();
    assert!(rows.len() > 4 && rows.iter().any(|row| row["book_id"] == "2"), "{rows:?}");
    let again = project.build(&out(folder.path(), "one")).unwrap();
    assert_eq!(again.end, End::Unchanged);
    let rebuilt = project.rebuild(&dataset, &[]).unwrap();
    assert!(rebuilt.lock_is_same && rebuilt.files.differing.is_empty());

    fs::write(folder.path().join("mine.toml"), WORKFLOW.replace("max = 1000", "max = 900"))
        .unwrap();
    let other = self::project(folder.path()).build(&out(folder.path(), "two")).unwrap();
    let (old, new) =
        (Version::of(&dataset).unwrap(), Version::of(&other.dataset.unwrap()).unwrap());
    let comparison = Comparison::between(&old, &new, &Default::default()).unwrap();
    assert_ne!(comparison.verdict, Verdict::Same);
    assert!(comparison.locks.causes.iter().any(|cause| cause.to_string().contains("max")));

    fs::write(dataset.folder().join("README.md"), "other").unwrap();
    assert!(!Dataset::open(dataset.folder()).unwrap().verify(Depth::Both).unwrap().is_sound());
}

#[test]
fn faults_say_their_kind() {
    let folder = folder();
    let project = project(folder.path());
    let built = project.build(&out(folder.path(), "one")).unwrap();
    let lock = built.dataset.unwrap().folder().join("dataset.lock");
    fs::write(
        folder.path().join("books/2.txt"),
        "The Wall\n\nby Ben Lee\n\n".to_owned() + &"Ben saw a wall. ".repeat(90),
    )
    .unwrap();
    let locked = BuildOptions { locked: Some(lock), ..out(folder.path(), "two") };
    assert_eq!(project.build(&locked).unwrap_err().kind, FaultKind::Lock);
    let elsewhere = self::project(folder.path()).in_folder(folder.path().join("empty"));
    let missing = elsewhere.inventory(None, None).unwrap_err();
    assert_eq!(missing.kind, FaultKind::Input);
    assert!(missing.hint.unwrap().contains("storymill build"));
}

/// Keeps what it hears.
#[derive(Debug, Default)]
struct Ears(Mutex<Vec<String>>);

impl storymill_pipeline::Events for Ears {
    fn emit(&self, event: Event) {
        if let Event::SourceListed { units, .. } = event {
            self.0.lock().unwrap().push(format!("{units} units"));
        }
    }
}

impl AskEvents for Ears {
    fn emit(&self, _: AskEvent) {}
}

impl Events for Ears {
    fn notice(&self, notice: Notice) {
        self.0.lock().unwrap().push(notice.message);
    }

    fn run_ended(&self) {
        self.0.lock().unwrap().push("ended".to_owned());
    }
}

#[test]
fn a_build_tells_of_what_it_does() {
    let folder = folder();
    let ears = Arc::new(Ears::default());
    let project = project(folder.path()).told_to(Arc::clone(&ears) as _);
    project.build(&out(folder.path(), "one")).unwrap();
    let heard = ears.0.lock().unwrap().join("; ");
    assert!(heard.starts_with("2 units"), "{heard}");
    assert!(heard.contains("ended; the split `"), "{heard}");
}

#[test]
fn whoever_sets_the_flag_stops_a_build() {
    let folder = folder();
    let surroundings = storymill::Surroundings::default();
    surroundings.stop.store(true, std::sync::atomic::Ordering::SeqCst);
    let project = project(folder.path()).with_surroundings(surroundings);
    let stopped = project.build(&out(folder.path(), "one")).unwrap_err();
    assert_eq!(stopped.kind, FaultKind::Interrupted);
    assert!(!folder.path().join("one").exists());
}

#[cfg(feature = "private")]
mod private {
    use storymill::{PlanOptions, Workspace};
    use storymill_disk::RealDisk;
    use storymill_shelf::{Access, Key, Shelf};

    use super::{out as out_of, *};

    #[test]
    fn what_is_private_stays_in_its_shelf() {
        let folder = folder();
        let text =
            WORKFLOW.replace("[source.books.folder]\npath = \"books\"", "[source.books.shelf]");
        fs::write(folder.path().join("mine.toml"), text).unwrap();
        let (key, disk) = (Key::mint().unwrap(), Arc::new(RealDisk));
        let shelf = Shelf::make(&folder.path().join("shelf"), disk, &key, &[]).unwrap();
        let private = || {
            let workspace = Workspace::shelf(Arc::new(
                Shelf::open(&folder.path().join("shelf"), Arc::new(RealDisk), &key, Access::Change)
                    .unwrap(),
            ));
            project(folder.path()).in_workspace(workspace).unwrap()
        };
        drop(shelf);
        assert_eq!(private().plan(&PlanOptions::default()).unwrap_err().kind, FaultKind::Input);
        let elsewhere = BuildOptions {
            models: ModelOptions { answers: Some("answers".into()), ..ModelOptions::default() },
            ..BuildOptions::default()
        };
        assert_eq!(private().build(&elsewhere).unwrap_err().kind, FaultKind::Input);
        // Whoever takes the project out of the shelf leaves the shelf behind.
        let out = private().in_folder(folder.path().join("store"));
        let fault = out.build(&out_of(folder.path(), "one")).unwrap_err();
        assert!(fault.to_string().contains("no shelf is open"), "{fault}");
        let again = Project::of(private().workflow().clone(), Registry::standard());
        let fault = again.in_folder(folder.path().join("store")).inventory(None, None).unwrap_err();
        assert!(fault.to_string().contains("no shelf is open"), "{fault}");
    }
}

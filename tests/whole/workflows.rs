//! Sample workflows: every one in `valid` is taken, every one in `invalid` is refused with the
//! message that stands beside it. `SNAPSHOTS=overwrite` writes the messages anew.

use std::fs;

use crate::project::{Project, overwrite, top};

fn samples(folder: &str) -> Vec<(String, String)> {
    let folder = top().join("tests/workflows").join(folder);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}

#[test]
fn valid_ones_are_taken() {
    for (name, text) in samples("valid") {
        let project = Project::new();
        project.book("one", 2).write("my.toml", text);
        let ran = project.run(&["plan", "my.toml"]);
        assert_eq!(ran.code(), 0, "{name}: {}", ran.err());
    }
}

/// In a copy, beside the folder of pages that the full-size one is meant for.
#[test]
fn the_workflows_that_come_with_storymill_are_taken() {
    let project = Project::new();
    let sample = fs::read(top().join("data/books/sm01.html")).unwrap();
    project.write("gutenberg/84.html", sample).write("gutenberg/pg_catalog.csv", CATALOG);
    for entry in fs::read_dir(top().join("workflows")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        let path = if name == "narrativexl.toml" {
            project.write("workflows/narrativexl.toml", fs::read(&path).unwrap());
            let pairs = fs::read(top().join("data/judges/pairs.json")).unwrap();
            project.write("data/judges/pairs.json", pairs);
            project.path("workflows/narrativexl.toml")
        } else {
            path
        };
        let ran = project.run(&["plan", &path.display().to_string()]);
        assert_eq!(ran.code(), 0, "{}: {}", path.display(), ran.err());
    }
}

const CATALOG: &str = "Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\n\
    84,Text,1993-10-01,The Tide Mill,en,\"Brook, Anna, 1797-1851\",Mills -- Fiction,PR,\n";

#[test]
fn invalid_ones_are_refused_with_the_message_beside_them() {
    let overwrite = overwrite();
    let mut wrong = Vec::new();
    for (name, text) in samples("invalid") {
        let project = Project::new();
        project.book("one", 1).write("my.toml", text);
        let message = project.run(&["plan", "my.toml"]).exits(3).err();
        let path = top().join(format!("tests/workflows/invalid/{name}.txt"));
        if overwrite {
            fs::write(&path, &message).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != message {
            wrong.push(format!("== {name}\n{message}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "messages changed; look at them and run with SNAPSHOTS=overwrite\n{}",
        wrong.join("\n")
    );
}

#[test]
fn no_message_is_left_over() {
    for entry in fs::read_dir(top().join("tests/workflows/invalid")).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.with_extension("toml").exists(), "{} belongs to no workflow", path.display());
    }
}

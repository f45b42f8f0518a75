//! Pins: a stage whose rows move while its version stands is caught here.
//!
//! `tests/pins.toml` holds, for each stage over the sample books, its version and a digest of its
//! rows. A digest that moves needs a new version of the stage and a line under "Output changes"
//! in the changelog; then `SNAPSHOTS=overwrite` writes the pins anew.

use std::{collections::BTreeMap, fs};

use crate::{
    naming,
    project::{Project, overwrite, top},
};

#[test]
fn rows_move_only_with_their_version() {
    let project = Project::new();
    let workflow = top().join("workflows/stories.toml").display().to_string();
    project.run(&["build", &workflow]).exits(0);
    // What chooses books is no part of the stories’ workflow, which wants them all.
    let shelf = fs::read_to_string(top().join("tests/workflows/valid/shelf.toml")).unwrap();
    let books = top().join("data/books").display().to_string();
    project.write("shelf.toml", shelf.replace("path = \"books\"", &format!("path = {books:?}")));
    project.run(&["build", "shelf.toml"]).exits(0);
    for name in ["lveval", "factrecall", "in-books"] {
        let workflow = top().join(format!("workflows/{name}.toml")).display().to_string();
        project.run(&["build", &workflow]).exits(0);
    }
    naming::stories(&project);
    project.run(&["build", "names.toml"]).exits(0);
    let mut now = BTreeMap::new();
    for name in ["shelf", "in-books", "names", "lveval", "factrecall", "stories"] {
        let lock = project.read(&format!("out/{name}/dataset.lock"));
        let lock: serde_json::Value = serde_json::from_str(&lock).unwrap();
        for step in lock["steps"].as_object().unwrap().values() {
            let rows = blake3::hash(step["rows"].to_string().as_bytes()).to_hex();
            let pin = (step["version"].as_u64().unwrap(), rows.to_string());
            now.insert(step["kind"].as_str().unwrap().to_owned(), pin);
        }
    }
    let path = top().join("tests/pins.toml");
    let before = pins(&fs::read_to_string(&path).unwrap_or_default());
    let overwrite = overwrite();
    for (kind, (version, rows)) in &now {
        let Some((old, old_rows)) = before.get(kind) else {
            assert!(overwrite, "`{kind}` has no pin");
            continue;
        };
        // The rows of a stage also move when those it reads move; the version of what moved first says so.
        assert!(
            overwrite || rows == old_rows,
            "the rows of `{kind}` moved (version {version}, pinned {old}): see the top of this file"
        );
    }
    if overwrite {
        let lines: Vec<_> = now
            .iter()
            .map(|(kind, (version, rows))| {
                format!("{kind} = {{ version = {version}, rows = \"{rows}\" }}\n")
            })
            .collect();
        fs::write(
            path,
            format!(
                "# Written by the test `rows_move_only_with_their_version`.\n{}",
                lines.concat()
            ),
        )
        .unwrap();
    }
}

fn pins(text: &str) -> BTreeMap<String, (u64, String)> {
    let pin = |line: &str| {
        let (kind, rest) = line.split_once(" = { version = ")?;
        let (version, rows) = rest.split_once(", rows = \"")?;
        Some((kind.to_owned(), (version.parse().ok()?, rows.trim_end_matches("\" }").to_owned())))
    };
    text.lines().filter_map(pin).collect()
}

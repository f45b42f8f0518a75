//! `verify`: what was changed by hand is found; `--rebuild` builds the folder again and compares.

use std::fs;

use serde_json::Value;

use crate::project::{Project, top};

const WORKFLOW: &str = "workflows/stories.toml";

/// A project with a copy of the sample books and their workflow, built into `old`.
fn stories() -> Project {
    let project = Project::new();
    for folder in ["data/books", "data/answers", "workflows"] {
        copy(&project, folder);
    }
    project.run(&["build", WORKFLOW, "--out", "old"]).exits(0);
    project
}

fn copy(project: &Project, folder: &str) {
    for entry in fs::read_dir(top().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            copy(project, &name);
        } else {
            project.write(&name, fs::read(path).unwrap());
        }
    }
}

/// A small dataset in `out/mine`.
fn small() -> Project {
    let project = Project::new();
    project.book("one", 2).book("two", 1).workflow(&[]);
    project.run(&["build", "my.toml"]).exits(0);
    project
}

#[test]
fn a_folder_is_built_again_to_the_same_bytes() {
    let project = stories();
    let rebuild = ["verify", "old", "--rebuild", WORKFLOW];
    project.run(&rebuild).exits(0).says("built again, byte for byte: the same");
    let told = project.run(&[&rebuild[..], &["--format", "json"]].concat()).exits(0).out();
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        (&told["rebuilt"]["compared"], &told["rebuilt"]["same_lock"]),
        (&"bytes".into(), &true.into())
    );

    // Without the answers, nobody is asked and the missing ones are listed.
    let text = project.read(WORKFLOW);
    let answers = text.lines().find(|line| line.starts_with("answers")).unwrap();
    project.write("workflows/bare.toml", text.replace(answers, ""));
    let bare = ["verify", "old", "--rebuild", "workflows/bare.toml"];
    project.run(&bare).exits(6).says("frozen");
    let pack = ["--answers", "data/answers/quickstart"];
    project.run(&[&bare[..], &pack].concat()).exits(0).says("the same");
    project.run(&[&bare[..], &["--answers", "nowhere"]].concat()).exits(4).says("no answers here");

    // The writer of another version: rows are compared.
    let manifest = project.manifest("old");
    let other = manifest.replace("parquet-rs version", "parquet-rs version 0.0, once");
    assert_ne!(manifest, other);
    project.write("old/manifest.json", other);
    project.run(&rebuild).exits(0).says("row for row");
}

#[test]
fn what_differs_is_told_by_file_unit_and_cause() {
    let project = stories();
    let rule = "workflows/by-rule.toml";
    project.run(&["build", rule, "--out", "old", "--replace"]).exits(0);
    let name = "data/books/sm04.html";
    let page = project.read(name);
    let word = page[..page.len() / 2].rfind(" the ").unwrap();
    project.write(name, format!("{} THE {}", &page[..word], &page[word + 5..]));
    let ran = project.run(&["verify", "old", "--rebuild", rule]).exits(7);
    let ran = ran.says("other rows in scenes of sm04").says("changed pages: sm04");
    ran.says("not the same").says(".parquet: other rows");
}

#[test]
fn a_manifest_that_was_edited_by_hand_is_found() {
    let project = small();
    let manifest = project.manifest("out/mine");
    let check = |old: &str, new: &str, says: &str| {
        assert!(manifest.contains(old), "{old}");
        project.write("out/mine/manifest.json", manifest.replacen(old, new, 1));
        project.run(&["verify", "out/mine"]).exits(7).says(says);
    };
    check("\"version\": \"1.0.0\"", "\"version\": \"1.0.1\"", "version");
    check("\"name\": \"mine\"", "\"name\": \"theirs\"", "dataset");
    check("storymill-canary-0123", "storymill-canary-3210", "canary");
    check("\"seed\": 7", "\"seed\": 8", "the seed");
    check("\"schema_version\": 5", "\"schema_version\": 6", "version of the columns");
    let rows = manifest.lines().find(|line| line.contains("\"rows\": ")).unwrap().trim();
    check(rows, "\"rows\": 77777,", "count of rows");
    let digest = manifest.lines().find(|line| line.starts_with("  \"digest\"")).unwrap();
    check(digest, &format!("  \"digest\": \"{}\",", "0".repeat(64)), "over all rows");
    let bytes = manifest.lines().rfind(|line| line.contains("\"sha256\"")).unwrap().trim();
    check(bytes, &format!("\"sha256\": \"{}\",", "0".repeat(64)), "same length, other bytes");
    check("\"train\"", "\"test\"", "over all rows");

    let refused = |text: String, code: i32, says: &str| {
        project.write("out/mine/manifest.json", text);
        project.run(&["verify", "out/mine"]).exits(code).says(says);
    };
    refused(manifest[..manifest.len() / 2].to_owned(), 9, "the manifest is damaged");
    refused(manifest.replace("storymill-dataset/3", "storymill-dataset/4"), 9, "newer storymill");
    refused(manifest.replacen("\"format\"", "\"moon\": 1, \"format\"", 1), 9, "damaged");
    refused(manifest.replacen("README.md", "../../README.md", 1), 9, "no file of its folder");
    project.write("out/mine/manifest.json", &manifest);
    project.run(&["verify", "out/mine"]).exits(0);
}

#[test]
fn files_cut_short_swapped_and_extra_are_found() {
    let project = small();
    let path = |name: &str| project.path(format!("out/mine/{name}"));
    let (scenes, books) =
        ("scenes/train-00000-of-00001.parquet", "books/train-00000-of-00001.parquet");
    let bytes = fs::read(path(scenes)).unwrap();
    let verify = |says: &str| _ = project.run(&["verify", "out/mine"]).exits(7).says(says);
    fs::write(path(scenes), &bytes[..100]).unwrap();
    verify("cut short: 100 of");
    // Another table in its place.
    fs::copy(path(books), path(scenes)).unwrap();
    verify("scenes/train-00000-of-00001.parquet: ");
    fs::write(path(scenes), &bytes).unwrap();
    // A table that nobody listed is read by every loader.
    fs::write(path("scenes/train-00001-of-00002.parquet"), &bytes).unwrap();
    verify("no tables beside the manifest's");
    fs::remove_file(path("scenes/train-00001-of-00002.parquet")).unwrap();
    // The lock of another build.
    let lock = project.read("out/mine/dataset.lock");
    project.write("out/mine/dataset.lock", lock.replace("\"seed\": 7", "\"seed\": 8"));
    verify("dataset.lock: changed");
    project.write("out/mine/dataset.lock", &lock);
    fs::remove_file(path("README.md")).unwrap();
    verify("README.md: missing");
    // What was damaged is not built again.
    let again = ["verify", "out/mine", "--rebuild", "my.toml"];
    project.run(&again).exits(7).says("not built again");
}

#[test]
fn a_locked_build_comes_to_its_lock_or_publishes_nothing() {
    let project = small();
    project.write("kept.lock", project.read("out/mine/dataset.lock"));
    let locked = ["build", "my.toml", "--locked", "kept.lock"];
    project.run(&locked).exits(0).says("is as it was");
    let manifest = project.manifest("out/mine");
    // Known before anything is run.
    let check = |changes: &[(&str, &str)], says: &str| {
        project.workflow(changes);
        project.run(&locked).exits(6).says("nothing was run").says(says);
    };
    check(&[("seed = 7", "seed = 8")], "the seed: 7 in the lock, 8 in the workflow");
    check(&[("\"1.0.0\"", "\"1.0.1\"")], "the version");
    check(&[("max = 600", "max = 700")], "the options of `scenes`");
    check(
        &[
            ("[dataset.eval]\nfrom = \"eval\"\n", ""),
            (
                "[stage.eval.take]\nquestions = \"questions\"\nreconstructions = \"repairs\"\nchosen = \"choice\"\n",
                "",
            ),
        ],
        "`eval` is not in the workflow",
    );
    // Known only when it is built.
    project.workflow(&[]).book("two", 2);
    project.run(&locked).exits(6).says("nothing was published").says("changed pages: two");
    project.workflow(&[("title = \"Mine\"", "title = \"Ours\"")]).book("two", 1);
    project.run(&locked).exits(6).says("nothing was published").says("title");
    assert_eq!(project.manifest("out/mine"), manifest);
    // Locks that are none.
    let lock = project.read("kept.lock");
    project.write("kept.lock", lock.replace("\"format\": 1", "\"format\": 99"));
    project.run(&locked).exits(6).says("newer storymill");
    project.write("kept.lock", &lock[..300]);
    project.run(&locked).exits(6).says("not a lock, at line");
    project
        .run(&["build", "my.toml", "--locked", "none.lock"])
        .exits(4)
        .says("cannot read the lock");
    assert_eq!(project.manifest("out/mine"), manifest);
}

#[test]
fn a_base_lock_that_does_not_fit_stops_the_build() {
    let project = small();
    let lock = project.read("out/mine/dataset.lock");
    let manifest = project.manifest("out/mine");
    let based = ("version = \"1.0.0\"", "version = \"1.1.0\"\nbase = \"base.lock\"");
    project.workflow(&[based]);
    let build = ["build", "my.toml"];
    project.run(&build).exits(4).says("base.lock");
    project.write("base.lock", lock.replace("\"format\": 1", "\"format\": 99"));
    project.run(&build).exits(6).says("newer storymill").says("base.lock");
    project.write("base.lock", &lock[..300]);
    project.run(&build).exits(6).says("not a lock");
    project.write("base.lock", lock.replace("\"train\"", "7"));
    project.run(&build).exits(6).says("base lock's corpus stage");
    assert_eq!(project.manifest("out/mine"), manifest);

    // Splits never move, however many books come.
    project.write("base.lock", &lock);
    for id in ["three", "four", "five", "six"] {
        project.book(id, 1);
    }
    project.run(&build).exits(0);
    let splits = |lock: &str| -> std::collections::BTreeMap<String, Value> {
        let lock: Value = serde_json::from_str(lock).unwrap();
        let ruled = lock["rulings"]["splits"].as_object().unwrap().iter();
        ruled.map(|(unit, said)| (unit.clone(), said["split"].clone())).collect()
    };
    let (was, is) = (splits(&lock), splits(&project.read("out/mine/dataset.lock")));
    assert_eq!((was.len(), is.len()), (2, 6));
    assert!(was.iter().all(|(unit, split)| is[unit] == *split));
    let joined: Value = serde_json::from_str(&project.read("out/mine/dataset.lock")).unwrap();
    assert_eq!(joined["units"]["one"]["joined"], "1.0.0");
    assert_eq!(joined["units"]["three"]["joined"], "1.1.0");
}

/// Files from the future, and from before there were computers.
#[test]
fn clocks_count_for_nothing() {
    let project = small();
    let manifest = project.manifest("out/mine");
    let times = [1_u64, 4_000_000_000]
        .map(|seconds| std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds));
    for time in times {
        for folder in ["books", ".storymill", "out/mine"] {
            set_times(&project.path(folder), time);
        }
        project.run(&["build", "my.toml"]).exits(0).says("is as it was");
        project.run(&["plan", "my.toml"]).exits(0).says("nothing to build");
        project.run(&["verify", "out/mine"]).exits(0);
        assert_eq!(project.manifest("out/mine"), manifest);
    }
}

fn set_times(folder: &std::path::Path, time: std::time::SystemTime) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            set_times(&path, time);
        } else {
            let file = fs::File::options().append(true).open(path).unwrap();
            file.set_modified(time).unwrap();
        }
    }
}

#[test]
fn packs_of_strangers_are_refused_and_nothing_is_taken() {
    let project = stories();
    project
        .run(&["answers", "pack", WORKFLOW, "--to", "pack", "--lock", "old/dataset.lock"])
        .exits(0);
    let pack = fs::read_dir(project.path("pack")).unwrap();
    let pack: Vec<_> = pack.map(|entry| entry.unwrap().path()).collect();
    assert!(!pack.is_empty());
    let text = project.read(WORKFLOW);
    let answers = text.lines().find(|line| line.starts_with("answers")).unwrap();
    let with = |what: &str| {
        project.write(
            "workflows/theirs.toml",
            text.replace(answers, &format!("answers = [\"../{what}\"]")),
        );
        project.run(&[
            "build",
            "workflows/theirs.toml",
            "--frozen",
            "--out",
            "new",
            "--store",
            "new-store",
        ])
    };
    // Our own pack is all that a frozen build needs.
    with("pack").exits(0);
    let manifest = project.manifest("new");
    assert_eq!(manifest, project.manifest("old"));

    for entry in &pack {
        let name = entry.file_name().unwrap().to_str().unwrap();
        let bytes = fs::read(entry).unwrap();
        let mut flipped = bytes.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 0x55;
        project.write(&format!("flipped/{name}"), flipped);
        project.write(&format!("cut/{name}"), &bytes[..bytes.len() / 2]);
        project.write(&format!("noise/{name}"), vec![7; 5_000]);
    }
    for what in ["flipped", "cut", "noise"] {
        let _ = fs::remove_dir_all(project.path("new-store"));
        let ran = with(what);
        assert_ne!(ran.code(), 0, "{what}: {}", ran.out());
        assert!(ran.err().contains("error:"), "{what}: {}", ran.err());
        assert_eq!(project.manifest("new"), manifest, "{what}");
    }
    // Another build's lock.
    let lock = project.read("old/dataset.lock").replace("\"seed\": 2023", "\"seed\": 2024");
    project.write("other.lock", lock);
    let ran = project.run(&["answers", "pack", WORKFLOW, "--to", "pack2", "--lock", "other.lock"]);
    ran.exits(6).says("another build");
    assert!(!project.path("pack2").exists());
}

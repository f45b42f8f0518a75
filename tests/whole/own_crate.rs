//! A crate of one's own, outside the workspace: a stage and a table of its own, from Rust and from its own
//! binary with `plan`, `build` and `diff`.

use std::{fs, path::Path, process::Command};

use crate::project::{Project, top};

/// Cargo for the copy of the crate. What this test was built from is used again; our own crates are another
/// workspace's there and are built anew, so in the quickest way.
fn cargo(copy: &Path, what: &[&str], then: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(top()).args(what).arg("--manifest-path").arg(copy.join("Cargo.toml"));
    if !cfg!(debug_assertions) {
        command.args(["--release", "--config", "profile.release.overflow-checks=true"]);
        for entry in fs::read_dir(top().join("crates")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let name = if name == "storymill" { name } else { format!("storymill-{name}") };
            command.args(["--config", &format!("profile.release.package.{name}.opt-level=0")]);
        }
    }
    let target = Path::new(env!("CARGO_BIN_EXE_storymill")).ancestors().nth(2).unwrap();
    let run =
        command.args(["--offline", "--quiet", "--target-dir"]).arg(target).arg("--").args(then);
    let output = run.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    // `diff` says with 10 and 11 that there is a difference.
    assert!(matches!(output.status.code(), Some(0 | 10 | 11)), "{what:?} {then:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn builds_from_rust_and_from_its_own_binary() {
    let project = Project::new();
    let copy = project.path("own-stage");
    for folder in ["src", "examples"] {
        fs::create_dir_all(copy.join(folder)).unwrap();
    }
    let from = top().join("integrations/own-stage");
    for file in ["src/lib.rs", "src/main.rs", "examples/from_rust.rs"] {
        fs::copy(from.join(file), copy.join(file)).unwrap();
    }
    let to_us = top().display().to_string();
    let manifest = fs::read_to_string(from.join("Cargo.toml")).unwrap();
    let manifest = manifest.replace("../../crates", &format!("{to_us}/crates"));
    fs::write(copy.join("Cargo.toml"), manifest.replace("\"../..\"", &format!("{to_us:?}")))
        .unwrap();
    // The same versions as here, so that nothing has to be fetched.
    fs::copy(top().join("Cargo.lock"), copy.join("Cargo.lock")).unwrap();
    let books = top().join("data/books");
    let workflow = fs::read_to_string(from.join("spoken.toml")).unwrap();
    let workflow = workflow.replace("../../data/books", books.to_str().unwrap());
    project.write("spoken.toml", &workflow);

    let path = |name: &str| project.path(name).to_str().unwrap().to_owned();
    let (file, store, one, two) = (path("spoken.toml"), path("store"), path("one"), path("two"));
    let run = |then: &[&str]| cargo(&copy, &["run"], then);
    let plan = run(&["plan", &file, "--store", &store]);
    assert!(plan.contains("count-spoken"), "{plan}");
    run(&["build", &file, "--store", &store, "--out", &one]);
    let shown = run(&["inspect", &one, "--format", "json"]);
    assert!(
        shown.contains("words between quotation marks") || shown.contains("\"words\""),
        "{shown}"
    );

    let rust =
        cargo(&copy, &["run", "--example", "from_rust"], &[books.to_str().unwrap(), &path("rust")]);
    assert!(rust.contains("words of dialogue"), "{rust}");
    assert_eq!(
        project.read("one/dataset.lock"),
        project.read("rust/spoken/dataset.lock"),
        "the file and Rust say the same"
    );

    project
        .write("spoken.toml", workflow.replace("from = \"books\"", "from = \"books\"\nmax = 2000"));
    run(&["build", &file, "--store", &store, "--out", &two]);
    let diff = run(&["diff", &one, &two]);
    assert!(diff.contains("`max`") || diff.contains("max"), "{diff}");
}

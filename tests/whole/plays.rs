//! The three tasks of ARCHITECTURE.md, played: a decoy type as a patch of a copy of this repository, a wire format and a
//! task with its own table in a crate outside of it. One program is built of all three.
//!
//! That compiles all of our crates once more, so it is done where `CI_FULL=1` or `STORYMILL_PLAYS=1` asks for it.
//!
//! Where a patch no longer applies, `git apply --3way tests/plays/NAME.patch` shows what it needs;
//! `git diff` then is the new patch.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use crate::{
    models::{self, listen},
    project::{Project, Ran, full, top},
    questions::{laws, rows},
};

/// What a program is built of.
const SOURCES: [&str; 7] =
    ["Cargo.toml", "Cargo.lock", "crates", "data", "docs", "integrations/own-stage", "workflows"];

/// The patches, and the tasks in ARCHITECTURE.md that they play.
const PATCHES: [(&str, &str); 1] = [("decoy", "- **A decoy type**")];

fn patch(name: &str) -> PathBuf {
    top().join(format!("tests/plays/{name}.patch"))
}

/// Makes one folder or file as another is. Only what differs is written, so that cargo builds only what changed.
fn sync(from: &Path, to: &Path) {
    if from.is_file() {
        let content = fs::read(from).unwrap();
        if fs::read(to).ok().as_ref() != Some(&content) {
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, content).unwrap();
        }
        return;
    }
    fs::create_dir_all(to).unwrap();
    let names = |dir: &Path| fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name());
    for gone in names(to).map(|name| to.join(name)) {
        match from.join(gone.file_name().unwrap()) {
            still if still.exists() => {}
            _ if gone.is_dir() => fs::remove_dir_all(gone).unwrap(),
            _ => fs::remove_file(gone).unwrap(),
        }
    }
    for name in names(from) {
        sync(&from.join(&name), &to.join(&name));
    }
}

/// The folder with the patched sources, at the same place each time.
fn sources() -> PathBuf {
    let (patched, kept) = (patched(), Path::new(env!("CARGO_TARGET_TMPDIR")).join("plays"));
    sync(&patched.path("."), &kept);
    kept
}

/// A copy of the sources with the patches.
fn patched() -> Project {
    let patched = Project::new();
    for part in SOURCES {
        sync(&top().join(part), &patched.path(part));
    }
    // The same versions and profiles as here, so that what this test was built from is used again.
    sync(&top().join("Cargo.lock"), &patched.path("integrations/own-stage/Cargo.lock"));
    let own = "integrations/own-stage/Cargo.toml";
    let ours = fs::read_to_string(top().join("Cargo.toml")).unwrap();
    let profiles = &ours[ours.find("[profile.").unwrap()..];
    patched.write(own, patched.read(own) + "\n" + profiles);
    for (name, _) in PATCHES {
        let mut git = Command::new("git");
        // Inside a repository it would pass over what is not of it.
        git.env("GIT_CEILING_DIRECTORIES", patched.path("..").canonicalize().unwrap());
        git.current_dir(patched.path(".")).arg("apply").arg(patch(name));
        Ran::of(git).exits(0);
    }
    patched
}

/// The folder with the programs of the crate outside, built once for all tests. Our own crates are another
/// workspace's there, so they are built anew, in the quickest way.
static PROGRAMS: LazyLock<PathBuf> = LazyLock::new(|| {
    let built = Path::new(env!("CARGO_BIN_EXE_storymill")).parent().unwrap();
    let manifest = sources().join("integrations/own-stage/Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(top()).args(["build", "--bins", "--examples", "--offline", "--quiet"]);
    cargo.arg("--manifest-path").arg(manifest);
    cargo.arg("--target-dir").arg(built.parent().unwrap());
    // `cargo test` tells tests about their package, and TLS would be built anew for the sake of that.
    for (name, _) in std::env::vars_os() {
        let told = name.to_string_lossy();
        if told.starts_with("CARGO_PKG_") || told.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(name);
        }
    }
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    cargo.args(["--profile", profile]);
    for entry in fs::read_dir(top().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let name = if name == "storymill" { name } else { format!("storymill-{name}") };
        cargo.args(["--config", &format!("profile.{profile}.package.{name}.opt-level=0")]);
    }
    Ran::of(cargo).exits(0);
    built.to_owned()
});

/// Whether the program is not to be built.
fn skipped() -> bool {
    let skipped = !full() && std::env::var_os("STORYMILL_PLAYS").is_none();
    if skipped {
        println!("skip: the tasks of ARCHITECTURE.md, built and run: want STORYMILL_PLAYS=1");
    }
    skipped
}

/// Runs the program of the crate outside in a project's folder.
fn run(project: &Project, args: &[&str]) -> Ran {
    let mut program = Command::new(PROGRAMS.join("own-stage"));
    program.args(args).current_dir(project.path(".")).env("PLAYED_KEY", KEY);
    Ran::of(program)
}

/// The file as ARCHITECTURE.md names it: `llm/wire/mod.rs`, and `llm/wire/NEW.rs` for any new one.
fn named(path: &str, new: bool) -> String {
    let path =
        path.strip_prefix("crates/").map_or(path.to_owned(), |p| p.replacen("/src/", "/", 1));
    match path.rsplit_once('/') {
        Some((folder, _)) if new => format!("{folder}/NEW.rs"),
        _ => path,
    }
}

#[test]
fn patches_touch_only_what_architecture_names_for_the_task() {
    let architecture = fs::read_to_string(top().join("ARCHITECTURE.md")).unwrap();
    for (name, task) in PATCHES {
        let (_, told) = architecture.split_once(task).expect(task);
        let told = told.split("\n- **").next().unwrap().split("\n\n").next().unwrap();
        let patch = fs::read_to_string(patch(name)).unwrap();
        let touched: Vec<String> = patch
            .split("\ndiff --git ")
            .map(|file| {
                let path = file.lines().next().unwrap().split_once(" b/").unwrap().1;
                named(path, file.contains("\nnew file mode"))
            })
            .collect();
        assert!((2..=6).contains(&touched.len()), "{name}: {touched:?}");
        for file in touched {
            assert!(told.contains(&format!("`{file}`")), "{name} touches {file}: {told}");
        }
    }
}

/// To build what they make takes minutes and is done above where it is asked for; that they still fit takes no time.
#[test]
fn patches_apply() {
    match Command::new("git").arg("--version").output() {
        Ok(_) => drop(patched()),
        Err(_) => println!("skip: whether the patches of ARCHITECTURE.md apply: no git"),
    }
}

#[test]
fn a_decoy_type_is_asked_chosen_and_published() {
    if skipped() {
        return;
    }
    let project = Project::new();
    project.book("one", 12).book("two", 12).workflow(&[(
        "[stage.questions.read-along]",
        "[stage.questions.read-along]\ntypes = [\"lookahead\", \"unread-distortion\"]",
    )]);
    project.run(&["plan", "my.toml"]).exits(3).says("unread-distortion");
    run(&project, &["build", "my.toml"]).exits(0);
    // The program without the patch reads what the patched one published.
    let rows = rows(&project, "out/mine");
    laws(&rows, 1);
    let of = |config: &str| {
        let rows = rows[config].iter().filter(|row| row["type"] == "unread-distortion");
        rows.cloned().collect::<Vec<_>>()
    };
    assert!(!of("eval").is_empty(), "some are chosen");
    for question in of("read-along") {
        let kinds = question["option_kinds"].as_array().unwrap().iter();
        for (kind, scene) in kinds.zip(question["option_scenes"].as_array().unwrap()) {
            let later = scene.as_i64() > question["asked_at_scene"].as_i64();
            assert_eq!(later, kind == "unread-distortion", "{question}");
        }
    }
}

const KEY: &str = "sk-played-2f81";

#[test]
fn a_wire_format_of_the_crate_outside_is_spoken() {
    if skipped() {
        return;
    }
    let port = listen(|head, body| {
        let sent: serde_json::Value = serde_json::from_str(body).unwrap();
        let ours = head.starts_with("POST /completion ")
            && head.contains(&format!("x-api-key: {KEY}"))
            && sent["n_predict"] == 1024;
        match sent["prompt"].as_str() {
            Some(prompt) if ours && prompt.ends_with("assistant:") => {
                let told = &models::told(prompt, 0)["choices"][0]["message"]["content"];
                let counts = r#""stop_type":"eos","tokens_evaluated":1234,"tokens_predicted":60"#;
                ("200 OK", format!("{{\"content\":{told},\"stop\":true,{counts}}}"))
            }
            _ => ("400 Bad Request", format!(r#"{{"error":{{"message":"{head:?}"}}}}"#)),
        }
    });
    let project = Project::new();
    let model = format!(
        "[model.default]\nurl = \"http://127.0.0.1:{port}\"\nmodel = \"m\"\napi_key_env = \"PLAYED_KEY\"\nwire = \"completion\"\n\n\
         [source.books.folder]"
    );
    let told = ("[stage.summaries.extract]", "[stage.summaries.summarize]");
    project.book("one", 6).workflow(&[("[source.books.folder]", &model), told]);
    run(&project, &["build", "my.toml"]).exits(0).says("stage asked");
    let summaries = &rows(&project, "out/mine")["summaries"];
    assert!(!summaries.is_empty());
    for summary in summaries {
        let text = summary["text"].as_str().unwrap();
        assert!(text.contains("a visitor pays for it without asking"), "{text}");
    }
    // The program that does not know it says so, and what it knows.
    project
        .run(&["plan", "my.toml"])
        .exits(3)
        .says("`wire` is `completion`, which is no wire format here");
    // It finds the answers, as if they were asked for in its own words.
    let manifest = project.manifest("out/mine");
    project.write("my.toml", project.read("my.toml").replace("wire = \"completion\"\n", ""));
    let answers = ["--answers", ".storymill/answers", "--store", "again", "--out", "again-out"];
    project.run(&[&["build", "my.toml", "--frozen"], &answers[..]].concat()).exits(0);
    assert_eq!(project.manifest("again-out"), manifest);
}

#[test]
fn a_crate_outside_builds_from_rust_and_from_its_own_binary() {
    if skipped() {
        return;
    }
    let project = Project::new();
    let books = top().join("data/books");
    let workflow = fs::read_to_string(top().join("integrations/own-stage/spoken.toml")).unwrap();
    let workflow = workflow.replace("../../data/books", books.to_str().unwrap());
    project.write("spoken.toml", &workflow);

    let run = |args: &[&str]| run(&project, args);
    run(&["plan", "spoken.toml", "--store", "store"]).exits(0).says("count-spoken");
    run(&["build", "spoken.toml", "--store", "store", "--out", "one"]).exits(0);
    run(&["inspect", "one", "--format", "json"]).exits(0).says("\"words\"");

    let mut rust = Command::new(PROGRAMS.join("examples/from_rust"));
    rust.arg(books).arg(project.path("rust"));
    Ran::of(rust).exits(0).says("words of dialogue");
    assert_eq!(
        project.read("one/dataset.lock"),
        project.read("rust/spoken/dataset.lock"),
        "the file and Rust say the same"
    );

    let shorter = workflow.replace("from = \"books\"", "from = \"books\"\nmax = 2000");
    project.write("spoken.toml", shorter);
    run(&["build", "spoken.toml", "--store", "store", "--out", "two"]).exits(0);
    // With 10 it says that there is a difference, and that both keep to the gates.
    run(&["diff", "one", "two"]).exits(10).says("`max` of `scenes`");
}

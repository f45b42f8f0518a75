//! Each command, as it is typed.

use crate::project::{Project, Ran};

fn small() -> Project {
    let project = Project::new();
    project.book("one", 3).book("two", 2).workflow(&[]);
    project
}

#[test]
fn init_writes_a_workflow_that_builds() {
    let project = Project::new();
    project.book("11", 3);
    project.run(&["init", "new.toml"]).exits(0).says("storymill build new.toml");
    let canary =
        |text: &str| text.lines().find(|line| line.starts_with("canary")).unwrap().to_owned();
    project.run(&["build", "new.toml"]);
    assert!(project.manifest("out/new").contains("\"name\": \"new\""));
    project.run(&["init", "new.toml"]).exits(4).says("left as it is");
    project.run(&["init", "other.toml", "--catalog", "c.csv"]).exits(0);
    assert_ne!(canary(&project.read("new.toml")), canary(&project.read("other.toml")));
    assert!(project.read("other.toml").contains("catalog = \"c.csv\""));
}

#[test]
fn events_are_json_lines() {
    let project = small();
    let out = project.run(&["build", "my.toml", "--message-format", "json"]).exits(0).out();
    let events: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], *names.last().unwrap()), ("run-started", "finished"));
    assert_eq!(events[0]["version"], 1);
    let last = events.last().unwrap();
    assert_eq!(last["steps"][0]["units"], 2);
    assert!(last["published"]["digest"].is_string());
}

#[test]
fn the_last_screen_can_be_json() {
    let project = small();
    let out = project.run(&["build", "my.toml", "--format", "json"]).exits(0).out();
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["name"], "mine");
}

#[test]
fn inspect_shows_counts_columns_and_rows() {
    let project = small();
    project.run(&["build", "my.toml"]).exits(0);
    let text = project
        .run(&["inspect", "out/mine", "--config", "reconstruction", "-n", "2"])
        .exits(0)
        .out();
    assert!(text.contains("demand_symbols") && text.contains("-- row 0"), "{text}");
    let screen = project.run(&["inspect", "out/mine"]).exits(0).out();
    assert!(screen.contains("A question of `read-along`"), "{screen}");
    assert!(screen.lines().count() <= 40 && !screen.contains("-- row"), "{screen}");
    let json = project.run(&["inspect", "out/mine", "--format", "json"]).exits(0).out();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let rows: u64 = value["tables"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|t| t["config"] == "books")
        .map(|t| t["rows"].as_u64().unwrap())
        .sum();
    assert_eq!(rows, 2);
    project
        .run(&["inspect", "out/mine", "--config", "reconstructoin"])
        .exits(4)
        .says("no config `reconstructoin`")
        .says("did you mean `reconstruction`?");
}

#[test]
fn rejects_beyond_the_expected_have_their_exit_code() {
    let project = small();
    project.write("books/void.html", "<html><body><p>Short.</p></body></html>");
    project.run(&["build", "my.toml"]).exits(0).says("void");
    project.workflow(&[("expected_rejects = 999", "expected_rejects = 0")]);
    project.run(&["build", "my.toml"]).exits(5).says("(0 expected)");
}

#[test]
fn dry_run_is_plan_and_builds_nothing() {
    let project = small();
    let dry = project.run(&["build", "my.toml", "--dry-run"]).exits(0).out();
    assert_eq!(dry, project.run(&["plan", "my.toml"]).exits(0).out());
    assert!(!project.path(".storymill").exists() && !project.path("out").exists());
}

#[test]
fn explain_knows_exit_codes_and_kinds() {
    let project = Project::new();
    project.run(&["explain", "75"]).exits(0).says("running the same command again may work");
    project.run(&["explain", "chunk"]).exits(0).says("[stage.NAME.chunk]");
    project.run(&["explain", "folder"]).exits(0).says("[source.NAME.folder]");
    project.run(&["explain", "chunks"]).exits(2).says("chunk");
    project.run(&["explain", "too-near"]).exits(0).says("too near to the true one");
    project.run(&["explain", "too-neat"]).exits(2).says("did you mean `too-near`?");
    project.run(&["explain", "options"]).exits(0).says("--store <DIR>");
    project.run(&["explain", "commands"]).exits(0).says("Write a workflow to start from");
    let all = project.run(&["explain"]).exits(0).out();
    for topic in ["chunk", "folder", "too-near", "exit-codes", "longest", "75"] {
        assert!(all.contains(topic), "{topic}: {all}");
    }
    project.run(&["explain", "99"]).exits(2);
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let out = Project::new().run(&["completions", shell]).exits(0).out();
        assert!(out.contains("storymill"));
    }
}

/// What a shell is told when somebody presses the tab key behind these words.
fn completed(project: &Project, words: &[&str]) -> String {
    let all: Vec<&str> = ["--", "storymill"].iter().chain(words).copied().collect();
    let mut command = project.command(&all);
    command.env("COMPLETE", "fish");
    Ran::of(command).exits(0).out()
}

#[test]
fn steps_configs_and_questions_complete() {
    let project = Project::new();
    project.book("one", 2).book("two", 2).workflow(&[]);
    let whole = |words: &[&str], expected: &[&str]| {
        let out = completed(&project, words);
        let words: Vec<&str> = out.lines().map(|line| line.split('\t').next().unwrap()).collect();
        assert_eq!(words, expected);
    };
    whole(&["build", "my.toml", "--step", "sc"], &["scenes"]);
    whole(&["build", "my.toml", "--step", "books,su"], &["books,summaries"]);
    whole(&["build", "gone.toml", "--step", "s"], &[]);
    whole(&["explain", "read-a"], &["read-along"]);
    project.run(&["build", "my.toml"]).exits(0);
    whole(&["inspect", "out/mine", "--config", "s"], &["scenes", "summaries"]);
    let questions = completed(&project, &["inspect", "out/mine", "one/0"]);
    assert!(questions.lines().count() > 1, "{questions}");
    assert!(questions.lines().all(|line| line.starts_with("one/0")), "{questions}");
    whole(&["inspect", "out/mine", "three/"], &[]);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_failure() {
    let project = Project::new();
    let binary = env!("CARGO_BIN_EXE_storymill");
    let script = format!("set -o pipefail; '{binary}' schema | head -n 1");
    let status = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(project.path(""))
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
}

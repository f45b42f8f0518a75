//! Two versions of a dataset: each change is told by its name, and nothing else is.

use serde_json::Value;

use crate::project::{Project, top};

/// A project with a copy of the sample books and their workflow, built once into `old`.
fn project() -> Project {
    let project = Project::new();
    copy(&project, "data/books");
    copy(&project, "data/answers");
    copy(&project, "workflows");
    project.run(&["build", WORKFLOW, "--out", "old"]).exits(0);
    project
}

const WORKFLOW: &str = "workflows/stories.toml";

fn copy(project: &Project, folder: &str) {
    for entry in std::fs::read_dir(top().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            copy(project, &name);
        } else {
            project.write(&name, std::fs::read(path).unwrap());
        }
    }
}

/// Builds into `new` and tells the causes.
fn causes(project: &Project, workflow: &str, exits: i32) -> Vec<Value> {
    project.run(&["build", workflow, "--out", "new"]).exits(0);
    let ran = project.run(&["diff", "old", "new", "--format", "json"]);
    assert_eq!(ran.code(), exits, "{}", ran.out());
    let report: Value = serde_json::from_str(&ran.out()).unwrap();
    report["causes"].as_array().unwrap().clone()
}

fn edited(project: &Project, old: &str, new: &str) -> String {
    let text = project.read(WORKFLOW);
    assert!(text.contains(old), "the workflow has `{old}`");
    let name = "workflows/edited.toml".to_owned();
    project.write(&name, text.replacen(old, new, 1));
    name
}

#[test]
fn each_change_is_named_and_nothing_else() {
    let project = project();
    let check = |workflow: &str, exits: i32, expected: &[(&str, &str, &str)]| {
        let found = causes(&project, workflow, exits);
        let told: Vec<_> = found
            .iter()
            .map(|cause| {
                let text = |key: &str| cause[key].as_str().unwrap_or_default();
                let what = if text("option").is_empty() { text("what") } else { text("option") };
                (text("cause"), text("step"), what)
            })
            .collect();
        assert_eq!(told, expected, "{found:#?}");
    };
    check(WORKFLOW, 0, &[]);
    check(&edited(&project, "seed    = 2023", "seed    = 7"), 11, &[("seed", "", "")]);
    let option = edited(&project, "small           = 20", "small           = 15");
    check(&option, 11, &[("option", "choice", "small")]);
    let ratio = edited(&project, "test       = 0.3", "test       = 0.5");
    check(&ratio, 11, &[("option", "splits", "test")]);
    let title = project.read(WORKFLOW);
    let title = title.lines().find(|line| line.starts_with("title")).unwrap();
    let card = edited(&project, title, "title = \"Another title\"");
    check(&card, 0, &[("publish", "", "title")]);
}

#[test]
fn a_changed_page() {
    let project = project();
    let rule = "workflows/by-rule.toml";
    project.run(&["build", rule, "--out", "old", "--replace"]).exits(0);
    let name = "data/books/sm04.html";
    let page = project.read(name);
    let word = page[..page.len() / 2].rfind(" the ").unwrap();
    project.write(name, format!("{} THE {}", &page[..word], &page[word + 5..]));
    let found = causes(&project, rule, 10);
    let [cause] = &found[..] else { panic!("{found:#?}") };
    assert_eq!((&cause["cause"], &cause["units"]), (&"units-changed".into(), &["sm04"][..].into()));
    let told = project.run(&["diff", "old", "new"]).exits(10);
    told.says("changed pages: sm04").says("a patch").says("Gates").says("all passed");
    let told = project.run(&["diff", "old", "new", "--format", "markdown"]).exits(10);
    told.says("### by-rule").says("```text");
    let told = project.run(&["diff", "old/dataset.lock", "new/dataset.lock"]).exits(11);
    // Whether answers are among what changed only rows tell.
    told.says("changed pages: sm04").says("locks do not tell");
}

#[test]
fn versions_in_git_and_what_is_none() {
    let project = Project::new();
    project.book("one", 2).book("two", 1).workflow(&[]);
    project.run(&["build", "my.toml", "--out", "old"]).exits(0);
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        git.args(identity).args(args).current_dir(project.path("."));
        let ran = git.output().ok()?;
        ran.status.success().then_some(())
    };
    if git(&["init", "-q"]).is_some() {
        git(&["add", "old/dataset.lock"]).unwrap();
        git(&["commit", "-q", "-m", "first"]).unwrap();
        project.workflow(&[("seed", "# another\nseed")]);
        project.run(&["build", "my.toml", "--out", "new"]).exits(0);
        project.run(&["diff", "HEAD:old/dataset.lock", "new"]).exits(0).says("none");
        project.run(&["diff", "HEAD:nothing.lock", "new"]).exits(4).says("git show");
        project.run(&["diff", "--", "-x:y", "new"]).exits(4).says("not a revision");
    } else {
        println!("skip: git is not here");
    }
    project.run(&["diff", "old", "nowhere"]).exits(4).says("no such file or folder");
    project.write("not.lock", "{}");
    project.run(&["diff", "old", "not.lock"]).exits(6).says("not a lock");
    project.write("cut.lock", &project.read("old/dataset.lock")[..200]);
    project.run(&["diff", "old", "cut.lock"]).exits(6).says("line");
    project.write(
        "newer.lock",
        project.read("old/dataset.lock").replace("\"format\": 1", "\"format\": 99"),
    );
    project.run(&["diff", "old", "newer.lock"]).exits(6).says("newer storymill");
}

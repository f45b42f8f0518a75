//! What people decide: listed, taken, replayed, told in the lock, and named when it changes.

use serde_json::Value;

use crate::project::Project;

/// A page with a long section before chapter I, which may be story or preface.
pub(crate) fn doubtful(id: &str) -> String {
    let page = crate::project::page(id, 4);
    let told =
        "Here is how I came to write it down, in the winter when the mill stood still. ".repeat(40);
    let chapter = "<h2>CHAPTER 1</h2>";
    let more = format!("<h2>How the mill was built</h2><p>{told}</p>{chapter}");
    page.replacen(chapter, &more, 1)
}

fn project() -> Project {
    let project = Project::new();
    project.write("books/mill.html", doubtful("mill")).book("other", 3);
    project.workflow(&[("seed = 7\n", "seed = 7\ndecisions = [\"decisions.jsonl\"]\n")]);
    project
}

fn reviews(project: &Project, more: &[&str]) -> Vec<Value> {
    let args = [&["reviews", "my.toml", "--format", "json"], more].concat();
    serde_json::from_str(&project.run(&args).exits(0).out()).unwrap()
}

#[test]
fn a_decision_is_taken_replayed_and_undone() {
    let project = project();
    project.run(&["build", "my.toml"]).exits(4).says("decisions.jsonl").says("an empty file");
    project.write("decisions.jsonl", "");
    project.run(&["build", "my.toml", "--out", "first"]).exits(0);
    let items = reviews(&project, &[]);
    let item = items.iter().find(|item| item["review"]["code"] == "preface").unwrap();
    let id = item["id"].as_str().unwrap();
    let books = |out: &str| {
        project.run(&["inspect", out, "--config", "books", "--rows", "9", "--full"]).exits(0).out()
    };
    assert!(books("first").contains("how I came to write"));

    // Mistakes change nothing.
    let decide = |what: &str| project.run(&["reviews", "my.toml", "--decide", what]);
    decide("cut").exits(4).says("decides nothing");
    decide("zz=cut").exits(4).says("no item");
    decide(&format!("{id}=burn")).exits(4).says("keep, cut");
    let twice = format!("{id}=cut");
    project
        .run(&["reviews", "my.toml", "--decide", &twice, "--decide", &twice])
        .exits(4)
        .says("twice");
    assert_eq!(project.read("decisions.jsonl"), "");

    let by = ["reviews", "my.toml", "--decide", &twice, "--by", "a reader", "--note", "a frame"];
    project.run(&by).exits(0).says("build again");
    // The list stands before and after the next build.
    project.run(&["reviews", "my.toml"]).exits(0).says("decided by a reader: cut, not keep");
    project.run(&["plan", "my.toml"]).exits(0).says("mill");
    project.run(&["build", "my.toml", "--out", "second"]).exits(0);
    assert!(!books("second").contains("how I came to write"));
    project.run(&["reviews", "my.toml"]).exits(0).says("decided by a reader: cut, not keep");
    assert!(reviews(&project, &["--open"]).iter().all(|item| item["id"] != id));

    // The difference has one cause.
    let ran = project.run(&["diff", "first", "second", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out()).unwrap();
    let [cause] = &report["causes"].as_array().unwrap()[..] else { panic!("{report:#}") };
    assert_eq!(
        (&cause["cause"], &cause["step"], &cause["units"]),
        (&"decisions".into(), &"books".into(), &["mill"][..].into())
    );
    project.run(&["diff", "first", "second"]).says("people decided otherwise");

    // Nothing is made anew where nothing was decided, in another store too.
    project.run(&["build", "my.toml", "--out", "again", "--store", "elsewhere"]).exits(0);
    assert_eq!(project.manifest("again"), project.manifest("second"));

    // Undone: the last decision stands, and the rows are the first ones.
    decide(&format!("{}=keep", &id[..10])).exits(0);
    assert_eq!(project.read("decisions.jsonl").lines().count(), 2);
    project.run(&["build", "my.toml", "--out", "third"]).exits(0);
    assert_eq!(books("third"), books("first"));

    // A decision whose item is gone is told of.
    let page = project.read("books/mill.html");
    project.write("books/mill.html", page.replace("how I came to write", "how we came to write"));
    project.run(&["build", "my.toml", "--out", "fourth"]).exits(0);
    let told = "1 decision on items that this build does not have";
    project.run(&["reviews", "my.toml"]).exits(0).says(told).says(&id[..12]);
    project.write("books/mill.html", page);
    project.run(&["build", "my.toml", "--out", "fourth"]).exits(0);
    let found = project.run(&["reviews", "my.toml"]).exits(0);
    assert!(!found.err().contains("does not have"), "{}", found.err());

    // Two that disagree are named by their lines, and so is what is none.
    let lines = project.read("decisions.jsonl");
    let mut last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    last["replaces"] = Value::Array(Vec::new());
    project.write("decisions.jsonl", format!("{}\n{last}\n", lines.lines().next().unwrap()));
    project.run(&["build", "my.toml"]).exits(4).says("disagree").says("line 1").says("line 2");
    project.write("decisions.jsonl", "keep it\n");
    project.run(&["build", "my.toml"]).exits(4).says("line 1: not a decision");
}

//! A build whose retellings and questions a judge looks at, beside labelled pairs that tell what the judge is worth.

use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use serde_json::Value;

use crate::{
    models::Server,
    project::{Project, WORKFLOW, top},
};

fn draw(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn between<'t>(text: &'t str, tag: &str) -> &'t str {
    let rest = text.split(&format!("<{tag}>\n")).nth(1).unwrap_or_default();
    rest.split(&format!("\n</{tag}>")).next().unwrap_or_default()
}

/// A judge who is right of seven pairs in eight, and calls two of three other retellings faithful.
fn judge() -> impl Fn(u32, &str) -> String + Send + Sync {
    let pairs = fs::read_to_string(top().join("data/judges/pairs.json")).unwrap();
    let pairs: BTreeMap<String, Value> = serde_json::from_str(&pairs).unwrap();
    let labels: Vec<(String, bool)> = pairs
        .values()
        .map(|pair| (pair["summary"][0].as_str().unwrap().to_owned(), pair["label"] == 1))
        .collect();
    move |_, text| {
        let yes = |yes: bool| if yes { "Yes" } else { "No" }.to_owned();
        if text.contains("SETTING: right or wrong") {
            let events = text.lines().filter(|line| {
                line.split_once(": ")
                    .is_some_and(|(n, rest)| n.parse::<u32>().is_ok() && rest != "yes or no")
            });
            let said: Vec<String> = (1..=events.count()).map(|n| format!("{n}: no")).collect();
            return format!("{}\nSETTING: right", said.join("\n"));
        }
        if text.contains("<passages>") {
            return yes(draw(between(text, "account")).is_multiple_of(5));
        }
        let summary = between(text, "summary");
        match labels.iter().position(|(first, _)| summary.contains(first.as_str())) {
            Some(at) => yes(labels[at].1 != at.is_multiple_of(8)),
            None => yes(!draw(summary).is_multiple_of(3)),
        }
    }
}

fn project(keep: &str) -> (Project, std::sync::Arc<Server>) {
    let server = Server::scripted(Duration::ZERO, judge());
    let project = Project::new();
    for book in 0..4 {
        project.book(&format!("b{book}"), 5);
    }
    fs::copy(top().join("data/judges/pairs.json"), project.path("pairs.json")).unwrap();
    let model = format!(
        "[model.judge]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"judge-1\"\n\n[source.pairs.storysumm]\npath = \"pairs.json\"\n\n[source.books.folder]",
        server.port
    );
    let stages = format!(
        r#"[stage.sampled.sample]
scenes = "scenes"
summaries = "summaries"
distortions = "distortions"

[stage.judged.faithful]
of = "sampled"
model = "judge"
protocol = "binary"

[stage.checked.false-check]
of = "sampled"
model = "judge"

[stage.measured.faithful]
of = "pairs"
model = "judge"
protocol = "binary"

[stage.true-ones.gate-summaries]
from = "summaries"
judgements = "judged"
keep = "{keep}"

[stage.clear.ambiguity]
questions = "questions"
scenes = "scenes"
summaries = "true-ones"
model = "judge"
near_pm = 1

[dataset.kept]
from = "true-ones"

[dataset.clear]
from = "clear"

[dataset.judged]
from = "judged"

[dataset.checked]
from = "checked"

[dataset.measured]
from = "measured"

[dataset."#
    );
    let text =
        WORKFLOW.replacen("[source.books.folder]", &model, 1).replacen("[dataset.", &stages, 1);
    project.write("my.toml", text);
    (project, server)
}

fn rows(project: &Project, config: &str) -> Vec<Value> {
    let args = ["inspect", "out/mine", "--config", config, "-n", "10000", "--format", "json"];
    let shown: Value = serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
    let tables = shown["tables"].as_array().unwrap().iter();
    tables
        .flat_map(|table| table["sample"].as_array().unwrap().clone())
        .map(|row| row["values"].clone())
        .collect()
}

#[test]
fn a_build_tells_what_a_judge_says_and_what_it_is_worth() {
    let (project, _server) = project("all");
    project.run(&["build", "my.toml"]).exits(0);
    let judged = rows(&project, "judged");
    let own: Vec<&Value> = judged
        .iter()
        .filter(|row| row["protocol"] == "binary" && row["gold"] == -1 && row["meant_false"] == 0)
        .collect();
    let faithful = own.iter().filter(|row| row["faithful"] == 1).count();
    assert_eq!(rows(&project, "measured").len(), 40);
    assert!(own.len() >= 8 && faithful > 0, "{} judged", own.len());
    let card = project.read("out/mine/README.md");
    let section = card.split("## Judged").nth(1).expect("a section on judges");
    let line = section.lines().find(|line| line.contains("| binary |"));
    let line = line.unwrap_or_else(|| panic!("no rate in\n{section}"));
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    assert_eq!(cells[3], own.len().to_string(), "{line}");
    let raw = 100.0 * faithful as f64 / own.len() as f64;
    assert!(cells[5].starts_with(&format!("{raw:.1} %")), "{raw}: {line}");
    assert!(cells[8].contains('%') && !line.contains("undefined"), "{line}");
    // Nothing is left out by a gate that is told to keep all; questions are, by the judge of ambiguity.
    assert_eq!(rows(&project, "kept").len(), rows(&project, "summaries").len());
    assert!(section.contains("Questions left out because an option"), "{section}");
    assert!(rows(&project, "clear").len() < rows(&project, "read-along").len());
    // The same from the answers alone.
    let before = project.manifest("out/mine");
    project.run(&["build", "my.toml", "--mode", "frozen"]).exits(0);
    assert_eq!(project.manifest("out/mine"), before);
}

#[test]
fn a_gate_leaves_out_what_the_judge_speaks_against() {
    let (project, _server) = project("not-wrong");
    project.run(&["build", "my.toml"]).exits(0);
    let wrong: Vec<String> = rows(&project, "judged")
        .iter()
        .filter(|row| {
            row["protocol"] == "binary"
                && row["meant_false"] == 0
                && row["gold"] == -1
                && row["faithful"] == 0
        })
        .map(|row| row["retelling_id"].as_str().unwrap().to_owned())
        .collect();
    let kept = rows(&project, "kept");
    let has = |id: &String| kept.iter().any(|row| row["summary_id"] == id.as_str());
    assert!(!wrong.iter().any(has), "{wrong:?}");
    assert_eq!(kept.len() + wrong.len(), rows(&project, "summaries").len());
}

//! Names in a build: casts, substitutes, rows with other names, and the check that none is left.

use crate::project::{Project, top};

const STEPS: &str = r#"
[stage.casts.cast]
from = "books"
tagger = "litner-small"

[stage.names.substitutes]
from = "casts"
books = "books"

[stage.other-books.substitute-books]
from = "books"
substitutes = "names"

[stage.other-scenes.substitute-scenes]
from = "scenes"
substitutes = "names"

[stage.other-summaries.substitute-summaries]
from = "summaries"
substitutes = "names"

[stage.other-distortions.substitute-distortions]
from = "distortions"
substitutes = "names"

[stage.other-questions.substitute-questions]
from = "questions"
scenes = "other-scenes"
substitutes = "names"

[stage.other-repairs.substitute-reconstructions]
from = "repairs"
scenes = "other-scenes"
substitutes = "names"

[stage.leaks.check-names]
substitutes = "names"
books = "other-books"
scenes = "other-scenes"
summaries = "other-summaries"
distortions = "other-distortions"
questions = "other-questions"
reconstructions = "other-repairs"

[dataset.names]
from = "names"

[dataset.other-scenes]
from = "other-scenes"

[dataset.other-read-along]
from = "other-questions"

[dataset.leaks]
from = "leaks"
"#;

fn project() -> Project {
    let project = Project::new();
    project.workflow(&[]).book("b1", 4).book("b2", 4);
    let workflow = project.read("my.toml");
    project.write("my.toml", workflow + STEPS);
    project
}

#[test]
fn a_build_hides_names_and_replays_what_the_tagger_said() {
    let project = project();
    let models = top().join("data/models/litner").display().to_string();
    let build = ["build", "my.toml", "--tagger-models", &models];
    project.run(&["build", "my.toml", "--tagger-models", "nowhere"]).exits(4).says("nowhere");
    // Nothing was said yet: a frozen build cannot go on, and does not infer.
    project.run(&[&build[..], &["--frozen"]].concat()).exits(6).says("frozen").says("this machine");
    project.run(&build).exits(0);
    let manifest = project.manifest("out/mine");
    let rows = project.run(&["inspect", "out/mine"]).exits(0).out();
    assert!(rows.contains("other-read-along"), "{rows}");

    // Names and what was replaced by them pass the gates, and each question is asked about its own text.
    project.run(&["verify", "--rows", "out/mine"]).exits(0);
    project.run(&["diff", "out/mine", "out/mine"]).exits(0).says("all passed");
    let rows =
        project.run(&["inspect", "out/mine", "--config", "other-read-along", "--format", "json"]);
    let rows: serde_json::Value = serde_json::from_str(&rows.exits(0).out()).unwrap();
    let row = &rows["tables"][0]["sample"][0]["values"];
    let id = row["question_id"].as_str().unwrap();
    let context = ["context", "out/mine", id, "--config"];
    let other = project.run(&[&context[..], &["other-read-along"]].concat()).exits(0).out();
    let own = project.run(&[&context[..], &["read-along"]].concat()).exits(0).out();
    assert_ne!(other, own);
    assert_eq!(other.chars().count() as u64, row["context_symbols"].as_u64().unwrap());
    assert_eq!(other.split_whitespace().count(), own.split_whitespace().count());

    // Without the model, and in another place, the log is enough.
    let frozen = [
        "build",
        "my.toml",
        "--frozen",
        "--tagger-models",
        "nowhere",
        "--store",
        "other",
        "--answers",
    ];
    let answers = project.path(".storymill/answers").display().to_string();
    let again = project.run(&[&frozen[..], &[&answers, "--out", "again"]].concat()).exits(0);
    drop(again);
    assert_eq!(project.manifest("again"), manifest);
}

#[test]
fn a_cast_that_people_changed_is_taken() {
    let project = project();
    let plain = project.read("my.toml").replace("litner-small", "perceptron");
    project.write("my.toml", &plain);
    project.run(&["build", "my.toml"]).exits(0);
    let before = project.manifest("out/mine");
    project
        .run(&["cast", "books/b1.html", "--tagger", "perceptron", "--out", "b1.cast.toml"])
        .exits(0);
    let cast = project.read("b1.cast.toml");
    assert!(cast.contains("gender = \"female\""), "{cast}");
    project.write("b1.cast.toml", cast.replace("gender = \"female\"", "gender = \"male\""));
    let edited = plain
        .replace("tagger = \"perceptron\"", "tagger = \"perceptron\"\ncasts = [\"b1.cast.toml\"]");
    project.write("my.toml", edited);
    project.run(&["build", "my.toml"]).exits(0);
    assert_ne!(project.manifest("out/mine"), before);
    project.write("b1.cast.toml", "version = 1\nbook = \"b1\"\n");
    project.run(&["build", "my.toml"]).says("cast-unreadable");
}

#[test]
fn the_names_of_taggers_are_taken() {
    let project = project();
    let own = "\n[model.litner]\nurl = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n";
    project.write("my.toml", project.read("my.toml") + own);
    project.run(&["plan", "my.toml"]).exits(3).says("comes with storymill");
}

//! Names in a build: casts, substitutes, rows with other names, and the check that none is left.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use serde_json::Value;

use crate::{
    project::{Project, top},
    questions::{laws, rows},
};

/// The quicker of the taggers that this build has.
const TAGGER: &str = if cfg!(feature = "litner") { "litner-small" } else { "perceptron" };

const STEPS: &str = r#"
[stage.casts.cast]
from = "books"
tagger = "TAGGER"

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
originals = "books"
books = "other-books"
scenes = "other-scenes"
summaries = "other-summaries"
distortions = "other-distortions"
questions = "other-questions"
reconstructions = "other-repairs"

[stage.left.count-names]
originals = "books"
scenes = "other-scenes"
questions = "other-questions"

[stage.other-eval.take]
questions = "other-questions"
reconstructions = "other-repairs"
chosen = "choice"

[dataset.names]
from = "names"

[dataset.other-books]
from = "other-books"

[dataset.other-summaries]
from = "other-summaries"

[dataset.other-distortions]
from = "other-distortions"

[dataset.other-reconstruction]
from = "other-repairs"

[dataset.other-eval]
from = "other-eval"

[dataset.other-scenes]
from = "other-scenes"

[dataset.other-read-along]
from = "other-questions"

[dataset.leaks]
from = "leaks"

[dataset.name-counts]
from = "left"
"#;

/// The stories with its rows under other names beside them, as `names.toml`.
pub fn stories(project: &Project) {
    let workflow = fs::read_to_string(top().join("workflows/stories.toml")).unwrap();
    let data = format!("\"{}/", top().join("data").display());
    let steps = STEPS.replace("TAGGER", "perceptron").replace("\"summaries\"", "\"levels\"");
    let workflow = workflow.replace("\"stories\"\nversion", "\"names\"\nversion");
    project.write("names.toml", workflow.replace("\"../data/", &data) + &steps + PARTNERS);
}

const PARTNERS: &str = r#"
[stage.partners.partners]
books = "books"
summaries = "summaries"
casts = "casts"
splits = "splits"
"#;

fn project() -> Project {
    let project = Project::new();
    project.workflow(&[]).book("b1", 4).book("b2", 4);
    let workflow = project.read("my.toml");
    project.write("my.toml", workflow + &STEPS.replace("TAGGER", TAGGER));
    project
}

#[cfg(feature = "litner")]
#[test]
fn a_build_hides_names_and_replays_what_the_tagger_said() {
    let project = project();
    let models = top().join("data/models/litner").display().to_string();
    let build = ["build", "my.toml", "--tagger-models", &models];
    let without = project.run(&["build", "my.toml", "--tagger-models", "nowhere"]).exits(4);
    without
        .says("nowhere")
        .says("`litner-small`")
        .says("--tagger-models DIR")
        .says("tagger = \"perceptron\"");
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
    let context = ["inspect", "out/mine", id, "--config"];
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

/// The rows of the table of substitutes by book and part.
fn substitutes(project: &Project) -> BTreeMap<String, BTreeMap<String, Value>> {
    let mut books: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
    for row in &rows(project, "out/mine")["names"] {
        let cell = |name: &str| row[name].as_str().unwrap().to_owned();
        assert_eq!(cell("substitution_id"), format!("{}/{}", cell("book_id"), cell("part")));
        books.entry(cell("book_id")).or_default().insert(cell("part"), row.clone());
    }
    books
}

#[test]
fn names_that_are_left_and_published_are_a_gate_that_fails() {
    let project = project();
    let text = project.read("my.toml").replace("litner-small", "perceptron");
    let left = text.replace(
        "scenes = \"other-scenes\"\nsummaries",
        "scenes = \"scenes\"\nfail = false\nsummaries",
    );
    assert_ne!(left, text);
    project.write("my.toml", left);
    project.run(&["build", "my.toml"]).exits(0);
    project.run(&["verify", "--rows", "out/mine"]).exits(7).says("no name left").says("leaks");
    project.run(&["diff", "out/mine", "out/mine"]).exits(7).says("no name left");
}

#[test]
fn a_release_has_a_limit_for_names_that_are_left() {
    let project = project();
    let limit = "\n[publish.audit]\nnames_left_per_100k = 0\n";
    let text = project.read("my.toml").replace("litner-small", "perceptron");
    // The scenes as they are: no name is gone from them.
    let scenes =
        "originals = \"books\"\nscenes = \"other-scenes\"\nquestions = \"other-questions\"";
    let raw = text.replace(scenes, "originals = \"books\"\nscenes = \"scenes\"") + limit;
    assert!(raw.contains("originals = \"books\"\nscenes = \"scenes\""));
    project.write("my.toml", &raw);
    project.run(&["build", "my.toml"]).exits(0);
    let card = project.read("out/mine/README.md");
    assert!(
        card.contains("## Names that are left") && card.contains("per 100,000 words"),
        "{card}"
    );
    let release = ["release", "my.toml", "--first", "--dry-run"];
    let past = "and `names_left_per_100k` is 0";
    project.run(&release).says("names are left").says(past);

    // With other names they are gone.
    project.write("my.toml", text.clone() + limit);
    project.run(&["build", "my.toml"]).exits(0);
    let said = project.run(&release);
    assert!(!said.err().contains("names_left_per_100k"), "{}", said.err());
    assert!(!said.out().contains("names_left_per_100k"), "{}", said.out());

    // A limit without counts cannot be kept.
    let without = text.replace("\n[dataset.name-counts]\nfrom = \"left\"\n", "") + limit;
    project.write("my.toml", without);
    project.run(&["build", "my.toml"]).exits(0);
    project.run(&release).says("no table counts the names that are left").says("`count-names`");
    project.write("my.toml", text + "\n[publish.audit]\nnames_left = 0\n");
    project.run(&["plan", "my.toml"]).exits(3).says("names_left_per_100k");
}

#[test]
fn a_cast_that_people_changed_is_taken() {
    let project = project();
    let plain = project.read("my.toml").replace("litner-small", "perceptron");
    project.write("my.toml", &plain);
    // Hale is a word here too: its places are counted in the text of the build.
    let page = project.read("books/b1.html").replace("</h2>", "</h2><p>He was hale.</p>");
    project.write("books/b1.html", page);
    project.run(&["build", "my.toml"]).exits(0);
    let before = substitutes(&project);
    project
        .run(&["book", "cast", "books/b1.html", "--tagger", "perceptron", "--out", "b1.cast.toml"])
        .exits(0);
    let cast = project.read("b1.cast.toml");
    assert!(cast.contains("gender = \"female\"") && cast.contains("[[careful]]"), "{cast}");
    let edited = plain
        .replace("tagger = \"perceptron\"", "tagger = \"perceptron\"\ncasts = [\"b1.cast.toml\"]");
    project.write("my.toml", edited);
    // The cast that the command makes is the one that the build makes.
    project.run(&["build", "my.toml"]).exits(0);
    assert_eq!(substitutes(&project), before);
    project.write("b1.cast.toml", cast.replace("gender = \"female\"", "gender = \"male\""));
    project.run(&["build", "my.toml"]).exits(0);
    let after = substitutes(&project);
    assert_eq!(after["b2"], before["b2"]);
    let roles = |book: &BTreeMap<String, Value>, role| {
        book.values().filter(|row| row["role"] == role).count()
    };
    assert!(roles(&before["b1"], "female") > 0);
    assert_eq!(roles(&after["b1"], "female"), 0);
    assert_eq!(after["b1"].len(), before["b1"].len());
    assert!(before["b1"].values().any(|row| row["replaced"] == "at-places"));
    project.write("b1.cast.toml", "version = 1\nbook = \"b1\"\n");
    project.run(&["build", "my.toml"]).says("cast-unreadable");
}

/// The tables that are published twice, and the columns in which the two may differ: texts, where they lie, and how
/// long they are in anything but words.
const TWICE: [(&str, &[&str]); 8] = [
    (
        "books",
        &["authors", "chapters", "kind_evidence", "source_url", "symbols", "text_sha256", "title"],
    ),
    ("books-text", &["chapter_title", "text", "start_symbols", "end_symbols"]),
    (
        "scenes",
        &["text", "start_symbols", "end_symbols", "start_bytes", "end_bytes", "tokens_o200k_base"],
    ),
    ("summaries", &["text"]),
    ("distortions", &["text", "twin_text", "edits"]),
    ("read-along", &["options", "option_demand_symbols", "option_demand_tokens_o200k_base"]),
    ("reconstruction", &["distorted", "answer"]),
    ("eval", &["question", "options", "reference"]),
];

/// What every question tells of the lengths of what is read.
const READ: [&str; 9] = [
    "evidence",
    "context_symbols",
    "context_tokens_o200k_base",
    "demand_symbols",
    "demand_tokens_o200k_base",
    "demand_end_symbols",
    "demands_symbols",
    "demands_tokens_o200k_base",
    "demands_end_symbols",
];

#[test]
fn raw_and_other_rows_are_the_same_row_for_row() {
    let project = Project::new();
    stories(&project);
    project.run(&["build", "names.toml"]).exits(0);
    let mut configs = rows(&project, "out/names");
    let parts: Vec<(String, String)> = configs["names"]
        .iter()
        .filter(|row| row["replaced"] == "everywhere")
        .map(|row| [&row["book_id"], &row["part"]].map(|cell| cell.as_str().unwrap().to_owned()))
        .map(|[book, part]| (book, part))
        .collect();
    assert!(parts.len() > 20, "{parts:?}");
    let mut other = BTreeMap::new();
    for (name, may_differ) in TWICE {
        let rows = configs.remove(&format!("other-{name}")).unwrap();
        let raw = &configs[name];
        assert_eq!(rows.len(), raw.len(), "{name}");
        let asks = !raw[0]["question_id"].is_null();
        for (old, new) in raw.iter().zip(&rows) {
            let columns = old.as_object().unwrap();
            assert_eq!(columns.len(), new.as_object().unwrap().len());
            for (column, cell) in columns {
                let may = may_differ.contains(&&**column) || (asks && READ.contains(&&**column));
                assert!(may || *cell == new[column], "{name}.{column}: {cell} {}", new[column]);
            }
        }
        assert!(raw.iter().zip(&rows).filter(|(old, new)| old != new).count() > raw.len() / 2);
        // Looked for without the words of storymill: nothing of a name is left in any cell.
        for row in &rows {
            let text = row.to_string();
            let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
            let left = parts
                .iter()
                .find(|(book, part)| row["book_id"] == **book && words.contains(&**part));
            assert_eq!(left, None, "{text}");
        }
        other.insert(name.to_owned(), rows);
    }
    let tops = |row: &&Value| row["level"].as_u64() > Some(0);
    assert!(other["summaries"].iter().filter(tops).count() > 0);
    laws(&other, 20);
}

#[test]
fn a_step_that_wants_a_tagger_that_is_not_built_in_says_so() {
    let project = project();
    let lines = "\"rust-bert\"\nvocabulary = \"vocab.txt\"\ndigest = \"d1\"";
    let vocabulary = fs::read_to_string(top().join("data/models/litner/vocab.txt")).unwrap();
    project.write("vocab.txt", vocabulary);
    project.write("my.toml", project.read("my.toml").replace(&format!("\"{TAGGER}\""), lines));
    let says =
        if cfg!(feature = "rust-bert") { "model.safetensors" } else { "feature `rust-bert`" };
    project.run(&["build", "my.toml"]).exits(4).says(says);
    project.run(&["build", "my.toml", "--frozen"]).exits(6).says("frozen");
    project.write("my.toml", project.read("my.toml").replace("digest = \"d1\"\n", ""));
    project.run(&["build", "my.toml"]).exits(3).says("digest");
}

#[test]
fn the_names_of_taggers_are_taken() {
    let project = project();
    let own = "\n[model.litner]\nurl = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n";
    project.write("my.toml", project.read("my.toml") + own);
    project.run(&["plan", "my.toml"]).exits(3).says("comes with storymill");
}

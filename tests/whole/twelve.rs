//! Twelve things are changed one by one, and each report names that cause and no other.

use std::{sync::atomic::Ordering, time::Duration};

use serde_json::Value;

use crate::{
    decisions::doubtful,
    models::Server,
    project::{Project, top},
};

const STEPS: &str = r#"
[source.books.folder]
path = "books"

[stage.splits.split]
from = "books"
validation = 0.1
test = 0.3

[stage.scenes.chunk]
from = "books"
max = 600

[stage.summaries.summarize]
from = "scenes"
prompt = "summarize.jinja"
tries = 2

[stage.casts.cast]
from = "books"
tagger = "perceptron"
casts = ["b1.cast.toml"]

[stage.distortions.swap-facts]
scenes = "scenes"
summaries = "summaries"

[stage.partners.partners]
books = "books"
summaries = "summaries"
casts = "casts"
splits = "splits"
pool = "pinned"

[stage.questions.read-along]
scenes = "scenes"
summaries = "summaries"
distortions = "distortions"
types = ["lookahead", "other-book"]
partners = "partners"
casts = "casts"

[dataset.read-along]
from = "questions"

[dataset.summaries]
from = "summaries"
"#;

fn project(server: &Server) -> Project {
    let project = Project::new();
    project.write("books/b0.html", doubtful("b0"));
    for id in ["b1", "b2", "b3", "b4", "b5"] {
        project.book(id, 3);
    }
    let head = format!(
        "name = \"twelve\"\nversion = \"1.0.0\"\nseed = 7\ndecisions = [\"decisions.jsonl\"]\n\n[publish]\ntitle = \"Twelve\"\nlicense = \"mit\"\n\
         canary = \"storymill-canary-0123456789\"\nsplit = \"splits\"\nexpected_rejects = 999\n\n\
         [model.default]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"teller\"\nmodel_id = \"teller-1\"\n",
        server.port
    );
    let prompt = std::fs::read_to_string(top().join("data/prompts/summarize.jinja")).unwrap();
    project
        .write("summarize.jinja", prompt)
        .write("decisions.jsonl", "")
        .write("my.toml", head + STEPS);
    let cast = ["book", "cast", "books/b1.html", "--tagger", "perceptron", "--out", "b1.cast.toml"];
    project.run(&cast).exits(0);
    project
}

/// The causes that the difference between two builds or locks has: what kind, and of what.
fn causes(project: &Project, old: &str, new: &str) -> Vec<(String, String)> {
    let ran = project.run(&["diff", old, new, "--format", "json"]);
    let report: Value =
        serde_json::from_str(&ran.out()).unwrap_or_else(|_| panic!("{}", ran.err()));
    let text = |cause: &Value, key: &str| cause[key].as_str().unwrap_or_default().to_owned();
    let told = report["causes"].as_array().unwrap().iter().map(|cause| {
        let what = ["option", "what", "step"].map(|key| text(cause, key));
        (text(cause, "cause"), what.into_iter().find(|what| !what.is_empty()).unwrap_or_default())
    });
    told.collect()
}

#[test]
fn each_of_twelve_changes_is_named_and_no_other() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server);
    project.run(&["build", "my.toml", "--out", "old"]).exits(0);
    let check = |cause: &str, what: &str| {
        project.run(&["build", "my.toml", "--out", "new"]).exits(0);
        assert_eq!(causes(&project, "old", "new"), [(cause.to_owned(), what.to_owned())]);
    };
    // Changes a file, looks, and puts it back.
    let changed = |file: &str, old: &str, new: &str, cause: &str, what: &str| {
        let before = project.read(file);
        assert!(before.contains(old), "{file} has `{old}`");
        project.write(file, before.replacen(old, new, 1));
        check(cause, what);
        project.write(file, before);
    };
    changed("books/b2.html", "opened the door", "opened the gate", "units-changed", "");
    let prompt = project.read("summarize.jinja");
    let last = prompt.trim_end().lines().last().unwrap();
    changed("summarize.jinja", last, &format!("{last} Be brief."), "option", "prompt");
    changed("my.toml", "max = 600", "max = 700", "option", "max");
    changed("my.toml", "teller-1", "teller-2", "model", "summaries");
    changed("b1.cast.toml", "gender = \"female\"", "gender = \"male\"", "option", "casts");
    changed("my.toml", "pool = \"pinned\"", "pool = \"rolling\"", "option", "pool");
    changed("my.toml", "seed = 7", "seed = 8", "seed", "");
    changed("my.toml", "test = 0.3", "test = 0.6", "option", "test");
    changed("my.toml", "title = \"Twelve\"", "title = \"Dozen\"", "publish", "title");

    // A decision.
    project.run(&["build", "my.toml", "--out", "new"]).exits(0);
    let reviews = project.run(&["reviews", "my.toml", "--format", "json"]).exits(0).out();
    let reviews: Vec<Value> = serde_json::from_str(&reviews).unwrap();
    let preface = reviews.iter().find(|one| one["review"]["code"] == "preface").unwrap();
    let cut = format!("{}=cut", preface["id"].as_str().unwrap());
    project.run(&["reviews", "my.toml", "--decide", &cut]).exits(0);
    check("decisions", "books");
    project.write("decisions.jsonl", "");

    // An answer that was recorded anew: the same was asked, and something else was said.
    server.later.store(100, Ordering::SeqCst);
    project.run(&["build", "my.toml", "--out", "new", "--store", "fresh"]).exits(0);
    assert_eq!(causes(&project, "old", "new"), [("answers".to_owned(), "summaries".to_owned())]);

    // The version of a stage comes with another program; its lock says so.
    let mut lock: Value = serde_json::from_str(&project.read("old/dataset.lock")).unwrap();
    lock["steps"]["scenes"]["version"] = 99.into();
    for step in ["scenes", "summaries", "questions"] {
        lock["steps"][step]["rows"]["b3"] = Value::String("0".repeat(64));
    }
    project.write("other.lock", lock.to_string());
    let expected = [("version".to_owned(), "scenes".to_owned())];
    assert_eq!(causes(&project, "old/dataset.lock", "other.lock"), expected);

    // And nothing is nothing.
    project.run(&["build", "my.toml", "--out", "new"]).exits(0);
    assert_eq!(causes(&project, "old", "new"), []);
}

/// What a change asked for, counted in the locks, and what that costs by a table of prices.
#[test]
fn a_change_is_told_with_its_calls_and_its_money() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server);
    project.run(&["build", "my.toml", "--out", "old"]).exits(0);
    // What no request holds costs nothing.
    let prompt = project.read("summarize.jinja");
    project.write("summarize.jinja", format!("{prompt}{{# to be shortened #}}\n"));
    project.run(&["build", "my.toml", "--out", "new"]).exits(0);
    let same = project.run(&["diff", "old", "new"]).exits(0).says("`prompt`");
    assert!(!same.out().contains("asked for"), "{}", same.out());
    let brief = prompt.replace("nothing else.", "nothing else. Be brief.");
    assert_ne!(prompt, brief);
    project.write("summarize.jinja", brief);
    project.run(&["build", "my.toml", "--out", "new"]).exits(0);
    project.write("prices.toml", "[\"teller-1\"]\ninput = 2000.0\noutput = 8000.0\n");
    let diff = |more: &[&str]| project.run(&[&["diff", "old", "new"], more].concat());
    let report: Value =
        serde_json::from_str(&diff(&["--prices", "prices.toml", "--format", "json"]).out())
            .unwrap();
    let lock: Value = serde_json::from_str(&project.read("new/dataset.lock")).unwrap();
    let step = &lock["steps"]["summaries"];
    let units = step["exchanged"]["default"].as_object().unwrap();
    let sum = |key: &str| units.values().map(|unit| unit[key].as_u64().unwrap()).sum::<u64>();
    let asked: u64 = step["asked"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(sum("answers"), asked);
    let [toll] = &report["tolls"].as_array().unwrap()[..] else { panic!("{report}") };
    let told = |key: &str| toll[key].as_u64().unwrap();
    let (sent, said) = (sum("symbols_in").div_ceil(4), sum("symbols_out").div_ceil(4));
    assert_eq!(
        (told("answers"), told("prompt_tokens"), told("completion_tokens")),
        (asked, sent, said)
    );
    assert_eq!(told("micro_usd"), 2000 * sent + 8000 * said);
    // The whole prompt was counted: every one holds at least the prompt's own words.
    assert!(sum("symbols_in") > asked * 200, "{units:?}");
    let text = diff(&["--prices", "prices.toml"]).out();
    assert!(
        text.contains(&format!("{asked} answers of `teller-1`, about {sent} tokens in")),
        "{text}"
    );
    assert!(text.contains(", about $"), "{text}");
    diff(&[]).says("no price known");
    diff(&["--prices", "none.toml"]).exits(4).says("none.toml");
    // A folder's rows passed the gates even where the other side is a lock.
    let told = project.run(&["diff", "old/dataset.lock", "new"]).out();
    assert!(told.contains("ids unique"), "{told}");
}

//! Contexts beyond the shipped sets: of books, cut for a short window, none at all.

use std::fs;

use serde_json::{Value, json};

use crate::project::{Project, top};

fn workflow(name: &str) -> String {
    top().join(format!("workflows/{name}.toml")).display().to_string()
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_fact_is_put_into_books() {
    let project = Project::new();
    project.run(&["build", &workflow("in-books")]).exits(0);
    project.run(&["export", "out/in-books", "--set", "sm03"]).exits(0).says("20 contexts");
    let rows = rows(&project.read("contexts/sm03_16k.jsonl"));
    for row in &rows {
        let text = row["context"].as_str().unwrap();
        assert_eq!(text.matches("Lise Crane hid the bell of Orrinsby in a beehive.").count(), 1);
        assert!((16_000..17_000).contains(&text.split_whitespace().count()));
    }
    let depth = |row: &Value| row["evidence"][0]["depth_pm"].as_u64().unwrap();
    assert!(rows.is_sorted_by_key(depth) && depth(&rows[19]) > 990);
}

const WORKFLOW: &str = r#"name = "mine"
version = "1.0.0"
seed = 7

[publish]
title = "Mine"
license = "mit"
canary = "storymill-canary-0123456789abcdef"

[source.sets.question-sets]
path = "sets"

[stage.passages.passages]
from = "sets"

[stage.contexts.mix]
from = "sets"
levels = [400]

[stage.known.mix]
from = "sets"
bare = true

[dataset.contexts]
from = "contexts"

[dataset.known]
from = "known"

[dataset.passages]
from = "passages"
"#;

/// Ten questions, whose evidence lies in ten different tenths; the texts hold characters of one to
/// four bytes.
pub fn project() -> Project {
    let word = |at: usize| format!("wörd{} 山😀{}", at % 31, if at % 9 == 8 { "." } else { "" });
    let text = |at: usize| (0..30).map(|n| word(at * 7 + n)).collect::<Vec<_>>().join(" ");
    let mut lines = String::new();
    for at in 0..10 {
        let row = json!({
            "id": format!("q{at}"), "question": format!("Where did Ada{at} go?"),
            "answers": [format!("to Kell{at}")], "documents": [format!("Ada{at} went to Kell{at}. {}", text(at))],
            "rules": [{ "from": format!("Kell{at}"), "to": format!("Orm{at}"), "scope": ["context", "answer"] }],
        });
        lines += &format!("{row}\n");
    }
    for at in 0..40 {
        lines += &format!("{}\n", json!({ "id": format!("p{at}"), "documents": [text(at + 99)] }));
    }
    let project = Project::new();
    project.write("my.toml", WORKFLOW).write("sets/mine.jsonl", lines);
    project.run(&["build", "my.toml"]).exits(0);
    project
}

#[test]
fn a_long_context_is_shown_and_priced_as_any_question_is() {
    let project = project();
    project.run(&["export", "out/mine", "--config", "contexts", "--out", "whole"]).exits(0);
    let whole = rows(&project.read("whole/mine_400.jsonl"));
    let show = ["inspect", "out/mine", "mine_400/q3", "--config", "contexts"];
    let shown = project.run(&show).exits(0).out();
    let row = whole.iter().find(|row| row["_id"] == "mine_400/q3").unwrap();
    assert_eq!(shown, row["context"].as_str().unwrap());
    let asked = project.run(&[&show[..], &["--ask", "--show", "answer"]].concat()).exits(0).out();
    assert!(asked.contains(shown.trim_end()), "{asked}");
    assert!(
        asked.contains("Where did Ada3 go?") && asked.contains("reference: to Orm3"),
        "{asked}"
    );
    // What is asked without any context has none to show.
    let known = project.run(&["inspect", "out/mine", "mine_0/q3", "--config", "known"]);
    assert_eq!(known.exits(0).out(), "");
    let plan = ["plan", "my.toml", "--evaluate", "--format", "json"];
    let priced: Value = serde_json::from_str(&project.run(&plan).exits(0).out()).unwrap();
    let of = |config: &str| -> &Value {
        let all = priced.as_array().unwrap().iter().map(|one| &one["evaluation"]);
        all.clone().find(|one| one["config"] == config).unwrap()
    };
    let symbols: usize =
        whole.iter().map(|row| row["context"].as_str().unwrap().chars().count()).sum();
    let tokens = of("contexts")["tokens_in"].as_u64().unwrap() as usize;
    assert!((symbols / 4..symbols / 4 + 200).contains(&tokens), "{tokens} for {symbols} symbols");
    assert!(of("known")["tokens_in"].as_u64().unwrap() < 200);
}

#[test]
fn a_short_window_takes_the_middle_away() {
    let project = project();
    let all = ["export", "out/mine", "--config", "contexts"];
    project.run(&[&all[..], &["--out", "whole"]].concat()).exits(0);
    let whole = rows(&project.read("whole/mine_400.jsonl"));
    let mut predictions = String::new();
    for row in &whole {
        predictions += &format!("{}\n", json!({ "_id": row["_id"], "pred": row["answers"][0] }));
    }
    project.write("gold.jsonl", predictions);
    for tokenizer in [None, Some("cl100k_base"), Some("r50k_base")] {
        let mut args = vec!["--shown", "500"];
        args.extend(tokenizer.iter().flat_map(|name| ["--tokenizer", *name]));
        project.run(&[&all[..], &["--out", "cut"], &args[..]].concat()).exits(0);
        let mut gone = 0;
        for (row, whole) in rows(&project.read("cut/mine_400.jsonl")).iter().zip(&whole) {
            let (text, all) =
                (row["context"].as_str().unwrap(), whole["context"].as_str().unwrap());
            let symbols: Vec<char> = all.chars().collect();
            let at =
                |name: &str, at: usize| usize::try_from(row[name][at].as_u64().unwrap()).unwrap();
            let (from, upto) = (at("cut_symbols", 0), at("cut_symbols", 1));
            assert!(from > 100 && upto > from && symbols.len() > upto + 100);
            let left: String = symbols[..from].iter().chain(&symbols[upto..]).collect();
            assert_eq!(text, left);
            if tokenizer.is_none() {
                assert_eq!(text.chars().count(), 500);
            }
            assert_eq!(row["length"], json!(text.split_whitespace().count()));
            let evidence = row["evidence"].as_array().unwrap();
            gone += usize::from(evidence.is_empty());
            if evidence.len() == 1 && whole["evidence"][0]["depth_pm"].as_u64() < Some(100) {
                let span = &evidence[0];
                let at = |name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
                let shown: Vec<char> = text.chars().collect();
                let shown: String = shown[at("start_symbols")..at("end_symbols")].iter().collect();
                assert!(shown.starts_with("Ada"), "{shown}");
            }
        }
        assert!((1..9).contains(&gone), "{gone}");
        let score =
            ["score", "lveval", "gold.jsonl", "--dataset", "out/mine", "--config", "contexts"];
        let ran = project.run(&[&score[..], &args[..]].concat()).exits(0);
        let line =
            ran.out().lines().find(|line| line.contains("evidence cut away")).unwrap().to_owned();
        assert!(line.ends_with(&format!("{gone}0.00")), "{line}: {gone}");
    }
}

#[test]
fn tokenizers_that_are_none_say_so() {
    let project = project();
    let check = |name: &str, code: i32, told: &str| {
        let args = ["export", "out/mine", "--config", "contexts", "--shown", "9", "--tokenizer"];
        project.run(&[&args[..], &[name]].concat()).exits(code).says(told);
        assert!(
            !project.path("contexts").exists()
                || fs::read_dir(project.path("contexts")).unwrap().next().is_none()
        );
    };
    check("cl99k", 4, "encodings are r50k_base, p50k_base, cl100k_base, o200k_base");
    project.write("tokenizer.json", "{}");
    check("tokenizer.json", 4, "cannot read the tokenizer");
    project
        .run(&["export", "out/mine", "--config", "contexts", "--tokenizer", "cl100k_base"])
        .exits(2)
        .says("--shown");
}

#[test]
fn without_a_context_there_is_the_question_alone() {
    let project = project();
    project
        .run(&["export", "out/mine", "--config", "known"])
        .exits(0)
        .says("mine_0.jsonl: 10 contexts");
    let rows = rows(&project.read("contexts/mine_0.jsonl"));
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(
            (&row["context"], &row["length"], &row["ablation"]),
            (&json!(""), &json!(0), &json!("bare+kpr"))
        );
        assert_eq!(row["answers"], json!([format!("to Orm{at}")]));
    }
    let line = |row: &Value| format!("{}\n", json!({ "_id": row["_id"], "pred": "nobody knows" }));
    project.write("p.jsonl", rows.iter().map(line).collect::<String>());
    let ran = project.run(&[
        "score",
        "lveval",
        "p.jsonl",
        "--dataset",
        "out/mine",
        "--config",
        "known",
        "--window",
        "16k",
    ]);
    ran.exits(0).says("0.00");
}

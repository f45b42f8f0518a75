//! NarrativeQA's second answers against its first ones, by LiteraryQA's and LV-Eval's scripts.

use std::path::Path;

use serde_json::Value;
use storymill_metrics::{
    bootstrap::Plan,
    exact,
    f1::{self, YesNo},
    keyword::{Keyword, Rule},
    mean,
    meteor::Meteor,
    rouge::{self, Stem},
    rouge_unique,
    score::{Resources, answers},
    treebank,
    wordlists::WordLists,
    wordnet::WordNet,
};

use crate::{json, read, same, sets::sets, wordnet};

#[test]
fn every_row() {
    for set in sets("narrativeqa") {
        every_row_of(&set);
    }
}

fn every_row_of(set: &Path) {
    let (rows, expected) = (read(set, "answer_pairs.jsonl"), json(&read(set, "expected.json")));
    let lists = WordLists::parse(&read(set, "../lveval/wordlists.json")).unwrap();
    let keyword = Keyword { rule: Rule::AsReleased, lists: &lists };
    let names =
        ["em", "f1", "rougeL", "lveval_f1", "lveval_f1_kw", "lveval_rougeL", "lveval_recall"];
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for (at, line) in rows.lines().enumerate() {
        let row = json(line);
        let (prediction, reference) =
            (row["prediction"].as_str().unwrap(), row["reference"].as_str().unwrap());
        let plain = f1::score(prediction, reference, YesNo::Plain);
        let found = [
            f64::from(u8::from(exact::matches(prediction, reference))),
            f1::score(prediction, reference, YesNo::Exact).f1,
            rouge::text_l(prediction, reference, Stem::None).f1,
            plain.f1,
            keyword.english(prediction, reference, Some(reference)).score,
            rouge_unique::l(prediction, reference).f1,
            plain.recall,
        ];
        for ((name, found), column) in names.iter().zip(found).zip(&mut columns) {
            same(found, &row["expected"][name], &format!("line {}, {name}", at + 1));
            column.push(found);
        }
    }
    for (name, column) in names.iter().zip(columns) {
        assert_eq!(column.len(), expected["rows"]);
        same(mean(column).unwrap(), &expected["means"][name]["mean"], name);
    }
}

#[test]
fn meteor_with_wordnet() {
    let Some(wordnet) = wordnet() else { return };
    // Ours has no column that needs WordNet; `reference.jsonl` has.
    for set in sets("narrativeqa").iter().skip(1) {
        meteor_of(set, &wordnet);
    }
}

fn meteor_of(set: &Path, wordnet: &WordNet) {
    let (rows, expected) = (read(set, "answer_pairs.jsonl"), json(&read(set, "expected.json")));
    let mut meteor = Meteor::new(Some(wordnet));
    assert_eq!(meteor.variant().name, "nltk-3.9-meteor+wordnet-3.0");
    let mut column = Vec::new();
    for (at, line) in rows.lines().enumerate() {
        let row = json(line);
        let value = &row["expected"]["meteor"];
        // Rows with a sentence break inside have no value: there nltk's sentence model matters.
        if !matches!(value, Value::Number(_)) {
            continue;
        }
        let words = |field: &str| treebank::words(row[field].as_str().unwrap());
        let found = meteor.score(&words("prediction"), &words("reference"));
        same(found, value, &format!("line {}", at + 1));
        column.push(found);
    }
    assert_eq!(column.len(), expected["means"]["meteor"]["n"]);
    same(mean(column).unwrap(), &expected["means"]["meteor"]["mean"], "mean");
}

#[test]
fn the_file_as_a_table() {
    for set in sets("narrativeqa") {
        let (rows, expected) =
            (read(&set, "answer_pairs.jsonl"), json(&read(&set, "expected.json")));
        let lists = WordLists::ours();
        let resources =
            Resources { wordnet: None, lists: &lists, cutter: None, plan: Plan::default() };
        let table = answers(&rows, resources).unwrap();
        assert_eq!(
            (Value::from(table.rows.len()), table.rejects.len()),
            (expected["rows"].clone(), 0)
        );
        for (ours, theirs) in [("em", "em"), ("f1_hotpot", "f1"), ("rougeL", "rougeL")] {
            let column = table.columns.iter().find(|column| column.name == ours).unwrap();
            same(column.mean.unwrap(), &expected["means"][theirs]["mean"], ours);
        }
    }
}

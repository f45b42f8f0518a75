//! NarrativeQA's second answers against its first ones, by LiteraryQA's and LV-Eval's scripts.

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
};

use crate::{golden, json, same, wordnet};

#[test]
fn every_row() {
    let Some(rows) = golden("narrativeqa/answer_pairs.jsonl") else { return };
    let expected = json(&golden("narrativeqa/expected.json").unwrap());
    let lists = WordLists::parse(&golden("lveval/wordlists.json").unwrap()).unwrap();
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
    let Some(rows) = golden("narrativeqa/answer_pairs.jsonl") else { return };
    let Some(wordnet) = wordnet() else { return };
    let expected = json(&golden("narrativeqa/expected.json").unwrap());
    let mut meteor = Meteor::new(Some(&wordnet));
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
    let Some(rows) = golden("narrativeqa/answer_pairs.jsonl") else { return };
    let lists = WordLists::ours();
    let resources = Resources { wordnet: None, lists: &lists, cutter: None, plan: Plan::default() };
    let table = answers(&rows, resources).unwrap();
    assert_eq!((table.rows.len(), table.rejects.len()), (736, 0));
    let mean =
        |name: &str| table.columns.iter().find(|column| column.name == name).unwrap().mean.unwrap();
    assert_eq!(
        format!("{:.6} {:.6} {:.6}", mean("em"), mean("f1_hotpot"), mean("rougeL")),
        "0.322011 0.587392 0.577046"
    );
}

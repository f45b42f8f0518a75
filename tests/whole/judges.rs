//! A judge over labelled summaries: the shipped workflow, and its printed table from the raw answers.

use std::{collections::BTreeMap, fs, sync::Arc};

use serde_json::Value;
use storymill_core::{Digest, RequestKey};
use storymill_disk::RealDisk;
use storymill_llm::AnswerLog;

use crate::project::{Project, top};

/// What is known of one pair: split, whether it is faithful, how hard that is to see; and what the judge said.
struct Pair {
    split: String,
    faithful: bool,
    difficulty: String,
    said: Option<bool>,
}

/// The row of the table as it is printed, worked out from the counts alone.
fn row(split: &str, pairs: &[&Pair]) -> String {
    let count = |wanted: &dyn Fn(&Pair) -> bool| pairs.iter().filter(|one| wanted(one)).count();
    let cell = |gold: bool, said: bool| {
        count(&|one: &Pair| one.faithful == gold && one.said == Some(said))
    };
    let [ff, fu, uf, uu] = [(true, true), (true, false), (false, true), (false, false)]
        .map(|(gold, said)| cell(gold, said));
    let n = ff + fu + uf + uu;
    let of = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
    let float = |count: usize| f64::from(u32::try_from(count).unwrap());
    let share = |part: usize, whole: usize| of(float(part), float(whole));
    let told = |one: Option<f64>, times: f64, digits: usize| match one {
        Some(one) => format!("{:.digits$}", times * one).replace("-0.00", "0.00"),
        None => "undefined".to_owned(),
    };
    let seen = |difficulty: &str| {
        let hard = |one: &Pair| !one.faithful && one.difficulty == difficulty && one.said.is_some();
        let all = count(&hard);
        share(count(&|one: &Pair| hard(one) && one.said == Some(false)), all)
    };
    let agreed = float(ff + uu) / float(n);
    let chance = (float((ff + fu) * (ff + uf)) + float((uf + uu) * (fu + uu))) / float(n * n);
    let kappa = of(agreed - chance, 1.0 - chance);
    let balanced =
        share(ff, ff + fu).zip(share(uu, uf + uu)).map(|(one, other)| (one + other) / 2.0);
    let without = count(&|one: &Pair| one.said.is_none());
    let cells = [
        told(kappa, 1.0, 2),
        told(share(ff + uf, n), 100.0, 1),
        told(share(ff, ff + uf), 1.0, 2),
        told(share(ff, ff + fu), 1.0, 2),
        told(seen("easy"), 100.0, 1),
        told(seen("hard"), 100.0, 1),
        told(balanced, 100.0, 1),
    ];
    format!(
        "| binary | {split} | {n} | {without} | {ff} | {fu} | {uf} | {uu} | {} |",
        cells.join(" | ")
    )
}

#[test]
fn every_row_of_the_table_follows_from_the_raw_answers() {
    let project = Project::new();
    let workflow = top().join("workflows/storysumm.toml").display().to_string();
    project.run(&["build", &workflow, "--mode", "frozen"]).exits(0);
    let card = project.read("out/storysumm/README.md");
    assert!(card.contains(r"smollm2-135m-instruct-q4\_1"), "the judge is named");

    let args = ["inspect", "out/storysumm", "--config", "judgements", "-n", "1000"];
    let shown = project.run(&[&args[..], &["--format", "json"]].concat()).exits(0).out();
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let rows = shown["tables"][0]["sample"].as_array().unwrap();
    let packs = [top().join("data/answers/judges")];
    let log = AnswerLog::open(&project.path("log"), &packs, Arc::new(RealDisk)).unwrap();
    let labels = fs::read_to_string(top().join("data/judges/pairs.json")).unwrap();
    let labels: BTreeMap<String, Value> = serde_json::from_str(&labels).unwrap();
    let mut pairs = Vec::new();
    for row in rows {
        let row = &row["values"];
        let id = row["retelling_id"].as_str().unwrap();
        let answers = row["answer_ids"].as_array().unwrap();
        assert_eq!(answers.len(), 1, "{id}");
        let key: Digest = answers[0].as_str().unwrap().parse().unwrap();
        let answer = log.get(&RequestKey(key)).unwrap().expect("the answer is in the pack");
        let text = answer.text.trim().to_lowercase();
        let begins = |word: &str| {
            let rest = text.strip_prefix(word);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        let said = match (answer.finish_reason.as_str(), begins("yes"), begins("no")) {
            ("stop", true, _) => Some(true),
            ("stop", _, true) => Some(false),
            _ => None,
        };
        let label = &labels[id];
        pairs.push(Pair {
            split: label["split"].as_str().unwrap().to_owned(),
            faithful: label["errors"].as_array().unwrap().iter().all(|error| *error == 1),
            difficulty: label["difficulty"].as_str().unwrap().to_owned(),
            said,
        });
    }
    assert_eq!(pairs.len(), labels.len());
    for split in ["all", "val", "test"] {
        let of: Vec<&Pair> =
            pairs.iter().filter(|one| split == "all" || one.split == split).collect();
        let expected = row(split, &of);
        assert!(card.contains(&expected), "{expected}\n{card}");
    }
}

//! `storymill score`: the originals' own numbers through the command line, and files that cannot be scored.

use crate::project::{Project, sets};

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn answers_are_scored_row_by_row() {
    let project = Project::new();
    project.write("a.jsonl", "{\"prediction\":\"a cat\",\"references\":[\"dog\",\"the cat\"]}\n{\"prediction\":\"x\",\"reference\":\"y\"}\n");
    project.run(&["score", "answers", "a.jsonl"]).exits(0).says("2 rows scored, 0 not");
    let table =
        json(&project.run(&["score", "answers", "a.jsonl", "--format", "json"]).exits(0).out());
    let f1 = table["columns"]
        .as_array()
        .unwrap()
        .iter()
        .position(|column| column["name"] == "f1")
        .unwrap();
    assert_eq!(table["columns"][f1]["mean"], 0.5);
    assert_eq!(table["rows"][0]["scores"][f1], 1.0);
    // A pair has one reference.
    project.run(&["score", "pairs", "a.jsonl"]).exits(4).says("line 1");
}

#[test]
fn files_that_cannot_be_scored_say_where() {
    let project = Project::new();
    project
        .write("bad.jsonl", "{\"prediction\":\"a\",\"reference\":\"b\"}\n{\"prediction\": oops}\n");
    project.run(&["score", "pairs", "bad.jsonl"]).exits(4).says("bad.jsonl").says("line 2");
    project.write("bad.jsonl", "{\"prediction\":\"a\"}\n");
    project.run(&["score", "answers", "bad.jsonl"]).exits(4).says("line 1: no `reference");
    project.write("empty.jsonl", "");
    project.run(&["score", "answers", "empty.jsonl"]).exits(4).says("no rows");
    project.write("bytes.jsonl", [0xff_u8, 0xfe, 0x00]);
    project.run(&["score", "answers", "bytes.jsonl"]).exits(4).says("not UTF-8");
    project.write("good.jsonl", "{\"prediction\":\"a\",\"reference\":\"b\"}\n");
    project.run(&["score", "pairs", "good.jsonl", "--wordnet", "."]).exits(4).says("index.noun");
    project
        .run(&["score", "pairs", "good.jsonl", "--wordlists", "good.jsonl"])
        .exits(4)
        .says("word lists");
    project.run(&["score", "pairs", "none.jsonl"]).exits(4).says("cannot read: none.jsonl");
    project.write("nan.json", "{\"a\":{\"probs\": NaN}}");
    project.write("labels.json", "{\"a\":{\"label\":1,\"difficulty\":\"\",\"summary\":[\"x\"],\"errors\":[1],\"story-id\":1,\"explanations\":[],\"claims\":[],\"split\":\"val\",\"model\":\"m\"}}");
    project
        .run(&["score", "faithfulness", "labels.json", "nan.json"])
        .exits(4)
        .says("nan.json")
        .says("NaN");
}

#[test]
fn the_originals_tables_come_out() {
    for golden in sets("nocha/..") {
        tables_come_out(&golden);
    }
}

fn tables_come_out(golden: &std::path::Path) {
    let project = Project::new();
    let path = |name: &str| golden.join(name).display().to_string();
    let claims = json(
        &project
            .run(&["score", "claims", &path("nocha/data_sample_shared.json"), "--format", "json"])
            .exits(0)
            .out(),
    );
    let expected = json(&std::fs::read_to_string(golden.join("nocha/expected.json")).unwrap());
    let systems = expected["all_books_in_file"].as_object().unwrap();
    assert_eq!(claims["systems"].as_array().unwrap().len(), systems.len());
    for system in claims["systems"].as_array().unwrap() {
        let name = system["name"].as_str().unwrap();
        let theirs = &expected["all_books_in_file"][name];
        for (ours, their) in
            [("pairs", "pairs"), ("true_claims", "true"), ("false_claims", "false")]
        {
            let counts = (&system["all"][ours]["correct"], &system["all"][ours]["total"]);
            let (right, of) = (format!("{their}_correct"), format!("{their}_total"));
            assert_eq!(counts, (&theirs[right.as_str()], &theirs[of.as_str()]), "{name} {their}");
        }
    }
    let expected = json(&std::fs::read_to_string(golden.join("storysumm/expected.json")).unwrap());
    let judges = [("fables", "fables-gpt-4-turbo-preview"), ("strict", "strict")];
    let judge = judges.into_iter().find(|(name, _)| expected["evaluators"].get(name).is_some());
    let (name, judge) = judge.unwrap();
    let labels = path("storysumm/labels.json");
    let said = path(&format!("storysumm/predicted_labels/{judge}.json"));
    let ran = project.run(&["score", "faithfulness", &labels, &said]).exits(0);
    // The row of the table, of the authors' own in the large set.
    let row = ran
        .out()
        .lines()
        .find(|line| line.contains(" all "))
        .unwrap()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let of = |field: &str| expected["evaluators"][name][field].as_f64().unwrap();
    let shares = ["precision", "recall"].map(|field| format!("{:.2}", of(field))).join(" ");
    let caught = ["easy_detected", "hard_detected", "bal_acc"];
    let caught = caught.map(|field| format!("{:.1}", of(field))).join(" ");
    let (n, kappa, faithful) = (of("n"), of("kappa"), of("pct_faithful"));
    assert_eq!(row, format!("{judge} all {n} {kappa:.2} {faithful} {shares} {caught} -"));
    let defect = &expected["dataset"]["known_defects"]["summary_and_errors_length_differ"][0];
    assert!(
        ran.err().contains(defect.as_str().unwrap().split(": ").nth(1).unwrap()),
        "the file's own defects are named: {}",
        ran.err()
    );
}

fn lines(text: &str) -> Vec<serde_json::Value> {
    text.lines().filter(|line| !line.trim().is_empty()).map(json).collect()
}

/// What LV-Eval's own program gave, from the texts alone: no words are handed in.
#[cfg_attr(not(feature = "jieba"), ignore = "wants the feature `jieba`")]
#[test]
fn chinese_scores_are_lv_evals() {
    for golden in sets("lveval") {
        chinese_scores(&golden);
    }
}

fn chinese_scores(golden: &std::path::Path) {
    let cases = lines(&std::fs::read_to_string(golden.join("metric_cases.jsonl")).unwrap());
    let lists = golden.join("wordlists.json").display().to_string();
    let project = Project::new();
    let mut text = String::new();
    for case in &cases {
        let mut case = case.clone();
        let fields = case.as_object_mut().unwrap();
        fields.retain(|name, _| !name.starts_with("tokens_"));
        text += &format!("{case}\n");
    }
    project.write("cases.jsonl", text);
    let args = ["score", "answers", "cases.jsonl", "--wordlists", &lists, "--format", "json"];
    let table = json(&project.run(&args).exits(0).out());
    assert_eq!(
        (table["rows"].as_array().unwrap().len(), &table["rejects"]),
        (cases.len(), &json("[]"))
    );
    let column = |name: &str| {
        let columns = table["columns"].as_array().unwrap();
        columns.iter().position(|column| column["name"] == name).unwrap()
    };
    let near = |found: &serde_json::Value, expected: &serde_json::Value, what: &str| {
        let apart = (found.as_f64().unwrap() - expected.as_f64().unwrap()).abs();
        assert!(apart < 2e-6, "{what}: {found}, not {expected}");
    };
    for (at, case) in cases.iter().enumerate() {
        let of = if case["lang"] == "zh" { "_zh" } else { "" };
        for (ours, their) in [
            ("f1", format!("qa_f1{of}_score")),
            ("keyword_f1_as_released", format!("qa_f1{of}_score_with_gold_ans")),
            ("recall", format!("recall_{}", case["lang"].as_str().unwrap())),
            ("rougeL_unique", format!("rouge{of}_score")),
        ] {
            let found = &table["rows"][at]["scores"][column(ours)];
            near(found, &case["expected"][&their], &format!("case {at}, {ours}"));
        }
    }

    // The same cases as the files that LV-Eval's program writes, under the names of its sets.
    for (set, language, their) in [
        ("multifieldqa_zh_mixup", "zh", "qa_f1_zh_score_with_gold_ans"),
        ("factrecall_zh", "zh", "qa_f1_zh_score"),
        ("dureader_mixup", "zh", "rouge_zh_score_blacklist"),
        ("hotpotwikiqa_mixup", "en", "qa_f1_score_with_gold_ans"),
        ("factrecall_en", "en", "qa_f1_score"),
    ] {
        let cases: Vec<_> = cases.iter().filter(|case| case["lang"] == language).collect();
        let (mut said, mut records) = (String::new(), String::new());
        for case in &cases {
            let [answers, keywords] = [&case["answer"], &case["answer_keywords"]];
            said += &format!(
                "{}\n",
                serde_json::json!({ "pred": case["prediction"], "answers": [answers], "gold_ans": keywords, "input": "?", "all_classes": null, "length": 9 })
            );
            records += &format!(
                "{}\n",
                serde_json::json!({ "input": case["answer"], "context": "…", "answers": [answers, "x"], "length": 9, "dataset": set, "language": language, "answer_keywords": keywords, "confusing_facts": [] })
            );
        }
        let name = format!("{set}_64k.jsonl");
        project.write(&format!("outputs/{set}/{name}"), &said);
        project.write(&format!("records/{name}"), records);
        // A question of its own for each, so that they find their records.
        let asked: String = lines(&said)
            .into_iter()
            .map(|mut line| {
                line["input"] = line["answers"][0].clone();
                line.as_object_mut().unwrap().retain(|name, _| name == "pred" || name == "input");
                format!("{line}\n")
            })
            .collect();
        project.write(&format!("bare/{set}/{name}"), asked);
        let own = format!("outputs/{set}");
        let args = ["score", "lveval", &own, "--wordlists", &lists, "--format", "json"];
        let report = json(&project.run(&args).exits(0).out());
        for (at, case) in cases.iter().enumerate() {
            let what = format!("case {at} of {set}");
            near(&report["rows"][at]["score"], &case["expected"][their], &what);
        }
        assert_eq!(report["cells"][0]["level"], 64_000);
    }
    // Held against the records, found by file and question, they score the same.
    let dataset = project.path("records").display().to_string();
    let args = ["score", "lveval", "bare", "--dataset", &dataset, "--wordlists", &lists];
    let against = project.run(&args).exits(0).out();
    let own = project.run(&["score", "lveval", "outputs", "--wordlists", &lists]).exits(0).out();
    assert_eq!(against, own);
    project.run(&[&args[..], &["--shown", "9"]].concat()).exits(2).says("published folder");
}

#[test]
fn predictions_of_lv_evals_program_are_a_dataset() {
    let project = Project::new();
    let line = |pred: &str, keywords: &str| {
        format!(
            "{{\"pred\": \"{pred}\", \"answers\": [\"in the salt mine\"], \"gold_ans\": {keywords}, \"input\": \"Where?\", \"all_classes\": null, \"length\": 15000}}\n"
        )
    };
    let said = line("the salt mine", "\"salt mine\"") + &line("at home", "null");
    project
        .write("out/loogle_SD_mixup_16k.jsonl", &said)
        .write("out/factrecall_en_32k.jsonl", &said);
    let ran = project.run(&["score", "lveval", "out"]).exits(0);
    for told in [
        "loogle_SD_mixup",
        "factrecall_en",
        "16k",
        "32k",
        "squad-f1",
        "lveval-keyword-f1-as-released",
        "4 predictions",
    ] {
        assert!(ran.out().contains(told), "{told} in {}", ran.out());
    }
    // The records that these are of, as they were released.
    let record = "{\"input\": \"Where?\", \"context\": \"A long text.\", \"answers\": [\"in the salt mine\"], \"length\": 15000, \"dataset\": \"loogle_SD_mixup\", \"language\": \"en\", \"answer_keywords\": \"salt mine\", \"confusing_facts\": [\"He was at home in the sea.\"]}\n";
    project.write("LVEval/loogle_SD_mixup/loogle_SD_mixup_16k.jsonl", record.repeat(3));
    let one = ["score", "lveval", "out/loogle_SD_mixup_16k.jsonl", "--dataset", "LVEval"];
    project.run(&one).exits(4).says("loogle_SD_mixup_16k/3").says("--partial");
    let ran = project.run(&[&one[..], &["--partial", "--rater", "r.jsonl"]].concat()).exits(0);
    assert!(ran.out().contains("repeat a confusing fact"), "{}", ran.out());
    assert!(
        project.read("r.jsonl").contains("Where?") && project.read("r.jsonl").contains("at home")
    );
    ran.says("1 context has no prediction");

    project.run(&["score", "lveval", "LVEval"]).exits(4).says("line 1: no `pred`");
    project.write("bare.jsonl", "{\"pred\": \"x\", \"input\": \"y\"}\n");
    project.run(&["score", "lveval", "bare.jsonl"]).exits(4).says("no `answers`").says("--dataset");
    project.write("empty/a.txt", "");
    project.run(&["score", "lveval", "empty"]).exits(4).says("no `*.jsonl` files");
    project
        .run(&["score", "lveval", "bare.jsonl", "--dataset", "empty"])
        .exits(4)
        .says("neither a published");
}

#[test]
fn rows_without_a_score_are_counted_and_end_with_a_code() {
    let project = Project::new();
    project.write(
        "a.jsonl",
        "{\"prediction\":\"a\",\"reference\":\"a\"}\n{\"prediction\":\"b\",\"reference\":\" \"}\n",
    );
    for format in ["text", "json"] {
        let ran = project.run(&["score", "pairs", "a.jsonl", "--format", format]).exits(5);
        ran.says("a.jsonl:2: not scored: a reference is empty").says("1 of 2 rows not scored");
    }
    project.write("b.jsonl", "{\"prediction\":\"red key\",\"reference\":\"a red key there\"}\n");
    let ran = project.run(&["score", "pairs", "b.jsonl"]).exits(0).says("1 row scored, 0 not");
    let line = |name: &str| {
        let out = ran.out();
        let line = out.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
        line.split_whitespace().nth(2).unwrap().to_owned()
    };
    assert_eq!([line("precision"), line("recall"), line("f1")], ["1.0000", "0.6667", "0.8000"]);
}

#[test]
fn pairs_without_a_twin_are_counted() {
    let project = Project::new();
    let claim = |index: u32, truth: bool| {
        format!(
            r#"{{"book_title": "b", "index": {index}, "claim": "c", "type": {truth}, "response-m": "TRUE"}}"#
        )
    };
    let file = |claims: &[String]| format!("[{}]", claims.join(","));
    let (one, two) = ([claim(1, true), claim(1, false)], [claim(2, true)]);
    project.write("whole.json", file(&one)).write("gap.json", file(&[&one[..], &two].concat()));
    let run = |name: &str| project.run(&["score", "claims", name]).exits(0);
    assert!(!run("whole.json").out().contains("twin"));
    run("gap.json").says("not one true and one false claim: 1 of 2 pairs").says("without its twin");
}

//! `storymill score`: the originals' own numbers through the command line, and files that cannot be scored.

use crate::project::{Project, shared};

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
    let Some(golden) = shared("golden") else { return };
    let project = Project::new();
    let path = |name: &str| golden.join(name).display().to_string();
    let claims = json(
        &project
            .run(&["score", "claims", &path("nocha/data_sample_shared.json"), "--format", "json"])
            .exits(0)
            .out(),
    );
    let expected = json(&std::fs::read_to_string(golden.join("nocha/expected.json")).unwrap());
    assert_eq!(claims["systems"].as_array().unwrap().len(), 18);
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
    let fables = path("storysumm/predicted_labels/fables-gpt-4-turbo-preview.json");
    let ran =
        project.run(&["score", "faithfulness", &path("storysumm/labels.json"), &fables]).exits(0);
    // The row of the authors' own table.
    let row = ran
        .out()
        .lines()
        .find(|line| line.contains(" all "))
        .unwrap()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert_eq!(row, "fables-gpt-4-turbo-preview all 96 0.33 55 0.53 0.78 70.0 52.5 68.1 -");
    assert!(
        ran.err().contains("7 sentences, 6 labels"),
        "the file's own defects are named: {}",
        ran.err()
    );
}

//! `storymill labels`, `score systems` and the source `storysumm`: files of labels as a user sees them.

use serde_json::{Value, json};

use crate::project::{Project, sets, shared};

fn item(story: u32, errors: &[u8], votes: Value) -> Value {
    let sentences: Vec<String> = (0..errors.len()).map(|at| format!("Sentence {at}.")).collect();
    let wrong = errors.iter().filter(|error| **error == 0).count();
    json!({
        "story-id": story, "story": format!("Story {story}."), "summary": sentences, "errors": errors,
        "explanations": vec!["why"; wrong], "label": u8::from(wrong == 0),
        "difficulty": if wrong == 0 { "" } else { "hard" }, "split": "val", "model": "m", "votes": votes,
    })
}

fn vote(person: &str, protocol: &str, letters: &str) -> Value {
    let word = |letter| match letter {
        'f' => "faithful",
        'u' => "unfaithful",
        'c' => "commentary",
        other => panic!("{other}"),
    };
    let adjudicated = person.starts_with('!');
    let labels: Vec<&str> = letters.chars().map(word).collect();
    json!({ "person": person.trim_start_matches('!'), "protocol": protocol, "labels": labels, "adjudicated": adjudicated })
}

/// Two stories, three annotators, an expert, and a protocol in which a model points at sentences.
fn votes() -> Value {
    let of = |letters: [&str; 5]| {
        let names = [
            ("a", "annotator"),
            ("b", "annotator"),
            ("c", "annotator"),
            ("e", "expert"),
            ("h", "hybrid"),
        ];
        let all: Vec<Value> = names
            .iter()
            .zip(letters)
            .map(|((name, protocol), said)| vote(name, protocol, said))
            .collect();
        Value::Array(all)
    };
    let mut one = of(["uff", "uff", "fff", "fff", "uuf"]);
    one.as_array_mut().unwrap().push(vote("!e", "hybrid", "ufu"));
    json!({
        "r1": item(1, &[0, 1, 1], one),
        "r2": item(2, &[1, 1], of(["ff", "fu", "ff", "ff", "cf"])),
    })
}

#[test]
fn a_released_file_is_counted_and_its_defects_have_a_place() {
    for set in sets("storysumm") {
        let path = set.join("labels.json").display().to_string();
        let project = Project::new();
        let ran = project.run(&["labels", "check", &path, "--format", "json"]);
        let code = ran.code();
        let found: Value = serde_json::from_str(&ran.out()).unwrap();
        let expected: Value =
            serde_json::from_str(&std::fs::read_to_string(set.join("expected.json")).unwrap())
                .unwrap();
        let dataset = &found["retellings"]["dataset"];
        for field in
            ["summaries", "stories", "faithful", "easy", "hard", "sentences", "sentence_labels"]
        {
            assert_eq!(dataset[field], expected["dataset"][field], "{field}");
        }
        let defects = dataset["defects"].as_array().unwrap();
        assert_eq!(code, if defects.is_empty() { 0 } else { 13 });
        assert!(defects.iter().all(|one| one["line"].as_u64().unwrap() > 0));
        project
            .run(&["labels", "check", &path])
            .exits(code)
            .says("no votes: agreement is undefined");
    }
    if let Some(set) = shared("golden/storysumm") {
        let path = set.join("labels.json").display().to_string();
        let ran = Project::new().run(&["labels", "check", &path]).exits(13);
        assert!(
            ran.err().contains("`8167058533589479g1cebe`: 7 sentences, 6 labels"),
            "{}",
            ran.err()
        );
    }
}

#[test]
fn our_pairs_hold_no_contradiction() {
    let path = crate::project::top().join("data/judges/pairs.json").display().to_string();
    let out = Project::new().run(&["labels", "check", &path]).exits(0).out();
    assert!(
        out.contains("40 retellings of 20 stories: 16 faithful, 24 not (8 easy to see, 16 hard)"),
        "{out}"
    );
    assert!(out.contains("8 commentary"), "{out}");
}

#[test]
fn votes_are_compared() {
    let project = Project::new();
    project.write("votes.json", votes().to_string());
    let ran = project.run(&["labels", "check", "votes.json"]).exits(0);
    let out = ran.out();
    for line in [
        "2 retellings of 2 stories: 1 faithful, 1 not (0 easy to see, 1 hard)",
        "5 sentences, 5 labels; 4 faithful, 1 unfaithful",
        "alpha, expert: undefined: agreement needs two voters, and there is 1",
        "errors in 2 retellings that both looked at: 0 found only by people, 1 only by models, 1 by both",
        "2 sentences overruled by adjudication",
    ] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    let again = project.run(&["labels", "check", "votes.json"]).exits(0);
    assert_eq!(again.out(), out);
}

#[test]
fn gold_labels_are_merged_of_protocols() {
    let project = Project::new();
    project.write("votes.json", votes().to_string());
    let merge = |more: &[&str]| {
        let base = ["labels", "merge", "votes.json", "--protocols", "annotator,expert"];
        project.run(&[&base[..], more].concat())
    };
    let counts =
        merge(&["--reviewed", "hybrid", "--out", "gold.json", "--format", "json"]).exits(0);
    let counts: Value = serde_json::from_str(&counts.out()).unwrap();
    assert_eq!(
        (&counts["file"], &counts["rejected"]),
        (&json!("gold.json"), &json!(0)),
        "{counts}"
    );
    let ran = merge(&["--reviewed", "hybrid", "--out", "gold.json"]).exits(0);
    assert!(
        ran.err().contains(
            "2 retellings merged, 1 faithful; 1 error only by review, 0 findings not reviewed"
        ),
        "{}",
        ran.err()
    );
    let gold: Value = serde_json::from_str(&project.read("gold.json")).unwrap();
    assert_eq!(gold["r1"]["errors"], json!([0, 1, 0]));
    // The expert saw nothing.
    assert_eq!((&gold["r1"]["difficulty"], &gold["r2"]["label"]), (&json!("hard"), &json!(1)));
    project.run(&["labels", "check", "gold.json"]).exits(0);
    // Without a file it goes to standard output, and the same comes of the same.
    let out = merge(&["--reviewed", "hybrid"]).exits(0).out();
    assert_eq!(out, project.read("gold.json"));
    merge(&["--reviewed", "judge"]).exits(4).says("no vote is by `judge`");
    merge(&["--reviewed", "expert"]).exits(2).says("both trusted and reviewed");
    let mut fewer = votes();
    fewer["r2"]["votes"] = json!([vote("a", "annotator", "ff")]);
    project.write("votes.json", fewer.to_string());
    let ran = merge(&[]).exits(5);
    assert!(ran.err().contains("`r2`: no-vote: no vote by `expert`"), "{}", ran.err());
}

#[test]
fn bad_files_say_where() {
    let project = Project::new();
    project.write("stray.json", "{\n\"a\": {\"summary\": [\"One.\"\"\n]}}");
    project.run(&["labels", "check", "stray.json"]).exits(4).says("line 2, column");
    project.write("word.json", votes().to_string().replace("unfaithful", "wrong"));
    project.run(&["labels", "check", "word.json"]).exits(4).says("unknown variant `wrong`");
    let mut torn = votes();
    torn["r1"]["errors"] = json!([]);
    torn["r2"]["votes"][0]["person"] = json!("");
    project.write("torn.json", serde_json::to_string_pretty(&torn).unwrap());
    let ran = project.run(&["labels", "check", "torn.json"]).exits(13);
    let told = ran.err();
    assert!(told.contains("torn.json, line 2, column 3: `r1`: 3 sentences, 0 labels"), "{told}");
    assert!(told.contains("`r2`: vote 1 names no person"), "{told}");
    project.run(&["labels", "check", "none.json"]).exits(4).says("cannot read");
}

#[test]
fn claims_of_fables_are_counted() {
    let project = Project::new();
    let claim = |label: &str| json!({ "claim": "c", "label": label, "evidence": ["n/a"], "reason": ["n/a"] });
    let file = json!({ "canary": "x", "FABLES": { "A Book": {
        "M1": { "summary": "s", "general_comment": "n/a", "claims": { "0": claim("Yes"), "1": claim("PartialSupport") } },
        "M2": { "summary": "s", "general_comment": "n/a", "claims": { "0": claim("Yes"), "1": claim("Inapplicable") } },
    } } });
    project.write("FABLES.json", file.to_string());
    let out = project.run(&["labels", "check", "FABLES.json"]).exits(0).out();
    assert!(out.contains("FABLES: 2 summaries of 1 book by 2 models; 1 have no"), "{out}");
    let all: Vec<&str> = out.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(all, ["all", "4", "2", "1", "0", "1"]);
    project.write("FABLES.json", file.to_string().replace("PartialSupport", "Partly"));
    let ran = project.run(&["labels", "check", "FABLES.json"]).exits(13);
    assert!(ran.err().contains("A Book, M1, claim 1: `Partly` is not a label"), "{}", ran.err());
}

#[test]
fn systems_are_ranked_by_metrics_and_people() {
    let project = Project::new();
    let mut lines = String::new();
    for (system, height) in [("a", 1.0), ("b", 2.0), ("c", 3.0)] {
        for item in 0..8 {
            let row = json!({ "system": system, "item": format!("q{item}"), "people": [height, height + 1.0],
                "scores": { "judge": height, "rouge-l": -height } });
            lines += &format!("{row}\n");
        }
    }
    project.write("scores.jsonl", &lines);
    let found =
        project.run(&["score", "systems", "scores.jsonl", "--format", "json"]).exits(0).out();
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["metrics"][0]["tau"], 1.0);
    assert_eq!(
        (&found["metrics"][1]["tau"], &found["metrics"][1]["high"]),
        (&json!(-1.0), &json!(-1.0))
    );
    project
        .run(&["score", "systems", "scores.jsonl", "--resample", "systems"])
        .exits(0)
        .says("by bootstrap over systems");
    let two: String = lines
        .lines()
        .filter(|line| !line.contains("\"c\""))
        .map(|line| format!("{line}\n"))
        .collect();
    project.write("two.jsonl", two);
    project
        .run(&["score", "systems", "two.jsonl"])
        .exits(0)
        .says("undefined: an order needs 3 systems, and there are 2");
    project
        .run(&["score", "systems", "scores.jsonl", "two.jsonl"])
        .exits(4)
        .says("two.jsonl")
        .says("was scored already");
}

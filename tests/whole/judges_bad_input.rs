//! What may be wrong with labels, judges, predictions and released tables, by whole runs: a clear error, or a reject with its name.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    models::Server,
    project::{Project, top},
};

fn item(story: u32, sentences: &[&str], errors: &[u8], votes: &Value) -> Value {
    let wrong = errors.iter().filter(|error| **error == 0).count();
    json!({
        "story-id": story, "story": format!("Story {story}."), "summary": sentences, "errors": errors,
        "explanations": vec!["why"; wrong], "label": u8::from(wrong == 0),
        "difficulty": if wrong == 0 { "" } else { "hard" }, "split": "val", "model": "m", "votes": votes,
    })
}

fn vote(person: &str) -> Value {
    json!({ "person": person, "protocol": "annotator", "labels": ["faithful"], "adjudicated": false })
}

/// A workflow in which a judge looks at a file of labels.
fn workflow(port: u16, more: &str) -> String {
    format!(
        "name = \"mine\"\nversion = \"1.0.0\"\nseed = 7\n\n[publish]\ntitle = \"Mine\"\nlicense = \"mit\"\n\
         canary = \"storymill-canary-0123456789\"\nexpected_rejects = 0\n\n\
         [model.default]\nurl = \"http://127.0.0.1:{port}/v1\"\nmodel = \"judge-1\"\n\n\
         [source.pairs.storysumm]\npath = \"pairs.json\"\n{more}\n\n\
         [stage.judged.faithful]\nof = \"pairs\"\nprotocol = \"binary\"\n\n\
         [stage.short.faithful]\nof = \"pairs\"\nprotocol = \"binary\"\ncalled = \"short\"\nmax_tokens = 60\n\n\
         [dataset.judgements]\nfrom = \"judged\"\n\n[dataset.short]\nfrom = \"short\"\n"
    )
}

fn rows(project: &Project, config: &str) -> Vec<Value> {
    let args = ["inspect", "out/mine", "--config", config, "-n", "1000", "--format", "json"];
    let shown: Value = serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
    let rows = shown["tables"][0]["sample"].as_array().unwrap().iter();
    rows.map(|row| row["values"].clone()).collect()
}

#[test]
fn labels_that_fit_nothing_are_named_and_the_others_are_judged() {
    let server = Server::scripted(Duration::ZERO, |_, _| "Yes".to_owned());
    let project = Project::new();
    let pairs = json!({
        "good": item(1, &["One."], &[1], &json!([])),
        "bare": item(2, &[], &[1, 1], &json!([])),
        "mute": item(3, &["One.", "Two."], &[], &json!([])),
        "who": item(4, &["One."], &[1], &json!([vote("")])),
        "strange": item(5, &["One."], &[1], &json!([vote("ann"), vote("bob")])),
        "alone": item(6, &["One."], &[1], &json!([vote("ann")])),
    });
    project.write("pairs.json", serde_json::to_string_pretty(&pairs).unwrap());
    let checked = project.run(&["labels", "check", "pairs.json"]).exits(13);
    let told = checked.err();
    for line in ["`bare`: 0 sentences, 2 labels", "`mute`: 2 sentences, 0 labels"] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    assert!(told.contains("`who`: vote 1 names no person"), "{told}");

    project.write("my.toml", workflow(server.port, "annotators = [\"ann\"]"));
    let ran = project.run(&["build", "my.toml"]).exits(5);
    let all = format!("{}{}", ran.out(), ran.err());
    for code in ["labels-without-sentences", "sentences-without-labels", "unknown-annotator"] {
        assert!(all.contains(code), "{code}\n{all}");
    }
    let judged: Vec<String> = rows(&project, "judgements")
        .iter()
        .map(|row| row["retelling_id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(judged, ["good", "alone"]);

    // One annotator alone agrees with nobody.
    let alone = json!({ "a": pairs["alone"] });
    project.write("alone.json", alone.to_string());
    project
        .run(&["labels", "check", "alone.json"])
        .exits(0)
        .says("agreement needs two voters, and there is 1");
}

#[test]
fn a_judge_that_answers_prose_or_never_ends_gives_no_verdict() {
    let server = Server::scripted(Duration::ZERO, |_, text| {
        let prose = "That is hard to say; it depends on how one reads the story.";
        let refuses = "I'm sorry, but I cannot help with that request.";
        if text.contains("Story 1.") {
            "Yes."
        } else if text.contains("Story 2.") {
            prose
        } else {
            refuses
        }
        .to_owned()
    });
    let project = Project::new();
    let none = json!([]);
    let pairs = json!({
        "a": item(1, &["One."], &[1], &none),
        "b": item(2, &["One."], &[1], &none),
        "c": item(3, &["One."], &[0], &none),
    });
    project.write("pairs.json", pairs.to_string());
    project.write("my.toml", workflow(server.port, ""));
    project.run(&["build", "my.toml"]).exits(0);
    let said = |config: &str| -> Vec<(String, i64)> {
        let of = |row: &Value| {
            (row["status"].as_str().unwrap().to_owned(), row["faithful"].as_i64().unwrap())
        };
        rows(&project, config).iter().map(of).collect()
    };
    let expected = [("answered", 1), ("unparsed", -1), ("refused", -1)];
    assert_eq!(said("judgements"), expected.map(|(word, code)| (word.to_owned(), code)));
    // The server wrote as many tokens as it may: the answer had no end, whatever it begins with.
    assert_eq!(said("short"), vec![("cut".to_owned(), -1); 3]);
    let card = project.read("out/mine/README.md");
    assert!(card.contains("| binary | all | 1 | 2 | 1 | 0 | 0 | 0 |"), "{card}");
    assert!(
        card.contains("| short | binary | all | 0 | 3 | 0 | 0 | 0 | 0 | undefined |"),
        "{card}"
    );
}

#[test]
fn predictions_of_another_version_are_told_by_their_ids() {
    let project = Project::new();
    let none = json!([]);
    let labels = json!({
        "a": item(1, &["One."], &[1], &none),
        "b": item(2, &["One."], &[0], &none),
    });
    project.write("labels.json", labels.to_string());
    let said = json!({ "a": { "label": 1 }, "gone": { "label": 0 } });
    project.write("old.json", said.to_string());
    project
        .run(&["score", "faithfulness", "labels.json", "old.json"])
        .exits(0)
        .says("old says nothing of: b (1, counted as wrong; `--allow-missing` leaves them out)")
        .says("old knows ids that the labels do not: gone (1, not counted)");
    let all = ["score", "faithfulness", "labels.json", "old.json", "--format", "json"];
    let n = |more: &[&str]| {
        let told = project.run(&[&all[..], more].concat()).exits(0).out();
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        (
            told["evaluators"][0]["parts"][0]["n"].clone(),
            told["evaluators"][0]["parts"][0]["counts"]["fp"].clone(),
        )
    };
    assert_eq!(n(&[]), (json!(2), json!(1)), "b is unfaithful, so it counts as judged faithful");
    assert_eq!(n(&["--allow-missing"]), (json!(1), json!(0)));
    project.write("none.json", json!({ "gone": { "label": 0 } }).to_string());
    project
        .run(&["score", "faithfulness", "labels.json", "none.json"])
        .exits(4)
        .says("none.json")
        .says("they may be of another version");
}

/// The workflow of NarrativeQA's way over files of one's own.
fn released(project: &Project, documents: &str, qaps: &str) {
    project.write("released/documents.csv", documents).write("released/qaps.csv", qaps);
    let pages = top().join("data/books").display().to_string();
    let text = format!(
        "name = \"joined\"\nversion = \"1.0.0\"\nseed = 7\n\n[publish]\ntitle = \"Joined\"\nlicense = \"mit\"\n\
         canary = \"storymill-canary-0123456789abcdef\"\nexpected_rejects = 999\n\n\
         [source.documents.narrativeqa]\npath = \"released\"\npages = \"{pages}\"\ncatalog = \"{pages}/catalog.csv\"\n\n\
         [stage.joined.join]\nfrom = \"documents\"\n\n[dataset.documents]\nfrom = \"joined\"\n"
    );
    project.write("my.toml", text);
}

#[test]
fn a_table_may_begin_with_a_mark_and_have_its_columns_in_any_order() {
    let plain = "document_id,set,kind,story_url,wiki_title\n\
                 d1,test,gutenberg,https://example.org/sm01.html,The Weigh-House at Tarrow\n";
    let asked = "document_id,question,answer1,answer2\nd1,Who weighs?,the master,he\n";
    let project = Project::new();
    released(&project, plain, asked);
    project.run(&["build", "my.toml"]).exits(0);
    let first = project.manifest("out/joined");
    let turned = "\u{feff}wiki_title,story_url,more,kind,set,document_id\r\n\
                  The Weigh-House at Tarrow,https://example.org/sm01.html,x,gutenberg,test,d1\r\n";
    let turned_asked =
        "\u{feff}answer2,answer1,question,document_id\r\nhe,the master,Who weighs?,d1\r\n";
    let other = Project::new();
    released(&other, turned, turned_asked);
    other.run(&["build", "my.toml"]).exits(0);
    let rows = |manifest: &str| {
        let manifest: Value = serde_json::from_str(manifest).unwrap();
        manifest["files"][0]["rows_digest"].clone()
    };
    assert_eq!(rows(&other.manifest("out/joined")), rows(&first));
    assert!(rows(&first).is_string());
}

#[test]
fn questions_of_a_document_that_is_not_there_are_an_error_with_its_line() {
    let documents = "document_id,set,kind,story_url,wiki_title\n\
                     d1,test,gutenberg,https://example.org/sm01.html,The Weigh-House at Tarrow\n";
    let asked = "document_id,question,answer1,answer2\nd1,Who?,he,she\nd9,Where?,here,there\n";
    let project = Project::new();
    released(&project, documents, asked);
    project
        .run(&["build", "my.toml"])
        .exits(4)
        .says("line 3 has a question of the document `d9`")
        .says("has no such document");
    released(&project, documents, "document_id,question,answer1\nd1,Who?,he\n");
    project.run(&["build", "my.toml"]).exits(4).says("names no column `answer2`");
}

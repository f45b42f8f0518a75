//! A build whose retellings and questions a judge looks at, beside labelled pairs that tell what the judge is worth.

use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use serde_json::Value;

use crate::{
    models::Server,
    project::{Project, WORKFLOW, top},
    review_app::{Desk, items},
};

fn draw(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn between<'t>(text: &'t str, tag: &str) -> &'t str {
    let rest = text.split(&format!("<{tag}>\n")).nth(1).unwrap_or_default();
    rest.split(&format!("\n</{tag}>")).next().unwrap_or_default()
}

/// A judge who is right of seven pairs in eight, and calls two of three other retellings faithful.
fn judge() -> impl Fn(u32, &str) -> String + Send + Sync {
    let pairs = fs::read_to_string(top().join("data/judges/pairs.json")).unwrap();
    let pairs: BTreeMap<String, Value> = serde_json::from_str(&pairs).unwrap();
    let labels: Vec<(String, bool)> = pairs
        .values()
        .map(|pair| (pair["summary"][0].as_str().unwrap().to_owned(), pair["label"] == 1))
        .collect();
    move |_, text| {
        let yes = |yes: bool| if yes { "Yes" } else { "No" }.to_owned();
        if text.contains("SETTING: right or wrong") {
            let events = text.lines().filter(|line| {
                line.split_once(": ")
                    .is_some_and(|(n, rest)| n.parse::<u32>().is_ok() && rest != "yes or no")
            });
            let said: Vec<String> = (1..=events.count()).map(|n| format!("{n}: no")).collect();
            return format!("{}\nSETTING: right", said.join("\n"));
        }
        if text.contains("write the single word none") {
            return if draw(text).is_multiple_of(2) { "1: not so\n" } else { "None." }.to_owned();
        }
        if text.contains("<passages>") {
            return yes(draw(between(text, "account")).is_multiple_of(5));
        }
        let summary = between(text, "summary");
        match labels.iter().position(|(first, _)| summary.contains(first.as_str())) {
            Some(at) => yes(labels[at].1 != at.is_multiple_of(8)),
            None => yes(!draw(summary).is_multiple_of(3)),
        }
    }
}

fn project(keep: &str) -> (Project, std::sync::Arc<Server>) {
    let server = Server::scripted(Duration::ZERO, judge());
    let project = Project::new();
    for book in 0..4 {
        project.book(&format!("b{book}"), 5);
    }
    fs::copy(top().join("data/judges/pairs.json"), project.path("pairs.json")).unwrap();
    let model = format!(
        "[model.judge]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"judge-1\"\n\n[source.pairs.storysumm]\npath = \"pairs.json\"\n\n[source.books.folder]",
        server.port
    );
    let stages = format!(
        r#"[stage.sampled.sample]
scenes = "scenes"
summaries = "summaries"
distortions = "distortions"

[stage.judged.faithful]
of = "sampled"
model = "judge"
protocol = "binary"

[stage.checked.false-check]
of = "sampled"
model = "judge"

[stage.measured.faithful]
of = "pairs"
model = "judge"
protocol = "binary"

[stage.true-ones.gate-summaries]
from = "summaries"
judgements = "judged"
keep = "{keep}"

[stage.gate.compare-summaries]
from = "summaries"
kept = "true-ones"
scenes = "scenes"
judgements = "judged"

[stage.proposed.propose]
of = "sampled"
model = "judge"

[stage.people.adequacy]
scenes = "scenes"
distortions = "distortions"
pairs = 3

[stage.spares.spare-decoys]
questions = "questions"
scenes = "scenes"
summaries = "summaries"
distortions = "distortions"

[stage.clear.ambiguity]
questions = "questions"
scenes = "scenes"
summaries = "true-ones"
spares = "spares"
model = "judge"
near_pm = 1

[dataset.kept]
from = "true-ones"

[dataset.gate]
from = "gate"

[dataset.proposed]
from = "proposed"

[dataset.people]
from = "people"

[dataset.clear]
from = "clear"

[dataset.judged]
from = "judged"

[dataset.checked]
from = "checked"

[dataset.measured]
from = "measured"

[dataset."#
    );
    let text =
        WORKFLOW.replacen("[source.books.folder]", &model, 1).replacen("[dataset.", &stages, 1);
    project.write("my.toml", text);
    (project, server)
}

fn rows(project: &Project, config: &str) -> Vec<Value> {
    let args = ["inspect", "out/mine", "--config", config, "-n", "10000", "--format", "json"];
    let shown: Value = serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
    let tables = shown["tables"].as_array().unwrap().iter();
    tables
        .flat_map(|table| table["sample"].as_array().unwrap().clone())
        .map(|row| row["values"].clone())
        .collect()
}

#[test]
fn a_build_tells_what_a_judge_says_and_what_it_is_worth() {
    let (project, _server) = project("all");
    project.run(&["build", "my.toml"]).exits(0);
    let judged = rows(&project, "judged");
    let own: Vec<&Value> = judged
        .iter()
        .filter(|row| row["protocol"] == "binary" && row["gold"] == -1 && row["meant_false"] == 0)
        .collect();
    let faithful = own.iter().filter(|row| row["faithful"] == 1).count();
    assert_eq!(rows(&project, "measured").len(), 40);
    assert!(own.len() >= 8 && faithful > 0, "{} judged", own.len());
    let card = project.read("out/mine/README.md");
    let section = card.split("## Judged").nth(1).expect("a section on judges");
    let line = section.lines().find(|line| line.contains("| binary |"));
    let line = line.unwrap_or_else(|| panic!("no rate in\n{section}"));
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    assert_eq!(cells[4], own.len().to_string(), "{line}");
    let raw = 100.0 * faithful as f64 / own.len() as f64;
    assert!(cells[6].starts_with(&format!("{raw:.1} %")), "{raw}: {line}");
    assert!(cells[9].contains('%') && !line.contains("undefined"), "{line}");
    // Nothing is left out by a gate that is told to keep all; questions are, by the judge of ambiguity.
    assert_eq!(rows(&project, "kept").len(), rows(&project, "summaries").len());
    assert!(section.contains("A gate kept ") && section.contains("retellings and dropped 0:"));
    ambiguity_is_told(&project, section);
    // The same from the answers alone.
    let before = project.manifest("out/mine");
    project.run(&["build", "my.toml", "--mode", "frozen"]).exits(0);
    assert_eq!(project.manifest("out/mine"), before);
}

/// Of each type: left out, mended, and all, as the rows say it.
fn ambiguity_is_told(project: &Project, section: &str) {
    let (asked, clear) = (rows(project, "read-along"), rows(project, "clear"));
    let of = |rows: &[Value], kind: &str| -> Vec<Value> {
        rows.iter().filter(|row| row["type"] == kind).cloned().collect()
    };
    let mut mended = 0;
    for kind in ["lookahead", "scene-distortion"] {
        let (asked, clear) = (of(&asked, kind), of(&clear, kind));
        let changed = clear.iter().filter(|row| {
            let same = |old: &&Value| old["question_id"] == row["question_id"];
            let old = asked.iter().find(same).expect("no question is new");
            assert_eq!(old["answer"], row["answer"]);
            old["options"] != row["options"]
        });
        let changed = changed.count();
        mended += changed;
        let gone = asked.len() - clear.len();
        let line = format!("| clear | {kind} | {gone} | {changed} | {} | ", asked.len());
        assert!(section.contains(&line) || gone + changed == 0, "{line}\n{section}");
    }
    assert!(mended > 0, "{section}");
}

/// What people say of proposals and of pairs is in the rows and on the card.
#[test]
fn people_decide_on_proposals_and_pairs() {
    let (project, _server) = project("all");
    let text = project.read("my.toml");
    let text = text.replacen("seed = 7\n", "seed = 7\ndecisions = [\"decisions.jsonl\"]\n", 1);
    project.write("my.toml", text).write("decisions.jsonl", "");
    project.run(&["build", "my.toml"]).exits(0);
    let open = rows(&project, "proposed");
    let held = |row: &&Value| row["faithful"] == -1 && row["status"] == "answered";
    assert!(open.iter().filter(held).count() > 1, "{open:?}");
    let card = project.read("out/mine/README.md");
    assert!(card.contains("## Told apart by people") && card.contains("none counts yet"), "{card}");

    let list = project.run(&["reviews", "my.toml", "--format", "json"]).exits(0).out();
    let items: Vec<Value> = serde_json::from_str(&list).unwrap();
    let of =
        |code: &str| items.iter().filter(|one| one["review"]["code"] == code).collect::<Vec<_>>();
    let pairs = rows(&project, "people");
    let mut decided: Vec<String> = Vec::new();
    // Every pair is told right, but one.
    let asked: Vec<&Value> = pairs.iter().filter(|pair| pair["qualifies"] == 0).collect();
    let wrong = asked[0]["pair_id"].clone();
    for item in of("adequacy") {
        let pair = pairs.iter().find(|pair| pair["pair_id"] == item["review"]["item"]).unwrap();
        let right = pair["right"].as_str().unwrap();
        let said = if pair["pair_id"] == wrong { "neither" } else { right };
        decided.push(format!("{}={said}", item["id"].as_str().unwrap()));
    }
    let proposals = of("inconsistency");
    decided.push(format!("{}=yes", proposals[0]["id"].as_str().unwrap()));
    for item in &proposals[1..] {
        decided.push(format!("{}=no", item["id"].as_str().unwrap()));
    }
    let mut args = vec!["reviews", "my.toml", "--by", "ann"];
    for one in &decided {
        args.extend(["--decide", one]);
    }
    project.run(&args).exits(0);
    project.run(&["build", "my.toml"]).exits(0);
    let told = rows(&project, "proposed");
    let of_item = |row: &&Value| row["retelling_id"] == proposals[0]["review"]["item"];
    assert_eq!(told.iter().find(of_item).unwrap()["faithful"], 0);
    assert!(told.iter().filter(|row| !of_item(row)).all(|row| row["faithful"] == 1), "{told:?}");
    let (all, right) = (asked.len(), asked.len() - 1);
    let card = project.read("out/mine/README.md");
    let line = format!(
        "Of {all} pairs that were drawn,\n{all} count, and {right} of these were told right: "
    );
    assert!(card.contains(&line), "{line}\n{card}");
    assert!(card.contains("1 decided; 0 of them are not counted"), "{card}");
    // Every vote is a row, and nobody's name is in any.
    let votes = rows(&project, "votes");
    assert_eq!(votes.len(), decided.len());
    let of_pairs = votes.iter().filter(|vote| vote["queue"] == "adequacy").count();
    assert_eq!(of_pairs, pairs.len());
    assert!(votes.iter().all(|vote| vote["person"] == "reader-01"));
    let persons = rows(&project, "people");
    assert!(persons.iter().all(|pair| pair["persons"][0] == "reader-01"), "{persons:?}");
    assert!(!format!("{votes:?}{persons:?}{card}").contains("ann\""));
    let told = format!("| adequacy: adequacy | {of_pairs} | {of_pairs} | 1 | 0 | ");
    assert!(card.contains("## Decided by people") && card.contains(&told), "{card}");
    project.run(&["verify", "out/mine"]).exits(0);
    // Whoever wants none leaves them out; a table of that name is refused beside them.
    let text = project.read("my.toml");
    let without = text.replacen("[publish]\n", "[publish]\nvotes = false\n", 1);
    project.write("my.toml", without).run(&["build", "my.toml"]).exits(0);
    assert!(!project.path("out/mine/votes").exists());
    project.write("my.toml", text.replacen("[dataset.kept]", "[dataset.votes]", 1));
    project.run(&["plan", "my.toml"]).exits(3).says("the table `votes` holds what people decided");
}

#[test]
fn a_gate_leaves_out_what_the_judge_speaks_against() {
    let (project, _server) = project("not-wrong");
    project.run(&["build", "my.toml"]).exits(0);
    let wrong: Vec<String> = rows(&project, "judged")
        .iter()
        .filter(|row| {
            row["protocol"] == "binary"
                && row["meant_false"] == 0
                && row["gold"] == -1
                && row["faithful"] == 0
        })
        .map(|row| row["retelling_id"].as_str().unwrap().to_owned())
        .collect();
    let kept = rows(&project, "kept");
    let has = |id: &String| kept.iter().any(|row| row["summary_id"] == id.as_str());
    assert!(!wrong.iter().any(has), "{wrong:?}");
    assert_eq!(kept.len() + wrong.len(), rows(&project, "summaries").len());

    // The card compares both sides: their number, and every figure of the table from its rows.
    let gate = rows(&project, "gate");
    let sides =
        [1, 0].map(|side| gate.iter().filter(|row| row["kept"] == side).collect::<Vec<_>>());
    assert_eq!(sides[1].len(), wrong.len());
    let card = project.read("out/mine/README.md");
    let line = format!("A gate kept {} retellings and dropped {}: ", kept.len(), wrong.len());
    assert!(card.contains(&line) && !card.contains("is not known"), "{line}\n{card}");
    for (column, what) in [("words", "words, mean"), ("symbols", "symbols, mean")] {
        let mean = |rows: &[&Value]| {
            rows.iter().map(|row| row[column].as_f64().unwrap()).sum::<f64>() / rows.len() as f64
        };
        let [one, other] = [mean(&sides[0]), mean(&sides[1])];
        let line = format!("| {what} | {one:.1} | {other:.1} | ");
        assert!(card.contains(&line), "{line}\n{card}");
    }
    let flagged =
        |row: &&&Value| row["said"].as_array().unwrap().iter().any(|said| said["flagged"] == 1);
    assert_eq!(sides.map(|side| side.iter().filter(flagged).count()), [0, wrong.len()]);
    let line = card.lines().find(|line| line.contains("flagged by judge (binary)")).unwrap();
    assert!(line.contains(&format!("{0} of {0} |", wrong.len())), "{line}");
    // Without the table the card says what is not known.
    let text = project.read("my.toml").replacen("[dataset.gate]\nfrom = \"gate\"\n", "", 1);
    project.write("my.toml", text);
    project.run(&["build", "my.toml"]).exits(0);
    assert!(
        project
            .read("out/mine/README.md")
            .contains("whether it dropped others than false ones is not known")
    );
}

/// People label retellings on the pages of `review`; the next build measures the judge by what they said.
#[test]
fn people_label_sentences_and_the_judge_is_measured_by_them() {
    let (project, _server) = project("all");
    let text = project.read("my.toml");
    let text = text.replacen("seed = 7\n", "seed = 7\ndecisions = [\"decisions.jsonl\"]\n", 1);
    let stage =
        "[stage.labelled.label]\nof = \"sampled\"\n\n[stage.judged.faithful]\nof = \"labelled\"";
    let text = text.replacen("[stage.judged.faithful]\nof = \"sampled\"", stage, 1);
    let rule = "[review]\nvoters = 2\n\n[publish]";
    project.write("my.toml", text.replacen("[publish]", rule, 1)).write("decisions.jsonl", "");
    project.run(&["build", "my.toml"]).exits(0);
    let all = items(&project, &[]);
    let item = all.iter().find(|one| one["review"]["code"] == "sentence-labels").unwrap();
    let (id, retelling) = (item["id"].as_str().unwrap(), &item["review"]["item"]);
    let count = item["review"]["form"]["labels"]["sentences"].as_array().unwrap().len();
    let gold = || {
        let judged = rows(&project, "judged");
        let mut own = judged.iter().filter(|row| row["retelling_id"] == *retelling);
        own.next().unwrap()["gold"].as_i64().unwrap()
    };
    assert_eq!(gold(), -1);
    // Without labels the choice says nothing.
    project
        .run(&["review", "my.toml", "--decide", &format!("{id}=labelled"), "--by", "ann"])
        .exits(4)
        .says("has no labels");
    let path = format!("q/faithfulness/{id}");
    for (at, name) in ["ann", "bob"].into_iter().enumerate() {
        let desk = Desk::as_person(&project, name);
        let mut fields = vec![("choice".to_owned(), "labelled".to_owned())];
        for sentence in 0..count {
            let label = if sentence == 0 { "unfaithful" } else { "faithful" };
            fields.push((format!("label.{sentence}"), label.to_owned()));
        }
        fields.push(("kind.0".to_owned(), "motive".to_owned()));
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        assert_eq!(desk.post(&path, &fields).status, 303);
        drop(desk);
        project.run(&["build", "my.toml"]).exits(0);
        // One vote of two decides nothing.
        assert_eq!(gold(), [-1, 0][at], "{name}");
    }
    let votes = rows(&project, "votes");
    let people: Vec<&Value> = votes.iter().map(|vote| &vote["person"]).collect();
    assert_eq!(people, ["reader-01", "reader-02"]);
    assert!(votes[0]["said"].as_str().unwrap().contains("\"kinds\":[\"motive\"]"), "{votes:?}");
    let card = project.read("out/mine/README.md");
    assert!(card.contains("| faithfulness: sentence-labels | 1 | 2 | 2 | 0 | "), "{card}");
}

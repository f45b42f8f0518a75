//! `review SET`: second readers say which claim of a pair is true, and people judge explanations of right verdicts;
//! what follows from that for checks, writers and scores (`private_pages` has the same of a shelf).

use std::fs;

use serde_json::{Value, json};

use crate::{
    claims::set as folder, claims_app::pair, project::Project, review_app::Desk, view::show,
};

pub fn of<'i>(items: &'i [Value], item: &str) -> &'i Value {
    let found = items.iter().find(|one| one["review"]["item"] == item);
    found.unwrap_or_else(|| panic!("no {item} in {items:?}"))
}

fn list(project: &Project, more: &[&str]) -> Vec<Value> {
    let list = ["review", "set", "--list", "--format", "json"];
    serde_json::from_str(&project.run(&[&list[..], more].concat()).exits(0).out()).unwrap()
}

/// The letter of the claim that the set calls true, and of the other.
fn letters(item: &Value, is_true: &str) -> [String; 2] {
    let texts = item["review"]["form"]["grounds"]["texts"].as_array().unwrap();
    let letter = |of: &Value| of["choice"].as_str().unwrap().to_owned();
    let (yes, no): (Vec<&Value>, Vec<&Value>) =
        texts.iter().partition(|one| one["text"].as_str().unwrap().contains(is_true));
    [letter(yes[0]), letter(no[0])]
}

/// A second reader says which claim is true; the pair of which the set says otherwise is a finding until its writer
/// has exchanged the claims.
#[test]
fn second_readers_say_which_of_two_claims_is_true() {
    let project = folder();
    let before = project.run(&["claims", "lint", "set"]).out();
    assert!(!before.contains("readers-disagree"), "{before}");
    let pairs = list(&project, &["--queue", "adequacy"]);
    assert_eq!(pairs.len(), 10);
    let (good, bad) = (of(&pairs, "b1/0001"), of(&pairs, "b1/0002"));
    let [yes, _] = letters(good, "red");
    let [right, wrong] = letters(bad, "green");
    let desk = Desk::of(show(&project, &["review", "set", "--queue", "adequacy"])).named("bob");
    let path = |item: &Value| format!("q/adequacy/{}", item["id"].as_str().unwrap());
    let page = desk.get(&path(bad)).body;
    assert!(page.contains("<dt>A</dt>") && page.contains("<dt>B</dt>"), "{page}");
    // What would tell: explanations, scopes, labels, and what is known of the other pairs.
    for telling in ["It is green", "true:", "false:", "scope"] {
        assert!(!page.contains(telling), "`{telling}` in\n{page}");
    }
    let field = page.split("name=\"span\"").nth(1).unwrap();
    let span = field.split("value=\"").nth(1).unwrap().split('"').next().unwrap();
    let note = "it is the grey one";
    let said = [("choice", &*wrong), ("note", note), ("span", span)];
    assert_eq!(desk.post(&path(bad), &said).status, 303);
    assert_eq!(desk.post(&path(good), &[("choice", &yes)]).status, 303);
    assert_eq!(desk.post(&path(good), &[("choice", "perhaps")]).status, 422);
    // Nobody is told what others said; the terminal takes votes as well.
    let other = Desk::of(show(&project, &["review", "set", "--queue", "adequacy"])).named("cay");
    let hidden = other.get(&path(bad)).body;
    assert!(!hidden.contains(note) && !hidden.contains("bob"), "{hidden}");
    let short = bad["id"].as_str().unwrap();
    let hidden = of(&list(&project, &["--queue", "adequacy", "--by", "cay"]), "b1/0002").clone();
    assert_eq!((&hidden["state"], &hidden["decisions"]), (&json!("decided"), &json!([])));
    let decide = format!("{short}={wrong}");
    let votes = ["review", "set", "--queue", "adequacy", "--decide", &decide];
    project.run(&votes).exits(4).says("nobody is named who decides");
    let unknown = ["review", "set", "--queue", "adequacy", "--decide", "b1/0099=A", "--by", "cay"];
    project.run(&unknown).exits(4).says("`storymill review set --list --queue adequacy`");
    let decide = format!("b1/0002={wrong}");
    let votes = ["review", "set", "--queue", "adequacy", "--decide", &decide];
    project.run(&[&votes[..], &["--by", "cay"]].concat()).exits(0);
    assert!(other.get(&path(bad)).body.contains(note));
    assert!(desk.get("").body.contains("alpha"), "two people on one pair");
    let agreement = ["review", "set", "--agreement"];
    project.run(&agreement).exits(0).says("adequacy").says("bob and cay").says("(1 of 1)");
    let told = project.run(&[&agreement[..], &["--format", "json"]].concat()).exits(0).out();
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["queues"][0]["agreement"]["pairs"][0]["agreed"], 1, "{told}");
    assert_eq!(told["queues"][1], Value::Null);
    project
        .run(&["review", "set", "--queue", "adequacy", "--apply"])
        .exits(0)
        .says("nothing is decided that is not in the set");

    // The checks name it, with counts and no words.
    let found = project.run(&["claims", "lint", "set"]).exits(13).out();
    let told = "asked which is true, readers say: the false claim is true (2)";
    assert!(found.contains("b1/0002") && found.contains(told) && !found.contains("zqx"), "{found}");
    assert_eq!(found.matches("asked which").count(), 1, "{found}");
    let doubts = list(&project, &[]);
    assert_eq!(doubts.len(), 1);
    let writer = Desk::of(show(&project, &["review", "set"])).named("ann");
    let page = writer.get(&format!("q/claims/{}", doubts[0]["id"].as_str().unwrap())).body;
    for wanted in [
        "is this pair right? Readers dispute it",
        "bob says: the false claim is true. it is the grey one",
        "marked by a reader",
    ] {
        assert!(page.contains(wanted), "`{wanted}` in\n{page}");
    }
    let was = pair(&project, "b1/0002");
    let path = format!("q/claims/{}", doubts[0]["id"].as_str().unwrap());
    assert_eq!(writer.post(&path, &[("choice", "swap")]).status, 303);
    project.run(&["review", "set", "--apply"]).exits(0).says("b1/0002 was written anew");
    let now = pair(&project, "b1/0002");
    assert_eq!(
        (&now["true_claim"], &now["false_claim"]),
        (&was["false_claim"], &was["true_claim"])
    );
    let after = project.run(&["claims", "lint", "set"]).out();
    assert!(!after.contains("asked which") && after.contains("no-explanation"), "{after}");
    // The votes stand, for the claims have the same words.
    let again = list(&project, &["--queue", "adequacy", "--by", "cay"]);
    assert_eq!(letters(of(&again, "b1/0002"), "green"), [right, wrong.clone()]);
    assert_eq!(of(&again, "b1/0002")["decisions"].as_array().unwrap().len(), 2);
    let lines = project.read("set/decisions.jsonl");
    assert!(lines.contains("\"said\":{\"grounds\":{\"spans\":"), "{lines}");
    project.run(&["review", "set", "--list"]).exits(0).says("nothing is doubtful");
}

/// A set has a rule: two readers, and one who settles what they differ on.
#[test]
fn a_set_says_how_many_readers_decide() {
    let project = folder();
    let rule = ["review", "set", "--rule", "adjudicator"];
    project.run(&rule).exits(4).says("must name somebody");
    project.run(&["review", "set", "--voters", "0"]).exits(4).says("at least 1");
    project
        .run(&[&rule[..], &["--voters", "2", "--adjudicator", "eve"]].concat())
        .exits(0)
        .says("set: adjudicator, 2 voters; eve may settle disputes");
    let pairs = list(&project, &["--queue", "adequacy"]);
    let item = of(&pairs, "b1/0001");
    let [yes, no] = letters(item, "red");
    let say = |choice: &str, more: &[&str]| {
        let decide = format!("{}={choice}", item["id"].as_str().unwrap());
        let args = ["review", "set", "--queue", "adequacy", "--decide", &decide];
        project.run(&[&args[..], more].concat())
    };
    let found = || project.run(&["claims", "lint", "set"]).out().contains("readers-disagree");
    // Beside the letter stands the claim, whatever letter it has on somebody's pages.
    say(&no, &["--by", "bob"]).exits(0).says(": ").says("“Anna Brook wears the grey");
    assert!(!found(), "one vote decides nothing");
    say(&yes, &["--by", "cay"]).exits(0);
    assert!(found(), "two readers differ");
    say(&yes, &["--by", "cay", "--adjudicate"]).exits(4).says("may not settle disputes");
    say(&yes, &["--by", "eve", "--adjudicate"]).exits(0);
    assert!(!found(), "it is settled as the set has it");
    project.write("set/rule.json", "{");
    project
        .run(&["claims", "lint", "set"])
        .exits(4)
        .says("the set's rule (`rule.json`) cannot be read");
    project.run(&["review", "set", "--voters", "3"]).exits(4).says("--rule majority");
    assert_eq!(project.read("set/rule.json"), "{");
    let mended = ["review", "set", "--rule", "majority"];
    project.run(&mended).exits(0).says("set: majority, 1 voter; anybody may settle disputes");
    assert!(project.read("set/rule.json").contains("majority"));
    assert!(!project.run(&["claims", "lint", "set"]).err().contains("rule.json"));
}

/// A table with some cells of the rows of an item filled in.
fn filled(table: &str, item: &str, cells: &[(&str, &str)]) -> String {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let head = reader.headers().unwrap().clone();
    let at = |name: &str| head.iter().position(|own| own == name).unwrap();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&head).unwrap();
    for row in reader.records().map(Result::unwrap) {
        let mut row: Vec<&str> = row.iter().collect();
        if row[at("item")] == item {
            cells.iter().for_each(|(name, cell)| row[at(name)] = cell);
        }
        writer.write_record(row).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Where `evaluate` keeps answers to the set that are in a file.
const RESULTS: &str = "results/set-responses";

/// What is said of pairs and explanations goes into a spreadsheet and comes back, and nothing is lost on the way.
#[test]
fn votes_of_second_readers_go_through_a_spreadsheet() {
    let project = folder();
    let answer = "<explanation>=She wears it.</explanation> <answer>TRUE</answer>";
    let answer = json!({ "system": "m", "pair": "b1/0001", "claim": true, "answer": answer });
    project.write("a.jsonl", answer.to_string());
    project.run(&["evaluate", "set", "--responses", "a.jsonl"]).exits(0);
    let explanations = ["review", "set", "--queue", "explanations", "--results", RESULTS];
    let pairs = ["review", "set", "--queue", "adequacy"];
    let items = list(&project, &["--queue", "adequacy"]);
    let (one, two) = (of(&items, "b1/0001"), of(&items, "b1/0002"));
    let desk = Desk::of(show(&project, &pairs)).named("bob");
    let path = format!("q/adequacy/{}", one["id"].as_str().unwrap());
    let field = desk.get(&path).body.split("name=\"span\"").nth(1).unwrap().to_owned();
    let span = field.split("value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let said = [("choice", "A"), ("note", "-2 of, \"them\"\nand more"), ("span", &*span)];
    assert_eq!(desk.post(&path, &said).status, 303);
    drop(desk);

    let run = |command: &[&str], more: &[&str]| project.run(&[command, more].concat());
    run(&pairs, &["--export", "pairs.csv"]).exits(0).says("10 items written to pairs.csv");
    let table = project.read("pairs.csv");
    assert!(table.contains("'-2 of") && !table.contains("It is red"), "{table}");
    let item = "b1/0002";
    for (cells, says) in [
        (&[("choice", "C"), ("by", "cay")][..], "`C` is not a choice"),
        (&[("choice", "A")], "nobody is named"),
        (&[("choice", "A"), ("by", "cay"), ("review", "12")], "is not an id"),
        (&[("choice", "A"), ("by", "cay"), ("said", "{")], "`said` cannot be read"),
    ] {
        project.write("bad.csv", filled(&table, item, cells));
        run(&pairs, &["--import", "bad.csv"]).exits(4).says(says).says("line ");
    }
    assert_eq!(project.read("set/decisions.jsonl").lines().count(), 1, "all or none");
    let cells = [("choice", "B"), ("by", "cay"), ("note", "'=1+1")];
    project.write("pairs.csv", filled(&table, item, &cells));
    run(&pairs, &["--import", "pairs.csv"]).exits(0).says("1 line new");
    run(&pairs, &["--import", "pairs.csv"]).exits(0).says("0 lines new");
    assert_eq!(of(&list(&project, &["--queue", "adequacy", "--by", "cay"]), item)["id"], two["id"]);

    run(&explanations, &["--export", "why.csv", "--by", "bob"]).exits(0).says("1 item ");
    let why = project.read("why.csv");
    assert!(!why.contains("which-is-true") && why.contains("explains: =She wears it."), "{why}");
    let name = list(&project, &explanations[2..])[0]["review"]["item"].as_str().unwrap().to_owned();
    let said = "{\"grounds\":{\"kinds\":[\"invented\"],\"spans\":[]}}";
    for (by, choice) in [("bob", "wrong"), ("cay", "right")] {
        let cells = [("choice", choice), ("by", by), ("said", said)];
        project.write("why.csv", filled(&why, &name, &cells));
        run(&explanations, &["--import", "why.csv"]).exits(0).says("1 line new");
    }
    run(&["review", "set", "--agreement"], &[])
        .exits(0)
        .says("2 decisions on explanations left out");
    run(&["review", "set", "--agreement", "--results", RESULTS], &[])
        .exits(0)
        .says("explanations")
        .says("bob and cay")
        .says("0 of 1");

    // Both tables make the file of decisions once more, whatever stood in it.
    run(&pairs, &["--export", "pairs.csv"]).exits(0);
    run(&explanations, &["--export", "why.csv"]).exits(0);
    let before = project.read("set/decisions.jsonl");
    assert_eq!(before.lines().count(), 4, "{before}");
    fs::remove_file(project.path("set/decisions.jsonl")).unwrap();
    run(&pairs, &["--import", "pairs.csv"]).exits(0).says("2 lines new");
    run(&explanations, &["--import", "why.csv"]).exits(0).says("2 lines new");
    assert_eq!(sorted(&project.read("set/decisions.jsonl")), sorted(&before));
}

/// Whoever wrote a pair does not judge it, and explanations of right verdicts are judged apart from the verdicts.
#[test]
fn explanations_of_right_verdicts_are_judged() {
    let project = folder();
    let answer = |pair: &str, claim: bool, why: &str, says: &str| {
        let answer = format!("<explanation>{why}</explanation>\n<answer>{says}</answer>");
        json!({ "system": "a|<b>", "pair": pair, "claim": claim, "answer": answer }).to_string()
    };
    let answers = [
        answer("b1/0001", true, "She wears it.\nAlways.", "TRUE"),
        answer("b1/0001", false, "It is the hat that is grey.", "FALSE"),
        answer("b2/0001", true, "She is bare.", "FALSE"),
        answer("b2/0001", false, "Grey coats are sold.", "FALSE"),
    ];
    project.write("a.jsonl", answers.join("\n"));
    project.run(&["evaluate", "set", "--responses", "a.jsonl"]).exits(0);
    let of_explanations = ["--queue", "explanations"];
    project
        .run(&[&["review", "set", "--list"][..], &of_explanations].concat())
        .exits(4)
        .says("no answers are named");
    let named = [&of_explanations[..], &["--results", RESULTS]].concat();
    let items = list(&project, &named);
    assert_eq!(items.len(), 3, "a wrong verdict is not asked about: {items:?}");
    let counted = || {
        let args = ["review", "set", "--agreement", "--results", RESULTS, "--format", "json"];
        let told: Value = serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
        told["explanations"].clone()
    };
    assert_eq!(counted(), json!([]));
    let pages = [&["review", "set"][..], &named].concat();
    let desk = Desk::of(show(&project, &pages)).named("bob");
    let choices = [("right", ""), ("wrong", "invented"), ("partly right", "order")];
    for (item, (choice, kind)) in items.iter().zip(choices) {
        let path = format!("q/explanations/{}", item["id"].as_str().unwrap());
        let page = desk.get(&path).body;
        assert!(page.contains("a|&lt;b&gt; says so too") && page.contains("The claim, which is"));
        assert_eq!(desk.post(&path, &[("choice", choice), ("kind", "odour")]).status, 422);
        assert_eq!(desk.post(&path, &[("choice", choice), ("kind", kind)]).status, 303);
    }
    assert!(desk.get("q/explanations/done").body.contains("storymill review set --agreement"));
    let found = counted();
    assert_eq!(found[0]["system"], "a|<b>");
    assert_eq!(
        (&found[0]["explained"], &found[0]["right"]),
        (&json!(3), &json!({ "correct": 1, "total": 3 }))
    );
    // A set that has changed since says so, and takes nothing of the results.
    let table = project
        .read("claims.csv")
        .replace("red zqxcoat, number 0, in b2", "red hat, number 0, in b2");
    project.write("claims.csv", table);
    project.run(&["claims", "import", "claims.csv", "--into", "set", "--update"]).exits(0);
    project
        .run(&[&["review", "set", "--list"][..], &named].concat())
        .exits(0)
        .says("the set has changed since `set-responses` was made");
    assert!(project.read("set/decisions.jsonl").contains("{\"kinds\":[\"invented\"]}"));
}

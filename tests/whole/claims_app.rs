//! `review SET`: pairs are written, claims are settled and evidence is marked on the pages; `--apply` brings that into
//! the set, of a folder (`private_pages` has those of a shelf).

use serde_json::{Value, json};

use crate::{claims::set as folder, project::Project, review_app::Desk, view::show};

const VOTES: &str = "pair,claim,reader,verdict,scope\nb1/0001,false,ann,true,\nb1/0002,true,ann,true,global\nb1/0003,true,ann,false,\n";

/// A set in a folder, with a pair that is proposed and three points of dispute.
fn asked() -> Project {
    let project = folder();
    let review = json!({
        "item": "b1/0000/d0/e0", "code": "claim-pair-proposed", "question": "take these claims as a pair?",
        "excerpt": "true: Anna went down.\nfalse: Anna went up.", "choices": ["drop", "take", "change"], "default": "drop",
    });
    let pair = json!({
        "book": "b1", "true_claim": "Anna Brook walked down to the harbour.",
        "false_claim": "Anna Brook walked up to the harbour.", "model_written": true,
    });
    project.write("set/drafts.jsonl", json!({ "review": review, "pair": pair }).to_string() + "\n");
    project.write("set/votes/ann.csv", VOTES);
    project
}

fn listed(project: &Project) -> Vec<Value> {
    let list = ["review", "set", "--list", "--format", "json"];
    serde_json::from_str(&project.run(&list).exits(0).out()).unwrap()
}

fn id_of<'i>(items: &'i [Value], code: &str) -> &'i str {
    let item = items.iter().find(|item| item["review"]["code"] == code);
    item.unwrap_or_else(|| panic!("no {code} in {items:?}"))["id"].as_str().unwrap()
}

pub(crate) fn pair(project: &Project, id: &str) -> Value {
    let pairs = project.read("set/pairs.jsonl");
    let mut lines = pairs.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.find(|pair| pair["id"] == id).unwrap_or(Value::Null)
}

#[test]
fn pairs_of_a_folder_are_decided_on_pages_and_brought_into_the_set() {
    let project = asked();
    let items = listed(&project);
    let codes: Vec<_> = items.iter().map(|item| item["review"]["code"].as_str().unwrap()).collect();
    assert_eq!(
        codes,
        ["claim-pair-proposed", "claim-disputed", "scope-disputed", "claim-disputed"]
    );
    let desk = Desk::of(show(&project, &["review", "set"])).named("ann");
    assert!(desk.get("").body.contains("4 items wait for you"));
    let path = |id: &str| format!("q/claims/{id}");
    let proposed = path(id_of(&items, "claim-pair-proposed"));
    let page = desk.get(&proposed).body;
    for wanted in [
        "name=\"field.false_claim\"",
        "Anna Brook walked up to the harbour.</textarea>",
        "name=\"field.true_scope\"",
        "a guess: a passage with the same words",
        "name=\"span\"",
    ] {
        assert!(page.contains(wanted), "`{wanted}` in\n{page}");
    }
    let field = page.split("name=\"span\"").nth(1).unwrap();
    let span = field.split("value=\"").nth(1).unwrap().split('"').next().unwrap();
    let blank = desk.post(&proposed, &[("choice", "change"), ("field.false_claim", " ")]);
    assert!(blank.status == 422 && blank.body.contains("is blank"), "{}", blank.body);
    let written = [
        ("choice", "change"),
        ("field.true_claim", "Anna Brook walked down to the harbour."),
        ("field.false_claim", "Anna Brook walked round the harbour."),
        ("field.explanation", "She went down."),
        ("field.true_scope", "global"),
        ("field.false_scope", ""),
        ("span", span),
    ];
    assert_eq!(desk.post(&proposed, &written).status, 303);
    assert!(desk.get(&proposed).body.contains("walked round the harbour.</textarea>"));
    let disputed = |at: usize| path(items[at]["id"].as_str().unwrap());
    let coat = "Anna Brook wears no zqxcoat, number 0, in b1.";
    let keeps = [("choice", "keep"), ("field.false_claim", coat)];
    assert_eq!(desk.post(&disputed(1), &keeps).status, 422, "`keep` writes nothing");
    let changes = [("choice", "change"), ("field.false_claim", coat)];
    assert_eq!(desk.post(&disputed(1), &changes).status, 303);
    assert_eq!(desk.post(&disputed(2), &[("choice", "global")]).status, 303);
    let goes = [("choice", "remove"), ("note", "two events")];
    let done = desk.post(&disputed(3), &goes);
    assert!(desk.get("q/claims/done").body.contains("storymill review set --apply"));
    assert_eq!(done.status, 303);
    // Nothing follows yet, and what was undone never does.
    desk.post("undo", &[]);
    assert_ne!(pair(&project, "b1/0003"), Value::Null);
    assert_eq!(desk.post(&disputed(3), &goes).status, 303);
    let before = pair(&project, "b1/0001");
    project
        .run(&["review", "set", "--apply"])
        .exits(0)
        .says("pair b1/0006 is new")
        .says("pair b1/0001 was written anew")
        .says("b1/0003 removed; 10 pairs are left");
    let new = pair(&project, "b1/0006");
    assert_eq!(new["false_claim"], "Anna Brook walked round the harbour.");
    assert_eq!(
        (&new["explanation"], &new["true_scope"]),
        (&json!("She went down."), &json!("global"))
    );
    let (mut symbols, evidence) = (span.split(':').skip(1), &new["false_evidence"][0]);
    assert_eq!(evidence["start"].to_string(), symbols.next().unwrap());
    assert_eq!(evidence["end"].to_string(), symbols.next().unwrap());
    assert_eq!(pair(&project, "b1/0001")["false_claim"], coat);
    assert_eq!(pair(&project, "b1/0001")["true_claim"], before["true_claim"]);
    assert_eq!(pair(&project, "b1/0002")["true_scope"], "global");
    assert!(project.read("set/removed.jsonl").contains("two events"));
    // What follows once follows no second time.
    let set = project.read("set/pairs.jsonl");
    project.run(&["review", "set", "--apply"]).exits(0).says("nothing is decided");
    assert_eq!(project.read("set/pairs.jsonl"), set);
    let lines = project.read("set/decisions.jsonl");
    assert_eq!(lines.lines().count(), 6, "{lines}");
    assert!(lines.contains("\"values\":{\"explanation\":\"She went down.\""), "{lines}");
}

#[test]
fn the_terminal_decides_on_the_same_items() {
    let project = asked();
    let items = listed(&project);
    let take = format!("{}=take", id_of(&items, "claim-pair-proposed"));
    let decide = ["review", "set", "--by", "bob", "--decide"];
    project.run(&[&decide[..], &[&take]].concat()).exits(0).says("pair b1/0006 is new; explain it");
    project.run(&[&decide[..], &["ff=take"]].concat()).exits(4).says("no item is called `ff`");
    let open = project.run(&["review", "set", "--list=open"]).exits(0).says("3 decisions");
    assert!(open.out().contains("keep, not change or remove"), "{}", open.out());
    let desk = Desk::of(show(&project, &["review", "set", "--by", "ann"]));
    assert!(desk.get("q/claims").body.contains("decided by others"));
    // The last one that a server finds is the one that it undoes, whoever wrote it before it began.
    let all = listed(&project);
    for (at, choice) in [(1, "keep"), (2, "global"), (3, "keep")] {
        let path = format!("q/claims/{}", all[at]["id"].as_str().unwrap());
        assert_eq!(desk.post(&path, &[("choice", choice)]).status, 303);
    }
    drop(desk);
    let desk = Desk::of(show(&project, &["review", "set", "--by", "ann"]));
    let undone = desk.post("undo", &[]).location;
    assert!(undone.contains(all[3]["id"].as_str().unwrap()), "{undone}");
}

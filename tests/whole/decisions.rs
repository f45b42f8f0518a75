//! What people decide: listed, taken, replayed, told in the lock, and named when it changes.

use serde_json::Value;

use crate::project::Project;

/// A page with a long section before chapter I, which may be story or preface.
pub(crate) fn doubtful(id: &str) -> String {
    let page = crate::project::page(id, 4);
    let told =
        "Here is how I came to write it down, in the winter when the mill stood still. ".repeat(40);
    let chapter = "<h2>CHAPTER 1</h2>";
    let more = format!("<h2>How the mill was built</h2><p>{told}</p>{chapter}");
    page.replacen(chapter, &more, 1)
}

fn project() -> Project {
    let project = Project::new();
    project.write("books/mill.html", doubtful("mill")).book("other", 3);
    project.workflow(&[("seed = 7\n", "seed = 7\ndecisions = [\"decisions.jsonl\"]\n")]);
    project
}

fn reviews(project: &Project, more: &[&str]) -> Vec<Value> {
    let args = [&["reviews", "my.toml", "--format", "json"], more].concat();
    serde_json::from_str(&project.run(&args).exits(0).out()).unwrap()
}

#[test]
fn a_decision_is_taken_replayed_and_undone() {
    let project = project();
    // The file is made with the first decision.
    project.run(&["build", "my.toml", "--out", "first"]).exits(0);
    assert!(!project.path("decisions.jsonl").exists());
    let items = reviews(&project, &[]);
    let item = items.iter().find(|item| item["review"]["code"] == "preface").unwrap();
    let id = item["id"].as_str().unwrap();
    // Behind the first line, which has the digest of all: every vote is a row of another table.
    let books = |out: &str| {
        let args = ["inspect", out, "--config", "books-text", "--rows", "9", "--full"];
        project.run(&args).exits(0).out().split_once("\n\n").unwrap().1.to_owned()
    };
    assert!(books("first").contains("how I came to write"));

    // Mistakes change nothing.
    let decide = |what: &str| project.run(&["reviews", "my.toml", "--decide", what]);
    decide("cut").exits(4).says("decides nothing");
    decide("zz=cut").exits(4).says("no item");
    decide(&format!("{id}=burn")).exits(4).says("keep, cut");
    let twice = format!("{id}=cut");
    project
        .run(&["reviews", "my.toml", "--decide", &twice, "--decide", &twice])
        .exits(4)
        .says("twice");
    assert!(!project.path("decisions.jsonl").exists());

    let by = ["reviews", "my.toml", "--decide", &twice, "--by", "a reader", "--note", "a frame"];
    project.run(&by).exits(0).says("build again");
    // The list stands before and after the next build.
    project.run(&["reviews", "my.toml"]).exits(0).says("decided by a reader: cut, not keep");
    project.run(&["plan", "my.toml"]).exits(0).says("mill");
    project.run(&["build", "my.toml", "--out", "second"]).exits(0);
    assert!(!books("second").contains("how I came to write"));
    project.run(&["reviews", "my.toml"]).exits(0).says("decided by a reader: cut, not keep");
    assert!(reviews(&project, &["--list=open"]).iter().all(|item| item["id"] != id));

    // The difference has one cause.
    let ran = project.run(&["diff", "first", "second", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out()).unwrap();
    let [cause] = &report["causes"].as_array().unwrap()[..] else { panic!("{report:#}") };
    assert_eq!(
        (&cause["cause"], &cause["step"], &cause["units"]),
        (&"decisions".into(), &"books".into(), &["mill"][..].into())
    );
    project.run(&["diff", "first", "second"]).says("people decided otherwise");

    // Nothing is made anew where nothing was decided, in another store too.
    project.run(&["build", "my.toml", "--out", "again", "--store", "elsewhere"]).exits(0);
    assert_eq!(project.manifest("again"), project.manifest("second"));

    // Undone: the last decision stands, and the rows are the first ones.
    decide(&format!("{}=keep", &id[..10])).exits(0);
    assert_eq!(project.read("decisions.jsonl").lines().count(), 2);
    project.run(&["build", "my.toml", "--out", "third"]).exits(0);
    assert_eq!(books("third"), books("first"));

    // Two that disagree are a dispute: the default is taken and it is told. What is no decision is named by its line.
    let lines = project.read("decisions.jsonl");
    let mut last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    last["replaces"] = Value::Array(Vec::new());
    project.write("decisions.jsonl", format!("{}\n{last}\n", lines.lines().next().unwrap()));
    project.run(&["build", "my.toml", "--out", "disputed"]).exits(0).says("1 disputed");
    assert_eq!(books("disputed"), books("first"));
    project.run(&["plan", "my.toml"]).exits(0).says("1 disputed");
    let disputed = reviews(&project, &["--list=disputed"]);
    assert_eq!((disputed.len(), &disputed[0]["id"]), (1, &item["id"]));
    project.run(&["review", "my.toml", "--list"]).exits(0).says("a reader says cut");
    let settle = format!("{id}=cut");
    project
        .run(&["review", "my.toml", "--decide", &settle, "--by", "eve", "--adjudicate"])
        .exits(0);
    project.run(&["build", "my.toml", "--out", "settled"]).exits(0);
    assert_eq!(books("settled"), books("second"));
    project.write("decisions.jsonl", "keep it\n");
    project.run(&["build", "my.toml"]).exits(4).says("line 1: not a decision");
}

/// Decides the doubt about the preface; its id.
fn decide(project: &Project, choice: &str) -> String {
    let items = reviews(project, &["--list=open"]);
    let item = items.iter().find(|item| item["review"]["code"] == "preface").unwrap();
    let id = item["id"].as_str().unwrap().to_owned();
    let decide = format!("{id}={choice}");
    project.run(&["reviews", "my.toml", "--decide", &decide, "--by", "ann"]).exits(0);
    id
}

#[test]
fn a_decision_whose_text_changed_is_told_by_all_and_can_be_carried_over() {
    let project = project();
    project.write("decisions.jsonl", "");
    project.run(&["build", "my.toml"]).exits(0);
    let id = decide(&project, "cut");
    let build = |out: &str| project.run(&["build", "my.toml", "--out", out]).exits(0);
    let quiet = build("first");
    assert!(!quiet.err().contains("finds no item"), "{}", quiet.err());

    let page = project.read("books/mill.html");
    let told = "the decision `cut` on mill (preface)";
    // Far from the text that was decided about, a change is none of the decision's business.
    project
        .write("books/mill.html", page.replacen("<h2>CHAPTER 2</h2>", "<h2>CHAPTER TWO</h2>", 1));
    let plan = project.run(&["plan", "my.toml"]).exits(0);
    assert!(!plan.err().contains("decision"), "{}", plan.err());
    let same = build("same");
    assert!(!same.err().contains(told), "{}", same.err());

    project.write("books/mill.html", page.replace("how I came to write", "how we came to write"));
    project.run(&["plan", "my.toml"]).exits(0).says(told).says("will find no item");
    let plan = project.run(&["plan", "my.toml", "--format", "json"]).exits(0).out();
    let plan: Value = serde_json::from_str(&plan).unwrap();
    assert_eq!(plan["decisions"]["lapsed"][0]["item"], "mill");
    let found = build("second").says(told).says("finds no item");
    let open = reviews(&project, &["--list=open"]);
    let new = open.iter().find(|item| item["review"]["code"] == "preface").unwrap();
    let new = new["id"].as_str().unwrap();
    assert_ne!(new, id);
    found.says(&format!("storymill review my.toml --decide \"{}=cut\"", &new[..12]));
    project.run(&["reviews", "my.toml"]).exits(0).says(told);
    // It is told as long as it is so, and the difference has a cause for it.
    build("second").says(told);
    let ran = project.run(&["diff", "first", "second", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out()).unwrap();
    let causes = report["causes"].as_array().unwrap();
    let lapsed = causes.iter().find(|cause| cause["cause"] == "decisions-lapsed").unwrap();
    assert_eq!(
        (&lapsed["decisions"][0]["item"], &lapsed["decisions"][0]["code"]),
        (&"mill".into(), &"preface".into())
    );
    project.run(&["diff", "first", "second"]).says("finds no item any more");

    // Decided again, the new decision takes the place of the old one.
    assert_eq!(decide(&project, "cut"), new);
    let third = build("third");
    assert!(!third.err().contains("finds no item"), "{}", third.err());
}

#[test]
fn decisions_of_older_versions_still_hold() {
    let project = project();
    project.write("decisions.jsonl", "");
    project.run(&["build", "my.toml"]).exits(0);
    let items = reviews(&project, &[]);
    let item = items.iter().find(|item| item["review"]["code"] == "preface").unwrap();
    // They stood under a digest of everything that the item says, with sorted keys.
    let mut review = item["review"].clone();
    review.as_object_mut().unwrap().remove("passages");
    let former = blake3::hash(review.to_string().as_bytes()).to_hex();
    let line = serde_json::json!({ "review": former.as_str(), "choice": "cut", "by": "ann", "note": "", "replaces": [] });
    project.write("decisions.jsonl", format!("{line}\n"));
    let built = project.run(&["build", "my.toml"]).exits(0);
    assert!(!built.err().contains("finds no item"), "{}", built.err());
    project.run(&["reviews", "my.toml"]).exits(0).says("decided by ann: cut, not keep");
    // One more takes its place.
    let id = item["id"].as_str().unwrap();
    project.run(&["reviews", "my.toml", "--decide", &format!("{id}=keep")]).exits(0);
    project.run(&["build", "my.toml"]).exits(0);
    project.run(&["reviews", "my.toml"]).exits(0).says("decided by people: keep, not cut");
}

#[test]
fn reviews_are_listed_and_decided_before_the_build_is_whole() {
    let project = project();
    project.write("decisions.jsonl", "");
    let text = project.read("my.toml");
    let model =
        "[model.default]\nurl = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n\n[source.books.folder]";
    let asks = "[stage.summaries.summarize]\nfrom = \"scenes\"\n";
    let text = text
        .replace("[source.books.folder]", model)
        .replace("[stage.summaries.extract]\nfrom = \"scenes\"\n", asks);
    project.write("my.toml", text);
    project.run(&["build", "my.toml", "--frozen"]).exits(6);
    project.run(&["reviews", "my.toml"]).exits(0).says("still to be built").says("preface");
    project.write("my set.toml", project.read("my.toml"));
    project.run(&["reviews", "my set.toml"]).exits(0).says("`storymill plan 'my set.toml'`");
    decide(&project, "cut");
    project.run(&["reviews", "my.toml"]).exits(0).says("decided by ann: cut, not keep");
}

#[test]
fn a_file_of_decisions_with_almost_the_name_is_told_of() {
    let project = project();
    let plan = || project.run(&["plan", "my.toml"]).exits(0).err();
    // None that is named need be there before the first decision.
    assert!(!plan().contains("decisions.jsonl"));
    project.write("desicions.jsonl", "");
    assert!(plan().contains("did you mean `desicions.jsonl`?"));
    project.run(&["build", "my.toml"]).exits(0).says("did you mean `desicions.jsonl`?");
    project.write("decisions.jsonl", "");
    assert!(!plan().contains("did you mean"));
}

#[test]
fn a_shard_that_waits_for_others_says_so_with_its_own_code() {
    let project = Project::new();
    (0..6).for_each(|at| _ = project.book(&format!("b{at}"), 2));
    project.workflow(&[]);
    let shard = |shard: &str| project.run(&["build", "my.toml", "--shard", shard]);
    shard("1/2").exits(14).says("exit code 14").says("the other shards");
    project.run(&["reviews", "my.toml"]).exits(0).says("still to be built");
    project.run(&["explain", "exit-codes"]).exits(0).says("waits");
    assert!([0, 14].contains(&shard("2/2").code()));
    project.run(&["build", "my.toml"]).exits(0);
    shard("1/2").exits(0).says("which publishes it");
}

/// Three people, an adjudicator and a spreadsheet, all on one file.
#[test]
fn several_people_vote_and_a_dispute_is_settled() {
    let project = project();
    project.write("decisions.jsonl", "");
    let text = project.read("my.toml");
    let rule = "[review]\nvoters = 2\nadjudicators = [\"eve\"]\n\n[publish]";
    project.write("my.toml", text.replacen("[publish]", rule, 1));
    project
        .run(&["build", "my.toml", "--out", "first"])
        .exits(0)
        .says(" to look at: `storymill review my.toml`");
    let items = reviews(&project, &["--list=open"]);
    let item = items.iter().find(|item| item["review"]["code"] == "preface").unwrap();
    let id = item["id"].as_str().unwrap();
    let vote = |choice: &str, by: &str, more: &[&str]| {
        let decide = format!("{id}={choice}");
        let args = [&["review", "my.toml", "--decide", &decide, "--by", by][..], more].concat();
        project.run(&args)
    };
    let state = || {
        let items = reviews(&project, &[]);
        let item = items.iter().find(|item| item["id"] == id).unwrap();
        item["state"].as_str().unwrap().to_owned()
    };
    vote("cut", "", &[]).exits(4).says("nobody is named");
    vote("cut", "ann", &[]).exits(0);
    assert_eq!(state(), "open");
    vote("keep", "bob", &[]).exits(0);
    assert_eq!(state(), "disputed");
    // Who has not voted learns that people differ, and not who says what; who settles it learns that too.
    let listed = |more: &[&str]| {
        let said =
            project.run(&[&["review", "my.toml", "--list=disputed"], more].concat()).exits(0).out();
        let items = reviews(&project, &[&["--list=disputed"], more].concat());
        (said, items[0]["decisions"].as_array().unwrap().len())
    };
    for (more, sees, lines) in [
        (&[][..], false, 0),
        (&["--by", "cay"], false, 0),
        (&["--by", "bob"], true, 2),
        (&["--by", "eve"], true, 2),
    ] {
        let (said, count) = listed(more);
        assert_eq!((said.contains("ann says cut"), count), (sees, lines), "{more:?}: {said}");
        assert!(sees || said.contains("2 of 2 have voted"), "{said}");
    }
    vote("cut", "ann", &["--adjudicate"]).exits(4).says("may not settle");
    project.run(&["review", "my.toml", "--undo", "--by", "bob"]).exits(0).says("taken back");
    assert_eq!(state(), "open");

    // Bob goes on in a spreadsheet.
    project.run(&["review", "my.toml", "--export", "bob.csv", "--by", "bob"]).exits(0);
    let table = project.read("bob.csv");
    assert!(!table.contains("ann"), "{table}");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let head = reader.headers().unwrap().clone();
    let at = |name: &str| head.iter().position(|own| own == name).unwrap();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&head).unwrap();
    for row in reader.records().map(Result::unwrap) {
        let mut cells: Vec<&str> = row.iter().collect();
        if cells[at("review")] == id {
            cells[at("choice")] = "cut";
            cells[at("note")] = "=1+1";
        }
        writer.write_record(cells).unwrap();
    }
    let edited = String::from_utf8(writer.into_inner().unwrap()).unwrap();
    project.write("bob.csv", &edited);
    let import = ["review", "my.toml", "--import", "bob.csv", "--by", "bob"];
    project.run(&import).exits(0).says("1 line new");
    project.run(&import).exits(0).says("0 lines new");
    assert_eq!(state(), "decided");
    project.run(&["review", "my.toml", "--agreement"]).exits(0).says("ann and bob");

    vote("keep", "cay", &[]).exits(0);
    assert_eq!(state(), "decided");
    project.run(&["review", "my.toml", "--undo", "--by", "ann"]).exits(0);
    assert_eq!(state(), "disputed");
    vote("cut", "eve", &["--adjudicate"]).exits(0);
    assert_eq!(state(), "decided");
    project.run(&["build", "my.toml", "--out", "second"]).exits(0);
    let books =
        project.run(&["inspect", "second", "--config", "books-text", "--rows", "9", "--full"]);
    assert!(!books.exits(0).out().contains("how I came to write"));
}

/// Votes are a table like any other: `diff` tells which rows came, went and changed.
#[test]
fn votes_are_compared_row_by_row() {
    let project = Project::new();
    project.write("books/mill.html", doubtful("mill")).book("other", 3);
    project.workflow(&[("seed = 7\n", "seed = 7\ndecisions = [\"decisions.jsonl\"]\n")]);
    project.write("decisions.jsonl", "");
    let build = |out: &str| project.run(&["build", "my.toml", "--out", out]).exits(0);
    let diff = |old: &str, new: &str| {
        let ran = project.run(&["diff", old, new, "--format", "json"]);
        let report: Value = serde_json::from_str(&ran.out()).unwrap();
        let tables = report["rows"]["tables"].as_array().unwrap();
        let votes = tables.iter().find(|table| table["config"] == "votes");
        let rows = &votes.unwrap_or_else(|| panic!("{report}"))["splits"]["train"];
        ["added", "removed", "changed", "same"].map(|what| rows[what].as_u64().unwrap())
    };
    build("none");
    let items = project.run(&["review", "my.toml", "--list", "--format", "json"]).exits(0).out();
    let items: Vec<Value> = serde_json::from_str(&items).unwrap();
    let id = items.iter().find(|item| item["review"]["code"] == "preface").unwrap();
    let id = id["id"].as_str().unwrap();
    let decide = |choice: &str, by: &str| {
        let said = format!("{id}={choice}");
        project.run(&["review", "my.toml", "--decide", &said, "--by", by]).exits(0);
    };
    decide("keep", "ann");
    build("one");
    decide("cut", "ann");
    build("other");
    assert_eq!(diff("none", "one"), [1, 0, 0, 0]);
    // Who says something else casts another vote.
    assert_eq!(diff("one", "other"), [1, 1, 0, 0]);
    assert_eq!(diff("other", "other"), [0, 0, 0, 1]);
}

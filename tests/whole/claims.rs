//! `storymill claims`: a public set from a table to scores, and files that cannot be read.

use std::{
    fs,
    process::Stdio,
    sync::{Arc, Mutex},
    time::Duration,
};

use crate::{
    models::Server,
    project::{Project, sets},
};

/// Ten pairs on two small books; marker words stand in every claim.
fn table() -> String {
    let mut text = "book,true_claim,false_claim,explanation,true_scope,false_scope\n".to_owned();
    for (at, colour) in ["red", "green", "blue", "white", "black"].iter().enumerate() {
        for book in ["b1", "b2"] {
            text += &format!(
                "{book},\"Anna Brook wears the {colour} zqxcoat, number {at}, in {book}.\",\"Anna Brook wears the grey zqxcoat, number {at}, in {book}.\",It is {colour}.,sentence,passage\n"
            );
        }
    }
    text
}

pub(crate) fn set() -> Project {
    let project = Project::new();
    let text = |book: &str| {
        let line = |at: usize| {
            format!("Anna Brook walked down to the harbour for the {at}th time in {book}.")
        };
        (0..200).map(line).collect::<Vec<_>>().join("\n\n")
    };
    project.write("texts/b1.txt", text("b1")).write("texts/b2.txt", text("b2"));
    project.write("claims.csv", table());
    project
        .run(&["claims", "import", "claims.csv", "--into", "set", "--books", "texts"])
        .exits(0)
        .says("10 pairs added, 0 changed, 0 as they were; 10 in all");
    project
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_set_goes_from_a_table_to_scores() {
    let project = set();
    project
        .run(&["claims", "import", "claims.csv", "--into", "set"])
        .exits(0)
        .says("0 pairs added, 0 changed, 10 as they were");
    assert!(
        project.read("set/books.jsonl").contains("\"words\":2600"),
        "{}",
        project.read("set/books.jsonl")
    );
    let lint = project.run(&["claims", "lint", "set", "--format", "json"]);
    assert!([0, 13].contains(&lint.code()) && !lint.out().contains("zqx"));
    let balance = json(
        &project.run(&["claims", "lint", "set", "--balance", "--format", "json"]).exits(0).out(),
    );
    assert_eq!(
        (balance["pairs"].as_u64(), balance["shortcut"]["pairs"].as_u64()),
        (Some(10), Some(10))
    );

    // A model that knows the true claims of one book, and says true to all others too.
    let server = Server::scripted(Duration::ZERO, |_, said| {
        let knows = said.contains("grey zqxcoat") && said.contains(", in b1.");
        let said = if knows { "FALSE" } else { "TRUE" };
        format!("<explanation>The claim is {said}.</explanation><answer>{said}</answer>")
    });
    models(&project, server.port);
    let told = project.run(&["evaluate", "set"]).exits(0).says("5 of 10 (50.0 %)");
    assert_eq!(server.asked(), 20);
    drop(told);
    let report = report(&project, &["results/set-teller"]);
    let part = &report["parts"][0];
    assert_eq!((&part["name"], &part["measure"]), (&"pairs".into(), &"pair-accuracy".into()));
    let cell = &part["systems"][0]["cell"];
    assert_eq!((&cell["questions"], &cell["value"]), (&10.into(), &0.5.into()));
    // Of so few books no interval is drawn.
    assert_eq!(cell["low"], serde_json::Value::Null);
    assert_eq!(groups(part), ["length: below 75k", "scope: passage"]);
    // Every explanation gives the answer in its first sentence.
    let claims = &report["parts"][1]["systems"][0];
    assert_eq!(
        (&claims["measures"]["early"], &claims["measures"]["explained"]),
        (&1.0.into(), &1.0.into())
    );
    assert_eq!(claims["measures"]["contradicted"], 0.0);
    let twins = groups(&report["parts"][1]);
    assert!(
        twins.contains(&"claim: true".to_owned()) && twins.contains(&"claim: false".to_owned())
    );
    // Nothing is asked twice, and another form of prompt is another system.
    project.run(&["evaluate", "set"]).exits(0);
    assert_eq!(server.asked(), 20);
    project.run(&["evaluate", "set", "--form", "answer-only", "--out", "results/short"]).exits(0);
    let both = self::report(&project, &["results/set-teller", "results/short"]);
    assert_eq!(both["models"], serde_json::json!(["teller", "teller answer-only"]));
    assert!(groups(&both["parts"][0]).contains(&"asked of: all models".to_owned()));
    // Fewer questions are whole pairs.
    project
        .run(&["evaluate", "set", "--questions", "5", "--out", "results/few"])
        .exits(0)
        .says("of 3 (");
    project
        .run(&["evaluate", "set", "--split", "test"])
        .exits(2)
        .says("no configs, splits or columns");
    project.run(&["evaluate", "set", "--form", "long"]).exits(2);
}

fn models(project: &Project, port: u16) {
    let text = format!(
        "[model.default]\nurl = \"http://127.0.0.1:{port}/v1\"\nmodel = \"teller\"\nconcurrency = 4\n"
    );
    project.write("models.toml", text);
}

fn report(project: &Project, results: &[&str]) -> serde_json::Value {
    let args = [&["report"], results, &["--out", "r.html", "--format", "json"]].concat();
    json(&project.run(&args).exits(0).out())
}

fn groups(part: &serde_json::Value) -> Vec<String> {
    let groups = part["facets"]["groups"].as_array().unwrap().iter();
    groups.map(|group| group["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn claims_are_put_in_forms_and_windows_are_kept() {
    let project = set();
    let said: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&said);
    let server = Server::scripted(Duration::ZERO, move |_, body| {
        kept.lock().unwrap().push(body.to_owned());
        "<answer>TRUE</answer>".to_owned()
    });
    models(&project, server.port);
    let run = |more: &[&str]| project.run(&[&["evaluate", "set"], more].concat());
    let heard = || std::mem::take(&mut *said.lock().unwrap());
    run(&["--setting", "retrieved-2", "--book-order"]).exits(0);
    let prompts = heard();
    assert_eq!(prompts.len(), 20);
    assert!(prompts.iter().all(|one| {
        one.contains("<excerpt_2>")
            && !one.contains("<excerpt_3>")
            && one.contains("in the order of the book")
    }));
    // Nothing says which claims are twins, or which of two is true.
    run(&[]).exits(0);
    assert!(heard().iter().all(|one| !one.contains("b1/0001") && !one.contains("explain-first")));
    run(&["--window", "1000"]).exits(0).says("20 does-not-fit").says("0 of 20");
    run(&["--window", "1000", "--plan"]).exits(0).says("20 of 20 do not fit 1,000 tokens");
    assert!(heard().is_empty());
    project.write("own.txt", "[book_text] {{ claim }}");
    run(&["--prompt", "own.txt"]).exits(4).says("both slots");
    project.write("own.txt", "<b>[book_text]</b> [claim]");
    run(&["--prompt", "own.txt"]).exits(0);
    assert!(heard().iter().all(|one| one.contains("<b>Anna Brook walked")));
}

#[test]
fn asking_is_planned_limited_killed_and_resumed_as_a_build_is() {
    let (project, server) = (set(), Server::start(0, Duration::from_millis(40)));
    models(&project, server.port);
    project.write("prices.toml", "[\"teller\"]\ninput = 100.0\noutput = 100.0\n");
    let ask = ["evaluate", "set"];
    let plan = [&ask[..], &["--plan", "--prices", "prices.toml"]].concat();
    project.run(&plan).exits(0).says("20 requests").says("about $");
    assert!(server.asked() == 0 && !project.path("results/set-teller").exists());
    project.run(&[&ask[..], &["--max-requests", "3"]].concat()).exits(8).says("limit");
    assert_eq!(server.asked(), 3);

    let mut child =
        project.command(&ask).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while server.asked() < 9 {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    project.run(&ask).exits(0).says("of 10 (");
    // What was on its way is asked again: at most as many as were asked side by side.
    assert!(server.asked() <= 24, "{}", server.asked());
}

#[test]
fn second_readers_are_compared() {
    let project = set();
    project.write("votes.csv", "pair,claim,annotator,verdict,scope\nb1/0001,true,ann,true,sentence\nb1/0001,true,bob,false,global\n");
    let import = ["review", "set", "--import", "votes.csv"];
    project.run(&import).exits(0).says("4 lines new");
    project.run(&import).exits(0).says("0 lines new");
    project.run(&["review", "set", "--agreement"]).exits(0).says("claim-verdict").says("(0 of 1)");
    let list = project.run(&["review", "set", "--list"]).exits(0).says("2 decisions").out();
    assert!(list.contains("b1/0001/true  claim-disputed") && list.contains("zqxcoat"), "{list}");
    // Who votes again takes the place of their own vote alone.
    project.write("votes.csv", "pair,claim,reader,verdict\nb1/0001,true,bob,true\n");
    project.run(&import).exits(0).says("1 line new");
    project.run(&["review", "set", "--list"]).exits(0).says("1 decision");
    project.write("votes.csv", "pair,claim,reader,verdict\nAnna zqx,true,ann,true\n");
    let bad = project.run(&import).exits(4).says("row 2, `pair`");
    assert!(!bad.err().contains("zqx"));
}

/// Every file here holds the marker word; no message may.
#[test]
fn bad_files_are_told_without_a_word_of_them() {
    let project = set();
    let before = project.read("set/pairs.jsonl");
    let head = "book,true_claim,false_claim\n";
    let cases: [(&str, String, &str); 21] = [
        ("a.csv", format!("{head}b1,\"Anna zqx,Anna.\nb1,x,y\n"), "row 2, column 2: a quotation mark opens here"),
        ("a.csv", format!("{head}b1,\"Anna\" zqx,y\n"), "row 2, column 2: something stands behind"),
        ("a.csv", format!("{head}b1,Anna \"zqx\" y,y\n"), "row 2, column 2: a quotation mark inside"),
        ("a.csv", format!("{head}b1,“Anna zqx, and”,y\n"), "row 2, column 2: the cell begins with a typographic"),
        ("a.csv", format!("{head}b1,Anna, zqx,y\n"), "row 2: the row has 4 cells, the head 3"),
        ("a.csv", format!("{head}b1,#REF!,zqx\n"), "row 2, column 2: an error value"),
        ("a.csv", format!("{head}b9,Anna zqx,y\n"), "row 2, `book`: the set has no text of this book"),
        ("a.csv", format!("{head}Anna zqx,Anna,y\n"), "row 2, `book`: is not an id of a book"),
        ("a.csv", format!("{head}b1,Anna zqx,\n"), "row 2, `false_claim`: is missing"),
        ("a.csv", "book,true_claim,fasle_claim\nb1,x zqx,y\nb1,z,y\n".into(), "the column `false_claim` is missing"),
        ("a.csv", "Anna zqx,y\nb1,x\n".into(), "no column of the head is known"),
        ("a.csv", format!("id,{head}Anna zqx.,b1,x,y\n"), "row 2, `id`: is not an id of a pair"),
        ("a.csv", format!("id,{head}b1/7,b1,zqx,y\nb1/7,b1,z,y\n"), "row 3, `id`, pair b1/7: the id stands a second time"),
        ("a.csv", format!("consent,{head}zqx,b1,x,y\n"), "row 2, `consent`: must be true or false"),
        ("a.csv", "book,index,claim,type\nb1,3,Anna zqx.,true\n".into(), "row 2, pair b1/0003: a claim without its twin: the false claim is missing"),
        ("a.csv", "book,index,claim,type\nb1,3,Anna zqx.,true\nb1,3,Anna.,true\n".into(), "the pair has its true claim already, in row 2"),
        ("a.csv", String::new(), "the file is empty"),
        ("a.jsonl", "{\"book\":\"b1\",\"true_claim\":\"zqx\"\n".into(), "row 1: no JSON"),
        ("a.jsonl", "{\"book\":\"b1\",\"true_claim\":\"zqx\",\"false_claim\":{\"zqx\":1}}\n".into(), "row 1, `false_claim`: must be text"),
        ("a.jsonl", "{\"book\":\"b1\",\"true_claim\":\"zqx\",\"false_claim\":\"y\",\"true_evidence\":\"zqx-3\"}\n".into(), "`true_evidence`: must be stretches"),
        ("a.json", "{\"zqx\":[]}".into(), "must be a JSON list"),
    ];
    for (name, content, expect) in cases {
        project.write(name, &content);
        let ran = project.run(&["claims", "import", name, "--into", "set"]).exits(4).says(expect);
        assert!(!format!("{}{}", ran.out(), ran.err()).contains("zqx"), "{expect}: {}", ran.err());
        assert_eq!(project.read("set/pairs.jsonl"), before, "{expect}");
    }
    project.write("a.csv", "book,true_claim,fasle_claim\nb1,x,y\nb1,z,y\n");
    let ran = project.run(&["claims", "import", "a.csv", "--into", "set"]);
    let meant = "row 1, column 3: no column of this name is known, so it is left out; did you mean `false_claim`?";
    let ran = ran.exits(4).says(meant);
    assert_eq!(ran.err().matches("is missing").count(), 1, "{}", ran.err());
    project.write("a.csv", [0xff_u8, 0xfe, 0x00, 0x41]);
    project.run(&["claims", "import", "a.csv", "--into", "set"]).exits(4).says("UTF-16");
    project.write("a.csv", [b'a', 0xff, b'\n']);
    project
        .run(&["claims", "import", "a.csv", "--into", "set"])
        .exits(4)
        .says("line 1 is not UTF-8");
    project
        .run(&["claims", "import", "a.txt", "--into", "set"])
        .exits(2)
        .says(".csv, .tsv, .jsonl or .json");
    project.run(&["claims", "lint", "nowhere"]).exits(4).says("`pairs.jsonl` is missing");
    project.write(
        "a.jsonl",
        "{\"system\":\"s\",\"pair\":\"b1/9999\",\"claim\":\"true\",\"answer\":\"zqx\"}\n",
    );
    let ran = project
        .run(&["evaluate", "set", "--responses", "a.jsonl"])
        .exits(15)
        .says("no answer is to a pair that the set has");
    assert!(!ran.err().contains("zqx"));
    project.write("set/pairs.jsonl", before.replacen("\"book\"", "\"zqx", 1));
    let ran = project.run(&["claims", "lint", "set"]).exits(4).says("row 1: no JSON");
    assert!(!ran.err().contains("zqx"));
}

#[test]
fn nochas_sample_is_imported_and_scored() {
    for golden in sets("nocha") {
        sample_is_scored(&golden);
    }
}

fn sample_is_scored(golden: &std::path::Path) {
    let expected = json(&fs::read_to_string(golden.join("expected.json")).unwrap());
    let (pairs, systems) = (&expected["pairs"], &expected["all_books_in_file"]);
    let project = Project::new();
    let path = |name: &str| golden.join(name).display().to_string();
    let sample = path("data_sample_shared.json");
    project
        .run(&["claims", "import", &sample, "--into", "nocha", "--books", &path("books")])
        .exits(0)
        .says(&format!("{pairs} pairs added"));
    project
        .run(&["claims", "lint", "nocha"])
        .exits(0)
        .says(&format!("{pairs} pairs, 0 with an error"))
        .says("`--all` lists every finding");
    // What is no error is counted; each of it stands in the list of all.
    let lint = project.run(&["claims", "lint", "nocha"]).out();
    let all = project.run(&["claims", "lint", "nocha", "--all"]).exits(0).out();
    assert!(!lint.contains("/0") && all.contains("/0") && all.ends_with(&lint), "{lint}\n{all}");
    // From its files to a report in three commands, with the answers that the file has.
    project.run(&["evaluate", "nocha", "--responses", &sample]).exits(0);
    let report = report(&project, &["results/nocha-responses"]);
    let part = &report["parts"][0];
    let named = |name: &str| {
        let mut systems = part["systems"].as_array().unwrap().iter();
        systems.find(|one| one["model"] == name).cloned()
    };
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    for (name, own) in systems.as_object().unwrap() {
        let total = own["pairs_total"].as_u64().unwrap();
        let found = named(name).map(|system| system["cell"].clone()).unwrap_or_default();
        assert_eq!(found["questions"].as_u64().unwrap_or(0), total, "{name}");
        if total > 0 {
            let right = number(&found["value"]) * number(&found["questions"]);
            assert!((right - number(&own["pairs_correct"])).abs() < 1e-3, "{name}");
        }
    }
    // The names of NoCha's README are read too, and told.
    let text =
        fs::read_to_string(&sample).unwrap().replace("\"length_group\"", "\"length_bucket\"");
    project.write("readme.json", text.replace("\"type\": false", "\"type\": \"False\""));
    project
        .run(&["claims", "import", "readme.json", "--into", "nocha"])
        .exits(0)
        .says("`length_bucket`")
        .says("`type` is text")
        .says(&format!("{pairs} as they were"));
}

#[test]
fn retellings_become_proposals() {
    let project = Project::new();
    project.workflow(&[]).book("b1", 4).book("b2", 4);
    project.run(&["build", "my.toml"]).exits(0);
    project
        .run(&["claims", "draft", "out/mine", "--out", "drafts.jsonl"])
        .exits(0)
        .says("for people to take");
    let drafts = project.read("drafts.jsonl");
    let pair = drafts
        .lines()
        .map(json)
        .find(|line| line["review"]["code"] == "claim-pair-proposed")
        .unwrap();
    assert_eq!(pair["pair"]["model_written"], true);
    assert_ne!(pair["pair"]["true_claim"], pair["pair"]["false_claim"]);
    project
        .run(&["claims", "draft", "out/mine", "--config", "scenes", "--out", "x.jsonl"])
        .exits(4)
        .says("no summaries");
}

#[test]
fn a_set_is_read_back_and_corrected_by_the_ids_of_its_pairs() {
    let project = set();
    let table = project.run(&["claims", "export", "set"]).exits(0).out();
    assert!(table.starts_with("\"id\",\"book\",") && table.lines().count() == 11, "{table}");
    for name in ["pairs.csv", "pairs.tsv", "pairs.jsonl", "pairs.json"] {
        project
            .run(&["claims", "export", "set", "--out", name])
            .exits(0)
            .says(&format!("10 pairs of set written to {name}"));
        project
            .run(&["claims", "import", name, "--into", "set"])
            .exits(0)
            .says("0 pairs added, 0 changed, 10 as they were");
    }
    assert_eq!(project.read("pairs.csv"), table);
    project.run(&["claims", "export", "set", "--out", "pairs.txt"]).exits(2).says(".csv, .tsv");
    project.run(&["claims", "export", "nowhere"]).exits(4);
    // With its id a pair is rewritten whole; without it that is a new pair, which is said.
    let all_new = table.replace("Anna Brook wears the red", "Bob Lane wears a red");
    let all_new = all_new.replace("Anna Brook wears the grey zqxcoat, number 0", "Bob Lane sits");
    project
        .write("new.csv", all_new)
        .run(&["claims", "import", "new.csv", "--into", "set"])
        .exits(0)
        .says("0 pairs added, 2 changed, 8 as they were");
    project.write("none.csv", "book,true,false\nb1,Eve rang the bell.,Eve sold the bell.\n");
    project
        .run(&["claims", "import", "none.csv", "--into", "set", "--update"])
        .exits(0)
        .says("1 pair added")
        .says("no pair has a claim of row 2: added as new; give `id` to replace one (it is b1/0006 now)")
        .says("claims list SET");
    let again = project.run(&["claims", "import", "none.csv", "--into", "set", "--update"]);
    assert!(!again.exits(0).err().contains("row 2"));
    project
        .run(&["claims", "list", "set"])
        .exits(0)
        .says("b1/0006  b1    in the set  Eve rang the bell.")
        .says("Anna Brook wears the green zqxcoat, number 1, …")
        .says("set: 11 pairs");
    project.run(&["claims", "list", "set", "b1/0006"]).exits(0).says("false_claim       Eve sold");
    let reason = ["--reason", "it never rang"];
    project.run(&[&["claims", "remove", "set", "b1/0006"], &reason[..]].concat()).exits(0);
    project.run(&["claims", "list", "set"]).exits(0).says("removed on ").says("10 pairs");
    project.run(&["claims", "list", "set", "b1/0006"]).exits(4).says("no pair of this id");
}

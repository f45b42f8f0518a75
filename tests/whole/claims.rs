//! `storymill claims`: a public set from a table to scores, and files that cannot be read.

use std::{fs, process::Stdio, time::Duration};

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
    let balance =
        json(&project.run(&["claims", "balance", "set", "--format", "json"]).exits(0).out());
    assert_eq!(
        (balance["pairs"].as_u64(), balance["shortcut"]["pairs"].as_u64()),
        (Some(10), Some(10))
    );

    project
        .run(&[
            "claims",
            "requests",
            "set",
            "--model",
            "m",
            "--out",
            "bundle",
            "--bundle-key",
            "key.jsonl",
            "--provider",
            "lab",
            "--date",
            "2026-11-21",
        ])
        .exits(0)
        .says("20 requests under explain-first@");
    let (bundle, key) = (project.read("bundle/requests.jsonl"), project.read("key.jsonl"));
    let description = json(&project.read("bundle/bundle.json"));
    assert_eq!(description["digest"], blake3::hash(bundle.as_bytes()).to_string());
    // Nothing in the bundle tells pairs or truth.
    assert!(
        !bundle.contains("b1/0001") && !bundle.contains("\"claim\"") && bundle.contains("zqxcoat")
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(project.path("key.jsonl")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    // A runner that knows the key for the true claims, and says true to all others too.
    let answers: String = key
        .lines()
        .map(|line| {
            let line = json(line);
            let said = if line["pair"].as_str().unwrap().starts_with("b1") { line["claim"].as_str().unwrap() } else { "true" };
            let content = format!("<explanation>The claim is {said}.</explanation><answer>{said}</answer>");
            serde_json::json!({"custom_id": line["custom_id"], "response": {"status_code": 200, "body": {"choices": [{"message": {"content": content}}]}}, "error": null}).to_string() + "\n"
        })
        .collect();
    project.write("out.jsonl", &answers);
    let score =
        ["claims", "score", "set", "out.jsonl", "--bundle-key", "key.jsonl", "--system", "a|<b>"];
    let scores = json(&project.run(&[&score[..], &["--format", "json"]].concat()).exits(0).out());
    let system = &scores["systems"][0];
    assert_eq!(system["all"]["accuracy"]["pairs"], serde_json::json!({"correct": 5, "total": 10}));
    // Of so few books no interval is drawn.
    assert_eq!(system["all"]["interval"], serde_json::Value::Null);
    assert_eq!(system["all"]["no_interval"], "none: fewer than 5 books");
    assert_eq!(system["explanations"]["early"], 20);
    assert!(system["prompt"].as_str().unwrap().starts_with("explain-first@"));
    let passage =
        system["cuts"].as_array().unwrap().iter().find(|cut| cut["by"] == "scope").unwrap();
    assert_eq!(passage["value"], "passage");
    project.run(&score).exits(0).says("a\\|&lt;b&gt;").says("5/10 (50.0 %)");
    project.run(&[&score[..], &["--format", "html"]].concat()).exits(0).says("a|&lt;b&gt;");
    project.run(&score[..4]).exits(4).says("names the key that `storymill claims requests` wrote");
    // The provider has seen all of them.
    project
        .run(&[&score[..], &["--unexposed", "lab", "--format", "json"]].concat())
        .exits(0)
        .says("\"left_out\": 10");
    project
        .run(&[&score[..], &["--unexposed", "lab:2026-01-01", "--format", "json"]].concat())
        .exits(0)
        .says("\"left_out\": 0");
}

#[test]
fn requests_keep_windows_and_show_excerpts() {
    let project = set();
    let requests = ["claims", "requests", "set", "--model", "m"];
    project
        .run(
            &[
                &requests[..],
                &["--out", "x", "--bundle-key", "x.key", "--show", "bm25:2", "--book-order"],
            ]
            .concat(),
        )
        .exits(0)
        .says("excerpts@")
        .says("bm25:2-in-book-order");
    let first = json(project.read("x/requests.jsonl").lines().next().unwrap());
    let prompt = first["body"]["messages"][0]["content"].as_str().unwrap();
    assert!(prompt.contains("<excerpt_2>") && !prompt.contains("<excerpt_3>"), "{prompt}");
    project
        .run(
            &[&requests[..], &["--out", "y", "--bundle-key", "y.key", "--window", "1000"]].concat(),
        )
        .exits(4)
        .says("0 requests")
        .says("20 not asked")
        .says("no claim fits the window of 1000 tokens");
    project
        .run(&[&requests[..], &["--out", "y", "--bundle-key", "z.key"]].concat())
        .exits(4)
        .says("already exists");
    project
        .run(
            &[&requests[..], &["--out", "z", "--bundle-key", "z.key", "--show", "bm25:0"]].concat(),
        )
        .exits(2);
    project.write("own.txt", "[book_text] {{ claim }}");
    project
        .run(
            &[&requests[..], &["--out", "z", "--bundle-key", "z.key", "--prompt", "own.txt"]]
                .concat(),
        )
        .exits(4)
        .says("both slots");
    project.write("own.txt", "<b>[book_text]</b> [claim]");
    project
        .run(
            &[&requests[..], &["--out", "z", "--bundle-key", "z.key", "--prompt", "own.txt"]]
                .concat(),
        )
        .exits(0)
        .says("own@");
}

#[test]
fn asking_is_planned_limited_killed_and_resumed_as_a_build_is() {
    let (project, server) = (set(), Server::start(0, Duration::from_millis(40)));
    project
        .run(&["claims", "requests", "set", "--model", "m", "--out", "b", "--bundle-key", "k"])
        .exits(0);
    project.write(
        "models.toml",
        format!(
            "[model.default]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"teller\"\nconcurrency = 4\n",
            server.port
        ),
    );
    project.write("prices.toml", "[\"teller\"]\ninput = 100.0\noutput = 100.0\n");
    let ask = ["claims", "ask", "--bundle", "b", "--models", "models.toml", "--out", "out.jsonl"];
    let plan = [&ask[..], &["--plan", "--prices", "prices.toml"]].concat();
    let told = project.run(&plan).exits(0).says("20 requests,").says("in all about 20 requests");
    assert!(told.out().contains("about $") && !told.out().contains("pilot"), "{}", told.out());
    assert!(server.asked() == 0 && !project.path("out.jsonl").exists());
    project.run(&[&ask[..], &["--max-requests", "3"]].concat()).exits(8).says("limit");
    assert_eq!(server.asked(), 3);

    let mut child = project.command(&ask).stderr(Stdio::null()).spawn().unwrap();
    while server.asked() < 9 {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    project.run(&plan).exits(0);
    project.run(&ask).exits(0).says("20 answers of `teller`");
    // What was on its way is asked again: at most as many as were asked side by side.
    assert!(server.asked() <= 24, "{}", server.asked());
    let answers = project.read("out.jsonl");
    let ids: Vec<_> = answers.lines().skip(1).map(|line| json(line)["custom_id"].clone()).collect();
    let requests = project.read("b/requests.jsonl");
    let asked: Vec<_> = requests.lines().map(|line| json(line)["custom_id"].clone()).collect();
    assert_eq!(ids, asked, "each request has its answer, in the order of the bundle");
    let score = ["claims", "score", "set", "out.jsonl", "--bundle-key", "k"];
    project.run(&score).exits(0).says("| teller |");
}

#[test]
fn a_bundle_without_requests_has_answers_of_none() {
    let (project, server) = (set(), Server::start(0, Duration::ZERO));
    let make = ["claims", "requests", "set", "--model", "m", "--out", "b", "--bundle-key", "k"];
    project.run(&[&make[..], &["--window", "1000"]].concat()).exits(4).says("20 not asked");
    let url = format!("http://127.0.0.1:{}/v1", server.port);
    project.write("models.toml", format!("[model.default]\nurl = \"{url}\"\nmodel = \"teller\"\n"));
    let ask = ["claims", "ask", "--bundle", "b", "--models", "models.toml", "--out", "out.jsonl"];
    project.run(&[&ask[..], &["--plan"]].concat()).exits(0).says("no model is asked");
    project.run(&ask).exits(0).says("0 answers of `teller`");
    assert_eq!(project.read("out.jsonl").lines().count(), 1);
}

#[test]
fn second_readers_are_compared() {
    let project = set();
    project.write("votes.csv", "pair,claim,annotator,verdict,scope\nb1/0001,true,ann,true,sentence\nb1/0001,true,bob,false,global\n");
    project
        .run(&["claims", "agreement", "set", "votes.csv", "--reviews", "disputed.jsonl"])
        .exits(0)
        .says("0 of 1 couples of votes on 1 claim agree")
        .says("b1/0001/true  claim-disputed")
        .says("2 points disputed");
    assert!(project.read("disputed.jsonl").contains("zqxcoat"));
    project.write("votes.csv", "pair,claim,reader,verdict\nAnna zqx,true,ann,true\n");
    let bad =
        project.run(&["claims", "agreement", "set", "votes.csv"]).exits(4).says("row 2, `pair`");
    assert!(!bad.err().contains("zqx"));
}

/// Every file here holds the marker word; no message may.
#[test]
fn bad_files_are_told_without_a_word_of_them() {
    let project = set();
    let before = project.read("set/pairs.jsonl");
    let head = "book,true_claim,false_claim\n";
    let cases: [(&str, String, &str); 20] = [
        ("a.csv", format!("{head}b1,\"Anna zqx,Anna.\nb1,x,y\n"), "row 2, column 2: a quotation mark opens here"),
        ("a.csv", format!("{head}b1,\"Anna\" zqx,y\n"), "row 2, column 2: something stands behind"),
        ("a.csv", format!("{head}b1,Anna \"zqx\" y,y\n"), "row 2, column 2: a quotation mark inside"),
        ("a.csv", format!("{head}b1,“Anna zqx, and”,y\n"), "row 2, column 2: the cell begins with a typographic"),
        ("a.csv", format!("{head}b1,Anna, zqx,y\n"), "row 2: the row has 4 cells, the head 3"),
        ("a.csv", format!("{head}b1,#REF!,zqx\n"), "row 2, column 2: an error value"),
        ("a.csv", format!("{head}b9,Anna zqx,y\n"), "row 2, `book`: the set has no text of this book"),
        ("a.csv", format!("{head}Anna zqx,Anna,y\n"), "row 2, `book`: is not an id of a book"),
        ("a.csv", format!("{head}b1,Anna zqx,\n"), "row 2, `false_claim`: is missing"),
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
        .run(&["claims", "score", "set", "a.jsonl"])
        .exits(4)
        .says("pair b1/9999: no answer is to a pair that the set has");
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
    // The closed models of the paper; any two of the small set.
    let closed = ["response-gpt4o", "response-claude", "response-careful", "response-careless"];
    let closed: Vec<_> = closed.into_iter().filter(|name| systems.get(name).is_some()).collect();
    let row = |name: &str| {
        let of = &systems[name];
        format!("| {name} |  | {}/{} (", of["pairs_correct"], of["pairs_total"])
    };
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
        .says(&format!("{pairs} pairs, 0 with an error"));
    project
        .run(&["claims", "score", "nocha", &sample, "--common", closed[0]])
        .exits(0)
        .says(&row(closed[0]))
        .says(&row(closed[1]));
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
        .says("row 2: no pair of the set has its id or one of its claims, so it is a new pair: b1/0006")
        .says("claims export SET");
    let again = project.run(&["claims", "import", "none.csv", "--into", "set", "--update"]);
    assert!(!again.exits(0).err().contains("row 2"));
}

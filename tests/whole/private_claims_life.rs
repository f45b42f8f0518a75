//! Years of a private set: pairs that come, go and change, many of them, stories, and maintainers who leave.

use std::{fs, time::Duration};

use serde_json::{Value, json};

use crate::{
    leaks::{MARKS, Private, files, marked},
    models::Server,
    private_claims::{at, cat, models, set, table},
};

#[test]
fn pairs_come_go_and_change_and_what_was_answered_stays_scorable() {
    let server = Server::start(0, Duration::ZERO);
    let private = set();
    let models = models(&private, server.port);
    let run = |args: &[&str]| private.run(&cat(args));
    let evaluate = ["evaluate", "family", "--models", &models];
    run(&evaluate).exits(0).says("of 10 (");
    private
        .run(&[
            "shelf",
            "state",
            "family",
            "--version",
            "1.0.0",
            "--out",
            "tmp/one",
            "--key",
            "ann.key",
        ])
        .exits(0);
    private
        .run(&[
            "shelf",
            "state",
            "family",
            "--version",
            "1.0.0",
            "--out",
            "tmp/two",
            "--key",
            "ann.key",
        ])
        .exits(0)
        .says("made before, and nothing has changed since");
    assert_eq!(private.project.read("tmp/one"), private.project.read("tmp/two"));
    for name in ["tmp/one", "tmp/two"] {
        fs::remove_file(private.project.path(name)).unwrap();
    }
    // A pair goes: the set is scored as before, without it.
    run(&["claims", "remove", "family", "n01/0004", "--reason", " "]).exits(4);
    run(&["claims", "remove", "family", "n01/0044", "--reason", "gone"])
        .exits(4)
        .says("no pair of this id");
    run(&["claims", "remove", "family", "n01/0004", "--reason", "two events in one"])
        .exits(0)
        .says("n01/0004 removed; 9 pairs are left")
        .says("says the reason to everybody");
    let asked = server.asked();
    run(&evaluate).exits(0).says("of 9 (");
    assert_eq!(server.asked(), asked);
    private
        .run(&[
            "shelf",
            "state",
            "family",
            "--retire",
            "n01/0005",
            "--reason",
            "subjective",
            "--key",
            "ann.key",
        ])
        .exits(0);
    private
        .run(&["shelf", "state", "family", "--version", "1.1.0", "--key", "ann.key"])
        .exits(4)
        .says("n01/0005");
    run(&evaluate).exits(0).says("of 8 (");
    private
        .run(&["shelf", "state", "family", "--retire", "n01/0005", "--undo", "--key", "ann.key"])
        .exits(0);
    private.run(&["shelf", "state", "family", "--version", "1.1.0", "--key", "ann.key"]).exits(0);
    // A pair is written anew without its id: by the claim that it still has.
    let row = self::table(6, 1).replace(" pounds", " guineas").replace("n01/0006,n01", ",n01");
    let row = at(&private, "new.csv", row);
    run(&["claims", "import", &row, "--into", "family"])
        .exits(4)
        .says("shares a claim with the pair n01/0006")
        .says("--update");
    run(&["claims", "import", &row, "--into", "family", "--update"])
        .exits(0)
        .says("0 pairs added, 1 changed");
    // Only the claim that was written anew is asked.
    run(&evaluate).exits(0).says("of 9 (");
    assert_eq!(server.asked(), asked + 1);
    run(&["review", "family", "--queue", "claims", "--list"]).exits(0).says("nothing is doubtful");
    fs::remove_dir_all(private.project.path("tmp")).unwrap();
    fs::create_dir(private.project.path("tmp")).unwrap();
    private.keeps_quiet();
}

#[test]
fn stories_of_a_private_collection_are_found_by_its_headings() {
    let private = Private::new(1, 1);
    let prose = |word: &str| {
        format!("{} and so it went on for a while.\n\n", format!("{word} ").repeat(40)).repeat(12)
    };
    let page = format!(
        "<html><head><title>Tales</title></head><body><h2>The Door</h2>{}<h2>I. The Lamp</h2><h3>I</h3>{}<h3>II</h3>{}<h2>The Sea</h2>{}</body></html>",
        html(&prose("door")),
        html(&prose("lamp")),
        html(&prose("light")),
        html(&prose("sea")),
    );
    let path = at(&private, "tales.html", page);
    private.run(&["shelf", "add", &path, "--key", "ann.key"]).exits(0);
    let run = |args: &[&str]| private.run(&cat(args));
    let head = "id,book,story,true_claim,false_claim\n";
    let none = at(
        &private,
        "claims.csv",
        format!("{head}tales/0001,tales,The Cat,Ann paid.,Carl paid.\n"),
    );
    run(&["claims", "import", &none, "--into", "family"]).exits(4).says(
        "pair tales/0001: names a story that is not a heading of its book; `storymill shelf list",
    );
    let near = format!("{head}tales/0001,tales,The Lmap,Ann paid.,Carl paid.\n");
    let near = at(&private, "claims.csv", near);
    let said = run(&["claims", "import", &near, "--into", "family"]).exits(4);
    assert!(!said.says("did you mean heading 2? ").text.contains("The Lamp"));
    // A book that everybody may have is told of.
    let open =
        ["shelf", "add", &path, "--key", "ann.key", "--rights", "public-domain", "--id", "open"];
    private.run(&open).exits(0);
    let near = format!("{head}open/0001,open,The Lmap,Ann paid.,Carl paid.\n");
    run(&["claims", "import", &at(&private, "claims.csv", near), "--into", "other"])
        .exits(4)
        .says("did you mean `I. The Lamp`? there are: The Door / I. The Lamp / The Sea");
    let list = ["shelf", "list", "--titles", "--headings", "--key", "ann.key"];
    private.run(&list).exits(0).says("headings of tales:\n    1  The Door\n    2  I. The Lamp");
    let table = at(
        &private,
        "claims.csv",
        format!(
            "{head}tales/0001,tales,the lamp,Ann paid.,Carl paid.\ntales/0002,tales,III: the sea,Ann paid all.,Carl paid all.\n"
        ),
    );
    run(&["claims", "import", &table, "--into", "family"]).exits(0).says("2 pairs added");
    let models = models(&private, 9);
    run(&["evaluate", "family", "--story", "--models", &models, "--plan"]).exits(0);
    let out = private.books.path().join("out");
    run(&[
        "answers",
        "export-batch",
        "family-teller",
        "--format",
        "openai",
        "--clear",
        "--out",
        out.to_str().unwrap(),
    ])
    .exits(0)
    .says("this is recorded");
    let text = fs::read_to_string(out.join("0001-default.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 4);
    for line in text.lines() {
        let has = |word: &str| line.contains(&format!("{word} {word}"));
        assert!(!has("door"), "a story ends where the next one begins");
        assert_eq!((has("lamp"), has("light")), (!has("sea"), !has("sea")));
    }
    assert_eq!(text.lines().filter(|line| line.contains("sea sea")).count(), 2);
    private.keeps_quiet();
}

/// Paragraphs of a page.
fn html(text: &str) -> String {
    text.split("\n\n").filter(|one| !one.is_empty()).map(|one| format!("<p>{one}</p>")).collect()
}

#[test]
fn a_set_that_grows_asks_what_is_new_alone() {
    let server = Server::start(0, Duration::ZERO);
    let private = set();
    let run = |args: &[&str]| private.run(&cat(args));
    // A server that says what it was sent is not repeated.
    let echoing = models(&private, Server::echoing().port);
    run(&["evaluate", "family", "--models", &echoing]).exits(8).says("may quote private text");
    let models = models(&private, server.port);
    let evaluate = ["evaluate", "family", "--models", &models];
    run(&[&evaluate[..], &["--plan"]].concat()).exits(0).says("20 requests");
    assert_eq!(server.asked(), 0);
    run(&evaluate).exits(0).says("of 10 (");
    let table = at(&private, "claims.csv", table(1, 11));
    run(&["claims", "import", &table, "--into", "family"]).exits(0).says("1 pair added");
    run(&[&evaluate[..], &["--plan"]].concat()).exits(0).says("2 requests");
    run(&evaluate).exits(0).says("of 11 (");
    assert_eq!(server.asked(), 22);
    run(&[&evaluate[..], &["--plan"]].concat()).exits(0).says("no model is asked next");
    private.keeps_quiet();
}

#[test]
fn private_requests_go_where_they_may() {
    let private = set();
    let elsewhere = at(
        &private,
        "models.toml",
        "[model.default]\nurl = \"http://192.0.2.1:9/v1\"\nmodel = \"m\"\nretries = 0\nconnect_seconds = 1\n",
    );
    let run = |args: &[&str]| private.run(&cat(args));
    run(&["evaluate", "family", "--models", &elsewhere]).exits(4).says("not on this machine");
    let listed = ["--models", &elsewhere, "--send-private-to", "http://192.0.2.1:9", "--plan"];
    run(&[&["evaluate", "family"], &listed[..]].concat()).exits(0);
    // Who cannot be reached was shown nothing, and that is told.
    let (free, unknown) = ("http://127.0.0.1:9", "http://nobody.invalid:9");
    for url in [free, unknown] {
        let file = format!("[model.default]\nurl = \"{url}/v1\"\nmodel = \"n\"\nretries = 0\n");
        let file = at(&private, "unreached.toml", file);
        run(&["evaluate", "family", "--models", &file, "--send-private-to", unknown])
            .exits(8)
            .says(&format!("{url}/v1"))
            .says("cannot connect");
    }
    assert!(!run(&["claims", "list", "family"]).exits(0).text.contains("shown to"));
    // In clear: outside of repositories alone, once, readable by its owner, and on record.
    fs::create_dir_all(private.project.path("repo/.git")).unwrap();
    fs::create_dir_all(private.project.path("repo/deep/er")).unwrap();
    let clear = |out: &str| {
        run(&[
            "answers",
            "export-batch",
            "family-m",
            "--format",
            "anthropic",
            "--clear",
            "--out",
            out,
        ])
    };
    let shelf = files(&private.project.path("shelf"));
    clear("repo/deep/er/out").exits(4).says("inside a repository");
    clear("repo/.git/out").exits(4).says("inside a repository");
    clear("nowhere/out").exits(4);
    assert_eq!(files(&private.project.path("shelf")), shelf);
    fs::remove_dir_all(private.project.path("repo")).unwrap();
    private.keeps_quiet();
    let out = private.books.path().join("out");
    clear(out.to_str().unwrap())
        .exits(0)
        .says("this is recorded")
        .says("statements of `family` say that a holder of requests in clear was shown");
    run(&["claims", "list", "family"])
        .exits(0)
        .says("a holder of requests in clear 20")
        .says("http://192.0.2.1:9 20");
    private.run(&["shelf", "list", "--key", "ann.key"]).exits(0).says("1 file");
    let file = out.join("0001-default.jsonl");
    let lines = fs::read_to_string(&file).unwrap();
    assert_eq!(lines.lines().count(), 20);
    assert!(marked(lines.as_bytes()).is_some() && !lines.contains("n01/0001"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // What came of them is taken in; reasons that a provider gives are not shown.
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let result = |at: usize, row: &Value| {
        let text = format!("<answer>TRUE</answer> {}", MARKS[0]);
        let message = json!({ "stop_reason": "end_turn", "content": [{ "type": "text", "text": text }], "usage": { "input_tokens": 9, "output_tokens": 2 } });
        let error = json!({ "type": "error", "error": { "type": "invalid_request_error", "message": format!("it holds {}", MARKS[1]) } });
        let result = match at {
            0 => json!({ "type": "expired" }),
            1 => json!({ "type": "errored", "error": error }),
            _ => json!({ "type": "succeeded", "message": message }),
        };
        json!({ "custom_id": row["custom_id"], "result": result }).to_string() + "\n"
    };
    let results: String = rows.iter().enumerate().map(|(at, row)| result(at, row)).collect();
    let results = at(&private, "results.jsonl", results);
    run(&["answers", "import-batch", "family-m", &results])
        .exits(8)
        .says("18 answers added")
        .says("1 expired")
        .says("which is not shown");
    // What expired goes out again, and nothing else but it and what was refused.
    clear(private.books.path().join("again").to_str().unwrap()).exits(0);
    let again = fs::read_to_string(private.books.path().join("again/0001-default.jsonl")).unwrap();
    assert_eq!(again.lines().count(), 2);
    private.keeps_quiet();
}

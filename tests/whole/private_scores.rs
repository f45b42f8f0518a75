//! What is published of the scores of a private set: receipts that bind, and who checks them.

use std::{fs, process::Command, sync::Arc, time::Duration};

use serde_json::{Value, json};
use storymill_disk::RealDisk;
use storymill_shelf::{
    Access, Key, Shelf,
    proof::{Ledger, Standing},
    sets::{Sets, place},
};

use crate::{
    leaks::{Private, Said, marked},
    models::Server,
    private_claims::{at, cat, models, set, table},
    project::top,
};

/// A set that was asked and stated: its model has right what it can see of the claim, as `TRUE` for shillings.
fn asked() -> (Private, Arc<Server>, String) {
    let private = set();
    let server = Server::scripted(Duration::ZERO, |_, text| {
        let claim = text.rsplit("<claim>").next().unwrap_or_default();
        // Wrong of every pair on day 7.
        let is_true = claim.contains("shillings") != claim.contains("on day 7,");
        format!("<answer>{}</answer>", if is_true { "TRUE" } else { "FALSE" })
    });
    let models = models(&private, server.port);
    private.run(&cat(&["evaluate", "family", "--models", &models])).exits(0);
    (private, server, models)
}

fn state(private: &Private, version: &str, out: &str) {
    let args = ["shelf", "state", "family", "--version", version, "--out", out, "--key", "ann.key"];
    private.run(&args).exits(0);
}

#[test]
fn a_receipt_binds_a_score_to_the_set_and_to_its_answers() {
    let (private, _server, models) = asked();
    let run = |args: &[&str]| private.run(&cat(args));
    let receipt = ["report", "family-teller", "--receipt", "receipt.json"];
    run(&receipt).exits(4).says("has no statement of its pairs as they are now");
    state(&private, "1.0.0", "one.json");
    run(&receipt).exits(0).says("receipt.json is the receipt: 10 pairs of `family` 1.0.0");
    private.run(&["report", "x", "--receipt", "receipt.json"]).exits(2).says("--shelf");

    // Nothing private stands in it, and the counts are those of the answers.
    let text = private.project.read("receipt.json");
    assert_eq!(marked(text.as_bytes()), None);
    assert!(!text.contains("n01"), "{text}");
    let made: Value = serde_json::from_str(&text).unwrap();
    let statement: Value = serde_json::from_str(&private.project.read("one.json")).unwrap();
    assert_eq!(made["asked"], statement["leaves"]);
    assert_eq!((&made["questions"], &made["root"]), (&statement["root"], &statement["root"]));
    let score = &made["scores"][0];
    assert_eq!(
        (&score["pairs"], &score["right"], &score["share_ppm"]),
        (&10.into(), &9.into(), &900_000.into())
    );
    let results = &made["results"][0];
    assert_eq!(
        (&results["name"], &results["model"]["name"]),
        (&"family-teller".into(), &"teller".into())
    );
    assert_eq!(results["settings"]["settings"], json!(["full"]));
    assert!(!results["prompts"].as_array().unwrap().is_empty());

    // An outsider, with the statement and some revealed pairs.
    private.run(&["verify", "receipt.json"]).exits(0).says("teller (full): 9 of 10 pairs right");
    let mut check = vec!["verify".to_owned(), "receipt.json".to_owned(), "one.json".to_owned()];
    for pair in 1..=10 {
        let (id, out) = (format!("n01/{pair:04}"), format!("pair-{pair}.json"));
        let reveal =
            ["shelf", "state", "family", "--reveal", &id, "--out", &out, "--key", "ann.key"];
        private.run(&reveal).exits(0);
        check.push(out);
    }
    let check: Vec<&str> = check.iter().map(String::as_str).collect();
    Said::of(&private.command(&check).output().unwrap())
        .exits(0)
        .says("all pairs that were asked are in the statement")
        .says("revealed pairs that were in the set and were asked: 10 of 10");
    private
        .run(&["verify", "receipt.json", "--signer", &"0".repeat(64)])
        .exits(7)
        .says("not signed with the key that you named");
    private.project.write("bent.json", text.replace("\"right\": 9", "\"right\": 10"));
    private.run(&["verify", "bent.json"]).exits(7).says("a share is not that of its counts");
    private
        .run(&["verify", "one.json", "--shelf", "shelf", "--key", "ann.key"])
        .exits(2)
        .says("name a receipt");

    // A maintainer, with the results.
    run(&["verify", "receipt.json"]).exits(0).says("the results on the shelf say the same");
    // Results that were made otherwise since.
    run(&["evaluate", "family", "--models", &models, "--questions", "6"]).exits(0);
    run(&["verify", "receipt.json"])
        .exits(7)
        .says("not so: the results are of other pairs")
        .says("not so: the results `family-teller` have other answers")
        .says("not so: the results have another score of `teller` (full)");
    // A second score on the same day tells of the set what the first one did not.
    run(&receipt)
        .exits(4)
        .says("another score of `teller` was published on 20")
        .says("less than 30 days ago")
        .says("--anyway");
    run(&[&receipt[..], &["--anyway"]].concat()).exits(0).says("3 pairs of `family` 1.0.0");
    run(&receipt).exits(0);
    run(&["verify", "receipt.json", "one.json", "pair-1.json"]);

    // A set that has changed is stated first, and asked again.
    let changed = at(&private, "new.csv", table(3, 1).replace(" pounds", " guineas"));
    let retire = [
        "shelf",
        "state",
        "family",
        "--retire",
        "n01/0003",
        "--reason",
        "two events",
        "--key",
        "ann.key",
    ];
    private.run(&retire).exits(0);
    run(&["claims", "import", &changed, "--into", "family"]).exits(0);
    run(&receipt).exits(4).says("no statement of its pairs as they are now");
    run(&["evaluate", "family", "--models", &models]).exits(0);
    state(&private, "1.1.0", "two.json");
    // The verdicts are those of the first receipt.
    run(&receipt).exits(0).says("10 pairs of `family` 1.1.0");
    run(&["verify", "receipt.json", "two.json"]).exits(0);
    private
        .run(&["verify", "receipt.json", "one.json"])
        .exits(7)
        .says("it is of another statement");
    let old = Said::of(
        &private.command(&["verify", "receipt.json", "two.json", "pair-3.json"]).output().unwrap(),
    );
    old.exits(7).says("a revealed pair is not what the set held");
    run(&["claims", "import", &at(&private, "more.csv", table(11, 1)), "--into", "family"])
        .exits(0);
    run(&receipt).exits(4);
    for entry in fs::read_dir(private.project.path("")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "json") {
            fs::remove_file(path).unwrap();
        }
    }
    private.keeps_quiet();
}

#[test]
fn a_matrix_says_in_public_what_systems_made_of_pairs() {
    let (private, _server, models) = asked();
    let run = |args: &[&str]| private.run(&cat(args));
    let lazy = Server::scripted(Duration::ZERO, |_, _| "<answer>TRUE</answer>".to_owned());
    let table =
        format!("[model.lazy]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"lazy\"\n", lazy.port);
    let lazy_models = at(&private, "lazy.toml", table);
    run(&["evaluate", "family", "--models", &lazy_models, "--model", "lazy"]).exits(0);
    let both = ["report", "family-teller", "family-lazy", "--matrix-out"];
    run(&[&both[..], &["one.json"]].concat()).exits(4).says("has no statement of its pairs");
    state(&private, "1.0.0", "statement.json");
    run(&[&both[..], &["one.json"]].concat())
        .exits(0)
        .says("one.json is the matrix of 10 pairs, one.html its page");
    let text = private.project.read("one.json");
    let page = private.project.read("one.html");
    assert_eq!((marked(text.as_bytes()), marked(page.as_bytes())), (None, None));
    assert!(!text.contains("n01") && !page.contains("n01"));
    let matrix: Value = serde_json::from_str(&text).unwrap();
    let statement: Value = serde_json::from_str(&private.project.read("statement.json")).unwrap();
    let pairs = matrix["pairs"].as_array().unwrap();
    let ids: Vec<&Value> = pairs.iter().map(|pair| &pair["id"]).collect();
    assert_eq!(ids, statement["leaves"].as_array().unwrap().iter().collect::<Vec<_>>());
    assert_eq!(matrix["root"], statement["root"]);
    let words = |system: &str, word: &str| {
        pairs.iter().filter(|pair| pair["results"][system] == word).count()
    };
    assert_eq!([words("teller", "correct"), words("teller", "incorrect")], [9, 1]);
    assert_eq!([words("lazy", "correct"), words("lazy", "incorrect")], [0, 10]);
    assert!(
        pairs.iter().all(|pair| pair["book"] == pairs[0]["book"] && pair["scope"] == "passage")
    );

    // Whoever has the file makes the page of it.
    let public =
        ["report", "--matrix", "one.json", "--out", "again.html", "--title", "family 1.0.0"];
    private.run(&public).exits(0).says("9 of 10 (90.0 %)").says("0 of 10");
    assert_eq!(private.project.read("again.html"), page);
    // Another time: a pair that is new, and a system that is another.
    let more = at(&private, "more.csv", self::table(11, 1));
    run(&["claims", "import", &more, "--into", "family"]).exits(0);
    run(&["evaluate", "family", "--models", &models]).exits(0);
    state(&private, "1.1.0", "next.json");
    run(&[&both[..], &["two.json"]].concat())
        .exits(4)
        .says("run the same `storymill evaluate` again");
    let again = ["report", "family-teller", "--matrix-out", "two.json"];
    run(&again).exits(4).says("--anyway");
    assert!(!private.project.path("two.json").exists());
    run(&[&again[..], &["--anyway"]].concat()).exits(0);
    private.run(&["diff", "one.json", "one.json"]).exits(0);
    private
        .run(&["diff", "one.json", "two.json"])
        .exits(10)
        .says("pairs: 10 kept, 1 added, 0 gone")
        .says("10 of 11");
    let json = private.run(&["diff", "one.json", "two.json", "--format", "json"]).exits(10);
    let changes: Value = serde_json::from_str(&json.text).unwrap();
    assert_eq!(changes["systems"]["lazy"]["new"], Value::Null);
    assert_eq!(changes["systems"]["teller"]["old"], json!([9, 10]));
    private.run(&["diff", "one.json", "statement.json"]).exits(4).says("not a matrix of responses");
}

/// The shelf of a test, as a maintainer's program opens it.
fn open(private: &Private) -> Shelf {
    let key = fs::read(private.project.path("ann.key")).unwrap();
    let key = Key::from_file(&key, || unreachable!("it has no passphrase")).unwrap();
    Shelf::open(&private.project.path("shelf"), Arc::new(RealDisk), &key, Access::Change).unwrap()
}

#[test]
fn pairs_past_their_last_day_are_named_wherever_they_are_used() {
    let (private, _server, models) = asked();
    let run = |args: &[&str]| private.run(&cat(args));
    let dated: String = table(2, 2)
        .lines()
        .map(|line| {
            let day = if line.starts_with("id,") { "retire_after" } else { "2020-12" };
            format!("{line},{day}\n")
        })
        .collect();
    run(&["claims", "import", &at(&private, "dated.csv", dated), "--into", "family"]).exits(0);
    let named = "2 pairs are past the last day of use (`retire_after`): n01/0002, n01/0003";
    run(&["claims", "lint", "family", "--all"])
        .says("past-use")
        .says("was to be used until 2020-12 (`retire_after`)");
    run(&["evaluate", "family", "--models", &models]).exits(0).says(named);
    run(&["report", "family-teller"]).exits(0).says(named);
    let state = ["shelf", "state", "family", "--version", "1.0.0", "--key", "ann.key"];
    private.run(&state).exits(0).says(named);
}

/// However claims are sent, the ledger of their set has it.
#[test]
fn a_build_notes_which_pairs_it_sends() {
    let private = set();
    let server = Server::scripted(Duration::ZERO, |_, _| "<answer>TRUE</answer>".to_owned());
    let workflow = format!(
        "name = \"asked\"\nversion = \"1.0.0\"\nseed = 1\n\n[publish]\ntitle = \"Asked\"\nlicense = \"other\"\ncanary = \"storymill-canary-0123456789\"\n\n\
         [model.default]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"teller\"\n\n[source.exam.claim-set]\npath = \"family\"\npairs = 4\n\n\
         [stage.answers.answer]\nfrom = \"exam\"\n\n[dataset.answers]\nfrom = \"answers\"\n",
        server.port
    );
    private.project.write("asked.toml", workflow);
    private.run(&cat(&["build", "asked.toml"])).exits(0);
    let listed = private.run(&cat(&["claims", "list", "family"])).exits(0).text;
    let sent = listed.lines().filter(|line| line.contains("local 20")).count();
    assert_eq!(sent, 4, "{listed}");
}

#[test]
fn statements_say_which_pairs_are_worn_and_how_long_they_hold() {
    let (private, server, _) = asked();
    let run = |args: &[&str]| private.run(&cat(args));
    for name in ["second", "third"] {
        let table = format!(
            "[model.{name}]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"{name}\"\n",
            server.port
        );
        let file = at(&private, "others.toml", table);
        run(&["evaluate", "family", "--models", &file, "--model", name]).exits(0);
    }
    // As if two of the pairs had been sent to a provider, one of them twice.
    let sent = |pair: &str, day: &str| {
        json!({ "pair": pair, "provider": "https://models.example", "model": "m", "date": day })
            .to_string()
            + "\n"
    };
    let sent = [
        sent("n01/0001", "2026-02-03"),
        sent("n01/0002", "2026-02-03"),
        sent("n01/0001", "2026-01-02"),
    ];
    let shelf = open(&private);
    shelf
        .change(|change| change.append(&place("family", "exposures"), sent.concat().as_bytes()))
        .unwrap();
    drop(shelf);
    let list = run(&["claims", "list", "family"]).exits(0).says("3 of 3, saturated").says("0 of 3");
    drop(list.says("https://models.example 2026-01-02, local 20"));
    run(&["claims", "list", "family", "n01/0001"]).exits(0).says("3 of 3, saturated");
    let listed = run(&["claims", "list", "family", "--format", "json"]).exits(0);
    let listed: Value = serde_json::from_str(&listed.text).unwrap();
    let saturated = listed.as_array().unwrap().iter().filter(|row| row["saturated"] == true);
    assert_eq!(saturated.count(), 9);

    state(&private, "1.0.0", "one.json");
    let statement: Value = serde_json::from_str(&private.project.read("one.json")).unwrap();
    assert_eq!(statement["saturated"].as_array().unwrap().len(), 9);
    let exposed = statement["exposed"].as_array().unwrap();
    let days: Vec<_> = exposed
        .iter()
        .map(|one| (&one["since"], one["leaves"].as_array().unwrap().len()))
        .collect();
    assert_eq!(days, [(&json!("2026-01-02"), 1), (&json!("2026-02-03"), 1)]);
    assert!(!private.project.read("one.json").contains("127.0.0.1"));
    let holds = private
        .run(&["verify", "one.json"])
        .exits(0)
        .says("2 pairs shown to 1 service; 9 saturated");
    assert!(!holds.text.contains("old:"), "{}", holds.text);

    // One of long ago holds, and says that it is old.
    let shelf = open(&private);
    let mut ledger = Ledger::of(&shelf, "family").unwrap();
    let pairs = Sets(&shelf).pairs("family").unwrap();
    ledger.expose_mut().state("1.1.0", &pairs.expose().0, &shelf.canary(), &[]).unwrap();
    let then = Standing { valid_until: "2020-01-01".to_owned(), ..Standing::default() };
    let old = ledger.expose_mut().sign(&shelf, &then).unwrap().unwrap();
    private.project.write("two.json", old.to_text());
    private
        .run(&["verify", "two.json"])
        .exits(0)
        .says("old: it was valid until 2020-01-01; ask for a newer one");
    private
        .run(&["verify", "two.json", "--before", "one.json"])
        .exits(7)
        .says("that a service was shown a pair is no longer told");
    let checker = top().join("integrations/private-sets/check_statement.py");
    let python = |args: &[&str]| {
        Command::new("python3").args(args).current_dir(private.project.path("")).output()
    };
    if python(&["-c", "import blake3, cryptography"]).is_ok_and(|ran| ran.status.success()) {
        let ran = Said::of(&python(&["-B", checker.to_str().unwrap(), "two.json"]).unwrap());
        ran.exits(0).says("old: it was valid until 2020-01-01; ask for a newer one");
    } else {
        println!("not played: python3 with blake3 and cryptography");
    }
}

//! What people have said of pairs that went, are to go, were written anew or came back: kept, and counted only
//! where the set has the claim in the words that it was said of.

use std::{fs, sync::Arc};

use serde_json::{Value, json};
use storymill_core::Digest;
use storymill_disk::RealDisk;
use storymill_shelf::{Access, Key, Shelf, sets};

use crate::{
    leaks::Private,
    private_claims::{at, cat, models, set, table},
};

const HEAD: &str = "pair,claim,reader,verdict\n";

fn votes(private: &Private, name: &str, rows: &[&str]) -> String {
    at(private, name, format!("{HEAD}{}\n", rows.join("\n")))
}

#[test]
fn votes_outlive_their_pairs_and_count_for_the_same_words_alone() {
    let private = set();
    let run = |args: &[&str]| private.run(&cat(args));
    let file = votes(
        &private,
        "votes.csv",
        &[
            "n01/0001,true,ann,true",
            "n01/0001,true,bob,false",
            "n01/0002,true,ann,true",
            "n01/0002,true,bob,true",
        ],
    );
    let agreement = || run(&["review", "family", "--agreement"]);
    run(&["review", "family", "--import", &file]).exits(0).says("4 lines new");
    agreement().exits(0).says("(1 of 2)");
    let items = run(&["review", "family", "--format", "json"]).exits(0).text;
    let items: Value = serde_json::from_str(&items).unwrap();
    let keep = format!("{}=keep", items[0]["id"].as_str().unwrap());
    run(&["review", "family", "--decide", &keep]).exits(0);

    // A pair goes: what was said of it stays, is named and counts nowhere.
    run(&["claims", "remove", "family", "n01/0001", "--reason", "two events in one"])
        .exits(0)
        .says("2 votes, 1 decision on it are kept and do not count");
    let gone = "2 votes on 1 pair that the set does not have are kept and do not count: n01/0001";
    agreement().exits(0).says(gone).says("(1 of 1)");
    run(&["review", "family", "--list"])
        .exits(0)
        .says(gone)
        .says(
            "1 decision on 1 pair that the set does not have is kept and does not count: n01/0001",
        )
        .says("nothing is doubtful");
    // A late vote on it is kept too; one on a pair that never was is a mistake.
    let late = votes(&private, "late.csv", &["n01/0001,false,ann,false"]);
    run(&["review", "family", "--import", &late]).exits(0).says("1 line new");
    agreement().exits(0).says("3 votes on 1 pair");
    let wrong = votes(&private, "wrong.csv", &["n01/0077,true,ann,true"]);
    run(&["review", "family", "--import", &wrong])
        .exits(4)
        .says("row 2, pair n01/0077: a vote on a pair that the set does not have");

    // It comes back as it was: all of it counts again.
    let all = at(&private, "claims.csv", table(1, 10));
    run(&["claims", "import", &all, "--into", "family"])
        .exits(0)
        .says("1 pair added")
        .says("n01/0001 went on ")
        .says("and is back: 3 votes from before count again, 0 votes on other words do not");
    let said = agreement().exits(0).says("(1 of 2)");
    assert!(!said.text.contains("kept and do"), "{}", said.text);
    run(&["review", "family", "--list"]).exits(0).says("decided: keep");

    // Its true claim is written anew: the votes and the answer on that claim do not count, those on the other do.
    let anew = table(1, 1).replace(" shillings.\"", " crowns.\"");
    let anew = at(&private, "anew.csv", anew);
    run(&["claims", "import", &anew, "--into", "family"]).exits(0).says("1 changed");
    let reworded =
        "2 votes on 1 pair that was written anew since are kept and do not count: n01/0001";
    agreement().exits(0).says(reworded).says("(1 of 1)");
    // The same readers read it again.
    let again = votes(&private, "again.csv", &["n01/0001,true,ann,true", "n01/0001,true,bob,true"]);
    run(&["review", "family", "--import", &again]).exits(0).says("2 lines new");
    agreement().exits(0).says(reworded).says("(2 of 2)");
    // As it was first: the first votes count and the second ones do not.
    run(&["claims", "import", &all, "--into", "family"]).exits(0).says("1 changed");
    agreement().exits(0).says(reworded).says("(1 of 2)");
    // Gone, and back in other words.
    run(&["claims", "remove", "family", "n01/0001", "--reason", "once more"]).exits(0);
    run(&["claims", "import", &anew, "--into", "family"])
        .exits(0)
        .says("is back: 3 votes from before count again, 2 votes on other words do not");

    // A pair that is to go counts no more from the day on which it was said, and again if that is taken back.
    let shelf = |args: &[&str]| private.run(&[args, &["--key", "ann.key"]].concat());
    shelf(&["shelf", "state", "family", "--version", "1.0.0", "--out", "tmp/one"]).exits(0);
    let retire = ["shelf", "state", "family", "--retire", "n01/0002"];
    shelf(&[&retire[..], &["--reason", "subjective"]].concat())
        .exits(0)
        .says("2 votes on it are kept and do not count; `--undo` lets it count again");
    let retired = "2 votes on 1 pair that is retired are kept and do not count: n01/0002";
    agreement().exits(0).says(retired);
    shelf(&[&retire[..], &["--undo"]].concat()).exits(0);
    let said = agreement().exits(0);
    assert!(!said.text.contains("retired"), "{}", said.text);
    // Who retires a pair and writes it anew has another pair.
    shelf(&[&retire[..], &["--reason", "subjective"]].concat()).exits(0);
    let anew = at(&private, "anew.csv", table(2, 1).replace(" pounds.\"", " guineas.\""));
    run(&["claims", "import", &anew, "--into", "family"]).exits(0).says("1 changed");
    let said = agreement().exits(0);
    assert!(!said.text.contains("retired"), "{}", said.text);
    fs::remove_dir_all(private.project.path("tmp")).unwrap();
    fs::create_dir(private.project.path("tmp")).unwrap();
    private.keeps_quiet();
}

/// What is mistyped is told as what it is.
#[test]
fn misspelt_sets_pairs_and_keys_are_told_as_such() {
    let private = set();
    let run = |args: &[&str]| private.run(&cat(args));
    let shelf = |args: &[&str]| private.run(&[&["shelf"], args, &["--key", "ann.key"]].concat());
    let none = "there is no set `famly` on the shelf";
    shelf(&["state", "famly", "--retire", "n01/0001", "--reason", "x"]).exits(4).says(none);
    shelf(&["state", "famly", "--reveal", "n01/0001", "--out", "tmp/x"]).exits(4).says(none);
    run(&["review", "famly", "--list"])
        .exits(4)
        .says("no set of this name")
        .says("did you mean `family`?");
    run(&["claims", "remove", "family", "3", "--reason", "x"])
        .exits(4)
        .says("set `family` has no pair of this id")
        .says("n01/0007");
    shelf(&["rekey", "--add", "age1abc"]).exits(4).says("not all of one");
    private
        .run(&["shelf", "list", "--key", "an.key"])
        .exits(4)
        .says("shelf init --key-only --key FILE");
    private.run(&["verify", "tmp/one.json"]).exits(4).says("no such file or folder");
    shelf(&["remove", "n01"]).exits(0).says("set `family` has 10 pairs on n01");
    private.keeps_quiet();
}

/// Words and tokens of a book are those of the text that the shelf holds now.
#[test]
fn a_book_that_is_replaced_is_counted_anew() {
    let private = Private::new(1, 1);
    let book =
        |count: usize| at(&private, "b.txt", format!("THE MILL\n\n{}\n", "one two ".repeat(count)));
    let run = |args: &[&str]| private.run(&cat(args));
    let models = models(&private, 9);
    let plan = || run(&["evaluate", "family", "--models", &models, "--window", "1700", "--plan"]);
    let none = "2 of 2 do not fit";
    private.run(&["shelf", "add", &book(300), "--key", "ann.key"]).exits(0);
    let table = "id,book,true_claim,false_claim\nb/1,b,Ann came.,Ann went.\n";
    run(&["claims", "import", &at(&private, "claims.csv", table), "--into", "family"]).exits(0);
    plan().exits(0).says(none);
    private.run(&["shelf", "add", &book(60), "--replace", "--key", "ann.key"]).exits(0);
    let said = plan().exits(0).says("2 requests");
    assert!(!said.text.contains(none), "{}", said.text);
    private.run(&["shelf", "add", &book(300), "--replace", "--key", "ann.key"]).exits(0);
    plan().exits(0).says(none);
    // Sealed anew it is the same book.
    private.run(&["shelf", "rekey", "--key", "ann.key"]).exits(0);
    plan().exits(0).says(none);
    private.keeps_quiet();
}

/// Votes that an earlier version kept as tables, with digests of the words that they were about, are votes like others.
#[test]
fn votes_that_earlier_versions_kept_count_for_their_words() {
    let private = set();
    let run = |args: &[&str]| private.run(&cat(args));
    let key = fs::read(private.project.path("ann.key")).unwrap();
    let key = Key::from_file(&key, || unreachable!("it has no passphrase")).unwrap();
    let root = private.project.path("shelf");
    let shelf = Shelf::open(&root, Arc::new(RealDisk), &key, Access::Change).unwrap();
    let rows = "n01/0001,true,ann,true\nn01/0001,true,bob,false\nn01/0002,true,ann,false\nn01/0077,true,ann,true\n";
    let pairs = shelf.read(&sets::place("family", "pairs")).unwrap().unwrap();
    let pairs = String::from_utf8(pairs.expose().clone()).unwrap();
    let first: Value = serde_json::from_str(pairs.lines().next().unwrap()).unwrap();
    assert_eq!(first["id"], "n01/0001");
    let words = |text: &str| {
        let words = Digest::of_parts("storymill 2026 words of a claim v1", [text.as_bytes()]);
        json!({ "pair": "n01/0001", "claim": "true", "words": words }).to_string() + "\n"
    };
    let put = |name: &str, text: &str| {
        let place = sets::place("family", name);
        shelf.change(|change| change.put(&place, text.as_bytes())).unwrap();
    };
    put("votes/0a", &format!("{HEAD}{rows}"));
    put("words/votes/0a", &words(first["true_claim"].as_str().unwrap()));
    // One that was cast on other words, which nobody has any more.
    put("votes/0b", &format!("{HEAD}n01/0001,true,cay,false\n"));
    put("words/votes/0b", &words("It was otherwise once."));
    drop(shelf);
    run(&["review", "family", "--list"])
        .exits(0)
        .says("1 vote on 1 pair that the set does not have is kept and does not count: n01/0077")
        .says("1 vote on 1 pair that was written anew since is kept and does not count: n01/0001")
        .says("n01/0001/true  claim-disputed")
        .says("2 decisions");
    run(&["review", "family", "--agreement"]).exits(0).says("(0 of 1)");
    // Who votes again takes the place of what they said then.
    let again = votes(&private, "again.csv", &["n01/0001,true,bob,true"]);
    run(&["review", "family", "--import", &again]).exits(0).says("1 line new");
    run(&["review", "family", "--agreement"]).exits(0).says("(1 of 1)");
    private.keeps_quiet();
}

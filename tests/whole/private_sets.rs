//! Sets of pairs on a shelf: stated, grown, retired, revealed and published.

use std::fs;

use crate::leaks::{MARKS, Private, Said, files, marked, nothing_leaks};

/// Pairs of claims as lines of JSON, with words that stand nowhere else.
fn pairs(book: &str, from: usize, count: usize) -> String {
    let pair = |at: usize| {
        let id = format!("{book}/{at:04}");
        serde_json::json!({
            "id": id, "book": book, "true_claim": format!("{} finds the {} in May, on day {at}.", MARKS[0], MARKS[1]),
            "false_claim": format!("{} finds the {} in May, on day {at}.", MARKS[2], MARKS[1]), "explanation": format!("It was {}.", MARKS[0]),
            "true_scope": "sentence", "false_scope": "passage", "model_written": false, "added_in": "1.0.0",
        })
        .to_string()
    };
    (from..from + count).map(pair).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_set_is_stated_grown_retired_revealed_and_published() {
    let private = Private::new(3, 5);
    private.add();
    let at = |name: &str| private.books.path().join(name).to_str().unwrap().to_owned();
    fs::copy(private.book(), at("open.epub")).unwrap();
    private
        .run(&["shelf", "add", &at("open.epub"), "--rights", "public-domain", "--key", "ann.key"])
        .exits(0);
    const ON: [&str; 4] = ["--shelf", "shelf", "--key", "ann.key"];
    let import = |pairs: String| {
        fs::write(at("pairs.jsonl"), pairs).unwrap();
        let import = ["claims", "import", &at("pairs.jsonl"), "--into", "family"];
        private.run(&[&import[..], &ON].concat()).exits(0)
    };
    import(pairs("n01", 0, 7) + "\n" + &pairs("open", 0, 3)).says("10 in all");
    let state = |version: &str, out: &str| {
        private.run(&[
            "shelf",
            "state",
            "family",
            "--version",
            version,
            "--out",
            out,
            "--key",
            "ann.key",
        ])
    };
    private
        .run(&["shelf", "publish", "family", "--public", "out", "--key", "ann.key"])
        .exits(4)
        .says("no statement");
    state("1.0.0", "one.json").exits(0).says("10 pairs");
    private.run(&["verify", "one.json"]).exits(0).says("10 pairs");
    private.run(&["shelf", "list", "--key", "ann.key"]).exits(0).says("statement 1");

    // A pair is written anew: not without a word.
    import(pairs("n01", 0, 1).replace("in May", "in June")).says("1 changed");
    private
        .run(&["shelf", "publish", "family", "--public", "out", "--key", "ann.key"])
        .exits(4)
        .says("has changed");
    state("1.1.0", "two.json").exits(4).says("nobody has said why");
    assert!(!private.project.path("two.json").exists());
    private
        .run(&[
            "shelf",
            "state",
            "family",
            "--retire",
            "n01/0000",
            "--reason",
            "two events in one",
            "--key",
            "ann.key",
        ])
        .exits(0);
    state("1.1.0", "two.json").exits(0);
    private
        .run(&["verify", "two.json", "--before", "one.json"])
        .exits(0)
        .says("9 kept, 1 added; 1 retired");
    private.run(&["verify", "one.json", "--before", "two.json"]).exits(7).says("not so");
    let forged = private.project.read("two.json").replace("two events in one", "another reason");
    private.project.write("forged.json", forged);
    private
        .run(&["verify", "forged.json", "--before", "one.json"])
        .exits(7)
        .says("the signature is not that of whom it names");
    private
        .run(&[
            "shelf",
            "state",
            "family",
            "--retire",
            "n01/0001",
            "--reason",
            "subjective",
            "--key",
            "ann.key",
        ])
        .exits(0);
    let goes = ["claims", "remove", "family", "n01/0001", "--reason", "subjective"];
    private.run(&[&goes[..], &ON].concat()).exits(0);
    state("1.2.0", "three.json").exits(0);
    private
        .run(&["verify", "three.json", "--before", "forged.json"])
        .exits(7)
        .says("does not follow");
    private.run(&["verify", "three.json", "--before", "two.json"]).exits(0).says("2 retired");

    // What is published holds no word of the private book; what is revealed holds one pair.
    private
        .run(&[
            "shelf", "publish", "family", "--public", "out", "--text", "n01", "--key", "ann.key",
        ])
        .exits(4)
        .says("i-hold-rights");
    private.run(&["shelf", "publish", "family", "--public", "out", "--key", "ann.key"]).exits(0);
    let open = private.project.read("out/pairs.jsonl");
    assert_eq!((open.lines().count(), open.contains("n01")), (3, false));
    assert!(open.lines().all(|line| line.contains("storymill-canary-")));
    for (path, bytes) in files(&private.project.path("out")) {
        assert!(path.ends_with("pairs.jsonl") || marked(&bytes).is_none(), "{}", path.display());
    }
    let about: serde_json::Value =
        serde_json::from_str(&private.project.read("out/about.json")).unwrap();
    assert_eq!(
        (&about["pairs"], &about["pairs_in_full"], &about["pairs_retired"]),
        (&9.into(), &3.into(), &2.into())
    );
    assert_eq!(about["by_scope"]["passage"], 9);
    private
        .run(&["verify", "out/statements/0003.json", "--before", "out/statements/0002.json"])
        .exits(0);
    private.run(&["shelf", "publish", "family", "--public", "out", "--key", "ann.key"]).exits(0);
    private.run(&["shelf", "publish", "family", "--public", "tmp/..", "--key", "ann.key"]).exits(9);
    let rights = private
        .workflow(None)
        .project
        .read("my.toml")
        .replace("license = ", "i-hold-rights = true\nlicense = ");
    private.project.write("my.toml", rights);
    private
        .run(&[
            "shelf",
            "publish",
            "family",
            "--public",
            "all",
            "--text",
            "n01",
            "--workflow",
            "my.toml",
            "--key",
            "ann.key",
        ])
        .exits(0);
    assert!(marked(private.project.read("all/texts/n01.txt").as_bytes()).is_some());
    assert!(private.project.read("all/about.json").contains("\"i_hold_rights\": true"));
    private
        .run(&[
            "shelf",
            "state",
            "family",
            "--reveal",
            "n01/0004",
            "--out",
            "pair.json",
            "--key",
            "ann.key",
        ])
        .exits(0);
    private.run(&["verify", "three.json", "pair.json"]).exits(0).says("1 of 1");
    let other = private.project.read("pair.json").replace(MARKS[0], MARKS[2]);
    private.project.write("other.json", other);
    private.run(&["verify", "three.json", "other.json"]).exits(7).says("not what the set held");
    private.run(&["verify", "two.json", "pair.json"]).exits(7).says("another statement");
    nothing_leaks(&private.project.path("shelf"));
}

#[test]
fn pairs_that_are_wrong_are_told_by_their_line_alone() {
    let private = Private::new(2, 5);
    private.add();
    let file = private.books.path().join("pairs.jsonl");
    let import = |set: &str| {
        let import = ["claims", "import", file.to_str().unwrap(), "--into", set];
        private.run(&[&import[..], &["--shelf", "shelf", "--key", "ann.key"]].concat())
    };
    private.project.write("my.toml", "");
    let before = files(&private.project.path("shelf"));
    for (text, says) in [
        (format!("{}\n{{\"id\": \"{}", pairs("n01", 0, 1), MARKS[0]), "row 2: no JSON"),
        (pairs("n02", 0, 1), "row 1, `book`: the set has no text of this book"),
        (
            pairs("n01", 0, 2) + "\n" + &pairs("n01", 1, 1),
            "row 3, `id`, pair n01/0001: the id stands a second time",
        ),
    ] {
        fs::write(&file, text).unwrap();
        import("family").exits(4).says(says);
    }
    import("a/b").exits(4);
    private
        .run(&["shelf", "state", "family", "--version", "1.0.0", "--key", "ann.key"])
        .exits(4)
        .says("no set `family`");
    private.run(&["shelf", "state", "family", "--version", "one", "--key", "ann.key"]).exits(2);
    private
        .run(&[
            "shelf", "state", "family", "--retire", "n01/0000", "--reason", "no", "--key",
            "ann.key",
        ])
        .exits(4);
    private
        .run(&[
            "shelf",
            "state",
            "family",
            "--reveal",
            "n01/0000",
            "--out",
            "pair.json",
            "--key",
            "ann.key",
        ])
        .exits(4);
    private.project.write("not.json", "");
    private.run(&["verify", "not.json"]).exits(4).says("this is not a statement");
    std::fs::remove_file(private.project.path("not.json")).unwrap();
    assert_eq!(files(&private.project.path("shelf")), before);
    private.keeps_quiet();
}

#[test]
fn a_shelf_that_departs_from_what_was_seen_is_refused_until_it_is_trusted() {
    let private = Private::new(1, 3);
    private.add();
    let key = private
        .run(&["shelf", "init", "--key-only", "--key", "bob.key", "--no-passphrase"])
        .exits(0)
        .text;
    let old = files(&private.project.path("shelf"));
    private.run(&["shelf", "rekey", "--add", key.trim(), "--key", "ann.key"]).exits(0);
    private.run(&["shelf", "list", "--key", "bob.key"]).exits(0).says("for the first time");
    let again = private.run(&["shelf", "list", "--key", "bob.key"]).exits(0);
    assert!(!again.text.contains("for the first time"), "{}", again.text);
    let new = files(&private.project.path("shelf"));
    // The folder as it was before.
    for path in new.keys().filter(|path| !old.contains_key(*path)) {
        fs::remove_file(path).unwrap();
    }
    for (path, bytes) in &old {
        fs::write(path, bytes).unwrap();
    }
    for command in [&["shelf", "list"][..], &["verify", "--shelf", "shelf"]] {
        private
            .run(&[command, &["--key", "ann.key"]].concat())
            .exits(9)
            .says("went back: of the 3 changes that you have seen 1 change by")
            .says("shelf rekey --trust");
    }
    private
        .run(&["shelf", "rekey", "--trust", "--key", "ann.key"])
        .exits(4)
        .says("went back")
        .says("--yes");
    private.run(&["shelf", "list", "--key", "ann.key"]).exits(9);
    private
        .run(&["shelf", "rekey", "--trust", "--yes", "--key", "ann.key"])
        .exits(0)
        .says("taken as it is");
    private
        .run(&["shelf", "rekey", "--trust", "--key", "ann.key"])
        .exits(0)
        .says("goes on from what you have seen");
    private.run(&["shelf", "remove", "n01", "--key", "ann.key"]).exits(0);
    // The others' folder comes after all: what was changed here stays.
    for (path, bytes) in &new {
        fs::write(path, bytes).unwrap();
    }
    private.run(&["shelf", "list", "--key", "ann.key"]).exits(0).says("0 books, 2 maintainers");
    private.run(&["verify", "--shelf", "shelf", "--key", "ann.key"]).exits(0).says("0 files");
    // A key that others may read is warned of.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let path = private.project.path("ann.key");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        private.run(&["verify", "--shelf", "shelf", "--key", "ann.key"]).exits(0).says("chmod 600");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let quiet = private.run(&["verify", "--shelf", "shelf", "--key", "ann.key"]).exits(0);
        assert!(!quiet.text.contains("chmod"), "{}", quiet.text);
    }
    private.keeps_quiet();
}

/// Ann and Bob work on the same day, each on a copy; one command joins them, and shows what both changed.
#[test]
fn two_copies_changed_on_the_same_day_are_joined_and_settled() {
    let private = Private::new(2, 5);
    private.add();
    let bob = private
        .run(&["shelf", "init", "--key-only", "--key", "bob.key", "--no-passphrase"])
        .exits(0)
        .text;
    private.run(&["shelf", "rekey", "--add", bob.trim(), "--key", "ann.key"]).exits(0);
    let ann = ["--shelf", "shelf", "--key", "ann.key"];
    let bob = ["--shelf", "bob", "--key", "bob.key"];
    let run = |args: &[&str], on: &[&str]| private.run(&[args, on].concat());
    let import = |text: String, on: &[&str]| {
        let file = private.books.path().join("pairs.jsonl");
        fs::write(&file, text).unwrap();
        run(&["claims", "import", file.to_str().unwrap(), "--into", "family", "--update"], on)
            .exits(0)
    };
    import(pairs("n01", 1, 4), &ann);
    let copy = |from: &str, to: &str| {
        for (path, bytes) in files(&private.project.path(from)) {
            let name = path.strip_prefix(private.project.path(from)).unwrap().to_owned();
            let to = private.project.path(to).join(name);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, bytes).unwrap();
        }
    };
    copy("shelf", "bob");
    run(&["shelf", "rekey", "--trust", "--yes"], &bob).exits(0);
    let changed = |month: &str| pairs("n01", 1, 1).replace("in May", month);
    import(changed("in June") + "\n" + &pairs("n01", 5, 1), &ann);
    import(changed("in July") + "\n" + &pairs("n01", 6, 1), &bob);
    run(&["claims", "remove", "family", "n01/0004", "--reason", "subjective"], &bob).exits(0);
    let votes = private.books.path().join("votes.csv");
    fs::write(&votes, "pair,claim,reader,verdict\nn01/0004,true,dan,true\n").unwrap();
    run(&["review", "family", "--import", votes.to_str().unwrap()], &ann).exits(0);

    run(&["shelf", "add", "tmp"], &ann).exits(4).says("no copy of a shelf");
    run(&["shelf", "add", "bob"], &ann).exits(0).says("joined").says("2 things were done apart");
    run(&["shelf", "list"], &ann).exits(0).says("2 things were done apart");
    run(&["claims", "list", "family"], &ann).exits(0).says("5 pairs");
    run(&["shelf", "state"], &ann)
        .exits(0)
        .says("family/n01/0001 was changed apart by ")
        .says("  by you")
        .says("family/n01/0004 was taken out by age1")
        .says("decided on by you");
    run(&["shelf", "state", "other"], &ann).exits(0).says("nothing is to be settled");
    run(&["shelf", "state", "family", "--version", "1.0.0"], &ann).exits(4).says("changed apart");
    let texts = [&["claims", "list", "family", "n01/0001", "--texts"][..], &ann].concat();
    let told = Said::of(&private.command(&texts).output().unwrap()).text;
    assert!(told.contains("version 2") && told.contains("June") && told.contains("July"), "{told}");
    assert!(!told.contains("{\"") && told.matches("explanation").count() == 1, "{told}");
    run(&["claims", "list", "family", "n01/0001"], &ann).exits(0).says("version 2");
    run(&["shelf", "state", "family/n01/0001=3"], &ann).exits(4).says("versions 1 to 2");
    run(&["shelf", "state", "family/n01/0009=1"], &ann).exits(4).says("nothing to settle");
    run(&["shelf", "state", "family/n01/0001=two"], &ann).exits(2);
    run(&["shelf", "state", "family/n01/0001=2", "family/n01/0004=1"], &ann)
        .exits(0)
        .says("nothing is to be settled");
    run(&["shelf", "state", "family", "--version", "1.0.0"], &ann).exits(0);
    // Bob takes over what Ann has, as git or rsync would, and nothing is open there either.
    copy("shelf", "bob");
    run(&["shelf", "state"], &bob).exits(0).says("nothing is to be settled");
    // Two give reasons why a pair goes.
    let retire = |why: &str, on: &[&str]| {
        run(&["shelf", "state", "family", "--retire", "n01/0002", "--reason", why], on).exits(0);
    };
    retire("one event", &ann);
    retire("too easy", &bob);
    run(&["shelf", "add", "bob"], &ann).exits(0).says("1 thing was done apart");
    let open = run(&["shelf", "state", "family"], &ann).exits(0);
    let open = open.says("family/n01/0002/reason was changed apart").says("“one event”, by you");
    let first = open.text.find("one event") < open.text.find("too easy");
    run(&["shelf", "publish", "family", "--public", "out"], &ann)
        .exits(4)
        .says("not settled: family/n01/0002/reason")
        .says("`storymill shelf state family --shelf shelf --key ann.key`");
    let settle = format!("family/n01/0002/reason={}", 1 + usize::from(!first));
    run(&["shelf", "state", &settle], &ann).exits(0).says("“one event”, by you").says("nothing is");
    copy("shelf", "bob");
    run(&["claims", "list", "family"], &bob).exits(0).says("5 pairs");
    run(&["verify"], &bob).exits(0).says("all of them whole");
    for folder in ["shelf", "bob"] {
        nothing_leaks(&private.project.path(folder));
    }
    private.keeps_quiet();
}

/// Whoever was let in after the last statement makes no next one that nobody could check.
#[test]
fn the_next_statement_is_made_by_whom_the_last_one_names() {
    let private = Private::new(2, 5);
    private.add();
    let (ann, cat) = (["--key", "ann.key"], ["--key", "cat.key"]);
    let run = |args: &[&str], key: &[&str]| private.run(&[args, key].concat());
    let file = private.books.path().join("pairs.jsonl");
    fs::write(&file, pairs("n01", 1, 2)).unwrap();
    let import = ["claims", "import", file.to_str().unwrap(), "--into", "family"];
    run(&[&import[..], &["--shelf", "shelf"]].concat(), &ann).exits(0);
    let state = |version: &str, out: &str, key: &[&str]| {
        run(&["shelf", "state", "family", "--version", version, "--out", out], key)
    };
    state("1.0.0", "one.json", &ann).exits(0);
    let public = run(&["shelf", "init", "--key-only", "--no-passphrase"], &cat).exits(0).text;
    // Who is out is told what a maintainer has to type.
    let add = format!("`storymill shelf rekey --add {} --key THEIR.key`", public.trim());
    run(&["shelf", "list"], &cat).exits(4).says(&add);
    run(&["shelf", "rekey", "--add", public.trim()], &ann).exits(0);
    run(&["shelf", "rekey", "--trust", "--yes"], &cat).exits(0);
    state("1.1.0", "two.json", &cat).exits(4).says("statement 1 does not name your key");
    assert!(!private.project.path("two.json").exists());
    state("1.1.0", "two.json", &ann).exits(0);
    state("1.2.0", "three.json", &cat).exits(0);
    run(&["shelf", "publish", "family", "--public", "out"], &cat).exits(0);
    for (next, before) in [("2", "1"), ("3", "2")] {
        let path = |number: &str| format!("out/statements/000{number}.json");
        private.run(&["verify", &path(next), "--before", &path(before)]).exits(0);
    }
    nothing_leaks(&private.project.path("shelf"));
}

/// A canary's whole life: minted with the shelf, planted in what is published and handed out, and found in a corpus that took it in.
#[test]
fn a_canary_is_planted_and_found() {
    let private = Private::new(1, 3);
    let at = |name: &str| private.books.path().join(name).to_str().unwrap().to_owned();
    fs::copy(private.book(), at("open.epub")).unwrap();
    private
        .run(&["shelf", "add", &at("open.epub"), "--rights", "public-domain", "--key", "ann.key"])
        .exits(0);
    fs::write(at("pairs.jsonl"), pairs("open", 0, 3)).unwrap();
    let import = ["claims", "import", &at("pairs.jsonl"), "--into", "family"];
    private.run(&[&import[..], &["--shelf", "shelf", "--key", "ann.key"]].concat()).exits(0);
    private
        .run(&[
            "shelf",
            "state",
            "family",
            "--version",
            "1.0.0",
            "--out",
            "one.json",
            "--key",
            "ann.key",
        ])
        .exits(0);
    private.run(&["shelf", "publish", "family", "--public", "out", "--key", "ann.key"]).exits(0);
    let about: serde_json::Value =
        serde_json::from_str(&private.project.read("out/about.json")).unwrap();
    let canary = about["canary"].as_str().unwrap();
    let listed = private.run(&["shelf", "list", "--format", "json", "--key", "ann.key"]).exits(0);
    assert!(listed.text.contains(canary));
    assert!(canary.starts_with("storymill-canary-") && canary.len() == 17 + 32, "{canary}");
    // Each line that can be taken in alone carries it.
    let lines = private.project.read("out/pairs.jsonl");
    assert_eq!(lines.lines().filter(|line| line.contains(canary)).count(), 3);
    for file in ["one.json", "out/README.md", "out/statements/0001.json"] {
        assert!(private.project.read(file).contains(canary), "{file}");
    }
    // A corpus with one of these lines in it is told from one without, by a plain search.
    let took = lines.lines().nth(1).unwrap();
    private.project.write("corpus/a.txt", "Nothing of the kind.\n".repeat(99));
    private
        .project
        .write("corpus/b.txt", format!("{}{took}\n", "Nothing of the kind.\n".repeat(99)));
    let grep = std::process::Command::new("grep")
        .args(["-rl", canary, "corpus"])
        .current_dir(private.project.path(""))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&grep.stdout), "corpus/b.txt\n");
    // Another shelf has another one.
    private.run(&["shelf", "init", "--shelf", "other", "--key", "ann.key"]).exits(0);
    let other =
        private.run(&["shelf", "list", "--shelf", "other", "--format", "json", "--key", "ann.key"]);
    assert!(!other.exits(0).text.contains(canary));
}

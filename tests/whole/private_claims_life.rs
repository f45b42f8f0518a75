//! Years of a private set: pairs that come, go and change, many of them, stories, and maintainers who leave.

use std::{fs, time::Duration};

use serde_json::{Value, json};

use crate::{
    leaks::{MARKS, Private, files, marked},
    models::Server,
    private_claims::{at, cat, models, requests, set, table},
    project::full,
};

#[test]
fn pairs_come_go_and_change_and_what_was_answered_stays_scorable() {
    let server = Server::start(0, Duration::ZERO);
    let private = set();
    let models = models(&private, server.port);
    let run = |args: &[&str]| private.run(&cat(args));
    let id = requests(&private);
    run(&["claims", "requests", "family", "--model", "other"]).exits(0);
    let other = run(&["claims", "requests", "family", "--list"]).exits(0).text;
    let other = other.lines().find(|line| **line != id).unwrap().to_owned();
    run(&["claims", "requests", "family", "--drop", &other]).exits(0).says("still scored");
    run(&["claims", "ask", "family", "--models", &models, "--requests", &other])
        .exits(4)
        .says("not on the shelf any more");
    run(&["claims", "requests", "family", "--model", "m", "--window", "900"])
        .exits(4)
        .says("no claim fits the window of 900 tokens");
    run(&["claims", "ask", "family", "--models", &models, "--requests", &id]).exits(0);
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
    run(&["claims", "score", "family"])
        .exits(0)
        .says("Answers to pairs that the set does not have, which count nowhere: 2.");
    private
        .run(&[
            "shelf",
            "retire",
            "family",
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
    private.run(&["shelf", "retire", "family", "n01/0005", "--undo", "--key", "ann.key"]).exits(0);
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
    run(&["claims", "score", "family"])
        .exits(0)
        .says("1 answer of `teller` to claims that were written anew since");
    run(&["claims", "reviews", "family", "--page", "2"]).exits(0).says("0 items");
    fs::remove_dir_all(private.project.path("tmp")).unwrap();
    fs::create_dir(private.project.path("tmp")).unwrap();
    private.keeps_quiet();
}

/// A word of a language that nobody speaks: the more common, the shorter.
fn word(mut rank: usize) -> String {
    let mut word = String::new();
    loop {
        word += ["ba", "lo", "ti", "en", "sha", "mur", "o", "ve", "ka", "dri", "su"][rank % 11];
        rank /= 11;
        if rank == 0 {
            return word;
        }
    }
}

/// A novel that comes of a number: 20,000 words, as often as Zipf's law says.
fn novel(number: usize, bytes: usize) -> String {
    let mut text = format!("THE BOOK OF {number}\n\nCHAPTER I\n\n");
    let mut at = number;
    while text.len() < bytes {
        for _ in 0..60 {
            at = (at * 7_919 + 31) % 99_991;
            let lot = f64::from(u32::try_from(at).unwrap()) / 99_991.0;
            text += &word(20_000_f64.powf(lot) as usize);
            text.push(' ');
        }
        text += "and so on.\n\n";
    }
    text
}

/// Seconds of CPU, user and system, of all processes that this one has waited for; none where the system does not tell.
fn cpu_of_children() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    // Fields 16 and 17; a tick is a hundredth of a second.
    Some((ticks(13)? + ticks(14)?) / 100.0)
}

/// Two thousand pairs over a hundred books of 1 MB in a full run; fewer and smaller ones otherwise.
#[test]
fn requests_of_many_pairs_keep_each_book_once() {
    let (books, pairs, bytes) = if full() { (100, 2_000, 1_000_000) } else { (2, 40, 60_000) };
    let private = Private::new(1, 1);
    let mut table = "id,book,true_claim,false_claim\n".to_owned();
    for book in 0..books {
        let path = at(&private, &format!("b{book:03}.txt"), novel(book, bytes));
        private.run(&["shelf", "add", &path, "--key", "ann.key"]).exits(0);
        for pair in 0..pairs / books {
            table += &format!(
                "b{book:03}/{pair:04},b{book:03},Ann paid {pair} pounds to Carl.,Ann paid {pair} guineas to Carl.\n"
            );
        }
    }
    let table = at(&private, "claims.csv", table);
    let cpu = std::cell::Cell::new(cpu_of_children());
    let told = std::cell::RefCell::new(Vec::new());
    let run = |args: &[&str]| {
        let (start, said) = (std::time::Instant::now(), private.run(&cat(args)));
        let now = cpu_of_children();
        if let (Some(before), Some(now)) = (cpu.replace(now), now) {
            let what = args[..2].join(" ");
            told.borrow_mut().push(format!(
                "{what}: {:.1} s of CPU in {:.1?}",
                now - before,
                start.elapsed()
            ));
        }
        said
    };
    let (start, before) = (std::time::Instant::now(), cpu.get());
    run(&["claims", "import", &table, "--into", "family"]).exits(0);
    let size =
        |name: &str| files(&private.project.path(name)).values().map(Vec::len).sum::<usize>();
    let bytes_before = size("shelf");
    run(&["claims", "requests", "family", "--model", "m"]).exits(0);
    let kept = size("shelf") - bytes_before;
    let bob = private.run(&["shelf", "key", "--key", "bob.key", "--no-passphrase"]).exits(0).text;
    let id = run(&["claims", "requests", "family", "--list"]).exits(0).text;
    run(&["claims", "requests", "family", "--made", id.trim(), "--to", bob.trim(), "--out", "bob"])
        .exits(0);
    let bundle = fs::metadata(private.project.path("bob")).unwrap().len();
    // Answers that somebody else got.
    let answer = |pair: usize, book: usize| {
        ["true", "false"].map(|claim| json!({"system": "s", "pair": format!("b{book:03}/{pair:04}"), "claim": claim, "answer": "<answer>TRUE</answer>"}).to_string() + "\n").concat()
    };
    let answers: String = (0..books)
        .flat_map(|book| (0..pairs / books).map(move |pair| answer(pair, book)))
        .collect();
    let answers = at(&private, "answers.jsonl", answers);
    run(&["claims", "score", "family", &answers]).exits(0).says("| s |");
    let took = start.elapsed();
    let all = cpu.get().zip(before).map_or(0.0, |(now, before)| now - before);
    println!(
        "{pairs} pairs over {books} books of {bytes} bytes: requests {kept} bytes, a sealed bundle {bundle}, import to score in {took:.1?}, {all:.1} s of CPU"
    );
    told.borrow().iter().for_each(|one| println!("  {one}"));
    let most = if full() { 200_000_000 } else { 2 * books * bytes };
    assert!(kept < most && bundle < most as u64, "{kept} and {bundle} bytes");
    assert!(cfg!(debug_assertions) || took.as_secs() < 60, "{took:?}");
}

#[test]
fn stories_of_a_private_collection_are_found_by_its_headings() {
    let private = Private::new(1, 1);
    let prose = |word: &str| {
        format!("{} and so it went on for a while.\n\n", format!("{word} ").repeat(40)).repeat(12)
    };
    let page = format!(
        "<html><head><title>Tales</title></head><body><h2>The Door</h2>{}<h2>The Lamp</h2><h3>I</h3>{}<h3>II</h3>{}<h2>The Sea</h2>{}</body></html>",
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
    run(&["claims", "import", &none, "--into", "family"])
        .exits(4)
        .says("pair tales/0001: names a story that is not a heading of its book");
    let table = at(
        &private,
        "claims.csv",
        format!(
            "{head}tales/0001,tales,the lamp,Ann paid.,Carl paid.\ntales/0002,tales,The Sea,Ann paid all.,Carl paid all.\n"
        ),
    );
    run(&["claims", "import", &table, "--into", "family"]).exits(0).says("2 pairs added");
    run(&["claims", "requests", "family", "--model", "m", "--show", "story"])
        .exits(0)
        .says("4 requests");
    let id = run(&["claims", "requests", "family", "--list"]).exits(0).text;
    let out = private.books.path().join("out.jsonl");
    run(&["claims", "requests", "family", "--made", id.trim(), "--clear", out.to_str().unwrap()])
        .exits(0);
    let text = fs::read_to_string(out).unwrap();
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
fn who_leaves_is_asked_about_while_bundles_are_out() {
    let private = set();
    let key = |name: &str| {
        private
            .run(&["shelf", "key", "--key", name, "--no-passphrase"])
            .exits(0)
            .text
            .trim()
            .to_owned()
    };
    let (bob, zoe) = (key("bob.key"), key("bob"));
    private.run(&["shelf", "rekey", "--add", &bob, "--key", "ann.key"]).exits(0);
    let id = requests(&private);
    let remove = ["shelf", "rekey", "--remove", &bob, "--key", "ann.key"];
    private
        .run(&cat(&["claims", "requests", "family", "--made", &id, "--to", &zoe, "--out", "tmp/b"]))
        .exits(0);
    let before = files(&private.project.path("shelf"));
    private
        .run(&remove)
        .exits(4)
        .says(&format!("requests {id}, handed out on "))
        .says("not answered yet")
        .says("answers to 1 bundle may still come")
        .says("--yes");
    assert_eq!(files(&private.project.path("shelf")), before);
    private.run(&[&remove[..], &["--yes"]].concat()).exits(0).says("sealed anew to 1 maintainer");
    // A private build of the shelf that is left says nothing of publishing, and need not.
    private.workflow(None);
    let text = private.project.read("my.toml");
    let (head, rest) = text.split_once("[publish]").unwrap();
    let rest = rest.split_once("expected_rejects = 999\n").unwrap().1;
    private.project.write("my.toml", format!("{head}{rest}"));
    let built = private.run(&Private::BUILD);
    assert!([Some(0), Some(5)].contains(&built.code), "{}", built.text);
}

#[test]
fn requests_made_anew_find_the_answers_to_those_that_say_the_same() {
    let server = Server::start(0, Duration::ZERO);
    let private = set();
    let run = |args: &[&str]| private.run(&cat(args));
    let id = requests(&private);
    // A server that says what it was sent is not repeated.
    let echoing = models(&private, Server::echoing().port);
    run(&["claims", "ask", "family", "--models", &echoing]).exits(8).says("kept in the shelf");
    let models = models(&private, server.port);
    let ask = ["claims", "ask", "family", "--models", &models];
    run(&[&ask[..], &["--plan"]].concat()).exits(0).says("in all about 20 requests");
    assert_eq!(server.asked(), 0);
    run(&ask).exits(0).says("20 answers of `teller`");
    // The set grows by a pair.
    let table = at(&private, "claims.csv", table(1, 11));
    run(&["claims", "import", &table, "--into", "family"]).exits(0).says("1 pair added");
    run(&["claims", "requests", "family", "--model", "teller"]).exits(0).says("22 requests");
    let ids = run(&["claims", "requests", "family", "--list"]).exits(0).text;
    let other = ids.lines().find(|line| **line != id).unwrap();
    let ask = [&ask[..], &["--requests", other]].concat();
    run(&[&ask[..], &["--plan"]].concat()).exits(0).says("in all about 2 requests");
    run(&ask).exits(0).says("22 answers of `teller`");
    assert_eq!(server.asked(), 22);
    run(&[&ask[..], &["--plan"]].concat()).exits(0).says("no model is asked next");
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
    let id = requests(&private);
    run(&["claims", "ask", "family", "--models", &elsewhere]).exits(4).says("not on this machine");
    // In clear: outside of repositories alone, once, readable by its owner, and on record.
    private.run(&["shelf", "list", "--key", "ann.key"]).exits(0);
    fs::create_dir_all(private.project.path("repo/.git")).unwrap();
    fs::create_dir_all(private.project.path("repo/deep/er")).unwrap();
    let clear = |path: &str| {
        run(&[
            "claims",
            "requests",
            "family",
            "--made",
            &id,
            "--provider",
            "lab",
            "--date",
            "2026-11-21",
            "--clear",
            path,
        ])
    };
    let shelf = files(&private.project.path("shelf"));
    clear("repo/deep/er/out.jsonl").exits(4).says("inside a repository");
    clear("repo/.git/out.jsonl").exits(4).says("inside a repository");
    clear("nowhere/out.jsonl").exits(4);
    assert_eq!(files(&private.project.path("shelf")), shelf);
    fs::remove_dir_all(private.project.path("repo")).unwrap();
    private.keeps_quiet();
    let out = private.books.path().join("out.jsonl");
    clear(out.to_str().unwrap()).exits(0).says("this is recorded");
    clear(out.to_str().unwrap()).exits(4).says("already exists");
    private.run(&["shelf", "list", "--key", "ann.key"]).exits(0).says("handed out in clear 1 time");
    let lines = fs::read_to_string(&out).unwrap();
    assert_eq!(lines.lines().count(), 20);
    assert!(marked(lines.as_bytes()).is_some() && !lines.contains("n01/0001"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // What a batch runner wrote is taken in.
    let answer = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        json!({"custom_id": line["custom_id"], "response": {"body": {"choices": [{"message": {"content": format!("<answer>TRUE</answer> {}", MARKS[0])}}]}}}).to_string() + "\n"
    };
    let answers = at(&private, "answers.jsonl", lines.lines().map(answer).collect::<String>());
    run(&["claims", "score", "family", &answers, "--system", "lab"])
        .exits(0)
        .says("| lab |")
        .says("0/10");
    run(&["claims", "score", "family", "--unexposed", "lab:2026-12-01", "--format", "json"])
        .exits(0)
        .says("\"left_out\": 10");
    private.keeps_quiet();
}

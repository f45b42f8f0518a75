//! Every command of `shelf` and of `claims` with a shelf is played here once, and nothing is in clear after any of them.
//! The commands are those that the program says it has: one that is new and is not played fails the test.

use std::{collections::BTreeSet, fs, time::Duration};

use crate::{
    leaks::{Private, epub, nothing_leaks},
    models::Server,
    private_claims::{SHELF, at, models, table},
};

/// The commands below one, as its help lists them: `shelf proof verify`.
fn below(private: &Private, command: &str) -> BTreeSet<String> {
    let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
    let help = private.run(&words).exits(0).text;
    let Some((_, list)) = help.split_once("\nCommands:\n") else {
        return [command.to_owned()].into();
    };
    // What a command does may go on on the next line, further to the right.
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    let names = lines.filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(!names.is_empty(), "{help}");
    names.iter().flat_map(|name| below(private, &format!("{command} {name}"))).collect()
}

#[test]
fn every_command_leaks_nothing() {
    let server = Server::start(0, Duration::ZERO);
    let private = Private::new(3, 5);
    let listed: BTreeSet<String> =
        ["shelf", "claims"].iter().flat_map(|one| below(&private, one)).collect();
    assert!(listed.len() == 15 && listed.contains("shelf state"), "{listed:?}");
    let mut played = BTreeSet::new();
    let mut play = |line: &[&str]| {
        let said = private.run(line);
        nothing_leaks(&private.project.path(""));
        let words = line.iter().take_while(|word| !word.starts_with('-')).copied();
        let words: Vec<&str> = words.collect();
        let command = (1..=words.len()).map(|count| words[..count].join(" "));
        played.extend(command.filter(|command| listed.contains(command)));
        said
    };
    let ann = ["--key", "ann.key"];
    let shelf = |args: &[&'static str]| [&["shelf"], args, &ann[..]].concat();
    let inside = |args: &[&'static str]| [&["claims"], args, &SHELF[..]].concat();

    private.workflow(None);
    let (table, models) = (at(&private, "claims.csv", table(1, 10)), models(&private, server.port));
    let votes = at(
        &private,
        "votes.csv",
        "pair,claim,reader,verdict\nn01/0001,true,ann,true\nn01/0001,true,bob,false\n",
    );
    let other = at(&private, "other.epub", epub(1, 4));
    let book = private.book();
    let out = |name: &str| private.books.path().join(name).to_str().unwrap().to_owned();

    play(&["shelf", "init", "--shelf", "tmp/other", "--key", "ann.key"]).exits(0);
    fs::remove_dir_all(private.project.path("tmp/other")).unwrap();
    let bob =
        play(&["shelf", "init", "--key-only", "--key", "bob.key", "--no-passphrase"]).exits(0).text;
    play(&[&["shelf", "add", &book], &ann[..]].concat()).exits(0);
    play(&[&["shelf", "add", &other], &ann[..]].concat()).exits(0);
    play(&[&["shelf", "rekey", "--add", bob.trim()], &ann[..]].concat()).exits(0);
    play(&shelf(&["list"])).exits(0);
    play(&[&["claims", "import", &table, "--into", "family"], &SHELF[..]].concat()).exits(0);
    let lint = play(&inside(&["lint", "family"]));
    assert!([Some(0), Some(13)].contains(&lint.code), "{}", lint.text);
    play(&inside(&["list", "family"])).exits(0);
    play(&inside(&["list", "family", "n01/0001"])).exits(0);
    // What is exported is in clear, where it was asked to be.
    let table = out("export.csv");
    play(&[&["claims", "export", "family", "--texts", "--out", &table], &SHELF[..]].concat())
        .exits(0);
    play(&inside(&["lint", "family", "--balance"])).exits(0);
    play(&[&["review", "family", "--import", &votes], &SHELF[..]].concat()).exits(0);
    play(&[&["review", "family", "--list"], &SHELF[..]].concat()).exits(0);
    play(&Private::BUILD);
    play(&inside(&["draft", "my.toml", "--into", "family"])).exits(0);
    play(&[&["evaluate", "family", "--models", &models], &SHELF[..]].concat()).exits(0);
    play(&[&["report", "family-teller"], &SHELF[..]].concat()).exits(0);
    play(&[&["evaluate", "family", "--baselines"], &SHELF[..]].concat()).exits(0);
    play(&[&["review", "family", "--agreement"], &SHELF[..]].concat()).exits(0);
    play(&shelf(&["packet", "family", "--for", "bob"])).exits(0);
    let batch = ["answers", "export-batch", "family-teller", "--format", "openai"];
    play(&[&batch[..], &["--to", bob.trim(), "--out", "tmp/batch"], &SHELF[..]].concat()).exits(0);
    play(&shelf(&["state", "family", "--version", "1.0.0", "--out", "tmp/one"])).exits(0);
    play(&shelf(&["state", "family", "--retire", "n01/0002", "--reason", "subjective"])).exits(0);
    play(&inside(&["remove", "family", "n01/0002", "--reason", "subjective"])).exits(0);
    play(&shelf(&["state", "family", "--version", "1.1.0", "--out", "tmp/two"])).exits(0);
    // What is revealed is everybody's.
    let pair = out("pair.json");
    play(
        &[&["shelf", "state", "family", "--reveal", "n01/0001", "--out", &pair], &ann[..]].concat(),
    )
    .exits(0);
    play(&["verify", "tmp/two", &pair, "--before", "tmp/one"]).exits(0);
    play(&shelf(&["publish", "family", "--public", "tmp/public"])).exits(0);
    play(&shelf(&["rekey", "--trust"])).exits(0);
    play(&shelf(&["unlock"])).exits(4).says("has no passphrase");
    play(&["shelf", "unlock", "--end"]).exits(0);
    play(&[&["verify"], &SHELF[..]].concat()).exits(0);
    play(&shelf(&["remove", "other"])).exits(0);
    let missing: Vec<&String> = listed.difference(&played).collect();
    assert!(missing.is_empty(), "commands that are not played: {missing:?}");
    println!("{} commands, none of them leaves a word in clear", played.len());
}

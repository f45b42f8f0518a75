//! Pages of a private set: `review` and `view` of what lies in a shelf leave nothing in clear.

use std::fs;

use serde_json::Value;

use crate::{
    leaks::{MARKS, Private, Said, files, marked},
    private_claims::{at, cat, set as shelf},
    review_app::Desk,
    second_readers::of,
    view::served,
    view_build::has,
};

/// The shelf is free while the pages are open; what is said on them lies in it, and nothing of it anywhere else.
#[test]
fn claims_of_a_shelf_are_decided_on_pages_and_nothing_leaks() {
    let private = shelf();
    let run = |args: &[&str]| private.run(&cat(args));
    let votes = "pair,claim,reader,verdict\nn01/0001,true,ann,false\nn01/0002,true,ann,false\n";
    run(&["review", "family", "--import", &at(&private, "votes.csv", votes)]).exits(0);
    let list = ["review", "family", "--list", "--format", "json"];
    let items: Vec<Value> = serde_json::from_str(&run(&list).exits(0).text).unwrap();
    let pages = || served(private.command(&cat(&["review", "family", "--texts"])));
    let (desk, other) = (Desk::of(pages()).named("Zyxo Reader"), Desk::of(pages()).named("bob"));
    let path = |at: usize| format!("q/claims/{}", items[at]["id"].as_str().unwrap());
    let page = desk.get(&path(0)).body;
    assert!(page.contains(MARKS[1]) && page.contains("same words"), "{page}");
    let written = format!("Captain {} lost the {} at the mill.", MARKS[0], MARKS[1]);
    let note = format!("{} never did", MARKS[3]);
    let changes = [("choice", "change"), ("field.true_claim", &*written), ("note", &*note)];
    let saved = desk.post(&path(0), &changes);
    assert!(desk.get(&saved.location).body.contains("Saved: change (n01/0001/true)"));
    // Somebody else has pages open, and others work on the shelf.
    assert!(other.get("q/claims").body.contains("decided by others"));
    let keep = format!("{}=keep", items[1]["id"].as_str().unwrap());
    run(&["review", "family", "--decide", &keep, "--by", "eve"]).exits(0);
    assert!(desk.get("q/claims").body.contains("2 decided"));
    run(&["review", "family", "--apply"]).exits(0).says("n01/0001 was written anew");
    run(&["claims", "lint", "family", "--balance"]).exits(0).says("10 pairs");
    drop((desk, other));
    fs::remove_dir_all(private.project.path("tmp")).unwrap();
    fs::create_dir(private.project.path("tmp")).unwrap();
    private.keeps_quiet();
    let clear = files(&private.project.path(""));
    let holds =
        |bytes: &[u8], word: &str| bytes.windows(word.len()).any(|at| at == word.as_bytes());
    for (file, bytes) in &clear {
        assert!(!holds(bytes, "Zyxo Reader") && !holds(bytes, "decisions"), "{}", file.display());
    }
    run(&["review", "family", "--list"]).exits(0).says("decided: keep");
}

/// What second readers say of a private set lies in its shelf, as does its rule; whoever wrote a pair is not asked.
#[test]
fn second_readers_of_a_shelf_leave_nothing_in_clear() {
    let private = shelf();
    let run = |args: &[&str]| private.run(&cat(args));
    let table = format!(
        "id,book,true_claim,false_claim,written_by\nn01/0099,n01,\"{0} ate a pear.\",\"{0} ate a plum.\",Zyxo Reader\n",
        MARKS[0]
    );
    let table = at(&private, "more.csv", table);
    run(&["claims", "import", &table, "--into", "family"]).exits(0);
    run(&["review", "family", "--voters", "1"]).exits(0).says("majority, 1 voter");
    let list = ["review", "family", "--queue", "adequacy", "--list", "--format", "json"];
    let shown: Vec<Value> = serde_json::from_str(&run(&list).exits(0).text).unwrap();
    assert!(shown.len() == 11 && shown[0]["review"].get("author").is_none(), "{shown:?}");
    let pages = ["review", "family", "--queue", "adequacy"];
    private.run(&cat(&pages)).exits(4).says("`--texts` says that they may be shown");
    let texts = [&pages[..], &["--texts"]].concat();
    let desk = Desk::of(served(private.command(&cat(&texts)))).named("Zyxo Reader");
    assert!(desk.get("").body.contains("10 items wait for you"));
    let own = of(&shown, "n01/0099")["id"].as_str().unwrap().to_owned();
    assert_eq!(desk.post(&format!("q/adequacy/{own}"), &[("choice", "A")]).status, 422);
    let path = format!("q/adequacy/{}", of(&shown, "n01/0001")["id"].as_str().unwrap());
    assert!(desk.get(&path).body.contains(MARKS[1]));
    let note = format!("{} says so", MARKS[3]);
    assert_eq!(desk.post(&path, &[("choice", "neither"), ("note", &note)]).status, 303);
    drop(desk);
    let table = private.project.path("votes.csv").display().to_string();
    let pairs = |more: &[&str]| run(&[&pages[..], more].concat());
    pairs(&["--export", &table]).exits(4).says("would show private text");
    let other = of(&shown, "n01/0002")["id"].as_str().unwrap();
    for (choice, code, says) in [
        ("burn", 4, "line 2 cannot be read as votes"),
        ("B", 0, "1 line new"),
        ("B", 0, "0 lines new"),
    ] {
        private.project.write("votes.csv", format!("review,choice\n{other},{choice}\n"));
        pairs(&["--import", &table, "--by", "Zyxo Reader"]).exits(code).says(says);
    }
    fs::remove_file(&table).unwrap();
    run(&["review", "family", "--agreement"]).exits(0).says("adequacy");
    let found = run(&["claims", "lint", "family"]).exits(13);
    let found = found.says("asked which is true, readers say: neither is true (1)");
    assert_eq!(marked(found.text.as_bytes()), None, "{}", found.text);
    run(&["review", "family", "--list"]).exits(0).says("pair-disputed");
    fs::remove_dir_all(private.project.path("tmp")).unwrap();
    fs::create_dir(private.project.path("tmp")).unwrap();
    private.keeps_quiet();
    for (file, bytes) in files(&private.project.path("")) {
        let holds = |word: &str| bytes.windows(word.len()).any(|at| at == word.as_bytes());
        let clear = holds("Zyxo Reader") || holds("neither") || holds("majority");
        assert!(!clear, "{}", file.display());
    }
}

#[test]
fn a_private_set_is_shown_with_the_key() {
    const ON: [&str; 4] = ["--shelf", "shelf", "--key", "ann.key"];
    let private = Private::new(6, 12);
    private.add().workflow(None);
    let tables = "\n[dataset.scenes]\nfrom = \"scenes\"\n";
    private.project.write("my.toml", private.project.read("my.toml") + tables);
    private.run(&Private::BUILD).exits(0);
    let run = |args: &[&str]| Said::of(&private.command(&[args, &ON].concat()).output().unwrap());
    run(&["view", "mine"]).exits(4).says("--texts");
    run(&["view", "mine", "--texts", "--html", "pages"]).exits(2);
    run(&["view", "yours", "--texts"]).exits(4).says("there are mine");
    for what in ["mine", "my.toml"] {
        let shown = served(private.command(&[&["view", what, "--texts"][..], &ON].concat()));
        let page = shown.pages();
        let book = page("book/n01");
        assert!(book.contains(MARKS[0]), "{book}");
        has(&page("c/questions"), &["n01/"]);
        let source = page("page/n01");
        if what == "mine" {
            assert!(source.starts_with("HTTP/1.1 404"), "{source}");
        } else {
            has(&source, &[MARKS[0], "columnheader"]);
        }
    }
    private.keeps_quiet();
}

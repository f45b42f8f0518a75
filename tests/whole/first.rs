//! The first dataset of one's own books: what `init` writes and says, what its build comes to, and
//! what is said about folders that hold nothing to build from.

use std::collections::{BTreeMap, BTreeSet};

use crate::project::{Project, page, top};

/// Eight books by eight authors, under names as people give them.
fn eight(folder: &str) -> Project {
    let project = Project::new();
    let names = ["1342", "pg84-images", "My Book", "Émile", "O'Brien (2)", "g", "h", "i"];
    for name in names {
        project.write(&format!("{folder}/{name}.html"), page(name, 12));
    }
    project
}

/// The published rows of a config.
fn rows(project: &Project, out: &str, config: &str) -> Vec<serde_json::Value> {
    let args = ["inspect", out, "--config", config, "-n", "100000", "--format", "json"];
    let value: serde_json::Value =
        serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
    let tables = value["tables"].as_array().unwrap().iter();
    let rows = tables.flat_map(|table| table["sample"].as_array().unwrap());
    rows.map(|row| row["values"].clone()).collect()
}

#[test]
fn a_first_build_is_done_and_asks_about_test_books() {
    let project = eight("my books");
    let init = ["init", "my first set.toml", "--books", "my books", "--for", "training"];
    let ran = project.run(&init).exits(0);
    let ran = ran.says("8 books in my books").says("storymill build 'my first set.toml'");
    assert!(ran.err().is_empty(), "{}", ran.err());
    project.run(&["plan", "my first set.toml"]).exits(0).says("1342 and 7 more");
    let ran = project.run(&["build", "my first set.toml"]).exits(0);
    let ran = ran.says("splits  ").says("next: `storymill inspect out/my-first-set`");
    let ran = ran.says("note: `summaries` and `distortions` made by rule, a stand-in for a model");
    assert!(project.read("my first set.toml").contains("a stand-in"));
    assert!(!ran.err().contains("warning"), "{}", ran.err());
    let out = "out/my-first-set";
    let mut splits: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for book in rows(&project, out, "books") {
        let text = |name: &str| book[name].as_str().unwrap().to_owned();
        splits.entry(text("split")).or_default().insert(text("book_id"));
    }
    assert_eq!(splits.keys().collect::<Vec<_>>(), ["test", "train", "validation"]);
    let ids: BTreeSet<&str> = splits.values().flatten().map(String::as_str).collect();
    assert!(["My-Book", "Emile", "OBrien-2", "84"].iter().all(|id| ids.contains(id)), "{ids:?}");
    for config in ["eval", "eval-small"] {
        let asked = rows(&project, out, config);
        assert!(!asked.is_empty());
        assert!(asked.iter().all(|row| row["split"] == "test"), "{config}");
    }
    project.run(&["verify", out]).exits(0);
    let lock = format!("{out}/dataset.lock");
    project.run(&["verify", &lock]).exits(4).says(&format!("`storymill verify {out}`"));
}

/// What `init` writes where nothing else is asked for: every book counts, none twice, and no plays.
#[test]
fn all_books_but_plays_and_copies_are_for_evaluation() {
    let project = Project::new();
    for name in ["sm01", "sm02", "sm03", "sm04"] {
        let story = std::fs::read(top().join(format!("data/books/{name}.html"))).unwrap();
        project.write(&format!("books/{name}.html"), story);
    }
    project.write("books/twin.html", project.read("books/sm02.html"));
    let lines =
        ["MARY. Where is he?", "TOM. Gone to the mill.", "MARY. So late?", "ANN. He was told."];
    let speech = |at: usize| format!("<p>{}</p>\n", lines[at % lines.len()]);
    let play: String = (0..900).map(speech).collect();
    let page = format!(
        "<html><head><title>The Mill, a play</title></head><body><h2>ACT I</h2>\n{play}</body></html>"
    );
    project.write("books/play.html", page);
    project.run(&["init", "study.toml", "--books", "books"]).exits(0).says("6 books in books");
    let ran = project.run(&["build", "study.toml"]).exits(0);
    ran.says("splits  4 test").says("other-kind").says("play: play").says(" copy ");
    let asked = rows(&project, "out/study", "eval");
    assert!(!asked.is_empty() && asked.iter().all(|row| row["split"] == "test"));
}

/// Scenes without a name or a number give no retelling: that is as it should be. A lost book is not.
#[test]
fn what_the_rules_have_nothing_for_is_no_reject_and_a_lost_book_is_one() {
    let project = eight("books");
    let plain = "<p>It was so, and then it was not so, and then again it was.</p>\n".repeat(150);
    project.write("books/h.html", page("h", 12).replace("<h2>CHAPTER 6</h2>", &plain));
    let french =
        "<p>Il ne pensait pas que la porte était ouverte, et le vent était là.</p>\n".repeat(30);
    project.write("books/fr.html", page("fr", 3).replace("<p>", &(french + "<p>")));
    project.run(&["init", "my.toml", "--for", "training"]).exits(0);
    let ran = project.run(&["build", "my.toml"]).exits(0);
    let ran = ran.says("left out on purpose:").says("nothing-to-swap").says("not-english");
    ran.says("`choice` found only ").says(" of the 300 questions requested");
    project.write("books/void.html", "<html><body><p>Short.</p></body></html>");
    let ran = project.run(&["build", "my.toml"]).exits(5);
    ran.says("rejected (1 in 10 of a step's items is expected, and no whole book)")
        .says("exit code 5: 1 reject more than expected");
}

#[test]
fn a_folder_that_holds_no_books_is_told_at_once() {
    let project = Project::new();
    let init = |file: &str, folder: &str| project.run(&["init", file, "--books", folder]);
    // A folder that was named has to be there, and to have books.
    init("a.toml", "books").exits(4).says("there is no such folder of books").says(".epub");
    std::fs::create_dir(project.path("books")).unwrap();
    init("b.toml", "books").exits(4).says("the folder of books is empty; nothing was written");
    project.write("books/scan.pdf", "x");
    let ran = init("c.toml", "books").exits(4);
    ran.says("holds no books, but 1 other file: scan.pdf").says(".epub");
    assert!(["a", "b", "c"].iter().all(|name| !project.path(format!("{name}.toml")).exists()));
    // One that nobody named may be made later.
    project.run(&["init", "c.toml"]).exits(0).says("holds no books, but 1 other file: scan.pdf");
    project.run(&["build", "c.toml"]).exits(4).says("scan.pdf").says("hint: books are files that");
    project.run(&["init", "c.toml"]).exits(4).says("already exists");
    // Names that TOML and shells would take apart.
    project.write("it's \"here\"/one.html", page("one", 3));
    let ran = init("it's.toml", "it's \"here\"").exits(0);
    ran.says("1 book in it's \"here\"").says(r"storymill plan 'it'\''s.toml'");
    project.run(&["plan", "it's.toml"]).exits(0).says("one");
}

/// What `init` writes for each purpose builds as it is, after the commands that it names.
#[test]
fn every_purpose_builds_at_once() {
    let project = Project::new();
    for at in 1..8 {
        let story = std::fs::read(top().join(format!("data/books/sm0{at}.html"))).unwrap();
        project.write(&format!("books/sm0{at}.html"), story);
    }
    let init = |file: &str, purpose: &str| project.run(&["init", file, "--for", purpose]).exits(0);
    init("recall.toml", "long-contexts")
        .says("7 books in books")
        .says("storymill build recall.toml");
    project.run(&["build", "recall.toml"]).exits(0);
    assert_eq!(rows(&project, "out/recall", "contexts").len(), 7 * 20);
    assert!(project.read("recall.toml").contains("What is published: recipes"));

    let said = init("pairs.toml", "claims").says("there is no set my-set yet");
    drop(said.says("storymill claims import claims.csv --into my-set --books books"));
    let table = "book,true_claim,false_claim\nsm01,The bell of Tarrow was stolen.,The bell of Tarrow was never stolen.\n";
    project.write("claims.csv", table);
    project
        .run(&["claims", "import", "claims.csv", "--into", "my-set", "--books", "books"])
        .exits(0);
    project.run(&["build", "pairs.toml"]).exits(0);
    assert_eq!(rows(&project, "out/pairs", "claims").len(), 2);

    init("mine.toml", "private").says("storymill build mine.toml --shelf shelf --key ann.key");
    let shelf = project.run(&["shelf", "init", "--key", "ann.key", "--no-passphrase"]);
    if cfg!(feature = "private") {
        drop(shelf.exits(0));
        let add = ["shelf", "add", "books/sm01.html", "--id", "n01", "--key", "ann.key"];
        project.run(&add).exits(0);
        project.run(&["build", "mine.toml", "--shelf", "shelf", "--key", "ann.key"]).exits(0);
        assert!(!project.path("out/mine").exists());
    } else {
        shelf.exits(4).says("this build of storymill has no private sets").says("--features full");
        assert!(!project.path("ann.key").exists() && !project.path("shelf").exists());
    }
    project.run(&["init", "x.toml", "--for", "claim"]).exits(2).says("claims");
}

/// Two authors cannot fill three splits; a lock that placed all keeps them where they are.
#[test]
fn a_split_that_stays_empty_is_told() {
    let project = Project::new();
    project.book("a", 3).book("b", 3);
    project.run(&["init", "my.toml", "--for", "training"]).exits(0);
    project.run(&["build", "my.toml"]).exits(0).says("is empty: none of 2 books went there");
}

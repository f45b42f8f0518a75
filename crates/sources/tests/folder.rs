//! The folder source: which files are books, and what is said when they are not.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{fs, path::Path};

use storymill_core::{
    Book, Decisions, Digest, Env, Known, OpenSource, Options, Reviews, Source, Stop, canonical,
};
use storymill_sources::Folder;

const STORY: &str = "Once upon a time there stood a mill beside a slow river, and the miller who \
    kept it ground out one story for every sack of grain that the farmers brought to his door, and \
    no two of them were ever quite the same, though all of them began with the mill and the river.";

fn page(title: &str) -> String {
    format!(
        "<html><head><title>{title}, by A. Writer</title></head><body><h2>CHAPTER I</h2><p>{STORY}</p></body></html>"
    )
}

fn folder(json: &str) -> Folder {
    serde_json::from_str(json).unwrap()
}

fn open(json: &str, root: &Path) -> Box<dyn OpenSource<Book>> {
    folder(json).open(&Env::at(root)).unwrap()
}

fn with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(root.path().join(name), text).unwrap();
    }
    root
}

#[track_caller]
fn fails(root: &Path, json: &str, expect: &[&str]) {
    let listed = folder(json).open(&Env::at(root)).and_then(|open| open.units(&Known::default()));
    let fault = listed.unwrap_err();
    let said = format!("{fault} | {}", fault.hint.clone().unwrap_or_default());
    for words in expect {
        assert!(said.contains(words), "`{words}` is not in: {said}");
    }
}

#[test]
fn names_hold_ids() {
    let names = ["1342.html", "pg84-images.html", "11-h.htm", "98-0.txt", "my_tale.xhtml"];
    let text = page("Tale");
    let root = with(&names.map(|name| (name, text.as_str())));
    let listing = open(r#"{ "path": "." }"#, root.path()).units(&Known::default()).unwrap();
    let ids: Vec<_> = listing.units.iter().map(|unit| unit.unit.as_str()).collect();
    assert_eq!(ids, ["11", "1342", "98", "my_tale", "84"]);
}

#[test]
fn any_name_gives_an_id() {
    let id = |name: &str| storymill_sources::page_id(name).map(|id| id.to_string());
    for (name, expect) in [
        ("My Book.html", "My-Book"),
        ("Émile, ou de l’éducation.epub", "Emile-ou-de-leducation"),
        ("Straße & Co. (2).txt.gz", "Strasse-Co.2"),
        ("O'Brien \"quoted\".htm", "OBrien-quoted"),
        ("..dots..html", "dots"),
    ] {
        assert_eq!(id(name).as_deref(), Some(expect), "{name}");
    }
    // What an id cannot hold is told apart all the same.
    let (one, two) = (id("Война и мир 1.txt").unwrap(), id("Анна 1.txt").unwrap());
    assert!(one.starts_with("1-") && two.starts_with("1-") && one != two, "{one} {two}");
    assert!(id("紅樓夢.html").unwrap().starts_with("book-"));
    let long = format!("{} of old.txt", "A long tale ".repeat(12));
    assert!(id(&long).unwrap().len() <= 64 && id(&long) != id(&format!("x{long}")));
    let text = page("Tale");
    let root = with(&[("My Book.html", &text), ("My-Book.html", &text)]);
    fails(
        root.path(),
        r#"{ "path": "." }"#,
        &["several files have one id: `My-Book` (My Book.html"],
    );
}

#[test]
fn without_a_catalog_the_page_speaks() {
    let root = with(&[("mill.html", &page("The Mill")), (".hidden.html", ""), ("cover.jpg", "x")]);
    let folder = open(r#"{ "path": "." }"#, root.path());
    let listing = folder.units(&Known::default()).unwrap();
    assert_eq!(listing.notes, ["1 file left out, being no books: cover.jpg"]);
    let book =
        folder.read(&listing.units[0], &mut Reviews::new(Decisions::NONE)).unwrap().remove(0);
    assert_eq!((book.title.as_str(), book.authors[0].name.as_str()), ("The Mill", "A. Writer"));
    assert_eq!(book.authors[0].agent_id, "a-writer");
    assert_eq!(book.chapters[0].title, "CHAPTER I");
}

#[test]
fn a_catalog_gives_rows_to_files() {
    let catalog = "Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\n\
        7,Text,2001-01-01,\"The Mill\nA Tale\",en,\"Writer, Ann, 1801-1850; Ink, P. [Illustrator]\",,,\n\
        8,Text,2001-01-01,Lost,en,,,,\n";
    let root = with(&[("7.html", &page("x")), ("catalog.csv", catalog)]);
    let folder = open(r#"{ "path": ".", "catalog": "catalog.csv" }"#, root.path());
    let listing = folder.units(&Known::default()).unwrap();
    assert_eq!(listing.notes, ["1 row of the catalog without a file: 8"]);
    let book =
        folder.read(&listing.units[0], &mut Reviews::new(Decisions::NONE)).unwrap().remove(0);
    assert_eq!(book.title, "The Mill A Tale");
    assert_eq!(book.authors.len(), 1);
    assert_eq!(book.authors[0].agent_id, "ann-writer-1801");
}

#[test]
fn faults_name_file_reason_and_next_step() {
    let text = page("x");
    let root = with(&[
        ("7.html", &text),
        ("pg7.html", &text),
        ("8.html", &text),
        ("bad.csv", "id,title\n7,Mill\n../x,Evil\n"),
        ("years.csv", "id,title,author,author_birth\n7,Mill,Ann,soon\n"),
        ("short.csv", "id,title\n7,Mill\n"),
        ("none.csv", "name\n7\n"),
    ]);
    let root = root.path();
    fails(root, r#"{ "path": "nowhere" }"#, &["no such folder", "nowhere", "workflow file"]);
    fs::create_dir_all(root.join("void")).unwrap();
    fails(root, r#"{ "path": "void" }"#, &["the folder of books is empty", ".epub"]);
    fs::write(root.join("void/a.pdf"), "x").unwrap();
    fails(root, r#"{ "path": "void" }"#, &["holds no books, but 1 other file: a.pdf", ".epub"]);
    fs::create_dir_all(root.join("void/Writer/Mill")).unwrap();
    fails(root, r#"{ "path": "void" }"#, &["a.pdf; 1 folder, not looked into: Writer"]);
    fails(
        root,
        r#"{ "path": "." }"#,
        &["several files have one id: `7` (7.html, pg7.html)", "files ="],
    );
    fails(
        root,
        r#"{ "path": ".", "files": ["7.htm"] }"#,
        &["`files` names 1 file", "did you mean `7.html`?"],
    );
    fails(
        root,
        r#"{ "path": ".", "ids": ["9"] }"#,
        &["`ids` names 1 book without a file: 9", "did you mean"],
    );
    fails(
        root,
        r#"{ "path": ".", "catalog": "gone.csv" }"#,
        &["cannot read the catalog", "gone.csv"],
    );
    fails(root, r#"{ "path": ".", "catalog": "bad.csv" }"#, &["line 3, column `id`", "bad.csv"]);
    fails(
        root,
        r#"{ "path": ".", "catalog": "years.csv" }"#,
        &["line 2, column `author_birth`: `soon` is not a year"],
    );
    fails(root, r#"{ "path": ".", "catalog": "none.csv" }"#, &["no column `id`"]);
    fails(
        root,
        r#"{ "path": ".", "catalog": "short.csv", "files": ["7.html", "8.html"] }"#,
        &["the catalog has no row for 1 file: 8.html", "uncatalogued = \"keep\""],
    );
}

#[test]
fn one_bad_page_spoils_no_other() {
    let root = with(&[("1.html", &page("x")), ("2.html", ""), ("3.html", "a\0b")]);
    let folder = open(r#"{ "path": "." }"#, root.path());
    let listing = folder.units(&Known::default()).unwrap();
    let codes: Vec<_> = listing
        .units
        .iter()
        .map(|unit| match (&unit.spoiled, folder.read(unit, &mut Reviews::new(Decisions::NONE))) {
            (Some(reason), _) => reason.code.to_string(),
            (_, Ok(_)) => "kept".to_owned(),
            (_, Err(Stop::Reject(reason))) => reason.code.into_owned(),
            (_, Err(_)) => "fault".to_owned(),
        })
        .collect();
    assert_eq!(codes, ["kept", "empty", "binary"]);
}

#[test]
fn a_page_that_changes_during_the_build_is_a_fault() {
    let root = with(&[("1.html", &page("x"))]);
    let folder = open(r#"{ "path": "." }"#, root.path());
    let listing = folder.units(&Known::default()).unwrap();
    fs::write(root.path().join("1.html"), page("y")).unwrap();
    let Err(Stop::Fault(fault)) =
        folder.read(&listing.units[0], &mut Reviews::new(Decisions::NONE))
    else {
        panic!()
    };
    assert!(fault.to_string().contains("changed while the build ran"));
}

/// The digests of an earlier listing, each another than it was, so that it shows which of them are taken.
fn marked(known: &Known) -> Known {
    let mut units = serde_json::to_value(known).unwrap();
    for (_, unit) in units.as_object_mut().unwrap() {
        unit[1] = serde_json::to_value(Digest::of(b"known")).unwrap();
    }
    serde_json::from_value(units).unwrap()
}

#[test]
fn a_file_is_read_again_when_it_looks_otherwise() {
    let catalog = |title: &str| format!("id,title\n1,Mill\n2,{title}\n3,River\n4,Void\n");
    let text = page("x");
    let root = with(&[
        ("1.html", &text),
        ("2.html", &text),
        ("3.html", &text),
        ("4.html", ""),
        ("catalog.csv", &catalog("Sea")),
    ]);
    let json = r#"{ "path": ".", "catalog": "catalog.csv" }"#;
    let list = |known: &Known| open(json, root.path()).units(known).unwrap();
    let known = |known: &Known| {
        let listing = list(known);
        let taken = listing.units.iter().filter(|unit| unit.digest == Digest::of(b"known"));
        taken.map(|unit| unit.unit.to_string()).collect::<Vec<_>>().concat()
    };
    let listing = list(&Known::default());
    let now = listing.units.iter().map(|unit| unit.stamp.unwrap().changed).max().unwrap();
    // What changed just before the listing is not known to the next one, nor is what cannot be read.
    assert_eq!(Known::of(&listing, now + Known::SETTLED), Known::default());
    let before = marked(&Known::of(&listing, now + Known::SETTLED + 1));
    assert_eq!(known(&before), "123");
    fs::write(root.path().join("catalog.csv"), catalog("Land")).unwrap();
    assert_eq!(known(&before), "13", "its row is part of the digest");
    fs::write(root.path().join("1.html"), page("y")).unwrap();
    assert_eq!(known(&before), "3", "as long as before, and changed");
    // A copy that has the size and the time of the file is another file.
    let (old, new) = (root.path().join("3.html"), root.path().join("new"));
    fs::copy(&old, &new).unwrap();
    let time = old.metadata().unwrap().modified().unwrap();
    fs::File::options().write(true).open(&new).unwrap().set_modified(time).unwrap();
    fs::rename(&new, &old).unwrap();
    assert_eq!(known(&before), if cfg!(unix) { "" } else { "3" });
}

#[test]
fn keys_and_digests_know_no_paths() {
    let text = page("x");
    let (a, b) = (with(&[("1.html", &text)]), with(&[("pg1.html", &text)]));
    let digest = |root: &tempfile::TempDir| {
        let listing = open(r#"{ "path": "." }"#, root.path()).units(&Known::default());
        listing.unwrap().units[0].digest
    };
    assert_eq!(digest(&a), digest(&b));
    let key = |json: &str| canonical::json(&folder(json));
    let plain = key(r#"{ "path": "a" }"#);
    assert_eq!(
        plain,
        key(
            r#"{ "path": "b", "ids": ["1"], "files": ["x"], "uncatalogued": "keep", "catalog": "c" }"#
        )
    );
    assert_ne!(plain, key(r#"{ "path": "a", "min_kept": 10 }"#));
}

#[test]
fn options_are_checked() {
    let faults = folder(r#"{ "path": "", "min_kept": 101, "ids": [] }"#).check();
    let names: Vec<_> = faults.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["path", "min_kept", "ids"]);
    assert!(serde_json::from_str::<Folder>(r#"{ "path": ".", "min_keep": 1 }"#).is_err());
    let schema = schemars::schema_for!(Folder).to_value().to_string();
    assert!(schema.contains("min_kept") && !schema.contains("cache"));
}

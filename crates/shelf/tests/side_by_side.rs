//! Private builds of one process: each sees the shelf that it was lent, and no other.
#![allow(clippy::unwrap_used, clippy::pedantic, missing_docs)]

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, Barrier, atomic::AtomicBool},
};

use storymill_core::{Book, Fault, PageFacts, Parts, Record};
use storymill_disk::RealDisk;
use storymill_pipeline::{Claim, NoModel, Registry, RunOptions, Store, Workflow, run};
use storymill_shelf::{Access, Books, Key, MOUNT, Mount, Shelf, ShelfBooks};

const WORKFLOW: &str = r#"
name = "mine"
version = "1.0.0"
seed = 7
[publish]
title = "Mine"
license = "other"
canary = "canary-0123456789"
[source.books.shelf]
[dataset.books]
from = "books"
"#;

fn workflow(folder: &Path) -> Workflow {
    let path = folder.join("mine.toml");
    fs::write(&path, WORKFLOW).unwrap();
    let registry = Registry::new().with_source::<ShelfBooks>().with_table::<Book>();
    Workflow::read(&path, &registry).unwrap()
}

fn book(id: &str, text: String) -> Book {
    Book {
        id: id.parse().unwrap(),
        title: String::new(),
        authors: Vec::new(),
        language: "en".to_owned(),
        kind: String::new(),
        kind_sure_pm: 0,
        kind_evidence: Vec::new(),
        subjects: Vec::new(),
        locc: Vec::new(),
        bookshelves: Vec::new(),
        rights: String::new(),
        source_url: String::new(),
        page: PageFacts::default(),
        text,
        chapters: Vec::new(),
        paragraphs: Vec::new(),
        flags: Vec::new(),
    }
}

/// A shelf of two books, one of which has an id that other shelves have too.
fn shelf(folder: &Path, owner: &str) -> Arc<Shelf> {
    let key = Key::mint().unwrap();
    Shelf::make(&folder.join("shelf"), Arc::new(RealDisk), &key, &[]).unwrap();
    let disk = Arc::new(RealDisk);
    let shelf = Shelf::open(&folder.join("shelf"), disk, &key, Access::Change).unwrap();
    for id in ["shared", owner] {
        let book = book(id, format!("A book of {owner}"));
        Books(&shelf).add(book, "", b"", false).unwrap();
    }
    Arc::new(shelf)
}

/// The texts that a build reads from its shelf, by id.
fn build(workflow: &Workflow, shelf: Arc<Shelf>) -> Result<BTreeMap<String, String>, Fault> {
    let disk = Arc::new(Mount::new(shelf));
    let store = Store::open(Path::new(MOUNT).join("store"), disk, Claim::Whole)?;
    let options = RunOptions { threads: 1, shard: None, stop: &AtomicBool::new(false) };
    let run = run(workflow, &store, &NoModel, &(), &options)?;
    let read = |part| Ok(Book::decode(&run.read(part)?).unwrap().remove(0));
    let books = run.outcome.parts["books"].iter().map(read);
    books.map(|book| book.map(|book: Book| (book.id.to_string(), book.text))).collect()
}

#[test]
fn two_private_builds_at_once_see_their_own_books() {
    let start = Barrier::new(2);
    let of = |owner: &str| {
        let dir = tempfile::tempdir().unwrap();
        let (mut workflow, shelf) = (workflow(dir.path()), shelf(dir.path(), owner));
        workflow.lent.lend(Arc::clone(&shelf));
        start.wait();
        // The second time all of it is there, and is still its own.
        [(); 2].map(|()| build(&workflow, Arc::clone(&shelf)).unwrap())
    };
    let expected = |owner: &str| {
        let books = ["shared", owner].map(|id| (id.to_owned(), format!("A book of {owner}")));
        let books = BTreeMap::from(books);
        [books.clone(), books]
    };
    std::thread::scope(|scope| {
        let (ann, bea) = (scope.spawn(|| of("ann")), scope.spawn(|| of("bea")));
        assert_eq!(ann.join().unwrap(), expected("ann"));
        assert_eq!(bea.join().unwrap(), expected("bea"));
    });
}

#[test]
fn without_a_shelf_there_are_no_private_books() {
    let dir = tempfile::tempdir().unwrap();
    let (workflow, shelf) = (workflow(dir.path()), shelf(dir.path(), "ann"));
    let fault = build(&workflow, shelf).unwrap_err();
    assert_eq!(fault.message, "the workflow reads private books, and no shelf is open");
    assert_eq!(fault.hint.as_deref(), Some("name it: `--shelf DIR --key FILE`"));
}

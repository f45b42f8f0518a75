//! A folder to work in, and the binary to run there.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

pub struct Project {
    dir: tempfile::TempDir,
}

/// The top folder of the repository.
pub fn top() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The folder with material that is not part of the project, where there is one.
pub fn shared(what: &str) -> Option<PathBuf> {
    let path = top().join("../shared").join(what);
    if path.exists() {
        return Some(path);
    }
    println!("skip: ../shared/{what} is not here");
    None
}

#[path = "../golden/sets.rs"]
mod golden;
pub(crate) use golden::sets;

/// Whether the full set of tests is wanted.
pub fn full() -> bool {
    std::env::var_os("CI_FULL").is_some_and(|value| value == "1")
}

/// Whether files that are kept in the repository are to be written anew.
pub fn overwrite() -> bool {
    std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite")
}

/// The texts of books by their ids, put together from the rows of a config of their pieces.
pub fn texts<'r>(pieces: impl IntoIterator<Item = &'r Value>) -> BTreeMap<String, String> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for piece in pieces {
        let book = piece["book_id"].as_str().unwrap().to_owned();
        *texts.entry(book).or_default() += piece["text"].as_str().unwrap();
    }
    texts
}

impl Project {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A workflow over the folder `books`, with these lines in place of others.
    pub fn workflow(&self, changes: &[(&str, &str)]) -> &Self {
        let mut text = WORKFLOW.to_owned();
        for (old, new) in changes {
            assert!(text.contains(old), "the workflow has `{old}`");
            text = text.replace(old, new);
        }
        self.write("my.toml", text)
    }

    /// A small book.
    pub fn book(&self, id: &str, chapters: usize) -> &Self {
        self.write(&format!("books/{id}.html"), page(id, chapters))
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_storymill"));
        command
            .args(args)
            .current_dir(self.dir.path())
            .env_remove("NO_COLOR")
            .env("STORYMILL_NO_PROGRESS", "1");
        command
    }

    #[track_caller]
    pub fn run(&self, args: &[&str]) -> Ran {
        Ran(self.command(args).output().unwrap())
    }

    /// What was published, as one text: it holds the digests of everything.
    pub fn manifest(&self, out: &str) -> String {
        self.read(&format!("{out}/manifest.json"))
    }
}

pub struct Ran(Output);

impl Ran {
    /// What came of a command.
    pub fn of(mut command: Command) -> Self {
        Self(command.output().unwrap())
    }

    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    pub fn code(&self) -> i32 {
        self.0.status.code().expect("it was not killed")
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code(), code, "\n--- out\n{}\n--- err\n{}", self.out(), self.err());
        self
    }

    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        let all = format!("{}{}", self.out(), self.err());
        assert!(all.contains(text), "expected `{text}` in\n{all}");
        self
    }
}

pub const WORKFLOW: &str = r#"name = "mine"
version = "1.0.0"
seed = 7

[publish]
title = "Mine"
license = "cc-by-4.0"
canary = "storymill-canary-0123456789abcdef"
split = "splits"
expected_rejects = 999

[source.books.folder]
path = "books"

[stage.splits.split]
from = "books"
by = "author"
validation = 0.1
test = 0.2

[stage.scenes.chunk]
from = "books"
max = 600

[stage.summaries.extract]
from = "scenes"

[stage.distortions.swap-facts]
scenes = "scenes"
summaries = "summaries"

[stage.questions.read-along]
scenes = "scenes"
summaries = "summaries"
distortions = "distortions"

[stage.repairs.reconstruct]
scenes = "scenes"
summaries = "summaries"
distortions = "distortions"

[stage.choice.choose]
questions = "questions"
reconstructions = "repairs"
splits = "splits"
of = []
size = 40
small = 10

[stage.eval.take]
questions = "questions"
reconstructions = "repairs"
chosen = "choice"

[dataset.books]
from = "books"

[dataset.scenes]
from = "scenes"

[dataset.summaries]
from = "summaries"

[dataset.distortions]
from = "distortions"

[dataset.read-along]
from = "questions"

[dataset.reconstruction]
from = "repairs"

[dataset.eval]
from = "eval"
"#;

const PEOPLE: [&str; 6] =
    ["Anna Brook", "Captain Dorn", "Mrs. Ellery", "Tom Pike", "Doctor Voss", "Lucy Hale"];
const PLACES: [&str; 5] = ["Harwick", "the old mill", "Market Lane", "the harbour", "Saltmarsh"];
const THINGS: [&str; 5] =
    ["the brass key", "a red lantern", "seven letters", "the silver watch", "a wooden box"];

/// A made-up page in the layout of a Gutenberg page; the same id gives the same page.
pub fn page(id: &str, chapters: usize) -> String {
    use std::fmt::Write;
    let start = usize::from(blake3::hash(id.as_bytes()).as_bytes()[0]);
    let mut text = format!(
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Book {id}</title></head><body>\n<section id=\"pg-header\"><p>Title: Book {id}</p><p>Author: Writer {id}</p></section>\n"
    );
    for chapter in 0..chapters {
        let _ = writeln!(text, "<h2>CHAPTER {}</h2>", chapter + 1);
        for paragraph in 0..5 {
            let at = start + chapter * 5 + paragraph;
            let (a, b) = (PEOPLE[at % 6], PEOPLE[(at + 1 + chapter) % 6]);
            let (place, thing) = (PLACES[at % 5], THINGS[(at / 2) % 5]);
            let _ = writeln!(
                text,
                "<p>{a} found {thing} at {place} on the {}th of May. {b} opened the door before noon and carried {thing} to {}. \
                 “You are late,” said {a}. {b} paid {} shillings for it and left the town.</p>",
                4 + at % 20,
                PLACES[(at + 2) % 5],
                3 + at % 40,
            );
        }
    }
    text + "<section id=\"pg-footer\"><p>End.</p></section></body></html>\n"
}

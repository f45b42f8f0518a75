//! Kinds, duplicates and splits over whole runs: real books where they are at hand, and odd ones.

use std::{collections::BTreeMap, fs};

use crate::project::{Project, full, page, shared};

const HEAD: &str = r#"name = "shelf"
version = "1.0.0"
seed = 7

[publish]
title = "Shelf"
license = "mit"
canary = "storymill-canary-0123456789abcdef"
SPLIT

[source.books.folder]
path = "books"
"#;

/// A workflow that publishes the books of the step `last`.
fn workflow(project: &Project, stages: &str, last: &str) {
    let split = if stages.contains("[stage.splits.split]") { "split = \"splits\"" } else { "" };
    let head = HEAD.replace("SPLIT", split);
    let text = format!("{head}\n{stages}\n[dataset.books]\nfrom = \"{last}\"\n");
    project.write("my.toml", text);
}

const SORT: &str = "[stage.novels.sort]\nfrom = \"books\"\nkinds = [\"novel\"]\n";
const TWINS: &str = "[stage.twins.duplicates]\nfrom = \"books\"\n[stage.works.distinct]\nfrom = \"books\"\nduplicates = \"twins\"\n";

/// The published books by id.
fn published(project: &Project) -> BTreeMap<String, serde_json::Value> {
    let args = ["inspect", "out/shelf", "-n", "100000", "--format", "json"];
    let value: serde_json::Value =
        serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
    let rows = value["tables"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|table| table["sample"].as_array().unwrap());
    // Their texts are rows of another table.
    rows.map(|row| row["values"].clone())
        .filter(|row| !row["title"].is_null())
        .map(|row| (row["book_id"].as_str().unwrap().to_owned(), row))
        .collect()
}

/// A row of the catalog of real books: its columns by name.
type Row = BTreeMap<String, String>;

/// The rows of a catalog in CSV with quoted cells.
fn rows(text: &str) -> Vec<Row> {
    let cells = |line: &str| -> Vec<String> {
        let mut cells = vec![String::new()];
        let mut quoted = false;
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                c => cells.last_mut().unwrap().push(c),
            }
        }
        cells
    };
    let mut lines = text.lines();
    let names = cells(lines.next().unwrap());
    lines.map(|line| names.iter().cloned().zip(cells(line)).collect()).collect()
}

/// The real books, each under the name of its file, with a catalog that says no kind.
fn real() -> Option<(Project, Vec<Row>)> {
    let folder = shared("books")?;
    let project = Project::new();
    let mut catalog = "file,id,title,author,author_birth,author_death,language\n".to_owned();
    let mut rows = rows(&fs::read_to_string(folder.join("catalog.csv")).unwrap());
    for row in &mut rows {
        let file = row["file"].clone();
        let id = file.split('.').next().unwrap().to_owned();
        project.write(&format!("books/{file}"), fs::read(folder.join(&file)).unwrap());
        // The titles in that catalog say which part of what a book is: Gutenberg's own do not.
        let title = row["title"].split('(').next().unwrap().trim();
        let cell = |name: &str| row[name].replace('"', "");
        catalog += &format!(
            "{file},{id},\"{title}\",\"{}\",{},{},{}\n",
            cell("author"),
            cell("author_birth"),
            cell("author_death"),
            cell("language")
        );
        row.insert("unit".into(), id);
    }
    project.write("catalog.csv", catalog);
    Some((project, rows))
}

fn with_catalog(project: &Project) {
    let text = project
        .read("my.toml")
        .replace("path = \"books\"", "path = \"books\"\ncatalog = \"catalog.csv\"");
    project.write("my.toml", text);
}

#[test]
fn only_novels_pass_as_novels() {
    let Some((project, rows)) = real() else { return };
    workflow(&project, SORT, "novels");
    with_catalog(&project);
    project.run(&["build", "my.toml"]).exits(0);
    let kept = published(&project);
    let (mut novels, mut refused, mut passed) = (0, Vec::new(), Vec::new());
    for row in &rows {
        let (unit, is_novel) = (&row["unit"], row["kind"] == "novel");
        novels += usize::from(is_novel);
        match (is_novel, kept.contains_key(unit)) {
            (true, false) => refused.push(unit),
            (false, true) => passed.push(unit),
            _ => {}
        }
    }
    assert!(passed.is_empty(), "passed as novels: {passed:?}");
    assert!(refused.len() * 30 <= novels, "refused of {novels}: {refused:?}");
    for row in kept.values() {
        assert_eq!(row["kind"], "novel");
        assert!(row["kind_sure_pm"].as_u64().unwrap() > 300, "{row}");
        assert!(!row["kind_evidence"].as_array().unwrap().is_empty());
    }
}

#[test]
fn titles_alone_decide_nothing() {
    let Some((project, rows)) = real() else { return };
    workflow(&project, SORT, "novels");
    with_catalog(&project);
    // Without a catalog the pages speak; with a misleading one the texts do.
    for title in [
        "Untitled",
        "Tales and Other Stories",
        "Essays: Memoirs and Recollections",
        "The Diary and Letters of a Journal",
        "Poems and Plays",
        "A Novel",
    ] {
        let mut catalog = "file,id,title,language\n".to_owned();
        for row in &rows {
            catalog += &format!("{},{},{title},{}\n", row["file"], row["unit"], row["language"]);
        }
        project.write("catalog.csv", catalog);
        project.run(&["build", "my.toml"]).exits(0);
        let kept = published(&project);
        let wrong =
            rows.iter().filter(|row| (row["kind"] == "novel") != kept.contains_key(&row["unit"]));
        let wrong: Vec<_> = wrong.map(|row| &row["unit"]).collect();
        assert!(wrong.len() <= 1, "{title}: {wrong:?}");
    }
}

#[test]
fn one_book_of_each_work_is_kept() {
    let Some((project, rows)) = real() else { return };
    workflow(&project, TWINS, "works");
    with_catalog(&project);
    let out = project.run(&["build", "my.toml"]).exits(0).out();
    let kept = published(&project);
    let mut left_out = 0;
    let mut sets: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in &rows {
        let other = row["relation"]
            .split([' ', '('])
            .find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let of = other.unwrap_or(&row["id"]);
        sets.entry(of).or_default().push(row);
    }
    for (of, set) in &sets {
        let inside: Vec<_> = set.iter().filter(|row| kept.contains_key(&row["unit"])).collect();
        assert_eq!(inside.len(), 1, "of the books that are {of}");
        assert!(!inside[0]["relation"].starts_with("part"), "the whole of {of} is kept");
        left_out += set.len() - 1;
    }
    assert_eq!(kept.len() + left_out, rows.len());
    assert!(left_out >= 9, "the catalog names its duplicates");
    assert!(out.contains("left out"), "{out}");
}

/// Words that mean nothing, in the same order for the same seed.
fn told(seed: u64, paragraphs: u64) -> String {
    let word = |at: u64| format!("w{}", (seed * 7_919 + at * at * 31 + at * 17) % 9_973);
    let paragraph = |at: u64| (at * 60..at * 60 + 60).map(word).collect::<Vec<_>>().join(" ");
    (0..paragraphs).map(|at| format!("<p>{}.</p>\n", paragraph(at))).collect()
}

fn html(id: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Book {id}</title></head><body>\n<p>Author: Writer {id}</p>\n<h2>CHAPTER I</h2>\n{body}</body></html>\n"
    )
}

#[test]
fn if_every_book_is_the_same_one_is_kept() {
    let project = Project::new();
    for id in ["a", "b", "c", "d"] {
        project.write(&format!("books/{id}.html"), html(id, &told(1, 30)));
    }
    workflow(&project, TWINS, "works");
    project.run(&["build", "my.toml"]).exits(0);
    assert_eq!(published(&project).into_keys().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn one_book_and_books_of_a_line() {
    let project = Project::new();
    project.write("books/a.html", page("a", 3));
    workflow(&project, TWINS, "works");
    project.run(&["build", "my.toml"]).exits(0);
    assert_eq!(published(&project).len(), 1);
    let line = "One line that is long enough to be a book of a line, and nothing more than that. ";
    project.write("books/b.txt", format!("{}\n", line.repeat(5)));
    project.write("books/c.txt", "");
    let both = format!(
        "{SORT}languages = [\"en\"]\n{}",
        TWINS.replace("from = \"books\"", "from = \"novels\"")
    );
    workflow(&project, &both, "works");
    // The empty file is a reject of the source; neither of the others is a novel, so nothing is published.
    project.run(&["build", "my.toml"]).exits(15);
    project.run(&["reviews", "my.toml"]).exits(0).says("b  kind");
}

#[test]
fn books_that_share_text_share_a_split() {
    let project = Project::new();
    // Every third book has a fifth of the one before it: too little to be the same work.
    for at in 0..12_u64 {
        let shared = if at % 3 == 1 { told(at - 1, 8) } else { String::new() };
        let body = format!("{shared}{}", told(at, 40));
        project.write(&format!("books/b{at:02}.html"), html(&format!("b{at:02}"), &body));
    }
    let stages = format!(
        "{TWINS}[stage.splits.split]\nfrom = \"works\"\nduplicates = \"twins\"\nvalidation = 0.3\ntest = 0.3\n"
    );
    workflow(&project, &stages, "works");
    project.run(&["build", "my.toml"]).exits(0);
    let kept = published(&project);
    assert_eq!(kept.len(), 12);
    for at in (0..12).step_by(3) {
        let split = |at: i32| kept[&format!("b{at:02}")]["split"].clone();
        assert_eq!(split(at), split(at + 1), "b{at:02}");
    }
    let manifest = project.manifest("out/shelf");
    let again = Project::new();
    for at in 0..12 {
        let name = format!("books/b{at:02}.html");
        again.write(&name, project.read(&name));
    }
    again.write("my.toml", project.read("my.toml"));
    again.run(&["build", "my.toml", "--threads", "1"]).exits(0);
    assert_eq!(again.manifest("out/shelf"), manifest, "threads change nothing");
}

/// A new book that shares text with two that the base lock has put apart.
#[test]
fn a_text_that_joins_two_splits_is_an_error_that_names_them() {
    let project = Project::new();
    let stages = format!(
        "{TWINS}[stage.splits.split]\nfrom = \"works\"\nduplicates = \"twins\"\nvalidation = 0.3\ntest = 0.4\n"
    );
    for at in 0..10_u64 {
        project.write(&format!("books/b{at:02}.html"), html(&format!("b{at:02}"), &told(at, 40)));
    }
    workflow(&project, &stages, "works");
    project.run(&["build", "my.toml"]).exits(0);
    project.write("base.lock", project.read("out/shelf/dataset.lock"));
    let kept = published(&project);
    let (first, split) = kept.iter().map(|(id, row)| (id, &row["split"])).next().unwrap();
    let other = kept.iter().find(|(_, row)| row["split"] != *split).unwrap().0;
    let seed = |id: &str| id[1..].parse::<u64>().unwrap();
    let body = format!("{}{}{}", told(seed(first), 10), told(seed(other), 10), told(77, 40));
    project.write("books/new.html", html("new", &body));
    let text = project
        .read("my.toml")
        .replace("seed = 7", "seed = 7\nbase = \"base.lock\"")
        .replace("1.0.0", "1.1.0");
    project.write("my.toml", text);
    let ran = project.run(&["build", "my.toml"]);
    assert_ne!(ran.code(), 0);
    ran.says("share an author or a text").says(first.as_str()).says(other.as_str()).says("new");
}

/// Against what reading the same pages costs, so that a busy machine slows down both.
#[test]
fn kinds_and_duplicates_cost_a_few_times_what_reading_does() {
    if !full() {
        return;
    }
    // Made-up texts of a novel's length.
    let project = Project::new();
    for at in 0..60_u64 {
        project.write(&format!("books/b{at:02}.html"), html(&format!("b{at:02}"), &told(at, 1500)));
    }
    let timed = || {
        let start = std::time::Instant::now();
        project.run(&["build", "my.toml"]).exits(0);
        start.elapsed()
    };
    workflow(&project, "", "books");
    let reading = timed();
    let both = format!(
        "[stage.sorted.sort]\nfrom = \"books\"\n{}",
        TWINS.replace("from = \"books\"", "from = \"sorted\"")
    );
    workflow(&project, &both, "works");
    let ruled = timed();
    // Some five times; what looks at every pair of books or words is far beyond.
    assert!(ruled < reading * 15, "{ruled:?} beside {reading:?}");
}

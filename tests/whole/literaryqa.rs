//! LiteraryQA's way, from the released files to a set that can be asked: the shipped workflow, and which documents are of which
//! book, over stories and over real novels.

use std::{collections::BTreeMap, fmt::Write, fs};

use serde_json::Value;

use crate::project::{Project, shared, top};

fn workflow() -> String {
    top().join("workflows/literaryqa.toml").display().to_string()
}

/// The rows of a table, by the column with its id.
fn rows(project: &Project, out: &str, config: &str) -> Vec<Value> {
    let args = ["inspect", out, "-n", "100000", "--full", "--format", "json", "--config", config];
    let value: Value = serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
    let tables = value["tables"].as_array().unwrap().iter().filter(|one| one["config"] == config);
    let rows = tables.flat_map(|table| table["sample"].as_array().unwrap());
    rows.map(|row| row["values"].clone()).collect()
}

/// A workflow that only joins, over files in the folder `released`.
fn joins(pages: &str) -> String {
    format!(
        r#"name = "joined"
version = "1.0.0"
seed = 7

[publish]
title = "Joined"
license = "mit"
canary = "storymill-canary-0123456789abcdef"
expected_rejects = 999

[source.documents.narrativeqa]
path = "released"
pages = "{pages}"
catalog = "{pages}/catalog.csv"

[stage.joined.join]
from = "documents"

[dataset.documents]
from = "joined"
"#
    )
}

/// Documents that were kept, as pairs of document and book, and those that were not.
fn judged(project: &Project) -> (Vec<(String, String)>, BTreeMap<(String, String), String>) {
    let (mut kept, mut left_out) = (Vec::new(), BTreeMap::new());
    for row in rows(project, "out/joined", "documents") {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        let pair = (text("document_id"), text("book_id"));
        if text("left_out").is_empty() {
            kept.push(pair);
        } else {
            left_out.insert(pair, format!("{} {}", text("left_out"), row["evidence"]));
        }
    }
    kept.sort();
    (kept, left_out)
}

/// A field of a CSV.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Every sample story with the summary of every other one, under a title that says nothing: names alone tell which is whose.
#[test]
fn summaries_find_their_stories_by_names_alone() {
    let project = Project::new();
    let table = |name: &str| {
        csv_rows(&fs::read_to_string(top().join("data/literaryqa").join(name)).unwrap())
    };
    let documents = table("documents.csv");
    let summaries: BTreeMap<String, String> = table("summaries.csv")
        .into_iter()
        .map(|row| (row["document_id"].clone(), row["summary"].clone()))
        .collect();
    let mut asked = "document_id,set,kind,story_url,wiki_title\n".to_owned();
    let mut told = "document_id,summary\n".to_owned();
    let mut expected = Vec::new();
    for document in &documents {
        let Some(summary) = summaries.get(&document["document_id"]) else { continue };
        let own = document["story_url"].rsplit('/').next().unwrap();
        for story in 1..=7 {
            let (id, page) =
                (format!("{}-{story}", &document["document_id"][..8]), format!("sm{story:02}"));
            writeln!(asked, "{id},test,gutenberg,https://example.org/{page}.html,Untitled")
                .unwrap();
            writeln!(told, "{id},{}", quoted(summary)).unwrap();
            if own == page && document["wiki_title"] != "The Ninth Sandbank" {
                expected.push((id, page));
            }
        }
    }
    project.write("released/documents.csv", asked).write("released/summaries.csv", told);
    project.write("released/qaps.csv", "document_id,question,answer1,answer2\n");
    project.write("my.toml", joins(&top().join("data/books").display().to_string()));
    project.run(&["build", "my.toml"]).exits(0);
    let (kept, left_out) = judged(&project);
    expected.sort();
    assert_eq!(kept, expected, "{left_out:#?}");
    assert_eq!((kept.len(), left_out.len()), (7, 49));
}

/// The rows of a CSV by the names of their columns.
fn csv_rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines: Vec<Vec<String>> = vec![vec![String::new()]];
    let mut inside = false;
    for c in text.chars() {
        let line = lines.last_mut().unwrap();
        match c {
            '"' => {
                // A quote inside of quotes is written twice.
                inside = !inside;
                if inside && line.last().unwrap().ends_with(|_| true) {
                    line.last_mut().unwrap().push('"');
                }
            }
            ',' if !inside => line.push(String::new()),
            '\n' if !inside => lines.push(vec![String::new()]),
            '\r' if !inside => {}
            c => line.last_mut().unwrap().push(c),
        }
    }
    let header = lines.remove(0);
    lines.retain(|line| line.len() == header.len());
    lines.into_iter().map(|line| header.iter().cloned().zip(line).collect()).collect()
}

/// The documents of NarrativeQA whose books are at hand: each belongs to its book by title and catalog alone, and none belongs to
/// another one of these books. Where names are known, they alone tell the same.
#[test]
fn documents_of_narrativeqa_belong_to_their_books() {
    let (Some(released), Some(books)) =
        (shared("golden/narrativeqa/documents.csv"), shared("books"))
    else {
        return;
    };
    let documents = csv_rows(&fs::read_to_string(released).unwrap());
    let books_here = csv_rows(&fs::read_to_string(books.join("catalog.csv")).unwrap());
    let of = |document: &BTreeMap<String, String>| -> Option<String> {
        let url = &document["story_url"];
        let number = url.split('/').find(|part| part.starts_with(|c: char| c.is_ascii_digit()))?;
        let number: String = number.chars().take_while(char::is_ascii_digit).collect();
        (document["kind"] == "gutenberg" && books_here.iter().any(|book| book["id"] == number))
            .then_some(number)
    };
    let here: Vec<_> = documents.iter().filter_map(|one| Some((one, of(one)?))).collect();
    assert!(here.len() >= 6, "{}", here.len());

    let mut asked = "document_id,set,kind,story_url,wiki_title\n".to_owned();
    let mut told = "document_id,summary\n".to_owned();
    let mut expected = Vec::new();
    for (document, own) in &here {
        let (id, title) = (&document["document_id"][..12], quoted(&document["wiki_title"]));
        let summary = fs::read_to_string(books.join(format!("gold/{own}.txt")))
            .ok()
            .map(|text| full_of_names(&text));
        for (_, other) in &here {
            let url = format!("http://www.gutenberg.org/ebooks/{other}.txt.utf-8");
            writeln!(asked, "{id}-t-{other},test,gutenberg,{url},{title}").unwrap();
            if own == other {
                expected.push((format!("{id}-t-{other}"), other.clone()));
            }
            if let Some(summary) = &summary {
                writeln!(asked, "{id}-n-{other},test,gutenberg,{url},Untitled").unwrap();
                writeln!(told, "{id}-n-{other},{}", quoted(summary)).unwrap();
                if own == other {
                    expected.push((format!("{id}-n-{other}"), other.clone()));
                }
            }
        }
    }
    let project = Project::new();
    project.write("released/documents.csv", asked).write("released/summaries.csv", told);
    project.write("released/qaps.csv", "document_id,question,answer1,answer2\n");
    project.write("my.toml", joins(&books.canonicalize().unwrap().display().to_string()));
    project.run(&["build", "my.toml"]).exits(0);
    let (kept, left_out) = judged(&project);
    expected.sort();
    assert_eq!(kept, expected, "{left_out:#?}");
    println!("{} kept, {} left out", kept.len(), left_out.len());
}

/// Twelve sentences from all over a text, each the one of its part with most capitals inside.
fn full_of_names(text: &str) -> String {
    let sentences: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with(['#', '?']))
        .flat_map(|line| line.split_inclusive(". "))
        .collect();
    let capitals = |sentence: &&str| {
        sentence
            .split_whitespace()
            .skip(1)
            .filter(|word| word.starts_with(char::is_uppercase) && word.len() > 2)
            .count()
    };
    let parts = sentences.chunks(sentences.len().div_ceil(12));
    parts
        .filter_map(|part| part.iter().copied().max_by_key(capitals))
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" ")
}

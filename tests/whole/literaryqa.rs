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

/// A document and a book.
type Pair = (String, String);

/// Documents that were kept, as pairs of document and book, and those that were not.
fn judged(project: &Project) -> (Vec<Pair>, BTreeMap<Pair, String>) {
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

/// The shipped workflow, from recorded answers alone. Every figure on its page is counted anew from what is published.
#[test]
fn the_shipped_workflow_is_built_frozen_and_its_figures_are_those_of_its_page() {
    let project = Project::new();
    project.run(&["build", &workflow(), "--mode", "frozen"]).exits(0);
    project.run(&["verify", "out/literaryqa", "--rows"]).exits(0);
    let card = project.read("out/literaryqa/README.md");
    assert!(
        card.contains("## What each step left") && card.contains(r"smollm2-135m-instruct-q4\_1"),
        "{card}"
    );
    let page = fs::read_to_string(top().join("docs/literaryqa.md")).unwrap();
    for line in
        card.lines().filter(|line| line.starts_with("| test |") && line.matches('|').count() == 5)
    {
        assert!(page.contains(line), "docs/literaryqa.md lacks `{line}`");
    }
    let ledger = rows(&project, "out/literaryqa", "ledger");
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let applied = |row: &&Value| row["state"] == "applied";

    let documents = rows(&project, "out/literaryqa", "documents");
    let gone: Vec<_> = documents.iter().filter(|row| row["left_out"] != "").collect();
    assert_eq!((gone.len(), text(gone[0], "title")), (1, "The Ninth Sandbank".to_owned()));

    // What was published is what the ledger says.
    let questions = rows(&project, "out/literaryqa", "questions");
    for question in &questions {
        let id = text(question, "question_id");
        let mut own = ledger.iter().filter(applied).filter(|row| row["asked"] == *id);
        assert!(
            own.all(|row| row["after"] != "" || text(row, "part").starts_with("answer")),
            "{id}"
        );
        let changed = |part: &str| {
            ledger.iter().filter(applied).find(|row| row["asked"] == *id && row["part"] == part)
        };
        assert_eq!(question["question_modified"] == 1, changed("question").is_some(), "{id}");
        if let Some(row) = changed("question") {
            assert_eq!(row["after"], question["question"]);
        }
    }
    // Where their answers stand is put before people, and nobody has said so far.
    let evidence = rows(&project, "out/literaryqa", "evidence");
    assert!(evidence.iter().all(|row| row["found"] == -1), "{evidence:?}");
    assert_eq!(evidence.len(), questions.len());
    let open = project.run(&["review", &workflow(), "--list=open", "--format", "json"]);
    let open: Vec<Value> = serde_json::from_str(&open.exits(0).out()).unwrap();
    let asked = open.iter().filter(|one| one["review"]["code"] == "evidence").count();
    assert_eq!(asked, questions.len());
    for line in planted(&ledger) {
        assert!(page.contains(&line), "docs/literaryqa.md lacks `{line}`");
    }
    project.run(&["audit", "out/literaryqa"]).exits(0);
}

/// Of the planted faults of each kind, how many were changed or left out where they stand; the same of questions without one.
fn planted(ledger: &[Value]) -> Vec<String> {
    let folder = top().join("data/literaryqa");
    let faults: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("faults.json")).unwrap()).unwrap();
    let books: BTreeMap<String, String> =
        csv_rows(&fs::read_to_string(folder.join("documents.csv")).unwrap())
            .into_iter()
            .map(|row| {
                (
                    row["document_id"].clone(),
                    row["story_url"].rsplit('/').next().unwrap().to_owned(),
                )
            })
            .collect();
    let (mut of_book, mut of_document) =
        (BTreeMap::<String, u32>::new(), BTreeMap::<String, u64>::new());
    let mut counts = BTreeMap::<String, [u32; 2]>::new();
    for row in csv_rows(&fs::read_to_string(folder.join("qaps.csv")).unwrap()) {
        let (document, book) = (&row["document_id"], &books[&row["document_id"]]);
        let number = of_book.entry(book.clone()).or_default();
        *number += 1;
        let at = of_document.entry(document.clone()).or_default();
        let id = format!("{book}/q{number:03}");
        let own: Vec<&Value> = faults[document]
            .as_array()
            .unwrap()
            .iter()
            .filter(|fault| fault["question"] == *at)
            .collect();
        *at += 1;
        if row["document_id"].starts_with("9751596f") {
            continue;
        }
        let touched = |parts: &[&str]| {
            ledger.iter().any(|row| {
                let part = row["part"].as_str().unwrap();
                row["asked"] == *id
                    && row["state"] == "applied"
                    && (parts.is_empty() || parts.contains(&part) || part == "whole")
            })
        };
        if own.is_empty() {
            let count = counts.entry("none".to_owned()).or_default();
            count[0] += 1;
            count[1] += u32::from(touched(&[]));
        }
        for fault in own {
            let kind = fault["fault"].as_str().unwrap();
            let answer =
                if fault["corrected"]["answer1"].is_string() { "answer-1" } else { "answer-2" };
            let part = if kind.ends_with("answer") { answer } else { "question" };
            let count = counts.entry(kind.to_owned()).or_default();
            count[0] += 1;
            count[1] += u32::from(touched(&[part]));
        }
    }
    let line = |(kind, [all, found]): (&String, &[u32; 2])| format!("| {kind} | {all} | {found} |");
    let lines: Vec<String> = counts.iter().map(line).collect();
    lines.iter().for_each(|line| println!("{line}"));
    lines
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
    let (titled, named): (Vec<_>, Vec<_>) =
        kept.into_iter().partition(|(id, _)| id.contains("-t-"));
    let (by_title, by_names): (Vec<_>, Vec<_>) =
        expected.into_iter().partition(|(id, _)| id.contains("-t-"));
    let sorted = |mut all: Vec<(String, String)>| {
        all.sort();
        all
    };
    assert_eq!(titled, sorted(by_title), "{left_out:#?}");
    // Sentences full of names have many that stand once in a book; a summary has not. None may be found in another book.
    assert!(named.iter().all(|one| by_names.contains(one)), "{named:?}");
    assert!(2 * named.len() >= by_names.len(), "{left_out:#?}");
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

//! What the responsible-AI part of Croissant says of a release, in the words and figures of its card.
//!
//! NeurIPS wants it of every dataset since 2026. What the card does not tell is named, not made up.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use storymill_core::{Fault, plural};

use super::Words;
use crate::{
    manifest::Manifest,
    reading::{each_row, only, open},
    site::Site,
};

/// The fields, and those that nothing is known for.
#[derive(Debug, Default)]
pub(super) struct Responsible {
    pub(super) fields: Vec<(&'static str, Value)>,
    pub(super) missing: Vec<&'static str>,
}

impl Responsible {
    fn add(&mut self, name: &'static str, value: Value) {
        let nothing = value.as_str().is_some_and(str::is_empty)
            || value.as_array().is_some_and(Vec::is_empty);
        if nothing {
            self.missing.push(name);
        } else {
            self.fields.push((name, value));
        }
    }

    /// What a card, the table of books and the words of a release tell.
    ///
    /// # Errors
    ///
    /// A table of books cannot be read.
    pub(super) fn of(
        folder: &Site,
        manifest: &Manifest,
        words: &Words,
        card: &str,
    ) -> Result<Self, Fault> {
        let Books { count, sources, languages, rights } = Books::of(folder, manifest)?;
        let section = |head: &str| section(card, head);
        let mut it = Self::default();
        let collection = if count == 0 {
            String::new()
        } else {
            let languages = list(&languages);
            format!(
                "{} ({languages}), as published elsewhere: {}. Pages were cleaned, and cut into chapters and scenes, by rule; dataset.lock names every page by its digest, every step and its version.",
                plural(count, "book"),
                list(&rights)
            )
        };
        it.add("rai:dataCollection", collection.into());
        let kinds = ["Document Analysis", "Software Collection"].map(Value::from);
        it.add("rai:dataCollectionType", if count == 0 { json!([]) } else { json!(kinds) });
        it.add("rai:dataAnnotationProtocol", annotation(card).into());
        let found = bullets(&before(card, "\n| config | a row is |"));
        let figures = section("Without understanding");
        let mut biases = found.clone();
        if found.is_empty() && !figures.is_empty() {
            biases.push("No rule or search of the audit answers many more questions than guessing; its figures stand in the card.".to_owned());
        }
        if !biases.is_empty() && count > 0 {
            biases.push(format!("The books are {} in {}: no sample of all writing. Well-known ones may be known by heart.", plural(count, "title"), list(&languages)));
        }
        it.add("rai:dataBiases", json!(biases));
        it.add("rai:dataLimitations", json!(bullets(&section("Limits"))));
        it.add(
            "rai:personalSensitiveInformation",
            personal(count, &section("Decided by people")).into(),
        );
        let uses = if section("Canary").is_empty() {
            json!([])
        } else {
            json!([
                "Measuring what language models and memory systems keep in mind of long texts, by the distance of the evidence.",
                format!("Not for training: leave out what holds the canary {}.", manifest.canary),
            ])
        };
        it.add("rai:dataUseCases", uses);
        it.add(
            "rai:dataSocialImpact",
            "A score tells how well a model keeps novels in mind. It does not show that a model may judge documents about people.".into(),
        );
        it.add("rai:hasSyntheticData", json!(!words.models.is_empty()));
        it.add("prov:wasDerivedFrom", json!(sources));
        it.add(
            "prov:wasGeneratedBy",
            json!({ "@type": "prov:Activity", "prov:label": format!("storymill {}: {}", manifest.tool.version, manifest.lock.path) }),
        );
        Ok(it)
    }
}

/// What the table of books tells.
#[derive(Default)]
struct Books {
    count: u64,
    sources: BTreeSet<String>,
    languages: BTreeSet<String>,
    rights: BTreeSet<String>,
}

impl Books {
    fn of(folder: &Site, manifest: &Manifest) -> Result<Self, Fault> {
        let mut books = Self::default();
        for file in manifest.files.iter().filter(|file| file.config == "books") {
            let path = folder.join(&file.path);
            let reader = open(&path)?;
            let columns: Vec<&str> =
                ["book_id", "source_url", "language", "rights", "title", "page_sha256"]
                    .into_iter()
                    .filter(|name| reader.schema().index_of(name).is_ok())
                    .collect();
            each_row(only(reader, columns), &path, |row: Value| {
                books.count += 1;
                let text = |name: &str| row[name].as_str().unwrap_or_default().trim().to_owned();
                let (url, title, page) = (text("source_url"), text("title"), text("page_sha256"));
                let source = match (url.is_empty(), title.is_empty() || page.is_empty()) {
                    (false, _) => Some(url),
                    (true, false) => Some(format!("{title} (SHA-256 of its page: {page})")),
                    (true, true) => None,
                };
                books.sources.extend(source);
                for (name, all) in
                    [("language", &mut books.languages), ("rights", &mut books.rights)]
                {
                    all.extend(Some(text(name)).filter(|text| !text.is_empty()));
                }
                Ok(())
            })?;
        }
        Ok(books)
    }
}

fn list(all: &BTreeSet<String>) -> String {
    match all.len() {
        0 => "not known".to_owned(),
        _ => all.iter().map(String::as_str).collect::<Vec<_>>().join("; "),
    }
}

/// Who wrote what, who judged it, and what people decided.
fn annotation(card: &str) -> String {
    let intro = before(card, "\n| config | a row is |");
    let made = intro.lines().filter(|line| {
        [
            "Retellings made by rule",
            "Other ",
            "The retellings in",
            "Parts of this",
            "No language model",
            "Language models judged",
        ]
        .iter()
        .any(|begins| line.starts_with(begins))
    });
    let mut told: Vec<String> = made.map(str::to_owned).collect();
    for head in ["Judged", "Told apart by people", "Decided by people"] {
        let section = section(card, head);
        let prose = section.split("\n\n").find(|part| !part.trim().is_empty());
        told.extend(prose.map(|prose| prose.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    told.join(" ")
}

fn personal(books: u64, decided: &str) -> String {
    if books == 0 {
        return String::new();
    }
    let mut text = "The texts are published books: names in them are those of characters or of public persons of their time. Authors stand in `books` with years of birth and death.".to_owned();
    text += if decided.is_empty() {
        " Nothing is kept of readers or annotators."
    } else {
        " People who decided doubts stand under pseudonyms, with their votes alone."
    };
    text
}

/// The text before a mark, behind the front matter.
fn before(card: &str, mark: &str) -> String {
    let body = card.split("\n---\n").nth(1).unwrap_or(card);
    body.split(mark).next().filter(|part| part.len() < body.len()).unwrap_or_default().to_owned()
}

/// The text of a section.
fn section(card: &str, head: &str) -> String {
    let mark = format!("\n## {head}\n");
    let inside = card.split_once(&mark).map(|(_, rest)| rest).unwrap_or_default();
    inside.split("\n## ").next().unwrap_or_default().trim().to_owned()
}

/// The items of a list, without marks of Markdown.
fn bullets(text: &str) -> Vec<String> {
    let items = text.lines().filter_map(|line| line.strip_prefix("- "));
    items.map(|item| item.replace(['*', '`'], "")).collect()
}

//! The first page: what is in the dataset, and its books.

use serde::Serialize;
use storymill_core::Fault;
use storymill_dataset::look::{Filter, Holds};

use super::{Way, line};
use crate::{
    numbers::{counted, thousands},
    site::Site,
};

#[derive(Serialize)]
struct Page {
    title: String,
    facts: Vec<String>,
    configs: Vec<ConfigLine>,
    books: Vec<BookLine>,
    books_of: Option<Way>,
    more: Option<Way>,
    ways: Vec<(Way, &'static str)>,
}

#[derive(Serialize)]
struct ConfigLine {
    way: Way,
    holds: &'static str,
    splits: Vec<(Way, String)>,
}

#[derive(Serialize)]
struct BookLine {
    way: Way,
    author: String,
    split: String,
    flags: Vec<String>,
    words: String,
    kind: String,
    questions: String,
}

/// How many books a page lists.
const BOOKS: usize = 200;

pub(crate) fn page(site: &Site) -> Result<Option<String>, Fault> {
    let look = &site.look;
    let manifest = look.manifest();
    let mut configs: Vec<_> = look.configs().iter().collect();
    configs.sort_by_key(|config| config.holds);
    let configs = configs.into_iter().map(|config| ConfigLine {
        way: Way::new(format!("c/{}", config.name), config.name.clone()),
        holds: match config.holds {
            Holds::Questions => "questions",
            Holds::Books => "books",
            Holds::Texts => "texts",
            Holds::Scenes => "scenes",
            Holds::Retellings => "retellings",
            Holds::Others => "rows",
        },
        splits: config
            .splits
            .iter()
            .map(|(split, rows)| {
                let path = format!("c/{}?split={split}", config.name);
                (Way::new(path, split.clone()), thousands(*rows))
            })
            .collect(),
    });
    let configs = configs.collect();
    let mut books = Vec::new();
    let (mut books_of, mut more) = (None, None);
    if let Some(config) = look.first(Holds::Books, &[]) {
        let found = look.list(&config.name, &Filter::default(), 0, BOOKS)?;
        let path = format!("c/{}", config.name);
        if found.wanted > found.rows.len() as u64 {
            more = Some(Way::new(format!("{path}?from={BOOKS}"), "more books"));
        }
        books_of = Some(Way::new(path, counted(found.wanted, "book")));
        let questions = questions_of(site)?;
        for row in found.rows {
            let text = |column: &str| row.values[column].as_str().unwrap_or_default().to_owned();
            let title = line(&text("title"), 90);
            let asked =
                questions.iter().find(|(book, _)| *book == row.id).map_or(0, |(_, count)| *count);
            books.push(BookLine {
                way: Way::new(
                    format!("book/{}?in={}", row.id, config.name),
                    if title.is_empty() { row.id.clone() } else { title },
                ),
                author: row.values["authors"][0]["name"].as_str().unwrap_or_default().to_owned(),
                split: row.split.clone(),
                flags: row.values["flags"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|flag| flag.as_str().map(str::to_owned))
                    .collect(),
                words: row.values["words"].as_u64().map(thousands).unwrap_or_default(),
                kind: text("kind"),
                questions: thousands(asked as u64),
            });
        }
    }
    let mut facts = vec![
        format!("made by {} {}", manifest.tool.name, manifest.tool.version),
        format!("seed {}", manifest.seed),
    ];
    facts.push(format!("digest {}", manifest.digest.short()));
    let ways = ways(site)?;
    let page = Page { title: site.title(), facts, configs, books, books_of, more, ways };
    site.draw("home.html", &page)
}

/// How many questions each book has, in the first config of questions about books.
fn questions_of(site: &Site) -> Result<Vec<(String, usize)>, Fault> {
    let asked = site
        .look
        .configs()
        .iter()
        .find(|config| config.holds == Holds::Questions && config.has("book_id"));
    // Counting walks over one column; of very large sets the first page should not wait for it.
    match asked {
        Some(config) if config.rows() <= 200_000 => site.look.counts_of(&config.name, "book_id"),
        _ => Ok(Vec::new()),
    }
}

/// Pages about the whole dataset, each with its key.
fn ways(site: &Site) -> Result<Vec<(Way, &'static str)>, Fault> {
    let mut ways = Vec::new();
    let left = site.build.as_ref().map_or_else(
        || site.counts.iter().map(|count| count.items).sum(),
        |build| build.left().len() as u64,
    );
    if left > 0 {
        ways.push((Way::new("left", format!("{} without a row", counted(left, "item"))), "x"));
    }
    let casts = super::cast::books(site)?.len() as u64;
    if casts > 0 {
        ways.push((Way::new("casts", counted(casts, "cast")), "c"));
    }
    Ok(ways)
}

//! A book as text, scene by scene, with the questions that are asked in it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use storymill_core::Fault;
use storymill_dataset::look::{Holds, SceneRow};

use super::{Way, line};
use crate::{address::Query, draw, numbers::counted, site::Site};

#[derive(Serialize)]
struct Page {
    title: String,
    name: String,
    author: String,
    facts: Vec<(String, String)>,
    chapters: Vec<Chapter>,
    /// What its text comes in: `Scene`, or `Part` where no scenes are published.
    noun: &'static str,
    scenes: Vec<SceneView>,
    /// Of a book that is shown in parts: which scenes these are, and the parts beside this one.
    part: String,
    before: Option<Way>,
    behind: Option<Way>,
    asked: Vec<Way>,
    more: Vec<(Way, &'static str)>,
}

/// A chapter, and where it begins: a place on this page, or another part of the book.
#[derive(Serialize)]
struct Chapter {
    name: String,
    place: String,
    part: Option<String>,
}

#[derive(Serialize)]
struct SceneView {
    scene: u32,
    words: String,
    chapter: Option<String>,
    html: String,
    row: Option<String>,
    asked: Vec<Way>,
}

pub(crate) fn page(site: &Site, book: &str, query: &Query) -> Result<Option<String>, Fault> {
    let of = query.get("in").map(|config| site.behind(config)).unwrap_or_default();
    let scenes = site.look.scenes(book, &of)?;
    let facts =
        match site.look.first(Holds::Books, &of).or_else(|| site.look.first(Holds::Books, &[])) {
            Some(config) => site.look.row(&config.name, book)?.map(|row| row.values),
            None => None,
        };
    if scenes.is_empty() && facts.is_none() {
        return Ok(None);
    }
    let facts = facts.unwrap_or(Value::Null);
    let chapters: Vec<(u64, String)> = facts["chapters"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|chapter| {
            Some((chapter["start_symbols"].as_u64()?, chapter["title"].as_str()?.to_owned()))
        })
        .collect();
    let asked = questions(site, book)?;
    let scene_config = site.look.first(Holds::Scenes, &of).map(|config| config.name.clone());
    let noun = if scene_config.is_some() { "Scene" } else { "Part" };
    let parts = parts(&scenes);
    let of_scene =
        |number: u32| parts.iter().position(|part| part.iter().any(|scene| scene.scene == number));
    let at = query.get("at").and_then(|at| at.parse().ok()).and_then(of_scene).unwrap_or(0);
    let shown = parts.get(at).copied().unwrap_or_default();
    let path = |scene: u32| format!("book/{book}?{}", query.with("at", &scene.to_string()));
    let beside = |at: Option<usize>, name: &str| {
        let part = at.and_then(|at| parts.get(at)).and_then(|part| part.first())?;
        Some(Way::new(format!("{}#s{}", path(part.scene), part.scene), name))
    };
    let views =
        shown.iter().map(|scene| view(scene, &chapters, &asked, book, scene_config.as_deref()));
    let page = Page {
        title: site.title(),
        name: named(&facts, book),
        author: facts["authors"][0]["name"].as_str().unwrap_or_default().to_owned(),
        facts: told(&facts, noun, scenes.len()),
        chapters: chapters
            .iter()
            .filter_map(|(start, title)| {
                let holds = |scene: &&SceneRow| {
                    u64::from(scene.start) <= *start && *start < u64::from(scene.end)
                };
                let scene = scenes.iter().find(holds)?.scene;
                let part = (of_scene(scene) != Some(at)).then(|| path(scene));
                Some(Chapter { name: line(title, 60), place: format!("s{scene}"), part })
            })
            .collect(),
        part: match (&parts[..], shown) {
            ([_, _, ..], [first, .., last]) => {
                format!("{noun}s {} to {} of {}", first.scene, last.scene, scenes.len())
            }
            ([_, _, ..], [only]) => format!("{noun} {} of {}", only.scene, scenes.len()),
            _ => String::new(),
        },
        before: beside(at.checked_sub(1), "the part before"),
        behind: beside(Some(at + 1), "the next part"),
        asked: site
            .look
            .configs()
            .iter()
            .filter(|config| config.holds == Holds::Questions && config.has("book_id"))
            .map(|config| Way::new(format!("c/{}?of={book}", config.name), config.name.clone()))
            .collect(),
        more: more(site, book),
        noun,
        scenes: views.collect(),
    };
    site.draw("book.html", &page)
}

/// So many symbols of a book are sent at a time: a page of several megabytes is a wait, and few books are longer.
const PART: usize = 600_000;

/// The scenes of a book in parts, each of one scene at least.
fn parts(scenes: &[SceneRow]) -> Vec<&[SceneRow]> {
    let mut parts = Vec::new();
    let (mut first, mut symbols) = (0, 0);
    for (at, scene) in scenes.iter().enumerate() {
        let own = scene.end.saturating_sub(scene.start) as usize;
        if at > first && symbols + own > PART {
            parts.push(&scenes[first..at]);
            (first, symbols) = (at, 0);
        }
        symbols += own;
    }
    if first < scenes.len() {
        parts.push(&scenes[first..]);
    }
    parts
}

/// The config with the names of books and their substitutes.
pub(crate) fn substituted(site: &Site) -> Option<String> {
    let has = |config: &&storymill_dataset::look::ConfigView| {
        ["part", "substitute", "book_id"].iter().all(|column| config.has(column))
    };
    site.look.configs().iter().find(has).map(|config| config.name.clone())
}

/// The title of a book, as the first of these configs tells that has books; else its id.
pub(crate) fn title(site: &Site, of: &[String], book: &str) -> Result<String, Fault> {
    let config = site.look.first(Holds::Books, of).or_else(|| site.look.first(Holds::Books, &[]));
    let facts = match config {
        Some(config) => site.look.row(&config.name, book)?.map(|row| row.values),
        None => None,
    };
    Ok(line(&named(&facts.unwrap_or_default(), book), 60))
}

/// The title in a row of a book, or its id.
pub(crate) fn named(facts: &Value, book: &str) -> String {
    let title = facts["title"].as_str().unwrap_or_default();
    if title.is_empty() { book.to_owned() } else { title.to_owned() }
}

/// Pages about the book beside its text, each with its key.
fn more(site: &Site, book: &str) -> Vec<(Way, &'static str)> {
    let mut more = Vec::new();
    let Some(build) = &site.build else {
        if substituted(site).is_some() {
            more.push((Way::new(format!("cast/{book}"), "names, old and new"), "c"));
        }
        return more;
    };
    if build.has_page(book) {
        more.push((Way::new(format!("page/{book}"), "its page: kept and cut"), "p"));
    }
    if substituted(site).is_some() || build.casts().iter().any(|one| one == book) {
        more.push((Way::new(format!("cast/{book}"), "who is who"), "c"));
    }
    let left = build.left().iter().filter(|one| one.unit == book).count();
    if left > 0 {
        let query = crate::address::Query::default().with("of", book);
        let name = format!("{} without a row", counted(left as u64, "item"));
        more.push((Way::new(format!("left?{query}"), name), "x"));
    }
    more
}

fn told(facts: &Value, noun: &str, scenes: usize) -> Vec<(String, String)> {
    let mut told = Vec::new();
    let mut say = |name: &str, value: String| {
        if !value.is_empty() {
            told.push((name.to_owned(), value));
        }
    };
    say(&format!("{noun}s"), scenes.to_string());
    if let Some(words) = facts["words"].as_u64() {
        say("Words", crate::numbers::thousands(words));
    }
    for (name, column) in [
        ("Kind", "kind"),
        ("Language", "language"),
        ("Split", "split"),
        ("Rights", "rights"),
        ("Page", "page_sha256"),
    ] {
        let value = facts[column].as_str().unwrap_or_default();
        say(name, line(value, 24));
    }
    let evidence =
        facts["kind_evidence"].as_array().into_iter().flatten().filter_map(Value::as_str);
    say("Why this kind", evidence.collect::<Vec<_>>().join("; "));
    let flags = facts["flags"].as_array().into_iter().flatten().filter_map(Value::as_str);
    say("Flags", flags.collect::<Vec<_>>().join(", "));
    told
}

/// Questions by the scene after which they are asked, of every config that says so.
fn questions(site: &Site, book: &str) -> Result<BTreeMap<u64, Vec<Way>>, Fault> {
    let mut all: BTreeMap<u64, Vec<Way>> = BTreeMap::new();
    for config in site.look.configs() {
        // The choice for evaluation holds the same questions again.
        if config.holds != Holds::Questions
            || !config.has("asked_at_scene")
            || config.has("source_config")
        {
            continue;
        }
        for row in site.look.some_of(&config.name, "book_id", book, &["asked_at_scene", "type"])? {
            if let Some(scene) = row.values["asked_at_scene"].as_u64() {
                let name = row.values["type"].as_str().unwrap_or(&row.id).to_owned();
                all.entry(scene)
                    .or_default()
                    .push(Way::new(super::row_path(&config.name, &row.id), name));
            }
        }
    }
    Ok(all)
}

fn view(
    scene: &SceneRow,
    chapters: &[(u64, String)],
    asked: &BTreeMap<u64, Vec<Way>>,
    book: &str,
    config: Option<&str>,
) -> SceneView {
    let begins = |start: u64| u64::from(scene.start) <= start && start < u64::from(scene.end);
    SceneView {
        scene: scene.scene,
        words: counted(scene.words.into(), "word"),
        chapter: chapters
            .iter()
            .find(|(start, _)| begins(*start))
            .map(|(_, title)| line(title, 80)),
        html: draw::paragraphs(&scene.text),
        row: config.map(|config| super::row_path(config, &format!("{book}/{:04}", scene.scene))),
        asked: asked.get(&u64::from(scene.scene)).cloned().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenes(lengths: &[u32]) -> Vec<SceneRow> {
        let mut end = 0;
        let mut rows = Vec::new();
        for (scene, length) in (0..).zip(lengths) {
            let start = end;
            end += length;
            let text = String::new();
            rows.push(SceneRow { scene, chapter: None, start, end, words: 1, text });
        }
        rows
    }

    #[test]
    fn a_long_book_comes_in_parts_and_no_scene_is_lost() {
        let of = |lengths: &[u32]| -> Vec<Vec<u32>> {
            let scenes = scenes(lengths);
            let numbers = |part: &&[SceneRow]| part.iter().map(|scene| scene.scene).collect();
            parts(&scenes).iter().map(numbers).collect()
        };
        assert_eq!(of(&[300_000, 300_000]), [[0, 1]]);
        assert_eq!(of(&[300_000, 300_001, 1]), [vec![0], vec![1, 2]]);
        assert_eq!(of(&[3_000_000, 10]), [[0], [1]]);
        assert_eq!(of(&[]), Vec::<Vec<u32>>::new());
    }
}

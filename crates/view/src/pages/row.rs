//! A row: a question as it is asked, or any other row with all its columns.

use serde::Serialize;
use serde_json::Value;
use storymill_core::Fault;
use storymill_dataset::look::{Holds, Row};

use super::{Way, question, row_path};
use crate::{
    build::Came,
    marks::{Piece, edits},
    site::Site,
};

#[derive(Serialize)]
struct Page {
    title: String,
    config: Way,
    id: String,
    before: Option<Way>,
    behind: Option<Way>,
    split: String,
    texts: Vec<Text>,
    fields: Vec<(String, String)>,
    ways: Vec<Way>,
    came: Vec<Came>,
    bytes: Option<Way>,
}

#[derive(Serialize)]
struct Text {
    name: String,
    pieces: Vec<Piece>,
}

/// Texts longer than this get room of their own.
const SHORT: usize = 120;

pub(crate) fn page(site: &Site, config: &str, id: &str) -> Result<Option<String>, Fault> {
    let Some(row) = site.look.row(config, id)? else { return Ok(None) };
    if let Some(asked) = site.look.question(&row.values)? {
        return question::page(site, config, &row, &asked);
    }
    let (before, behind) = around(site, config, id)?;
    let (texts, fields) = told(&row);
    let came = came(site, id);
    let page = Page {
        title: site.title(),
        config: Way::new(format!("c/{config}"), config),
        id: id.to_owned(),
        before,
        behind,
        split: row.split.clone(),
        texts,
        fields,
        ways: ways(site, config, &row),
        bytes: bytes(&came),
        came,
    };
    site.draw("row.html", &page)
}

/// The ways to the rows before and behind.
pub(crate) fn around(
    site: &Site,
    config: &str,
    id: &str,
) -> Result<(Option<Way>, Option<Way>), Fault> {
    let (before, behind) = site.look.neighbours(config, id)?;
    let way = |id: String| Way::new(row_path(config, &id), id);
    Ok((before.map(way), behind.map(way)))
}

/// Where an item comes from, if somebody can tell; that nobody can is no fault of the page.
pub(crate) fn came(site: &Site, id: &str) -> Vec<Came> {
    site.build.as_ref().and_then(|build| build.origins(id).ok()).unwrap_or_default()
}

/// The way to the bytes of the page that something comes from in the end.
pub(crate) fn bytes(came: &[Came]) -> Option<Way> {
    let own = |one: &Came| {
        let page = one.facts.iter().find(|fact| fact.path.starts_with("page/"));
        page.map(|fact| Way::new(fact.path.clone(), "bytes of the page"))
    };
    came.iter().find_map(|one| own(one).or_else(|| bytes(&one.from)))
}

/// Long texts and short fields of a row. A false retelling is shown beside its twin, word by word.
fn told(row: &Row) -> (Vec<Text>, Vec<(String, String)>) {
    let (mut texts, mut fields) = (Vec::new(), Vec::new());
    let twin = row.values["twin_text"].as_str().filter(|twin| !twin.is_empty());
    for (name, value) in row.values.as_object().into_iter().flatten() {
        match value {
            Value::String(text) if name == "text" && twin.is_some() => {
                let pieces = edits(twin.unwrap_or_default(), text);
                texts.insert(
                    0,
                    Text {
                        name: "against its twin: what is false, what was true".to_owned(),
                        pieces,
                    },
                );
            }
            Value::String(text) if text.chars().count() > SHORT => {
                texts.push(Text {
                    name: name.clone(),
                    pieces: vec![Piece { is: "", text: text.clone() }],
                });
            }
            Value::String(text) => fields.push((name.clone(), text.clone())),
            Value::Null => fields.push((name.clone(), String::new())),
            value => fields.push((name.clone(), short(value))),
        }
    }
    (texts, fields)
}

/// A list or an object in a line or a few.
fn short(value: &Value) -> String {
    match value {
        Value::Array(all) => {
            let some: Vec<String> = all
                .iter()
                .map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned))
                .collect();
            some.join("\n")
        }
        value => value.to_string(),
    }
}

/// What a row is made from or belongs to, in the configs behind its own.
fn ways(site: &Site, config: &str, row: &Row) -> Vec<Way> {
    let mut ways = Vec::new();
    let text = |column: &str| row.values[column].as_str().unwrap_or_default();
    let book = text("book_id");
    let scene = row.values["first_scene"].as_u64().or(row.values["scene"].as_u64());
    if !book.is_empty() {
        let place = scene.map(|scene| format!("&at={scene}#s{scene}")).unwrap_or_default();
        ways.push(Way::new(format!("book/{book}?in={config}{place}"), "read it in the book"));
    }
    let summary = text("summary_id");
    if !summary.is_empty() && summary != row.id {
        let of = site.behind(config);
        let known = |one: &&String| {
            site.look
                .config(one)
                .is_some_and(|view| view.columns.first().is_some_and(|first| first == "summary_id"))
        };
        if let Some(told) = of.iter().find(known) {
            ways.push(Way::new(row_path(told, summary), "the true retelling"));
        }
    }
    if site.look.config(config).is_some_and(|view| view.holds == Holds::Books) {
        ways.push(Way::new(format!("book/{}?in={config}", row.id), "read the book"));
    }
    ways
}

//! Rows of a config, all or some, fifty a page.

use serde::Serialize;
use serde_json::Value;
use storymill_core::{Fault, QuestionType};
use storymill_dataset::look::{Filter, Holds, Row};

use super::{Way, line, row_path};
use crate::{
    address::Query,
    numbers::{counted, thousands},
    site::Site,
};

/// Rows of a page.
const ROWS: usize = 50;

#[derive(Serialize)]
struct Page {
    title: String,
    config: String,
    path: String,
    count: String,
    asks: bool,
    splits: Vec<Choice>,
    kinds: Vec<Choice>,
    of: String,
    least: String,
    most: String,
    says: String,
    split: String,
    kind: String,
    rows: Vec<Line>,
    before: Option<Way>,
    behind: Option<Way>,
    place: String,
}

#[derive(Serialize)]
struct Choice {
    name: String,
    chosen: bool,
}

#[derive(Serialize)]
struct Line {
    way: Way,
    split: String,
    kind: String,
    far: String,
    said: String,
}

pub(crate) fn filter(query: &Query) -> Filter {
    let text = |name: &str| query.get(name).map(str::to_owned);
    let number = |name: &str| query.get(name).and_then(|value| value.replace(',', "").parse().ok());
    Filter {
        split: text("split"),
        kind: text("type"),
        of: text("of"),
        least_words: number("least"),
        most_words: number("most"),
        says: text("says"),
    }
}

pub(crate) fn page(site: &Site, config: &str, query: &Query) -> Result<Option<String>, Fault> {
    let Some(view) = site.look.config(config) else { return Ok(None) };
    let filter = filter(query);
    let from: u64 = query.get("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    let found = site.look.list(config, &filter, from, ROWS)?;
    let asks = view.holds == Holds::Questions;
    let kinds = QuestionType::kinds().filter(|_| view.has("type"));
    let choice = |name: &str, chosen: &Option<String>| Choice {
        name: name.to_owned(),
        chosen: chosen.as_deref() == Some(name),
    };
    let path = format!("c/{config}");
    let at = |from: u64, name: &str| {
        let with = query.with("from", &if from == 0 { String::new() } else { from.to_string() });
        Way::new(if with.is_empty() { path.clone() } else { format!("{path}?{with}") }, name)
    };
    let step = ROWS as u64;
    let last = from + found.rows.len() as u64;
    let place = if found.rows.is_empty() {
        "none".to_owned()
    } else {
        format!("{} to {} of {}", thousands(from + 1), thousands(last), thousands(found.wanted))
    };
    let text = |name: &str| query.get(name).unwrap_or_default().to_owned();
    let page = Page {
        title: site.title(),
        config: config.to_owned(),
        count: counted(found.wanted, if asks { "question" } else { "row" }),
        asks,
        splits: view.splits.iter().map(|(name, _)| choice(name, &filter.split)).collect(),
        kinds: kinds.map(|kind| choice(&kind, &filter.kind)).collect(),
        of: text("of"),
        least: text("least"),
        most: text("most"),
        says: text("says"),
        split: text("split"),
        kind: text("type"),
        rows: found.rows.iter().map(|row| entry(config, row)).collect(),
        before: (from > 0).then(|| at(from.saturating_sub(step), "earlier")),
        behind: (last < found.wanted).then(|| at(last, "later")),
        place,
        path,
    };
    site.draw("list.html", &page)
}

/// The page of these rows alone.
pub(crate) fn some(site: &Site, config: &str, ids: &[String]) -> Result<String, Fault> {
    let mut rows = Vec::new();
    for id in ids {
        rows.extend(site.look.row(config, id)?);
    }
    let all = site.look.config(config).map_or(0, storymill_dataset::look::ConfigView::rows);
    let page = Page {
        title: site.title(),
        config: config.to_owned(),
        count: format!("{} of {}", thousands(rows.len() as u64), counted(all, "question")),
        asks: true,
        splits: Vec::new(),
        kinds: Vec::new(),
        of: String::new(),
        least: String::new(),
        most: String::new(),
        says: String::new(),
        split: String::new(),
        kind: String::new(),
        rows: rows.iter().map(|row| entry(config, row)).collect(),
        before: None,
        behind: None,
        place: "spread evenly".to_owned(),
        path: format!("c/{config}?"),
    };
    Ok(site.draw("list.html", &page)?.unwrap_or_default())
}

pub(crate) fn said(row: &Value) -> String {
    let right = row["answer"].as_u64().and_then(|at| usize::try_from(at).ok());
    let text = right.and_then(|right| row["options"][right].as_str());
    let others = ["title", "question", "distorted", "text", "said", "claim", "answer"];
    let other = || {
        others.into_iter().find_map(|column| row[column].as_str().filter(|text| !text.is_empty()))
    };
    line(text.or_else(other).unwrap_or_default(), 160)
}

fn entry(config: &str, row: &Row) -> Line {
    let values = &row.values;
    let far = values["demand_words"].as_u64().map(|words| counted(words, "word"));
    let kind =
        values["type"].as_str().or(values["protocol"].as_str()).or(values["status"].as_str());
    Line {
        way: Way::new(row_path(config, &row.id), row.id.clone()),
        split: row.split.clone(),
        kind: kind.unwrap_or_default().to_owned(),
        far: far.unwrap_or_default(),
        said: said(values),
    }
}

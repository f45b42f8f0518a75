//! A published folder in one screen: what is in it, how far back its questions reach, one of them.

use std::path::Path;

use serde_json::Value;
use storymill_dataset::{Manifest, TableView, asked, scan::ColumnFacts};

use crate::{
    question::{self, Telling},
    table::{Table, bold, plain, plural},
};

/// Symbols of a line of the question that are shown.
const LINE: usize = 110;

/// The screen.
pub(super) fn text(manifest: &Manifest, tables: &[TableView], path: &Path) -> String {
    let mut out = format!("{}\n\n", bold(&plain(&headline(manifest, tables))));
    let mut table = Table::new(&["config", "rows", ">in all", "demand in words"]);
    let configs = configs(tables);
    for (config, views) in &configs {
        let splits: Vec<_> =
            views.iter().map(|view| format!("{} {}", view.split, view.rows)).collect();
        let rows: u64 = views.iter().map(|view| view.rows).sum();
        table.row([
            (*config).to_owned(),
            splits.join(", "),
            rows.to_string(),
            demand(views).unwrap_or_default(),
        ]);
    }
    out += &table.to_string();
    let path = plain(&path.display().to_string());
    if let Some((config, question)) = configs.iter().find_map(|(config, views)| {
        views.iter().find_map(|view| example(view)).map(|question| (*config, question))
    }) {
        out += &format!("\n{}\n{question}", bold(&format!("A question of `{}`", plain(config))));
        out += &format!(
            "\nmore questions       storymill inspect {path} --config {} --questions -n 5",
            plain(config)
        );
        out += &format!("\nshortcuts            storymill audit {path}");
    }
    if let Some((config, _)) = configs.first() {
        let config = plain(config);
        out += &format!("\ncolumns and rows     storymill inspect {path} --config {config} -n 1");
    }
    out += &format!("\nin the browser       storymill view {path}\n");
    out
}

fn headline(manifest: &Manifest, tables: &[TableView]) -> String {
    let bytes: u64 = tables.iter().flat_map(|view| &view.files).map(|file| file.bytes).sum();
    let rows: u64 = tables.iter().map(|view| view.rows).sum();
    let digest = manifest.digest.short();
    let (name, version) = (&manifest.name, &manifest.version);
    format!("{name} {version}: {}, {bytes} bytes, digest {digest}", plural(rows, "row"))
}

/// The tables of each config, in the manifest's order.
fn configs(tables: &[TableView]) -> Vec<(&str, Vec<&TableView>)> {
    let mut configs: Vec<(&str, Vec<&TableView>)> = Vec::new();
    for view in tables {
        match configs.iter_mut().find(|(config, _)| *config == view.config) {
            Some((_, views)) => views.push(view),
            None => configs.push((&view.config, vec![view])),
        }
    }
    configs
}

/// How far back the answers lie, over all splits; none where no column tells it.
fn demand(views: &[&TableView]) -> Option<String> {
    let columns = views.iter().flat_map(|view| &view.columns);
    let spans = columns.filter(|column| column.name == "demand_words").filter_map(|column| {
        match &column.facts {
            ColumnFacts::Numbers { min, max, .. } => Some((*min, *max)),
            _ => None,
        }
    });
    let (min, max) = spans.reduce(|(min, max), (low, high)| (min.min(low), max.max(high)))?;
    Some(format!("{min} to {max}"))
}

/// The first row as a question, its lines shortened; none if it is not one.
fn example(view: &TableView) -> Option<String> {
    let row = view.sample.first()?;
    let row: Value = row.values.iter().cloned().collect::<serde_json::Map<_, _>>().into();
    let question = asked::question(&row).ok()??;
    let words = question::words((&row, &question), None, Telling { answer: true, types: false });
    let lines = words.lines().filter(|line| !line.is_empty()).map(|line| line_of(line) + "\n");
    Some(lines.collect())
}

/// A line cut to what fits a terminal. Colours begin and end within a line, so what is cut is closed.
fn line_of(line: &str) -> String {
    if line.chars().count() <= LINE {
        return line.to_owned();
    }
    let reset = if line.contains('\u{1b}') { "\u{1b}[0m" } else { "" };
    line.chars().take(LINE).chain("...".chars()).chain(reset.chars()).collect()
}

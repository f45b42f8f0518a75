//! `docs/formats.md` lists the columns as they are.

use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

use storymill_dataset::{Column, Tables};

const BEGIN: &str = "<!-- columns -->\n";
const END: &str = "<!-- end of columns -->";

/// Columns that come together, and are named together.
const FAMILIES: [&str; 3] = ["demands_", "demand_", "context_"];

/// A column as a line of the page. What stands where it does not apply, -1 or a blank, the page says once.
fn row(column: &Column) -> String {
    let null = if column.nullable { "?" } else { "" };
    let about = ["; -1 ", "; blank "].iter().fold(column.about, |about, none| {
        about
            .rsplit_once(none)
            .filter(|(_, end)| !end.contains(';'))
            .map_or(about, |(kept, _)| kept)
    });
    // The page says once what most columns are.
    let kind = match format!("{}{null}", column.kind).as_str() {
        "int32" => String::new(),
        kind => format!(" `{kind}`"),
    };
    format!("- `{}`{kind}: {about}\n", column.name)
}

/// Columns that several tables have alike stand once, on top; below, a table names them.
fn columns() -> String {
    let tables = Tables::standard();
    let all = [
        ("books", "book"),
        ("books-text", "book-text"),
        ("scenes", "scene"),
        ("summaries", "summary"),
        ("distortions", "distortion"),
        ("read-along", "question"),
        ("reconstruction", "reconstruction"),
        ("eval", "eval-item"),
        ("claims", "claim"),
        ("names", "substitution"),
        ("leaks", "leak"),
        ("name-counts", "name-count"),
        ("recognitions", "recognition"),
        ("contexts", "context"),
        ("passages", "passage"),
        ("answers", "model-answer"),
        ("grades", "grade"),
        ("judgements", "judgement"),
        ("gated", "gated"),
        ("located", "located"),
        ("votes", "vote"),
    ]
    .map(|(config, record)| (config, tables.columns(record, &[]).unwrap()));
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for column in all.iter().flat_map(|(_, columns)| columns) {
        *times.entry(row(column)).or_default() += 1;
    }
    let mut text = "\n### In several tables\n\n".to_owned();
    text.extend(times.iter().filter(|(_, times)| **times > 1).map(|(row, _)| row.as_str()));
    for (config, columns) in &all {
        let (shared, own): (Vec<_>, Vec<_>) =
            columns.iter().partition(|column| times[&row(column)] > 1);
        let mut shared: Vec<_> = shared.iter().map(|column| named(column.name)).collect();
        shared.dedup();
        writeln!(text, "\n### `{config}`\n").unwrap();
        if !shared.is_empty() {
            writeln!(text, "Also {}.\n", shared.join(", ")).unwrap();
        }
        text.extend(own.into_iter().map(row));
    }
    text + "\n"
}

/// A column's name in a list of names: that of its family, if it has one.
fn named(column: &str) -> String {
    let family = FAMILIES.iter().find(|family| column.starts_with(**family));
    family.map_or_else(|| format!("`{column}`"), |family| format!("`{family}*`"))
}

/// `UPDATE_DOCS=1 cargo test` writes them anew.
#[test]
#[allow(clippy::disallowed_methods)]
fn the_docs_list_the_columns() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    if std::env::var("UPDATE_DOCS").is_ok() {
        fs::write(&path, format!("{before}{BEGIN}{}{END}{after}", columns())).unwrap();
    } else {
        assert_eq!(found, columns(), "run UPDATE_DOCS=1 cargo test -p storymill-dataset");
    }
}

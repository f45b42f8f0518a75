//! `docs/columns.csv` lists the columns as they are.

use std::{fs, path::Path};

use storymill_dataset::Tables;

/// The tables by the configs that they are usually published in.
const TABLES: [(&str, &str); 21] = [
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
];

/// A line for each column.
fn columns() -> String {
    let tables = Tables::standard();
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(["config", "column", "type", "what it is"]).unwrap();
    for (config, record) in TABLES {
        for column in tables.columns(record, &[]).unwrap() {
            let kind = format!("{}{}", column.kind, if column.nullable { "?" } else { "" });
            out.write_record([config, column.name, &kind, column.about]).unwrap();
        }
    }
    String::from_utf8(out.into_inner().unwrap()).unwrap()
}

/// `UPDATE_DOCS=1 cargo test` writes them anew. The page names every config.
#[test]
#[allow(clippy::disallowed_methods)]
fn the_docs_list_the_columns() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    if std::env::var("UPDATE_DOCS").is_ok() {
        fs::write(docs.join("columns.csv"), columns()).unwrap();
    }
    let kept = fs::read_to_string(docs.join("columns.csv")).unwrap();
    assert_eq!(kept, columns(), "run UPDATE_DOCS=1 cargo test -p storymill-dataset");
    let page = fs::read_to_string(docs.join("formats.md")).unwrap();
    for (config, _) in TABLES {
        assert!(page.contains(&format!("- `{config}`: ")), "{config}");
    }
}

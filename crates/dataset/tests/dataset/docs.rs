//! `docs/formats.md` lists the columns as they are.

use std::{fmt::Write, fs, path::Path};

use storymill_dataset::Tables;

const BEGIN: &str = "<!-- columns -->\n";
const END: &str = "<!-- end of columns -->";

fn columns() -> String {
    let tables = Tables::standard();
    let mut text = String::new();
    for (config, record) in [
        ("books", "book"),
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
    ] {
        writeln!(text, "\n### `{config}`\n\n| column | type | what it is |\n| --- | --- | --- |")
            .unwrap();
        for column in tables.columns(record, &[]).unwrap() {
            let null = if column.nullable { "?" } else { "" };
            writeln!(text, "| `{}` | `{}{null}` | {} |", column.name, column.kind, column.about)
                .unwrap();
        }
    }
    text + "\n"
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

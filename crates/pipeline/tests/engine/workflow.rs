//! Workflows with mistakes: every mistake at once, each at its place, with a way out.

use storymill_pipeline::Workflow;

use crate::toy::{BODY, HEAD, registry};

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("toy.toml");
    std::fs::write(&path, text).unwrap();
    let error =
        Workflow::read(&path, &registry()).expect_err("the workflow has mistakes").to_string();
    let file = format!("{}/toy.toml:", dir.path().display());
    let lines: Vec<_> =
        error.lines().map(|line| line.replace(&file, "").trim().to_owned()).collect();
    assert_eq!(lines, expected);
}

/// [`HEAD`] and [`BODY`] with one piece replaced.
fn with(old: &str, new: &str) -> String {
    let text = format!("{HEAD}{BODY}");
    assert!(text.contains(old), "{old}");
    text.replacen(old, new, 1)
}

#[test]
fn mistakes_are_shown_where_they_stand() {
    check(
        &with("least = 3", "laest = 3"),
        &["14:1: unknown option `laest` in `[stage.sifted.sift]` (hint: did you mean `least`?)"],
    );
    check(
        &with("least = 3", "least = \"3\""),
        &[
            "14:9: expected a whole number, found the text \"3\" (hint: remove the quotation marks: 3)",
        ],
    );
    check(&with("least = 3", "least = 300"), &["14:1: `least` must be at most 99"]);
    check(
        &with("[stage.sifted.sift]\nfrom = \"notes\"", "[stage.sifted.sift]"),
        &["12:15: option `from` is missing"],
    );
    check(
        &with("sifted.sift", "sifted.shift"),
        &["12:15: unknown kind of stage `shift` (hint: did you mean `sift`?)"],
    );
    check(
        &with("from = \"notes\"", "from = \"note\""),
        &["13:8: there is no step `note` (hint: did you mean `notes`?)"],
    );
    check(
        &with("split = \"splits\"", "split = \"sifted\""),
        &[
            "19:9: `mark` reads split rows here, and `sifted` makes word rows (hint: split rows come from `splits`)",
        ],
    );
    check(
        &with("from = \"marked\"", "from = \"splits\""),
        &[
            "21:8: `splits` makes split rows, which cannot be published as a table (hint: tables: `word`)",
        ],
    );
    check(
        &with("name = \"toy\"", "name = \"../toy\""),
        &[
            "2:8: `../toy` cannot be a dataset's name (hint: use 1 to 64 of A-Z a-z 0-9 . _ - and no leading dot: it becomes a folder's name)",
        ],
    );
    check(
        &with("\"1.0.0\"", "\"1\""),
        &["3:11: `1` is not a version (hint: write three numbers: `1.0.0`)"],
    );
    check(&with("seed = 7\n", ""), &["`seed` is missing (hint: write `seed = 2023` at the top)"]);
    check(
        &with("seed = 7", "seed = -7"),
        &["4:8: expected a whole number of at least 0, found `-7`"],
    );
    check(
        &with("seed = 7", "sede = 7"),
        &[
            "`seed` is missing (hint: write `seed = 2023` at the top)",
            "4:1: unknown key `sede` (hint: did you mean `seed`?)",
        ],
    );
}

#[test]
fn circles_are_named() {
    let text = format!(
        "{HEAD}[stage.a.sift]\nfrom = \"b\"\n[stage.b.sift]\nfrom = \"c\"\n[stage.c.sift]\nfrom = \"b\"\n[dataset.w]\nfrom = \"a\"\n"
    );
    check(&text, &["13:8: these steps read from each other in a circle: `b` reads `c` reads `b`"]);
}

#[test]
fn all_mistakes_come_at_once() {
    let text = with("least = 3", "least = 300\nlaest = 1")
        .replace("split = \"splits\"", "split = \"split\"")
        .replace("longest", "longst");
    check(
        &text,
        &[
            "14:1: `least` must be at most 99",
            "15:1: unknown option `laest` in `[stage.sifted.sift]` (hint: did you mean `least`?)",
            "16:15: unknown kind of stage `longst` (hint: did you mean `longest`?)",
        ],
    );
}

#[test]
fn broken_toml_names_line_and_column() {
    check("name = \"toy\nversion = 1", &["1:12: invalid basic string, expected `\"`"]);
    check(
        "",
        &[
            "`name` is missing (hint: write `name = \"my-dataset\"` at the top)",
            "`version` is missing (hint: write `version = \"1.0.0\"` at the top)",
            "`seed` is missing (hint: write `seed = 2023` at the top)",
            "`[publish]` is missing (hint: add `[publish]` with `title`, `license` and `canary`; `storymill init` writes one)",
        ],
    );
}

//! Wrong options from other books, and what happens to them when a book joins.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::project::Project;

const STEPS: &str = r#"
[stage.casts.cast]
from = "books"
tagger = "perceptron"

[stage.partners.partners]
books = "books"
summaries = "summaries"
casts = "casts"
splits = "splits"

[stage.names.substitutes]
from = "casts"
books = "books"

[stage.other-scenes.substitute-scenes]
from = "scenes"
substitutes = "names"

[stage.other-questions.substitute-questions]
from = "questions"
scenes = "other-scenes"
substitutes = "names"

[stage.leaks.check-names]
substitutes = "names"
originals = "books"
scenes = "other-scenes"
questions = "other-questions"

[dataset.other-read-along]
from = "other-questions"
"#;

/// Names of each book's own, so that whose book a text tells of can be seen.
const NAMES: [[&str; 3]; 6] = [
    ["Anna", "Ellery", "Brook"],
    ["Clara", "Dunmore", "Fenwick"],
    ["Hester", "Ingram", "Jarvis"],
    ["Judith", "Kendal", "Lomax"],
    ["Martha", "Norris", "Oakley"],
    ["Phoebe", "Quayle", "Rowntree"],
];

fn page(at: usize) -> String {
    let page = crate::project::page(&format!("b{at}"), 3);
    let [she, lady, family] = NAMES[at % NAMES.len()];
    let page = page.replace("Anna", she).replace("Ellery", lady).replace("Brook", family);
    // Each book has its own things to find.
    ["brass key", "red lantern", "seven letters", "silver watch", "wooden box"]
        .iter()
        .fold(page, |page, thing| page.replace(thing, &format!("{thing} number {at}")))
}

fn project(books: usize, pool: &str) -> Project {
    let project = Project::new();
    let questions = "[stage.questions.read-along]\n";
    let more = format!(
        "{questions}types = [\"lookahead\", \"scene-distortion\", \"other-book\"]\npartners = \"partners\"\ncasts = \"casts\"\nnear_pm = 0\n"
    );
    let changes = [
        (questions, more.as_str()),
        ("by = \"author\"", "by = \"none\""),
        ("validation = 0.1\ntest = 0.2\n", ""),
    ];
    project.workflow(&changes);
    let steps =
        STEPS.replace("splits = \"splits\"", &format!("splits = \"splits\"\npool = \"{pool}\""));
    let workflow = project.read("my.toml") + &steps;
    project.write("my.toml", workflow);
    (0..books).for_each(|at| _ = project.write(&format!("books/b{at:03}.html"), page(at)));
    project
}

/// The questions of a config, by id.
fn questions(project: &Project, out: &str, config: &str) -> BTreeMap<String, Value> {
    let args =
        ["inspect", out, "--config", config, "--rows", "100000", "--full", "--format", "json"];
    let told: Value = serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
    let tables = told["tables"].as_array().unwrap().iter();
    let rows = tables.flat_map(|table| table["sample"].as_array().unwrap());
    rows.map(|row| {
        let values = row["values"].clone();
        (values["question_id"].as_str().unwrap().to_owned(), values)
    })
    .collect()
}

fn is_other(row: &Value) -> bool {
    row["type"] == "other-book"
}

#[test]
fn decoys_come_from_other_books_in_this_books_names() {
    let project = project(6, "pinned");
    project.run(&["build", "my.toml"]).exits(0);
    let rows = questions(&project, "out/mine", "read-along");
    let others: Vec<&Value> = rows.values().filter(|row| is_other(row)).collect();
    assert!(others.len() > 20, "{}", others.len());
    for row in &others {
        let at: usize = row["book_id"].as_str().unwrap()[1..].parse().unwrap();
        let books = row["option_books"].as_array().unwrap();
        for (option, book) in row["options"].as_array().unwrap().iter().zip(books).take(5) {
            let text = option.as_str().unwrap();
            for (other, names) in NAMES.iter().enumerate().filter(|(other, _)| *other != at) {
                assert!(
                    !names.iter().any(|name| text.contains(name)),
                    "b{at} tells of b{other} ({book}): {text}"
                );
            }
        }
    }
    // With other names it is the same question, and no name of the book is in it.
    let renamed = questions(&project, "out/mine", "other-read-along");
    assert_eq!(rows.keys().collect::<Vec<_>>(), renamed.keys().collect::<Vec<_>>());
    for row in others {
        let id = row["question_id"].as_str().unwrap();
        assert_eq!(row["answer"], renamed[id]["answer"]);
        let text = renamed[id]["options"].to_string();
        let at: usize = row["book_id"].as_str().unwrap()[1..].parse().unwrap();
        assert!(!NAMES[at].iter().any(|name| text.contains(name)), "{text}");
    }
    let some = rows.keys().find(|id| id.ends_with("/other-book")).unwrap();
    project.run(&["explain", some, "--workflow", "my.toml"]).exits(0).says("other-book");
}

#[test]
fn a_book_that_joins_a_pinned_pool_changes_no_question_and_gets_its_share_of_a_rolling_one() {
    let count = 43;
    for pool in ["pinned", "rolling"] {
        let project = project(count, pool);
        project.run(&["build", "my.toml"]).exits(0);
        let before = questions(&project, "out/mine", "read-along");
        project.run(&["build", "my.toml", "--out", "first"]).exits(0);
        std::fs::copy(project.path("first/dataset.lock"), project.path("base.lock")).unwrap();
        let workflow = project.read("my.toml");
        let workflow = workflow.replacen(
            "version = \"1.0.0\"",
            "version = \"1.1.0\"\nbase = \"base.lock\"",
            1,
        );
        project.write("my.toml", workflow).write(&format!("books/b{count:03}.html"), page(count));
        project.run(&["build", "my.toml"]).exits(0);
        let now = questions(&project, "out/mine", "read-along");
        let new = format!("b{count:03}");
        assert!(
            now.values().any(|row| row["book_id"] == new && is_other(row)),
            "it draws from all"
        );
        let (mut draws, mut changed) = (0, 0);
        for (id, was) in &before {
            let is = &now[id];
            if pool == "pinned" || !is_other(was) {
                assert_eq!(was, is, "{id}");
                continue;
            }
            assert_eq!((&was["answer"], &was["scene"]), (&is["answer"], &is["scene"]));
            let options = |row: &Value| row["options"].as_array().unwrap().clone();
            for (was, is) in options(was).iter().zip(&options(is)).take(5) {
                draws += 1;
                changed += usize::from(was != is);
            }
        }
        if pool == "rolling" {
            // One draw in as many as there are books now, to within a factor of two.
            let expected = draws / (count + 1);
            assert!(
                (expected / 2..=expected * 2).contains(&changed),
                "{changed} of {draws}, expected {expected}"
            );
        }
        project.run(&["diff", "base.lock", "out/mine/dataset.lock"]).says(&format!("added: {new}"));
    }
}

#[test]
fn partners_that_do_not_look_at_the_splits_are_warned_of() {
    let leaks = "may stand as decoys in `train`";
    let sound = project(8, "pinned");
    let plan = sound.run(&["plan", "my.toml"]).exits(0);
    assert!(!plan.err().contains(leaks), "{}", plan.err());

    let project = project(8, "pinned");
    let text = project
        .read("my.toml")
        .replace("by = \"none\"", "by = \"book\"\nvalidation = 0.2\ntest = 0.3");
    let blind = text.replace("casts = \"casts\"\nsplits = \"splits\"\n", "casts = \"casts\"\n");
    assert_ne!(text, blind);
    project.write("my.toml", blind);
    let hint = "write `splits = \"splits\"` under `[stage.partners.partners]`";
    project.run(&["plan", "my.toml"]).exits(0).says(leaks).says(hint);
    let built = project.run(&["build", "my.toml"]).exits(0).says(leaks);
    built.says("of `test`").says("for books of `train`: b00");
    project.write("my.toml", text);
    let built = project.run(&["build", "my.toml"]).exits(0);
    assert!(!built.err().contains("decoy"), "{}", built.err());
}

//! Builds over real books, where they are at hand.

use std::path::Path;

use crate::project::{Project, full, sets, texts};

/// English novels, one file of each work.
const NOVELS: [&str; 12] = [
    "1342.html.gz",
    "84.html.gz",
    "345.html.gz",
    "174.html.gz",
    "98.html.gz",
    "76.html.gz",
    "11.html",
    "205.html.gz",
    "541.html.gz",
    "2814.html.gz",
    "844.html",
    "64317.html.gz",
];

fn project(folder: &Path, files: &[&str]) -> Project {
    let project = Project::new();
    for file in files {
        let from = folder.join(file);
        if from.exists() {
            project.write(&format!("books/{file}"), std::fs::read(from).unwrap());
        }
    }
    project.workflow(&[("max = 600", "max = 3000")]);
    project
}

/// Every scene joined is the book, and every span slices to what it claims.
fn check(project: &Project) {
    let json = project
        .run(&["inspect", "out/mine", "-n", "100000", "--full", "--format", "json"])
        .exits(0)
        .out();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let rows = |config: &str| -> Vec<serde_json::Value> {
        let tables =
            value["tables"].as_array().unwrap().iter().filter(|table| table["config"] == config);
        tables
            .flat_map(|table| table["sample"].as_array().unwrap())
            .map(|row| row["values"].clone())
            .collect()
    };
    let scenes = rows("scenes");
    let texts = texts(&rows("books-text"));
    for book in rows("books") {
        let text = &texts[book["book_id"].as_str().unwrap()];
        assert_eq!(book["symbols"], text.chars().count());
        let own: Vec<_> =
            scenes.iter().filter(|scene| scene["book_id"] == book["book_id"]).collect();
        let joined: String = own.iter().map(|scene| scene["text"].as_str().unwrap()).collect();
        assert!(joined == *text, "the scenes of {} joined are the book", book["book_id"]);
        let symbols: Vec<char> = text.chars().collect();
        for scene in own {
            let at = |name: &str| usize::try_from(scene[name].as_u64().unwrap()).unwrap();
            let by_symbols: String =
                symbols[at("start_symbols")..at("end_symbols")].iter().collect();
            assert_eq!(by_symbols, scene["text"].as_str().unwrap());
            assert_eq!(&text[at("start_bytes")..at("end_bytes")], scene["text"].as_str().unwrap());
            assert!(at("end_symbols") - at("start_symbols") <= 3000);
        }
    }
    assert!(!rows("reconstruction").is_empty());
}

#[test]
fn english_novels_become_a_dataset() {
    let novels = if full() { &NOVELS[..] } else { &NOVELS[..3] };
    become_a_dataset("books", [&["90001.html", "90002-1998.html"], novels]);
}

#[test]
fn plain_text_books_become_a_dataset() {
    let novels =
        ["anne_of_green_gables_lm_montgomery.txt", "the_great_gatsby_f_scott_fitzgerald.txt"];
    let ours = ["the_lamp_on_gull_rock.txt", "a_debt_in_rye_street.txt"];
    become_a_dataset("nocha/books", [&ours, &novels]);
}

/// These books of each golden set: ours, and the large one.
fn become_a_dataset(folder: &str, files: [&[&str]; 2]) {
    for (folder, files) in sets(folder).iter().zip(files) {
        let project = project(folder, files);
        project.run(&["build", "my.toml"]).exits(0);
        check(&project);
    }
}

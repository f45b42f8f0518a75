//! Commands that write or change something say in JSON what is where: paths and counts, as what they print for people.

use serde_json::{Value, json};

use crate::project::Project;

#[track_caller]
fn answer(project: &Project, line: &str) -> Value {
    let words: Vec<&str> = line.split(' ').chain(["--format", "json"]).collect();
    let said = project.run(&words).exits(0).out();
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{line}: {error}\n{said}"))
}

fn pairs() -> String {
    let rows =
        (1..=6).map(|at| format!("n01/{at:04},n01,Ann paid {at} pounds.,Ann paid {at}0 pounds.\n"));
    format!("id,book,true_claim,false_claim\n{}", rows.collect::<String>())
}

#[test]
fn a_set_in_a_folder() {
    let project = Project::new();
    project.write("claims.csv", pairs());
    project.run(&["claims", "import", "claims.csv", "--into", "set", "--without-texts"]).exits(0);
    let all = answer(&project, "claims export set");
    assert_eq!(all.as_array().map(Vec::len), Some(6), "{all}");
    let written = answer(&project, "claims export set --out pairs.csv");
    assert_eq!(written, json!({ "set": "set", "pairs": 6, "file": "pairs.csv" }));
    assert_eq!(project.read("pairs.csv").lines().count(), 7);
    let gone = answer(&project, "claims remove set n01/0002 --reason false");
    assert_eq!((&gone["removed"], &gone["pairs"]), (&json!("n01/0002"), &json!(5)), "{gone}");
}

#[test]
fn a_cast() {
    let project = Project::new();
    let story = "Emma Weston came in. \"Good day,\" said Emma Weston to Mr. Hart. Mr. Hart bowed. ";
    project.write("story.txt", story.repeat(5));
    let cast = answer(&project, "book cast story.txt --tagger perceptron");
    let named: Vec<_> =
        cast["character"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert!(named.contains(&&json!("Emma Weston")), "{cast}");
    let written = answer(&project, "book cast story.txt --tagger perceptron --out one.toml");
    assert_eq!(written["file"], "one.toml");
    let lines = project.read("one.toml");
    let characters = lines.lines().filter(|line| *line == "[[character]]").count();
    assert_eq!(written["characters"], json!(characters), "{written}\n{lines}");
}

#[test]
#[cfg(feature = "private")]
fn a_shelf() {
    let project = Project::new();
    project.book("n01", 4).write("claims.csv", pairs());
    let place = "--shelf sealed --key ann.key";
    let ask = |line: &str| answer(&project, &format!("{line} {place}"));
    ask("shelf init --no-passphrase");
    let public = answer(&project, "shelf init --key-only --key bob.key --no-passphrase");
    let bob = public["public_key"].as_str().unwrap();
    ask("shelf add books/n01.html");
    ask("claims import claims.csv --into family");
    let two = ask(&format!("shelf rekey --add {bob}"));
    assert_eq!(two["maintainers"].as_array().map(Vec::len), Some(2), "{two}");
    assert_eq!(ask("shelf rekey --trust --yes"), json!({ "departure": null, "taken": true }));
    let said = ask("shelf state family --version 1.0.0 --out one.json");
    assert_eq!((&said["pairs"], &said["file"]), (&json!(6), &json!("one.json")), "{said}");
    let noted = ask("shelf state family --retire n01/0001 --reason why");
    assert_eq!(noted, json!({ "set": "family", "pair": "n01/0001", "retired": true }));
    assert_eq!(ask("shelf state family --retire n01/0001 --undo")["retired"], false);
    let shown = ask("shelf state family --reveal n01/0002 --out pair.json");
    assert_eq!(shown["digest"], said["digest"]);
    project.run(&["verify", "one.json", "pair.json"]).exits(0);
    let public = ask("shelf publish family --public public");
    let files = public["files"].as_array().unwrap();
    assert!(!files.is_empty());
    for file in files {
        project.read(&format!("public/{}", file.as_str().unwrap()));
    }
    let gone = ask("shelf remove n01");
    assert_eq!(gone, json!({ "removed": "n01", "pairs_without_text": { "family": 6 } }));
    assert_eq!(answer(&project, "shelf unlock --end")["closed"], 0);
}

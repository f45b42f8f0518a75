//! Who is nobody in ten novels: what a bad tagger takes for people of the story, by casts that were
//! made without the program.

use std::{collections::BTreeMap, fs};

use serde_json::Value;

use crate::project::{Project, full, shared};

/// One entry of a cast in five of those that name nobody may stand among its people.
#[test]
fn what_is_nobody_is_no_person_of_the_cast() {
    if !full() {
        return;
    }
    let (Some(casts), Some(books)) = (shared("golden/casts"), shared("books")) else { return };
    let project = Project::new();
    let (mut wrong, mut all, mut renamed, mut real) = (Vec::new(), 0, Vec::new(), 0);
    let mut files: Vec<_> = fs::read_dir(casts).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    files.sort();
    for file in files {
        let gold: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let id = file.file_stem().unwrap().to_str().unwrap();
        let names = [format!("{id}.html"), format!("{id}.html.gz")];
        let page = names.iter().map(|name| books.join(name)).find(|path| path.exists()).unwrap();
        project.run(&["clean", &page.display().to_string(), "--out", "clean"]);
        let text = format!("clean/{id}.txt");
        let list = |key: &str| -> Vec<String> {
            let all = gold[key].as_array().unwrap().iter();
            all.map(|one| one.as_str().unwrap().to_owned()).collect()
        };
        let (nobody, of_history) = (list("not_people"), list("real"));
        let people = cast(&project, &text, &[]);
        for entry in nobody.iter().filter(|entry| !of_history.contains(entry)) {
            all += 1;
            if people.contains_key(entry) {
                wrong.push(format!("{id}: {entry}"));
            }
        }
        // Real people are renamed unless somebody asks to keep them, and then their names stand.
        let people = cast(&project, &text, &["--keep-real"]);
        for entry in &of_history {
            real += 1;
            if people.get(entry) == Some(&false) {
                renamed.push(format!("{id}: {entry}"));
            }
        }
    }
    println!("{} of {all} that are nobody are people of a cast: {wrong:?}", wrong.len());
    println!("{} of {real} real people are renamed with `--keep-real`: {renamed:?}", renamed.len());
    assert!(all > 200 && 5 * wrong.len() <= all, "{} of {all}: {wrong:?}", wrong.len());
}

/// The people of a cast, and whether each keeps the name.
fn cast(project: &Project, text: &str, more: &[&str]) -> BTreeMap<String, bool> {
    let args = [&["cast", text, "--out", "cast.toml"][..], more].concat();
    project.run(&args).exits(0);
    let cast = project.read("cast.toml");
    fs::remove_file(project.path("cast.toml")).unwrap();
    let value = |person: &str, key: &str| {
        let line = person.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    let sections = cast.split("\n\n").map(str::trim);
    let people = sections.filter_map(|section| section.strip_prefix("[[character]]"));
    let kept = |person: &str| value(person, "keep").as_deref() == Some("true");
    people.map(|person| (value(person, "name").unwrap(), kept(person))).collect()
}

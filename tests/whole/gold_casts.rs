//! Who is nobody in ten novels: what a bad tagger takes for people of the story, by casts that were
//! made without the program. Each entry has a verdict of its own, which is printed.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

use crate::project::{Project, full, shared};

/// What names nobody is nobody: of all entries one in fifteen may be a person of the cast, nearly all of them words that
/// stand once.
#[test]
fn what_is_nobody_is_no_person_of_the_cast() {
    if !full() {
        return;
    }
    let (Some(casts), Some(books)) = (shared("golden/casts"), shared("books")) else { return };
    let project = Project::new();
    let (mut wrong, mut all, mut often) = (Vec::new(), 0, Vec::new());
    let (mut renamed, mut real) = (Vec::new(), 0);
    let mut files: Vec<_> = fs::read_dir(casts).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    files.sort();
    for file in files {
        let gold: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let id = file.file_stem().unwrap().to_str().unwrap();
        let text = cleaned(&project, &books, id);
        let list = |key: &str| -> Vec<String> {
            let all = gold[key].as_array().unwrap().iter();
            all.map(|one| one.as_str().unwrap().to_owned()).collect()
        };
        let (nobody, of_history) = (list("not_people"), list("real"));
        let (people, new) = cast(&project, &text);
        let own = project.read(&text);
        for entry in nobody.iter().filter(|entry| !of_history.contains(entry)) {
            all += 1;
            let [before, after] = [&own, &new].map(|text| count(text, entry));
            let places = before.saturating_sub(after);
            let person = people.contains_key(entry);
            let verdict = if person { "a person of the cast" } else { "nobody" };
            println!("{id:>5} {entry}: {verdict}, renamed at {places} of {before} places");
            if person {
                wrong.push(format!("{id}: {entry}"));
            }
            if person && places > 1 {
                often.push(format!("{id}: {entry} ({places})"));
            }
        }
        // Whom everybody knows keeps the name, where the lists have it.
        for entry in &of_history {
            real += 1;
            let kept = people.get(entry);
            println!("{id:>5} {entry}: {}", told(kept));
            if kept == Some(&false) {
                renamed.push(format!("{id}: {entry}"));
            }
        }
    }
    println!("{} of {all} that are nobody are people of a cast: {wrong:?}", wrong.len());
    println!("{} of {real} real people are renamed: {renamed:?}", renamed.len());
    assert!(all > 200 && 15 * wrong.len() <= all, "{} of {all}: {wrong:?}", wrong.len());
    assert!(often.len() <= OFTEN, "renamed twice or more: {often:?}");
}

/// Entries that are renamed at two places or more all the same: names of places as they once were written, and
/// letters on a barometer.
const OFTEN: usize = 4;

fn told(kept: Option<&bool>) -> &'static str {
    match kept {
        Some(true) => "kept",
        Some(false) => "renamed",
        None => "no person of the cast",
    }
}

/// The cleaned text of a book of the folder.
fn cleaned(project: &Project, books: &Path, id: &str) -> String {
    let names = [format!("{id}.html"), format!("{id}.html.gz")];
    let page = names.iter().map(|name| books.join(name)).find(|path| path.exists()).unwrap();
    project.run(&["book", "clean", &page.display().to_string(), "--out", "clean"]);
    format!("clean/{id}.txt")
}

/// How often an entry stands in a text, as words of their own.
fn count(text: &str, entry: &str) -> usize {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let inner = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let alone = |(at, found): &(usize, &str)| {
        !inner(text[..*at].chars().next_back()) && !inner(text[at + found.len()..].chars().next())
    };
    text.match_indices(entry).filter(alone).count()
}

/// The people of a cast, whether each keeps the name, and the text with the names of the substitutes.
fn cast(project: &Project, text: &str) -> (BTreeMap<String, bool>, String) {
    project.run(&["book", "cast", text, "--out", "cast.toml"]).exits(0);
    project
        .run(&["book", "substitute", text, "--cast", "cast.toml", "--out", "renamed.txt"])
        .exits(0);
    let [cast, new] = ["cast.toml", "renamed.txt"].map(|file| {
        let read = project.read(file);
        fs::remove_file(project.path(file)).unwrap();
        read
    });
    let value = |person: &str, key: &str| {
        let line = person.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    let sections = cast.split("\n\n").map(str::trim);
    let people = sections.filter_map(|section| section.strip_prefix("[[character]]"));
    let kept = |person: &str| value(person, "keep").as_deref() == Some("true");
    (people.map(|person| (value(person, "name").unwrap(), kept(person))).collect(), new)
}

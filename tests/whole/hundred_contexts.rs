//! A hundred contexts of LV-Eval's kind in each language: nothing of a replaced name is left, and in
//! English the articles agree by a list of sounds that is this test's own.

use std::{collections::BTreeSet, fs};

use serde_json::{Value, json};

use crate::project::{Project, full, shared, top};

const WORKFLOW: &str = r#"name = "mine"
version = "1.0.0"
seed = 11

[publish]
title = "Mine"
license = "mit"
canary = "storymill-canary-0123456789abcdef"

[source.sets.question-sets]
path = "sets"

[stage.passages.passages]
from = "sets"

[stage.contexts.mix]
from = "sets"
levels = LEVELS
nested = false

[dataset.contexts]
from = "contexts"

[dataset.passages]
from = "passages"
"#;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The questions of a shipped set, with the facts and rules that were written for them.
fn questions(set: &str) -> Vec<Value> {
    let read = |path: String| lines(&fs::read_to_string(top().join(path)).unwrap());
    let written = read(format!("data/sets/written/{set}.jsonl"));
    let rows = read(format!("data/sets/{set}.jsonl"));
    let with = |(row, own): (&Value, &Value)| {
        assert_eq!(row["id"], own["id"]);
        let rule = |rule: &Value| {
            let scope: Vec<&str> = rule[2].as_str().unwrap().split(' ').collect();
            json!({ "from": rule[0], "to": rule[1], "scope": scope })
        };
        let rules: Vec<Value> = own["rules"].as_array().unwrap().iter().map(rule).collect();
        json!({
            "id": row["id"], "question": row["question"], "answers": row["answers"],
            "documents": row["documents"], "answer_keywords": own["keywords"],
            "confusing_facts": own["confusing"], "rules": rules,
        })
    };
    rows.iter().zip(&written).map(with).collect()
}

/// The documents of a shipped set that distract.
fn others(set: &str) -> Vec<Value> {
    let rows = lines(&fs::read_to_string(top().join(format!("data/sets/{set}.jsonl"))).unwrap());
    rows.into_iter().filter(|row| row["question"].is_null()).collect()
}

/// Builds the contexts of a set at these levels, and looks at each.
fn contexts(set: &str, rows: &[Value], levels: &[u32]) -> usize {
    let project = Project::new();
    let lines_of: String = rows.iter().map(|row| format!("{row}\n")).collect();
    project
        .write("my.toml", WORKFLOW.replace("LEVELS", &format!("{levels:?}")))
        .write(&format!("sets/{set}.jsonl"), lines_of);
    project.run(&["build", "my.toml"]).exits(0);
    project.run(&["export", "out/mine"]).exits(0);
    let rules: Vec<Value> = questions(set);
    // Old books have slips of their own, `an eulogy`; no other may come in.
    let before: BTreeSet<String> =
        rows.iter().flat_map(said).flat_map(|text| slips(&text)).collect();
    let mut count = 0;
    for file in fs::read_dir(project.path("contexts")).unwrap() {
        for row in lines(&fs::read_to_string(file.unwrap().path()).unwrap()) {
            let id = row["_id"].as_str().unwrap();
            let own =
                rules.iter().find(|own| id.ends_with(&format!("/{}", own["id"].as_str().unwrap())));
            let rules = own.unwrap()["rules"].as_array().unwrap();
            let texts = ["inspect", "input", "answer_keywords"]
                .map(|name| row[name].as_str().unwrap_or_default());
            let lists = ["answers", "confusing_facts"].map(|name| row[name].as_array().unwrap());
            let more = lists.into_iter().flatten().map(|text| text.as_str().unwrap());
            for text in texts.into_iter().chain(more) {
                for rule in rules {
                    let left = left(rule["from"].as_str().unwrap(), text);
                    assert!(left.is_none(), "{id}: {left:?}");
                }
                if row["language"] == "en" {
                    let made = slips(text).into_iter().find(|slip| !before.contains(slip));
                    assert!(made.is_none(), "{id}: {made:?}");
                }
            }
            count += 1;
        }
    }
    count
}

/// The texts of a row's documents.
fn said(row: &Value) -> Vec<String> {
    let text = |one: &Value| one["text"].as_str().or(one.as_str()).unwrap().to_owned();
    row["documents"].as_array().unwrap().iter().map(text).collect()
}

/// Words with a capital that stand in names of many things: alone they name none.
const OF_MANY: [&str; 17] = [
    "Head", "Cross", "Bay", "Street", "Upper", "Blue", "Lamp", "Salt", "Almanac", "Merry",
    "Patient", "Anne", "Jane", "Little", "Carn", "Hall", "Point",
];

/// What is left of a replaced phrase in a text: the phrase in any letters, and of a person's name
/// each part with a capital, of a Chinese one the given name.
fn left(from: &str, text: &str) -> Option<String> {
    let around = |at: usize, len: usize| {
        let from = text.floor_char_boundary(at.saturating_sub(30));
        text[from..text.ceil_char_boundary((at + len + 30).min(text.len()))].to_owned()
    };
    if !from.is_ascii() {
        let signs: Vec<char> = from.chars().collect();
        let surnames = "许秦陆何纪卓贺";
        let mut forms = vec![from.to_owned()];
        if signs.len() == 3 && surnames.contains(signs[0]) {
            forms.push(signs[1..].iter().collect());
            forms.extend(["先生", "氏"].map(|title| format!("{}{title}", signs[0])));
        }
        return forms.iter().find_map(|form| Some(around(text.find(form)?, form.len())));
    }
    let whole = |form: &str, text: &str| {
        text.match_indices(form).map(|(at, _)| at).find(|at| {
            let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            !letter(text[..*at].chars().next_back())
                && !letter(text[at + form.len()..].chars().next())
        })
    };
    let [low, small] = [text, from].map(str::to_ascii_lowercase);
    let parts = from
        .split(' ')
        .filter(|part| part.starts_with(char::is_uppercase) && !OF_MANY.contains(part));
    let many = from.contains(' ');
    let found = if many || !from.starts_with(char::is_uppercase) {
        whole(&small, &low)
    } else {
        whole(from, text)
    };
    found
        .map(|at| around(at, from.len()))
        .or_else(|| parts.into_iter().find_map(|part| Some(around(whole(part, text)?, part.len()))))
}

/// Beginnings that are not heard as they are written: a vowel's letter with a consonant's sound, and
/// a silent `h`.
const CONSONANT: [&str; 14] = [
    "uni", "use", "usu", "uti", "eu", "one", "once", "ewe", "ubi", "ura", "ute", "oui", "uke",
    "usa",
];
const VOWEL: [&str; 4] = ["hour", "honest", "honour", "heir"];

/// The articles in a text that do not fit the word behind them.
fn slips(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let slip = |pair: &[&str]| {
        let (article, next) = (pair[0].trim_start_matches(|c: char| !c.is_alphanumeric()), pair[1]);
        let an = match article {
            "a" => false,
            "an" | "An" => true,
            // A capital may be a name's: `vitamin A`.
            "A" if next.starts_with(char::is_lowercase) => false,
            _ => return None,
        };
        let next = next.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = next.chars().next()?;
        let low = next.to_lowercase();
        let upper = next.chars().take_while(|c| c.is_alphanumeric()).all(char::is_uppercase);
        let fits = if first.is_ascii_digit() {
            an == (first == '8' || next.starts_with("11") || next.starts_with("18"))
        } else if upper {
            return None;
        } else {
            let vowel = "aeiouéàô".contains(low.chars().next()?);
            let starts = |list: &[&str]| list.iter().any(|start| low.starts_with(start));
            an == (starts(&VOWEL)
                || vowel
                    && (!starts(&CONSONANT) || low.starts_with("unin") || low.starts_with("unim")))
        };
        (!fits).then(|| pair.join(" "))
    };
    words.windows(2).filter_map(slip).collect()
}

#[test]
fn the_measure_finds_what_it_is_for() {
    for (from, text, found) in [
        ("Ivo Marsh", "Mr. Marsh came.", true),
        ("Ivo Marsh", "a marsh", false),
        ("Quill Street", "in High Street", false),
        ("Quill Street", "in quill street", true),
        ("heron", "a Heron stood", true),
        ("heron", "herons", false),
        ("许望舒", "望舒来了", true),
        ("许望舒", "也许", false),
    ] {
        assert_eq!(left(from, text).is_some(), found, "{from}: {text}");
    }
    for (text, found) in [
        ("a owl", true),
        ("an hour, an 18th, a unicorn, a one-eyed man, an unimportant heir", false),
        ("an unicorn", true),
        ("“A otter", true),
        ("an house", true),
    ] {
        assert_eq!(!slips(text).is_empty(), found, "{text}");
    }
}

#[test]
fn a_hundred_contexts_in_each_language_have_nothing_left() {
    for (set, levels) in [
        ("lanterns", [2_000, 4_000, 8_000, 12_000, 16_000]),
        ("tideng", [1_000, 2_000, 4_000, 8_000, 16_000]),
    ] {
        let rows: Vec<Value> = questions(set).into_iter().chain(others(set)).collect();
        let own: Vec<String> = rows.iter().flat_map(said).flat_map(|text| slips(&text)).collect();
        assert!(set == "tideng" || own.is_empty(), "{own:?}");
        let count = contexts(set, &rows, &levels);
        assert!(count >= 100, "{set}: {count}");
    }
}

/// At all five lengths of LV-Eval, whole novels stand around the questions.
#[test]
fn all_five_lengths_over_whole_novels() {
    if !full() {
        return;
    }
    let Some(books) = shared("books") else { return };
    for (set, chosen) in [
        ("lanterns", &["1342", "84", "1661", "345", "174", "2814", "541", "76"][..]),
        ("tideng", &["23950", "27166"][..]),
    ] {
        let mut rows = questions(set);
        rows.extend(novels(&books, chosen, set == "tideng"));
        let count = contexts(set, &rows, &[16_000, 32_000, 64_000, 128_000, 256_000]);
        assert_eq!(count, questions(set).len() * 5, "{set}");
    }
}

/// Whole novels in pieces, as documents that distract.
fn novels(books: &std::path::Path, chosen: &[&str], chinese: bool) -> Vec<Value> {
    let project = Project::new();
    let (mut rows, mut now) = (Vec::new(), String::new());
    for id in chosen {
        let names = [format!("{id}.html"), format!("{id}.html.gz")];
        let page = names.iter().map(|name| books.join(name)).find(|path| path.exists()).unwrap();
        project.run(&["book", "clean", &page.display().to_string(), "--out", "texts"]);
    }
    let mut texts: Vec<_> =
        fs::read_dir(project.path("texts")).unwrap().map(|file| file.unwrap().path()).collect();
    texts.sort();
    for path in texts {
        for paragraph in
            fs::read_to_string(path).unwrap().lines().filter(|line| !line.trim().is_empty())
        {
            now += &format!("{paragraph}\n");
            let enough = if chinese {
                now.chars().count() >= 600
            } else {
                now.split_whitespace().count() >= 400
            };
            if enough {
                let text = std::mem::take(&mut now);
                rows.push(json!({ "id": format!("n{}", rows.len()), "documents": [text] }));
            }
        }
    }
    rows
}

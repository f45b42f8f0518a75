//! Questions as they are published: what is read before each, where its answer lies, where it comes
//! from, what a run over them costs.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::project::{Project, full, sets, texts, top};

/// The rows of every config of a published folder.
pub fn rows(project: &Project, folder: &str) -> BTreeMap<String, Vec<Value>> {
    let out = project
        .run(&["inspect", folder, "-n", "1000000", "--full", "--format", "json"])
        .exits(0)
        .out();
    let found: Value = serde_json::from_str(&out).unwrap();
    let mut configs: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for table in found["tables"].as_array().unwrap() {
        let own = configs.entry(table["config"].as_str().unwrap().to_owned()).or_default();
        own.extend(table["sample"].as_array().unwrap().iter().map(|row| row["values"].clone()));
    }
    configs
}

pub fn at(row: &Value, name: &str) -> usize {
    usize::try_from(row[name].as_u64().unwrap_or_else(|| panic!("{name} of {row}"))).unwrap()
}

/// What holds for every question of a published folder, seen through its columns alone.
pub fn laws(configs: &BTreeMap<String, Vec<Value>>, least: usize) {
    let books: BTreeMap<String, Vec<char>> = texts(&configs["books-text"])
        .into_iter()
        .map(|(book, text)| (book, text.chars().collect()))
        .collect();
    let mut scenes: BTreeMap<(&str, usize), &Value> = BTreeMap::new();
    for scene in &configs["scenes"] {
        scenes.insert((scene["book_id"].as_str().unwrap(), at(scene, "scene")), scene);
    }
    let (questions, repairs) = (&configs["read-along"], &configs["reconstruction"]);
    assert!(questions.len() >= least && repairs.len() >= least);
    for question in questions.iter().chain(repairs) {
        let book = question["book_id"].as_str().unwrap();
        let symbols = at(question, "context_symbols");
        let read = at(question, "context_scenes");
        let context: String = books[book][..symbols].iter().collect();
        let joined: String =
            (0..read).map(|scene| scenes[&(book, scene)]["text"].as_str().unwrap()).collect();
        assert!(context == joined, "the context is scenes 0 to t, and no symbol after it");
        assert_eq!(at(question, "context_words"), context.split_whitespace().count());
        let spans = question["evidence"].as_array().unwrap();
        for (place, span) in spans.iter().enumerate() {
            let (start, end) = (at(span, "start_symbols"), at(span, "end_symbols"));
            assert!(end <= symbols, "the evidence was read");
            let evidence: String = books[book][start..end].iter().collect();
            assert!(!evidence.trim().is_empty());
            let back: String = books[book][start..symbols].iter().collect();
            let words = back.split_whitespace().count();
            let expected = [symbols - start, symbols - end, words];
            // Repairs have one place, and no lists.
            let each = if question["demands_words"].is_array() { &["demands"][..] } else { &[] };
            for of in each {
                let column = |unit: &str| question[format!("{of}_{unit}")][place].as_u64().unwrap();
                let found = ["symbols", "end_symbols", "words"].map(column);
                assert_eq!(found.map(|it| usize::try_from(it).unwrap()), expected);
            }
            // The farthest place comes first.
            if place == 0 {
                let column = |unit: &str| at(question, &format!("demand_{unit}"));
                assert_eq!(["symbols", "end_symbols", "words"].map(column), expected);
            }
        }
        if let Some(each) = question["demands_scenes"].as_array() {
            assert_eq!(each.len(), spans.len());
        }
        if let Some(options) = question["options"].as_array() {
            let right = at(question, "answer");
            assert_eq!(at(question, "asked_at_scene") + 1, read);
            let none = question["option_kinds"][right] == "none";
            assert_eq!(at(question, "none_of_the_above"), usize::from(none));
            assert_eq!(none, question["options"][right] == "None of the above.");
            if spans.is_empty() {
                assert_eq!((right, options.len(), none), (5, 6, true));
                assert_eq!(at(question, "demand_symbols"), symbols);
            }
            // Each place is a scene; where one is needed, it is that of the right option.
            for span in spans {
                let own = scenes.iter().find(|((of, _), scene)| {
                    *of == book && scene["start_symbols"] == span["start_symbols"]
                });
                let ((_, number), scene) = own.unwrap();
                assert_eq!(span["end_symbols"], scene["end_symbols"]);
                let told = question["option_scenes"][right].as_u64();
                assert!(spans.len() > 1 || told.is_none_or(|told| told == *number as u64));
            }
        }
    }
}

fn built(workflow: &str) -> Project {
    let project = Project::new();
    project.run(&["build", &top().join("workflows").join(workflow).display().to_string()]).exits(0);
    project
}

#[test]
fn every_context_holds_its_evidence_and_nothing_that_was_not_read() {
    let project = built("stories.toml");
    let configs = rows(&project, "out/stories");
    laws(&configs, 20);
    // Tokens of any stretch are those of the joined text; the scenes' own differ from their sum.
    let last = configs["read-along"].iter().max_by_key(|q| at(q, "context_scenes")).unwrap();
    assert!(at(last, "context_tokens_o200k_base") > at(last, "context_words"));
    // The small set is inside the other one, and both hold what the other configs hold.
    let ids = |config: &str| -> Vec<String> {
        configs[config].iter().map(|q| q["question_id"].as_str().unwrap().to_owned()).collect()
    };
    let (eval, small) = (ids("eval"), ids("eval-small"));
    assert_eq!((eval.len(), small.len()), (36, 20));
    assert!(small.iter().all(|id| eval.contains(id)));
    for row in &configs["eval"] {
        let source = row["source_config"].as_str().unwrap();
        let same = configs[source].iter().find(|q| q["question_id"] == row["question_id"]).unwrap();
        for column in ["evidence", "demand_words", "context_symbols", "split", "book_id"] {
            assert_eq!(row[column], same[column], "{column}");
        }
        if source == "read-along" {
            assert_eq!(row["reference"], row["options"][at(row, "answer")]);
        } else {
            assert_eq!((&row["reference"], row["answer"].as_i64()), (&same["answer"], Some(-1)));
        }
    }
}

#[test]
fn context_prints_what_is_read_and_ask_the_whole_prompt() {
    let project = built("stories.toml");
    let configs = rows(&project, "out/stories");
    let question = &configs["read-along"][7];
    let id = question["question_id"].as_str().unwrap();
    let texts = texts(&configs["books-text"]);
    let text = &texts[question["book_id"].as_str().unwrap()];
    let expected: String = text.chars().take(at(question, "context_symbols")).collect();
    assert_eq!(project.run(&["inspect", "out/stories", id]).exits(0).out(), expected);
    let prompt = project.run(&["inspect", "out/stories", id, "--ask"]).exits(0).out();
    assert!(prompt.contains(&expected));
    // In the words of the stage that asks models.
    assert!(prompt.starts_with("Between <text> and </text>") && prompt.contains("\"Answer:\""));
    for option in question["options"].as_array().unwrap() {
        assert!(prompt.contains(option.as_str().unwrap()), "{option}");
    }
    assert!(!prompt.contains("right: "), "a prompt does not tell the answer");
    let told = project.run(&["inspect", "out/stories", id, "--show", "question,answer"]);
    told.exits(0).says(&format!("right: {}", at(question, "answer") + 1));
    let near = id.replace("lookahead", "lookahed").replace("distortion", "distorton");
    let wrong = project.run(&["inspect", "out/stories", &near]);
    wrong.exits(4).says(&format!("did you mean `{id}`?"));
    let aloud = project.run(&[
        "inspect",
        "out/stories",
        "--config",
        "read-along",
        "--questions",
        "--show=types",
    ]);
    aloud.exits(0).says("evidence, symbols").says("None of the above.");
}

#[test]
fn explain_leads_back_to_the_bytes_of_the_page() {
    let project = built("stories.toml");
    let workflow = top().join("workflows/stories.toml").display().to_string();
    let configs = rows(&project, "out/stories");
    let asked_for = |q: &&Value| at(q, "none_of_the_above") == 0 && q["book_id"] == "sm02";
    let question = configs["read-along"].iter().find(asked_for).unwrap();
    let id = question["question_id"].as_str().unwrap();
    let out =
        project.run(&["explain", id, "--workflow", &workflow, "--format", "json"]).exits(0).out();
    let origins: Value = serde_json::from_str(&out).unwrap();
    let (mut pages, mut checked) = (0, 0);
    let mut open = vec![(&origins[0], "")];
    while let Some((origin, scene)) = open.pop() {
        let scene = if origin["what"] == "scene" { origin["id"].as_str().unwrap() } else { scene };
        open.extend(origin["from"].as_array().unwrap().iter().map(|from| (from, scene)));
        if origin["what"] == "page" {
            pages += 1;
            let facts = origin["facts"].as_array().unwrap();
            let bytes = facts.iter().find(|fact| fact[0] == "bytes of the decoded page").unwrap();
            let place = bytes[1].as_str().unwrap();
            let numbers: Vec<usize> =
                place.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
            let name = format!("data/books/{}", origin["id"].as_str().unwrap());
            // One of the stories is not in UTF-8; its places are those of the decoded page.
            let page = std::fs::read(top().join(format!("{name}.html"))).unwrap();
            if let Ok(page) = String::from_utf8(page) {
                let slice = page.get(numbers[0]..numbers[1]).unwrap();
                // The last words of the scene, apart from marks and tags.
                let (book, scene) = scene.split_once('/').unwrap();
                let row = configs["scenes"].iter().find(|row| {
                    row["book_id"] == book && at(row, "scene") == scene.parse::<usize>().unwrap()
                });
                let text = row.unwrap()["text"].as_str().unwrap();
                let last = text.rsplit(|c: char| !c.is_alphabetic()).find(|w| w.len() > 4).unwrap();
                assert!(slice.contains(last), "{last} in {place} of {name}");
                checked += 1;
            }
        }
    }
    assert_eq!((pages, checked), (5, 5), "each option of a scene has its page");
    let told = project.run(&["explain", id, "--workflow", &workflow]).exits(0);
    told.says("sha256: ").says("answer: ");
    project.run(&["explain", "sm01/9999/lookahead", "--workflow", &workflow]).exits(4);
    project.run(&["explain", id]).exits(2).says("--workflow");
}

#[test]
fn a_run_over_the_questions_has_its_price() {
    let project = built("by-rule.toml");
    let workflow = top().join("workflows/by-rule.toml").display().to_string();
    let args = ["plan", &workflow, "--evaluate", "2,8", "--format", "json"];
    let out = project.run(&args).exits(0).out();
    let prices: Value = serde_json::from_str(&out).unwrap();
    let configs = rows(&project, "out/by-rule");
    for row in prices.as_array().unwrap() {
        let one = &row["evaluation"];
        let questions = &configs[one["config"].as_str().unwrap()];
        assert_eq!(at(one, "questions"), questions.len());
        let contexts: usize = questions.iter().map(|q| at(q, "context_tokens_o200k_base")).sum();
        assert!(at(one, "tokens_in") > contexts);
        let usd = row["usd"].as_f64().unwrap();
        let expected = (at(one, "tokens_in") * 2 + at(one, "tokens_out") * 8) as f64 / 1e6;
        assert!((usd - expected).abs() < 1e-6, "{usd} {expected}");
    }
    project.run(&["plan", &workflow, "--evaluate", "--out", "nowhere"]).exits(4);
    project.run(&["plan", &workflow, "--evaluate", "2,-1"]).exits(2).says("such as `2.5,10`");
}

/// One more book changes no question that exists.
#[test]
fn adding_a_book_changes_no_existing_question() {
    let books = ["sm01", "sm02", "sm03", "sm04", "sm05", "sm06", "sm07"];
    let project = Project::new();
    let copy = |book: &str| {
        let from = top().join(format!("data/books/{book}.html"));
        project.write(&format!("books/{book}.html"), std::fs::read(from).unwrap());
    };
    books[..6].iter().for_each(|book| copy(book));
    project.workflow(&[("max = 600", "max = 3000")]);
    project.run(&["build", "my.toml"]).exits(0);
    let before = rows(&project, "out/mine");
    std::fs::copy(project.path("out/mine/dataset.lock"), project.path("base.lock")).unwrap();
    copy(books[6]);
    let text = project.read("my.toml").replacen("seed", "base = \"base.lock\"\nseed", 1);
    project.write("my.toml", text.replacen("1.0.0", "1.1.0", 1));
    project.run(&["build", "my.toml"]).exits(0);
    let after = rows(&project, "out/mine");
    for config in ["read-along", "reconstruction"] {
        assert!(after[config].len() > before[config].len());
        for row in &before[config] {
            assert!(after[config].contains(row), "{} is as it was", row["question_id"]);
        }
    }
    let ids = |rows: &[Value]| -> Vec<Value> {
        rows.iter().map(|row| row["question_id"].clone()).collect()
    };
    let eval = ids(&after["eval"]);
    assert!(ids(&before["eval"]).iter().all(|id| eval.contains(id)), "what was chosen stays");
}

#[test]
fn whole_novels_keep_the_laws() {
    let novels = ["84.html.gz", "1342.html.gz", "11.html", "345.html.gz", "98.html.gz"];
    let novels = &novels[..if full() { 5 } else { 3 }];
    // Ours are short: shorter scenes, fewer questions.
    let ours = (&["90001.html", "90002.html"][..], "max = 600", 1);
    for (folder, (files, max, least)) in
        sets("books").iter().zip([ours, (novels, "max = 3000", 20)])
    {
        let project = Project::new();
        for file in files {
            project.write(&format!("books/{file}"), std::fs::read(folder.join(file)).unwrap());
        }
        project.workflow(&[("max = 600", max)]);
        project.run(&["build", "my.toml"]).exits(0);
        laws(&rows(&project, "out/mine"), least);
    }
}

#[test]
fn questions_are_written_out_with_their_contexts() {
    let project = built("stories.toml");
    let all = ["export", "out/stories", "--config", "eval", "--ask", "--out", "whole"];
    project.run(&all).exits(0).says("36 contexts");
    let lines: Vec<Value> = project
        .read("whole/eval.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let rows = rows(&project, "out/stories");
    for (line, row) in lines.iter().zip(&rows["eval"]) {
        for (name, value) in row.as_object().unwrap() {
            assert_eq!(&line[name], value, "{name}");
        }
    }
    for line in lines.iter().step_by(5) {
        let id = line["question_id"].as_str().unwrap();
        let show = ["inspect", "out/stories", id, "--config", "eval"];
        assert_eq!(project.run(&show).exits(0).out(), line["context"].as_str().unwrap());
        let asked = project.run(&[&show[..], &["--ask"]].concat()).exits(0).out();
        assert_eq!(asked, line["prompt"].as_str().unwrap());
    }
    let few = ["export", "out/stories", "--config", "eval", "--limit", "3", "--split", "test"];
    project.run(&few).exits(0).says("3 contexts");
    project.run(&[&few[..], &["--parquet"]].concat()).exits(2).says("JSON lines");
    project.run(&["export", "out/stories", "--config", "books"]).exits(4);
}

#[test]
fn the_card_shows_what_searching_answers_by_distance() {
    let project = built("stories.toml");
    assert!(project.read("out/stories/README.md").contains("](baselines.svg)"));
    let picture = project.read("out/stories/baselines.svg");
    assert!(picture.contains("baseline:bm25") && picture.contains("retention demand"), "{picture}");
    project.run(&["verify", "out/stories"]).exits(0);
}

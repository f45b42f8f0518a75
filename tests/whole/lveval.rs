//! LV-Eval's way, from question sets to scores: the shipped workflow, everything that can be wrong
//! with what a user gives, and a hundred questions over real books at all five lengths.

use std::{collections::BTreeMap, fs};

use serde_json::{Value, json};
use storymill_core::Context;
use storymill_dataset::materialize::{recipes, texts};
use storymill_mixing::{Replacer, length, unmix};
use storymill_text::{Language, article};

use crate::project::{Project, Ran, shared, top};

fn workflow(name: &str) -> String {
    top().join(format!("workflows/{name}.toml")).display().to_string()
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn contexts(project: &Project, out: &str, config: &str) -> BTreeMap<String, Context> {
    let mut found = BTreeMap::new();
    let each = |context: Context| _ = found.insert(context.id.clone(), context);
    recipes(project.path(out), Some(config), each).unwrap();
    found
}

#[test]
fn the_shipped_sets_are_built_frozen_written_out_and_scored() {
    let project = Project::new();
    project.run(&["build", &workflow("lveval"), "--mode", "frozen"]).exits(0);
    let card = project.read("out/lveval/README.md");
    // Thirty questions, three in each tenth, at both lengths; twenty, two in each.
    for (set, level, each) in [
        ("lanterns", "8,000", " 3 |"),
        ("lanterns", "16,000", " 3 |"),
        ("tideng", "16,000", " 2 |"),
    ] {
        let begins = format!("| `contexts` | {set} | {level} | ");
        let ends = format!(" |{}", each.repeat(10));
        let line = card.lines().find(|line| line.starts_with(&begins) && line.ends_with(&ends));
        let lengths = line.and_then(|line| line[begins.len()..].split(" | ").next());
        assert!(lengths.is_some_and(|told| told.contains(" to ")), "{card}");
    }
    assert!(card.contains("storymill-told-1"));
    project.run(&["verify", "out/lveval", "--rows"]).exits(0);
    // A workflow stands for what it published.
    project.run(&["diff", "out/lveval", &workflow("lveval")]).exits(0).says("the same rows");
    project.run(&["export", "out/lveval"]).exits(4).says("choose with --config");

    let all = ["export", "out/lveval", "--config", "contexts"];
    project.run(&all).exits(0).says("lanterns_8k.jsonl: 30 contexts");
    project.run(&[&all[..], &["--set", "tideng", "--level", "16k", "--parquet"]].concat()).exits(0);
    assert!(project.path("contexts/tideng_16k.parquet").exists());
    let mut predictions = String::new();
    for (set, questions) in [("lanterns", 30), ("tideng", 20)] {
        for level in ["8k", "16k"] {
            let rows = rows(&project.read(&format!("contexts/{set}_{level}.jsonl")));
            assert_eq!(rows.len(), questions);
            for row in &rows {
                check_record(row, set, level);
                predictions +=
                    &format!("{}\n", json!({ "_id": row["_id"], "pred": row["answers"][0] }));
            }
        }
    }
    project.write("gold.jsonl", &predictions);
    let described = workflow("lveval");
    let score = ["score", "lveval", "gold.jsonl", "--dataset", &described, "--config", "contexts"];
    if !cfg!(feature = "jieba") {
        project
            .run(&score)
            .exits(4)
            .says("does not cut Chinese into words")
            .says("--features full");
        return;
    }
    let ran =
        project.run(&[&score[..], &["--window", "8k", "--rater", "rater.jsonl"]].concat()).exits(0);
    let out = ran.says("window / level").out();
    let line = |name: &str| out.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert_eq!(line("lanterns  ").matches("100.00").count(), 2, "{out}");
    assert_eq!(line("tideng  ").matches("100.00").count(), 2, "{out}");
    assert!(line("window").contains("50.00") && line("lanterns: %").contains("0.00"), "{out}");
    assert_eq!(project.read("rater.jsonl").lines().count(), 100);
}

#[track_caller]
fn check_record(row: &Value, set: &str, level: &str) {
    assert_eq!(row["dataset"], format!("{set}_{level}"));
    let text = row["context"].as_str().unwrap();
    let symbols: Vec<char> = text.chars().collect();
    let span = |one: &Value| -> String {
        let at = |name: &str| usize::try_from(one[name].as_u64().unwrap()).unwrap();
        symbols[at("start_symbols")..at("end_symbols")].iter().collect()
    };
    let (answer, evidence) =
        (row["answers"][0].as_str().unwrap(), row["evidence"].as_array().unwrap());
    // What of the answer matters stands in the evidence, replaced like the answer.
    let evidence: String = evidence.iter().map(span).collect();
    let keywords = row["answer_keywords"].as_str().unwrap();
    for keyword in keywords.split(' ') {
        assert!(
            evidence.to_lowercase().contains(&keyword.to_lowercase()),
            "{keyword}: {answer}: {evidence}"
        );
    }
    for fact in row["confusing_facts"].as_array().unwrap() {
        assert!(text.contains(fact.as_str().unwrap()));
    }
    let language = Language::of_tag(row["language"].as_str().unwrap());
    // Articles agree with what was written: in fillers, evidence, facts, question and answer.
    for text in [text, row["input"].as_str().unwrap(), answer] {
        let slips: Vec<&str> = article::slips(text).map(|at| &text[at]).collect();
        assert!(language != Language::English || slips.is_empty(), "{slips:?}");
    }
    assert_eq!(u64::from(length(text, language)), row["length"].as_u64().unwrap());
    assert_eq!(row["confusing_facts"].as_array().unwrap().len(), 2);
}

#[test]
fn ablations_differ_in_nothing_else() {
    let project = Project::new();
    project.run(&["build", &workflow("lveval")]).exits(0);
    let full = contexts(&project, "out/lveval", "contexts");
    for (config, ablation) in
        [("contexts-cf", "cf"), ("contexts-kpr", "kpr"), ("contexts-none", "none")]
    {
        let other = contexts(&project, "out/lveval", config);
        assert_eq!(other.len(), full.len());
        for (id, context) in &other {
            assert_eq!(
                (&context.ablation[..], &context.passages),
                (ablation, &full[id].passages),
                "{id}"
            );
        }
    }
}

#[test]
fn a_fact_is_put_at_twenty_depths() {
    let project = Project::new();
    project.run(&["build", &workflow("factrecall")]).exits(0);
    project.run(&["export", "out/factrecall", "--level", "16000"]).exits(0);
    let rows = rows(&project.read("contexts/lanterns_16k.jsonl"));
    let depths: Vec<u64> =
        rows.iter().map(|row| row["evidence"][0]["depth_pm"].as_u64().unwrap()).collect();
    assert_eq!(depths.len(), 20);
    assert!(depths.is_sorted() && depths[0] == 0 && depths[19] > 990, "{depths:?}");
    for row in rows {
        let text = row["context"].as_str().unwrap();
        assert_eq!(text.matches("Lise Crane hid the bell of Orrinsby in a beehive.").count(), 1);
        assert!(
            !text.contains("Kellmouth")
                && row["input"] == "Where did Lise Crane hide the bell of Orrinsby?"
        );
    }
}

const WORKFLOW: &str = r#"name = "mine"
version = "1.0.0"
seed = 7

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
levels = [400, 800]

[dataset.contexts]
from = "contexts"

[dataset.passages]
from = "passages"
"#;

fn pool(documents: usize) -> String {
    let text = |at: usize| -> String {
        (0..60)
            .map(|word| {
                format!(
                    "w{}{} ",
                    (at * 53 + word * 29) % 211,
                    if word % 12 == 11 { "." } else { "" }
                )
            })
            .collect()
    };
    (0..documents)
        .map(|at| format!("{}\n", json!({ "id": format!("p{at}"), "documents": [text(at)] })))
        .collect()
}

fn question(rules: Value) -> String {
    let text = "Ada Penn kept the lighthouse at Kell for nine years. She read much.";
    let row = json!({
        "id": "q1", "question": "Where did Ada Penn keep the lighthouse?", "answers": ["at Kell"],
        "documents": [text], "rules": rules,
    });
    format!("{row}\n")
}

fn build(sets: &str) -> (Project, Ran) {
    let project = Project::new();
    project.write("my.toml", WORKFLOW).write("sets/mine.jsonl", sets);
    let ran = project.run(&["build", "my.toml"]);
    (project, ran)
}

#[test]
fn bad_sets_say_what_is_wrong() {
    let (_, ran) = build(&format!(
        "{}{{\"id\": \"q2\", \"question\": \"Who?\", \"answers\": [\"x\"]}}\n",
        pool(3)
    ));
    ran.exits(15).says("no-documents").says("line 4: `q2` has no documents");
    build(&format!("{}{{\"id\"", pool(2))).1.exits(15).says("bad-json").says("line 3");
    build(&(question(json!([])) + &pool(6)))
        .1
        .exits(5)
        .says("too-few-distractors")
        .says("look at the reasons above; the dataset was published without them")
        .says("words are missing to reach 400");
    let project = Project::new();
    project.write("my.toml", WORKFLOW);
    project.run(&["build", "my.toml"]).exits(4).says("there are no question sets");
    project.write("my.toml", WORKFLOW.replace("levels = [400, 800]", "levels = [800, 400]"));
    project.run(&["plan", "my.toml"]).exits(3).says("must ascend");
}

#[test]
fn rules_that_cannot_hold_name_rule_place_and_reason() {
    let check = |rules: Value, code: &str, detail: &str| {
        build(&(question(rules) + &pool(30))).1.exits(5).says(code).says(detail);
    };
    check(
        json!([{ "from": "Kell", "to": "Ada" }, { "from": "Ada", "to": "Ulla" }]),
        "chain",
        "rule 1 (`Kell` by `Ada`), rule 2",
    );
    check(
        json!([{ "from": "Kell", "to": "Orm" }, { "from": "Ada", "to": "Orm" }]),
        "collision",
        "rule 2 (`Ada` by `Orm`), rule 1: both write `Orm`",
    );
    check(
        json!([{ "from": "Zorn", "to": "Orm" }]),
        "hits-nothing",
        "rule 1 (`Zorn` by `Orm`), evidence: `Zorn` does not stand there",
    );
    check(json!([{ "from": "nine", "to": "" }]), "blank-rule", "rule 1 (`nine` by ``)");
    check(
        json!([{ "from": "Kell", "to": "" }]),
        "empty-answer",
        "rule 1 (`Kell` by ``), answer: nothing would be left of `at Kell`",
    );
    check(json!([{ "from": "Kell", "to": "The" }]), "empty-answer", "`at Kell` would be `at The`");
    check(
        json!([{ "from": "Penn kept", "to": "Crane sold" }]),
        "left-over",
        "question: `Penn` would be left, a part of",
    );
    check(json!([{ "from": "Kell", "to": "nine years" }]), "collision", "document 1");
    build(
        &(question(json!([{ "from": "Kell", "to": "Orm", "scope": ["everywhere"] }])) + &pool(30)),
    )
    .1
    .exits(15)
    .says("line 1");
}

#[test]
fn a_question_that_is_rejected_on_the_way_leaves_the_others_whole() {
    let project = Project::new();
    let wrong = question(json!([{ "from": "Zorn", "to": "Orm" }])).replace("\"q1\"", "\"q0\"");
    let text = WORKFLOW
        .replace("[stage.contexts.mix]\nfrom = \"sets\"", "[stage.ruled.rules]\nfrom = \"sets\"\nfile = \"rules.jsonl\"\n\n[stage.contexts.mix]\nfrom = \"ruled\"");
    let rule = json!({ "question": "q1", "from": "Kell", "to": "Orm" });
    project
        .write("my.toml", text)
        .write("rules.jsonl", format!("{rule}\n"))
        .write("sets/mine.jsonl", wrong + &question(json!([])) + &pool(30));
    project.run(&["build", "my.toml"]).exits(0).says("hits-nothing");
    project.run(&["export", "out/mine"]).exits(0).says("mine_800.jsonl: 1 context");
    let row = &rows(&project.read("contexts/mine_400.jsonl"))[0];
    assert!(row["context"].as_str().unwrap().contains("kept the lighthouse at Orm"));
    for (rule, told) in [
        (json!({ "question": "q9", "set": "mine", "from": "a", "to": "b" }), "question `q9`"),
        (json!({ "question": "q1", "from": "Kell" }), "line 1 of the rules: missing field `to`"),
    ] {
        project.write("rules.jsonl", rule.to_string());
        project.run(&["build", "my.toml"]).exits(4).says(told);
    }
}

#[test]
fn bad_predictions_say_where() {
    let (project, ran) = build(&(question(json!([{ "from": "Kell", "to": "Orm" }])) + &pool(30)));
    ran.exits(0);
    let check = |text: &str, code: i32, told: &str| {
        project.write("p.jsonl", text);
        project
            .run(&["score", "lveval", "p.jsonl", "--dataset", "out/mine"])
            .exits(code)
            .says(told);
    };
    let line = |id: &str| format!("{{\"_id\": \"{id}\", \"pred\": \"at Orm\"}}\n");
    let both = line("mine_400/q1") + &line("mine_800/q1");
    check(&both, 0, "100.00");
    check(&(both.clone() + &line("mine_1k/q1")), 4, "line 3: no context has the id `mine_1k/q1`");
    check(
        &(both.clone() + &line("mine_400/q1")),
        4,
        "line 3: `mine_400/q1` was predicted on line 1 already",
    );
    let score = ["score", "lveval", "m1.jsonl", "m2.jsonl"];
    project.write("m1.jsonl", &both).write("m2.jsonl", line("mine_800/q1"));
    project
        .run(&[&score[..], &["--dataset", "out/mine"]].concat())
        .exits(4)
        .says("line 1: `mine_800/q1` was predicted in another file already")
        .says("first on line 2 of m1.jsonl");
    for option in [["--shown", "10"], ["--config", "x"]] {
        project.run(&[&score[..], &option].concat()).exits(2).says("name it with `--dataset`");
    }
    check(&line("mine_400/q1"), 4, "`mine_800/q1`: has no prediction");
    check(&(both + "{\"_id\":"), 4, "line 3");
    project.run(&["score", "lveval", "p.jsonl", "--dataset", "nowhere"]).exits(4);
    project
        .run(&["export", "out/mine", "--set", "other"])
        .exits(4)
        .says("it has mine_400, mine_800");
    project.run(&["export", "out/mine", "--level", "many"]).exits(2).says("16k");
    let before = fs::read_dir(project.path("out")).unwrap().count();
    fs::write(project.path("file"), "x").unwrap();
    project.run(&["export", "out/mine", "--out", "file"]).exits(74);
    assert_eq!(fs::read_dir(project.path("out")).unwrap().count(), before);
}

/// A hundred questions about facts that are put into real novels, at all five lengths.
#[test]
fn a_hundred_questions_over_real_books() {
    let Some(books) = shared("books") else { return };
    let project = Project::new();
    project.run(&["book", "clean", &books.display().to_string(), "--out", "texts"]);
    let mut passages: Vec<String> = Vec::new();
    let mut books: Vec<_> =
        fs::read_dir(project.path("texts")).unwrap().map(|entry| entry.unwrap().path()).collect();
    books.sort();
    for path in books {
        let text = fs::read_to_string(path).unwrap();
        // Chinese has no blanks to count words by: one passage would be a tenth of a context.
        let han = text.chars().filter(|letter| ('\u{4e00}'..='\u{9fff}').contains(letter)).count();
        if han * 10 > text.chars().count() {
            continue;
        }
        let (mut now, mut words) = (String::new(), 0);
        for paragraph in text.lines().filter(|line| !line.trim().is_empty()) {
            now += &format!("{paragraph}\n");
            words += paragraph.split_whitespace().count();
            if words >= 500 {
                passages.push(std::mem::take(&mut now));
                words = 0;
            }
        }
    }
    let first = [
        "Aldous", "Berenice", "Caradoc", "Drusilla", "Elmo", "Fenella", "Gawain", "Hepzibah",
        "Isidore", "Jocasta",
    ];
    let last = [
        "Wrexwell",
        "Thistlemark",
        "Ordwick",
        "Pennyquill",
        "Quarndon",
        "Umberslade",
        "Vexholm",
        "Yarrick",
        "Zelland",
        "Brockweir",
    ];
    let mut lines = String::new();
    for at in 0..100 {
        let name = format!("{} {}", first[at % 10], last[at / 10]);
        let place = format!("Market {}burgh", last[(at + at / 10) % 10]);
        let evidence = format!(
            "{} {name} hid the deeds in the vestry of {place}. Nobody looked there.",
            passages[at * 3].trim()
        );
        let row = json!({
            "id": format!("q{at:03}"), "question": format!("Where did {name} hide the deeds?"),
            "answers": [format!("in the vestry of {place}")], "answer_keywords": format!("vestry {place}"),
            "documents": [evidence],
            "confusing_facts": [format!("Someone called Ulric hid the deeds in the barn of {place}."), format!("{name} sold a horse in the yard.")],
            "rules": [{ "from": name, "to": format!("Ottokar Lindqvist{at}"), "scope": ["context", "question"] }, { "from": place, "to": format!("Nether Kirkgate{at}"), "scope": ["context", "answer"] }],
        });
        lines += &format!("{row}\n");
    }
    let used: Vec<usize> = (0..100).map(|at| at * 3).collect();
    let others = passages.iter().enumerate().filter(|(at, _)| !used.contains(at));
    for (at, passage) in others {
        lines += &format!("{}\n", json!({ "id": format!("p{at}"), "documents": [passage] }));
    }
    let levels = "levels = [16000, 32000, 64000, 128000, 256000]";
    project
        .write("my.toml", WORKFLOW.replace("levels = [400, 800]", levels))
        .write("sets/novels.jsonl", lines);
    project.run(&["build", "my.toml"]).exits(0);
    let recipes = contexts(&project, "out/mine", "contexts");
    assert_eq!(recipes.len(), 500);
    let texts = texts(project.path("out/mine"), "novels").unwrap();
    let texts: Vec<String> = texts.into_iter().map(Option::unwrap).collect();
    let longest = texts.iter().map(|text| length(text, Language::English)).max().unwrap();
    let mut shorter: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for level in ["16k", "32k", "64k", "128k", "256k"] {
        project.run(&["export", "out/mine", "--level", level]).exits(0).says("100 contexts");
        let path = project.path(format!("contexts/novels_{level}.jsonl"));
        for line in std::io::BufRead::lines(std::io::BufReader::new(fs::File::open(&path).unwrap()))
        {
            let row: Value = serde_json::from_str(&line.unwrap()).unwrap();
            let recipe = &recipes[row["_id"].as_str().unwrap()];
            let text = row["context"].as_str().unwrap();
            let length = length(text, Language::English);
            assert_eq!(length, recipe.length);
            // Within a passage, and what two sentences and two rules add.
            assert!(
                (recipe.level..recipe.level + longest + 40).contains(&length),
                "{}: {length}",
                recipe.id
            );
            assert!(
                u16::from(recipe.decile).abs_diff((recipe.evidence[0].depth_pm / 100).min(9))
                    <= u16::from(recipe.level < 20_000),
                "{}: decile {}, depth {}",
                recipe.id,
                recipe.decile,
                recipe.evidence[0].depth_pm
            );
            for rule in &recipe.rules {
                assert!(
                    !text.contains(&rule.from)
                        && !row["input"].as_str().unwrap().contains(&rule.from)
                );
                assert!(!row["answers"][0].as_str().unwrap().contains(&rule.from));
            }
            assert!(text.contains(row["answers"][0].as_str().unwrap()));
            let back =
                unmix(recipe, &Replacer::new(&recipe.rules, Language::English), text).unwrap();
            let expected: Vec<&String> =
                recipe.passages.iter().map(|number| &texts[*number as usize]).collect();
            assert!(back.iter().eq(expected), "{}", recipe.id);
            if let Some(before) = shorter.insert(recipe.item.clone(), recipe.passages.clone()) {
                let kept: Vec<u32> = recipe
                    .passages
                    .iter()
                    .copied()
                    .filter(|number| before.contains(number))
                    .collect();
                assert_eq!(kept, before, "{}", recipe.id);
            }
        }
        fs::remove_file(path).unwrap();
    }
}

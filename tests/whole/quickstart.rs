//! The first thing a new user runs: it works, says what it did, and gives the same bytes however
//! it is run.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    project::{Project, full, top},
    questions::{laws, rows},
};

fn quickstart() -> String {
    top().join("workflows/quickstart.toml").display().to_string()
}

/// The same without its novel: quicker to build in many ways.
fn stories() -> String {
    top().join("workflows/stories.toml").display().to_string()
}

#[test]
fn it_builds_and_a_second_run_changes_nothing() {
    let project = Project::new();
    let workflow = quickstart();
    let ran = project.run(&["build", &workflow]).exits(0);
    let out = ran.says("next: `storymill inspect out/quickstart`").out();
    assert!(out.contains("questions"), "{out}");
    let manifest = project.manifest("out/quickstart");
    project.run(&["build", &workflow]).exits(0).says("quickstart 0.1.0 is as it was");
    assert_eq!(project.manifest("out/quickstart"), manifest);
    project.run(&["plan", &workflow]).exits(0).says("nothing to build: all of it is there");
    assert!(card_begins(&project, "quickstart").contains("storymill-told-1"));
    // The checks at work: the slips that were recorded were found, one of them for good.
    let out = project.run(&["build", &workflow]).out();
    assert!(out.contains("1 rejected (1 expected)") && out.contains("sm07/0000/d4"), "{out}");
    the_novel_has_all(&project);
    // Books under other names have no authors; those beside them do.
    let audit = project.run(&["audit", "out/quickstart"]);
    let audit = audit.says("7 groups of authors").out();
    assert!(!audit.contains("authors unknown"));
    same_scenes_withstand_search(&audit);
}

/// Whoever finds a scene still has to know what happened in it; so nothing in the audit answers that much above chance.
fn same_scenes_withstand_search(audit: &str) {
    let set = audit.split("== read-along same-scene").nth(1).unwrap();
    let lines = set.split("\n== ").next().unwrap().lines();
    let figures = lines.filter_map(|line| {
        let mut words = line.split_whitespace();
        let (name, share) = (words.next()?, words.next()?.parse::<f64>().ok()?);
        (name != "near-equal").then_some((name, share))
    });
    let figures: Vec<_> = figures.filter(|(_, share)| *share <= 1.0).collect();
    for name in ["centre", "strings", "bm25", "scene-bm25", "scene-ngrams", "words"] {
        assert!(figures.iter().any(|figure| figure.0 == name), "{name}: {set}");
    }
    let answered = figures.iter().find(|(name, share)| *name != "chance" && *share > 0.22);
    assert_eq!(answered, None);
}

/// What the stories are too short for: levels, questions of every type far apart, other names throughout.
fn the_novel_has_all(project: &Project) {
    let configs = rows(project, "out/quickstart");
    laws(&configs, 100);
    let of = |config: &str| -> Vec<&Value> {
        configs[config].iter().filter(|row| row["book_id"] == "alice").collect()
    };
    for config in ["summaries", "reconstruction"] {
        let levels: BTreeSet<_> = of(config).iter().map(|row| row["level"].as_u64()).collect();
        assert_eq!(levels, BTreeSet::from([Some(0), Some(1), Some(2)]), "{config}");
    }
    let mut farthest = 0;
    for kind in ["lookahead", "scene-distortion", "other-book", "same-scene"] {
        let questions = of("read-along");
        let questions: Vec<_> = questions.iter().filter(|row| row["type"] == kind).collect();
        assert!(questions.len() > 30, "{kind}: {}", questions.len());
        let demand = questions.iter().map(|row| row["demand_words"].as_u64().unwrap()).max();
        farthest = farthest.max(demand.unwrap());
    }
    assert!(farthest > 20_000, "{farthest}");
    let changes = of("read-along").into_iter().filter(|row| row["type"] == "state");
    let places = changes.map(|row| row["evidence"].as_array().unwrap().len()).collect::<Vec<_>>();
    assert!(places.len() >= 8 && places.iter().all(|places| *places == 2), "{places:?}");
    let renamed = of("other-books")[0];
    assert_eq!(renamed["title"], "Eudora’s Adventures in Wonderland");
    let texts = of("other-books-text");
    assert!(!texts.is_empty());
    assert!(texts.iter().all(|piece| !piece["text"].as_str().unwrap().contains("Alice")));
    for row in of("other-read-along") {
        assert!(!row["options"].to_string().contains("Alice"), "{row}");
    }
}

/// The first line of a data card's body.
fn card_begins(project: &Project, name: &str) -> String {
    let card = project.read(&format!("out/{name}/README.md"));
    let body = card.splitn(3, "---\n").nth(2).unwrap().trim_start();
    assert!(body.starts_with("# "), "{body}");
    // What it is made of stands before the first table.
    body.split("\n| ").next().unwrap().to_owned()
}

#[test]
fn the_card_tells_what_answers_it_was_made_from() {
    let project = Project::new();
    let out = project.run(&["build", &stories(), "--format", "json"]).exits(0).out();
    let told: Value = serde_json::from_str(&out).unwrap();
    let steps = told["steps"].as_array().unwrap();
    let read = |step: &Value| step["answers"].as_u64().unwrap();
    assert!(steps.iter().map(read).sum::<u64>() > 100);
    assert_eq!(told["answers"]["read"], steps.iter().map(read).sum::<u64>());
    // All of them are recorded.
    assert_eq!(told["answers"]["asked"], 0);
    let again = project.run(&["build", &stories()]).exits(0);
    again.says("0 of them asked for in this run; 100.0 % were in the log");
    let card = project.read("out/stories/README.md");
    // Two screens: what is long is folded. Front matter is for the Hub alone.
    let body = card.splitn(3, "---\n").nth(2).unwrap();
    let shown = body.split("<details>").map(|part| part.split("</details>").last().unwrap());
    let words: usize = shown.map(|part| part.split_whitespace().count()).sum();
    assert!(words <= 1_200, "{words} words");
    for step in steps.iter().filter(|step| read(step) > 0) {
        let (name, answers) = (step["step"].as_str().unwrap(), read(step));
        let line = format!("| {name} | storymill-told-1 | {answers} | `");
        assert!(card.contains(&line), "{line}\n{card}");
    }

    let out = ["inspect", "out/stories", "--compare", "narrativexl", "--format", "json"];
    let compared: Value = serde_json::from_str(&project.run(&out).exits(0).out()).unwrap();
    let manifest: Value = serde_json::from_str(&project.manifest("out/stories")).unwrap();
    let figures = compared["figures"].as_array().unwrap();
    let figure = |what: &str| figures.iter().find(|one| one["what"] == what).unwrap();
    for (what, config) in
        [("read-along questions", "read-along"), ("reconstructions", "reconstruction")]
    {
        let files = manifest["files"].as_array().unwrap().iter();
        let rows = files.filter(|file| file["config"] == config).map(|file| &file["rows"]);
        assert_eq!(figure(what)["ours"], rows.map(|rows| rows.as_u64().unwrap()).sum::<u64>());
    }
    assert_eq!(figure("words of a question, mean")["theirs"], 499.5);
    project.run(&out[..4]).exits(0).says("appendix A.4");
}

#[test]
fn without_a_model_the_card_says_so_first() {
    let project = Project::new();
    project.run(&["build", &top().join("workflows/by-rule.toml").display().to_string()]).exits(0);
    let first = card_begins(&project, "by-rule");
    assert!(first.contains("by rule"), "{first}");
}

#[test]
fn threads_and_shards_give_the_same_bytes() {
    let workflow = stories();
    let mut manifests = Vec::new();
    let ways: &[(u32, u32)] =
        if full() { &[(1, 1), (2, 1), (1, 5), (2, 5)] } else { &[(1, 1), (2, 5)] };
    for (threads, shards) in ways {
        let project = Project::new();
        let threads = threads.to_string();
        if *shards > 1 {
            // All at once: shards share the store.
            let runs: Vec<_> = (1..=*shards)
                .map(|shard| {
                    let shard = format!("{shard}/{shards}");
                    project
                        .command(&["build", &workflow, "--threads", &threads, "--shard", &shard])
                        .spawn()
                        .unwrap()
                })
                .collect();
            for mut run in runs {
                // All that it can, or some of it waits for the others.
                assert!(matches!(run.wait().unwrap().code(), Some(0 | 14)));
            }
        }
        project.run(&["build", &workflow, "--threads", &threads]).exits(0);
        manifests.push(project.manifest("out/stories"));
    }
    manifests.dedup();
    assert_eq!(manifests.len(), 1);
}

#[test]
fn one_changed_byte_is_found_and_mended() {
    let project = Project::new();
    let workflow = stories();
    project.run(&["build", &workflow]).exits(0);
    project.run(&["verify", "out/stories"]).exits(0).says("as the manifest says");
    let manifest = project.manifest("out/stories");
    let file = project.path("out/stories/scenes/train-00000-of-00001.parquet");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    project.run(&["verify", "out/stories"]).exits(7).says("same length, other bytes");
    project.run(&["build", &workflow]).exits(0).says("it is written anew");
    project.run(&["verify", "out/stories", "--rows"]).exits(0);
    assert_eq!(project.manifest("out/stories"), manifest);
}

#[test]
fn a_dataset_that_was_damaged_is_written_anew() {
    let project = Project::new();
    let workflow = stories();
    project.run(&["build", &workflow]).exits(0);
    let manifest = project.manifest("out/stories");
    let file = project.path("out/stories/scenes/train-00000-of-00001.parquet");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    project.run(&["build", &workflow]).exits(0).says("is published");
    assert_eq!((std::fs::read(&file).unwrap(), project.manifest("out/stories")), (bytes, manifest));
}

//! `storymill report`: results of two models and of rules to one page, with its figures.

use std::{fs, time::Duration};

use serde_json::Value;

use crate::{
    gates::stubborn,
    models::Server,
    project::{Project, top},
};

/// Results of two scripted models and of the baselines, on made-up books.
fn results() -> Project {
    let project = Project::new();
    for book in 0..6 {
        project.book(&format!("b{book}"), 3);
    }
    let text = "name = \"mine\"\nversion = \"1.0.0\"\nseed = 7\n\n[publish]\ntitle = \"Mine\"\nlicense = \"mit\"\n\
        canary = \"storymill-canary-0123456789\"\nexpected_rejects = 999\n\n[source.books.folder]\npath = \"books\"\n\n\
        [stage.scenes.chunk]\nfrom = \"books\"\nmax = 600\ntokens = [\"o200k_base\"]\n\n\
        [stage.summaries.extract]\nfrom = \"scenes\"\n\n\
        [stage.distortions.swap-facts]\nscenes = \"scenes\"\nsummaries = \"summaries\"\n\n\
        [stage.questions.read-along]\nscenes = \"scenes\"\nsummaries = \"summaries\"\ndistortions = \"distortions\"\n\n\
        [stage.repairs.reconstruct]\nscenes = \"scenes\"\nsummaries = \"summaries\"\ndistortions = \"distortions\"\n\n\
        [dataset.books]\nfrom = \"books\"\n\n[dataset.scenes]\nfrom = \"scenes\"\n\n[dataset.summaries]\nfrom = \"summaries\"\n\n\
        [dataset.read-along]\nfrom = \"questions\"\n\n[dataset.reconstruction]\nfrom = \"repairs\"\n";
    project.write("my.toml", text);
    project.run(&["build", "my.toml"]).exits(0);
    // One answers always the same; the other writes nothing that can be read.
    for (name, said) in [("gpt-small", "Answer: 2"), ("lantern", "I would rather not say.")] {
        let server = Server::scripted(Duration::ZERO, move |_, _| said.to_owned());
        let model = format!(
            "[model.{name}]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"{name}\"\nmax_tokens = 100\n",
            server.port
        );
        project.write("models.toml", model);
        let args = ["evaluate", "out/mine", "--model", name, "--setting", "full,evidence,none"];
        project.run(&args).exits(0);
    }
    project.run(&["evaluate", "out/mine", "--baselines"]).exits(0);
    project
}

#[test]
fn results_become_one_page() {
    let project = results();
    project.write("audit.json", r#"{"rows": [{"measure": "longest option", "share": 0.3, "low": 0.25, "high": 0.35, "chance": 0.1667}]}"#);
    project.write("prices.toml", "[gpt-small]\ninput = 1.0\noutput = 4.0\n");
    let args = [
        "report",
        "results/mine-gpt-small",
        "results/mine-lantern",
        "results/mine-baselines",
        "--out",
        "page/report.html",
        "--figures",
        "figures",
        "--written-by",
        "gpt-4o",
        "--audit",
        "audit.json",
        "--prices",
        "prices.toml",
        "--link",
        "view/{id}",
    ];
    let ran = project.run(&args).exits(0).says("is of the same family (openai) as gpt-4o");
    let ran = ran.says("have no answer").says("page/report.html is the report");
    let ran =
        ran.says("figures has report.json, report.csv and ").says(" charts, each as .svg and");
    drop(ran);
    let page = fs::read_to_string(project.path("page/report.html")).unwrap();
    let (_, warnings) = page.split_once("What weakens this").unwrap();
    let first = "Retellings were made by rule (distortions, summaries), a stand-in for a model";
    assert_eq!(warnings.find("<li>").map(|at| &warnings[at + 4..][..first.len()]), Some(first));
    for there in [
        "By retention demand",
        "Against reading the evidence alone",
        "href=\"view/b",
        "longest option",
    ] {
        assert!(page.contains(there), "{there}");
    }
    assert!(!page.contains("<script") && !page.contains("src="));

    let figures: Value =
        serde_json::from_slice(&fs::read(project.path("figures/report.json")).unwrap()).unwrap();
    assert_eq!((&figures["format"], &figures["version"]), (&"storymill-report".into(), &1.into()));
    assert_eq!(figures["unit"]["tokens"], "o200k_base");
    let models: Vec<&str> =
        figures["models"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(models, ["gpt-small", "lantern"]);
    let part = &figures["parts"][0];
    assert_eq!(part["name"], "accuracy");
    let asked = part["questions"].as_u64().unwrap();
    assert!(asked > 10);
    for system in part["systems"].as_array().unwrap() {
        let ends: u64 =
            system["statuses"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
        assert_eq!(ends, system["cell"]["questions"].as_u64().unwrap(), "{system}");
        if system["model"] == "lantern" {
            assert_eq!(
                (&system["cell"]["value"], &system["cell"]["hollow"]),
                (&0.0.into(), &true.into())
            );
            assert_eq!(system["statuses"]["unparsed"], asked);
        }
        if system["model"] == "gpt-small" {
            assert!(system["dollars"].as_f64().is_some_and(|dollars| dollars > 0.0), "{system}");
        }
    }
    assert!(project.path("figures/accuracy-demand-full.svg").exists());

    // The same results make the same page.
    let before = page;
    project.run(&args).exits(0);
    assert_eq!(fs::read_to_string(project.path("page/report.html")).unwrap(), before);
}

#[test]
fn what_is_no_results_folder_is_refused() {
    let project = results();
    project
        .run(&["report", "out/mine"])
        .exits(4)
        .says("no grades are published here")
        .says("storymill evaluate");
    project.run(&["report", "nowhere"]).exits(4);
    let to_pdf = ["report", "results/mine-baselines", "--out", "page.PDF"];
    project.run(&to_pdf).exits(2).says("--figures DIR");
    project.run(&["report", "results/mine-baselines", "--link", "view"]).exits(2).says("{id}");
    project.write("audit.json", "[]");
    project
        .run(&["report", "results/mine-baselines", "--audit", "audit.json"])
        .exits(4)
        .says("not an audit");
}

#[test]
fn a_benchmarks_results_are_of_exactly_its_questions() {
    let server = stubborn();
    let project = Project::new();
    (0..9).for_each(|book| _ = project.book(&format!("b{book}"), 3));
    let url = "https://huggingface.co/datasets/me/mine";
    let named = format!("title = \"Mine\"\nauthors = [\"Brook, Ann\"]\nurl = \"{url}\"");
    project.workflow(&[("title = \"Mine\"", &named)]);
    project.write("CHANGELOG.md", "## 1.0.0 (2026-02-28)\n\n- The first.\n");
    project.run(&["build", "my.toml"]).exits(0);
    let model = format!(
        "[model.default]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"lab/small\"\nmax_tokens = 100\n",
        server.port
    );
    project.write("models.toml", model);
    let report = |results: &str| project.run(&["report", results, "--eval-results", "hub"]);
    project.run(&["evaluate", "out/mine", "--out", "results/early"]).exits(0);
    drop(report("results/early").exits(4).says("no release with an `eval.yaml`"));
    project.run(&["release", "my.toml", "--first"]).exits(0);
    let release = "releases/mine-1.0.0";
    let asks = project.read(&format!("{release}/eval.yaml"));
    let split = asks.split("split: ").nth(1).unwrap().lines().next().unwrap();
    let few = ["--where", "task != reconstruction", "--split", split, "--questions", "1"];
    project.run(&[&["evaluate", release, "--out", "results/few"][..], &few].concat()).exits(0);
    drop(report("results/few").exits(4).says("of the benchmark's").says("--config eval --split"));
    project.run(&["evaluate", release, "--setting", "none", "--out", "results/none"]).exits(0);
    drop(report("results/none").exits(4).says("shown whole").says("--setting full"));
    project.run(&["evaluate", release, "--out", "results/all"]).exits(0);
    drop(report("results/all").exits(0).says("names no `revision`"));
    let written = "hub/.eval_results/mine-lab-small.yaml";
    let without = project.read(written);
    assert!(without.contains("id: \"me/mine\"\n    task_id: \"prompts\"\n  value: "), "{without}");
    assert!(
        without.contains(&format!("url: \"{url}\"")) && without.contains("mine 1.0.0"),
        "{without}"
    );
    // The number is that of the prompts, one by one.
    let args = ["inspect", "results/all", "--config", "grades", "-n", "999", "--format", "json"];
    let rows: Value = serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
    let tables = rows["tables"].as_array().unwrap().iter();
    let rows = tables.flat_map(|table| table["sample"].as_array().unwrap().clone());
    let right: Vec<i64> = rows
        .filter(|row| row["values"]["form"] == "options" && row["values"]["split"] == split)
        .map(|row| row["values"]["right"].as_i64().unwrap())
        .collect();
    let (sum, count) = (right.iter().sum::<i64>(), right.len());
    assert!(without.contains(&format!("; {sum} of {count} right")), "{sum} of {count}: {without}");
    // As `hf download` leaves a folder.
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let noted = format!("{release}/.cache/huggingface/download/manifest.json.metadata");
    project.write(&noted, format!("{commit}\netag\n1.0\n"));
    drop(report("results/all").exits(0));
    assert!(project.read(written).contains(&format!("    revision: \"{commit}\"\n")));
}

/// A matrix as NoCha's site has it: eight systems of rising skill; every second one was not asked of the books above 180k,
/// which are the hard ones.
fn matrix(named: bool) -> String {
    let mut rows = Vec::new();
    for pair in 0..240_u32 {
        let book = pair / 12;
        let is_long = book % 2 == 1;
        let mut results = serde_json::Map::new();
        for system in 0..8_u32 {
            // Hard books take more skill, and pairs of a book differ.
            let needs = (pair * 7 + book * 3) % 12 + if is_long { 4 } else { 0 };
            let word = match (is_long && system % 2 == 1, system + 3 > needs) {
                (true, _) => "no_prediction",
                (_, true) => "correct",
                _ => "incorrect",
            };
            results.insert(format!("system {system}"), word.into());
        }
        let mut row = serde_json::json!({
            "id": pair, "results": results, "scope": null, "genre": (["historical", "crime"][(book % 4 / 2) as usize]),
            "length": if is_long { "above 180k" } else { "below_75k" }, "year": (["recent", "classics"][(book / 10) as usize]),
        });
        if named {
            row["book"] = format!("b{book}").into();
        }
        rows.push(row);
    }
    serde_json::json!({ "pairs": rows }).to_string()
}

#[test]
fn a_matrix_of_responses_becomes_a_page() {
    let project = Project::new();
    project.write("data.json", matrix(true)).write("bare.json", matrix(false));
    let read = |file: &str| -> Value {
        let out = ["report", "--matrix", file, "--out", "page.html", "--format", "json"];
        serde_json::from_str(&project.run(&out).exits(0).out()).unwrap()
    };
    let found = read("data.json");
    let part = &found["parts"][0];
    assert_eq!(
        (&part["name"], &part["questions"], &part["books"]),
        (&"pairs".into(), &240.into(), &20.into())
    );
    let share = |system: &Value, name: &str| system["measures"][name].as_f64().unwrap();
    for (at, system) in part["systems"].as_array().unwrap().iter().enumerate() {
        let (seen, all) = (system["cell"]["value"].as_f64().unwrap(), share(system, "all pairs"));
        assert!(share(system, "all pairs low") <= all && all <= share(system, "all pairs high"));
        if at % 2 == 0 {
            // Who was asked all has what was seen.
            assert!(system["cell"]["questions"] == 240 && (seen - all).abs() < 1e-5, "{system}");
        } else {
            assert!(system["cell"]["questions"] == 120 && all < seen - 0.1, "{system}");
        }
        assert!(system["cell"]["low"].is_number());
    }
    // In truth each is better than the one before, by four in a hundred; raw shares turn that around.
    let systems = part["systems"].as_array().unwrap();
    let all: Vec<f64> = systems.iter().map(|system| share(system, "all pairs")).collect();
    assert!(all.windows(2).all(|two| two[0] < two[1] + 0.02), "{all:?}");
    let groups = part["facets"]["groups"].as_array().unwrap();
    let common = groups.iter().find(|group| group["label"] == "asked of: all models").unwrap();
    assert_eq!(common["questions"], 120);
    let page = project.read("page.html");
    assert!(page.contains("all pairs low") && page.contains("rasch-all-items v1"));
    // Without books what is surely no part of two groups stands for them.
    let bare = read("bare.json");
    assert_eq!((&bare["books"], &bare["parts"][0]["questions"]), (&8.into(), &240.into()));
    assert!(bare["warnings"].to_string().contains("No books are named"));
    assert!(project.read("page.html").contains("8 groups"));
    project.write("bad.json", r#"{"pairs": [{"id": 1, "results": {"x": "maybe"}}]}"#);
    project.run(&["report", "--matrix", "bad.json"]).exits(4).says("`maybe` is not `correct`");
    project.run(&["report", "--matrix", "page.html"]).exits(4).says("not a matrix");
}

/// The logs in tests/archives/inspect were written by Inspect AI, which put questions of the sample to its mock model by
/// `integrations/inspect/tasks.py`; two answers are right, one says no option, one was cut off.
#[test]
fn logs_of_inspect_are_read_as_results() {
    let project = Project::new();
    let log = |name: &str| top().join("tests/archives/inspect").join(name).display().to_string();
    let (choices, repairs) = (log("choices.eval"), log("repairs.eval"));
    let report = ["report", &choices, &repairs, "--format", "json"];
    let found: Value = serde_json::from_str(&project.run(&report).exits(0).out()).unwrap();
    assert_eq!((&found["title"], &found["books"]), (&"Report: choices, repairs".into(), &2.into()));
    let [accuracy, free] = [0, 1].map(|at| &found["parts"][at]);
    let system = &accuracy["systems"][0];
    assert_eq!((&system["model"], &system["setting"]), (&"mockllm/model".into(), &"none".into()));
    assert_eq!((&system["cell"]["questions"], &system["cell"]["value"]), (&8.into(), &0.25.into()));
    let ends = ["answered", "unparsed", "cut"].map(|end| system["statuses"][end].as_u64().unwrap());
    assert_eq!(ends, [6, 1, 1]);
    assert_eq!(
        (&system["tokens"]["output"], &system["tokens"]["thinking"]),
        (&16.into(), &8.into())
    );
    assert!(accuracy["demand"]["groups"].as_array().unwrap().len() > 1);
    let system = &free["systems"][0];
    assert_eq!((&free["name"], &free["measure"]), (&"reconstruction".into(), &"rouge-l".into()));
    assert_eq!(system["cell"]["questions"], 8);
    assert_eq!(system["measures"]["rouge-l"], system["cell"]["value"]);
    assert!(system["measures"]["f1"].is_number());
    // Twice the same log is said, and counts once.
    project.run(&["report", &choices, &choices]).exits(0).says("8 answers left out");
    // What is cut off, or no log, is refused.
    let whole = fs::read(&choices).unwrap();
    project.write("cut.eval", &whole[..whole.len() / 2]);
    project.run(&["report", "cut.eval"]).exits(4).says("not a log of Inspect AI");
}

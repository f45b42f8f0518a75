//! `storymill report`: results of two models and of rules to one page, with its figures.

use std::{fs, time::Duration};

use serde_json::Value;

use crate::{gates::stubborn, models::Server, project::Project};

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
    drop(ran);
    let page = fs::read_to_string(project.path("page/report.html")).unwrap();
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

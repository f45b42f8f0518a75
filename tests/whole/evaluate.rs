//! `storymill evaluate`: a published dataset put to a model and graded; killed, resumed, frozen; without any model.

use std::{fs, process::Stdio, time::Duration};

use serde_json::Value;

use crate::{
    models::Server,
    project::{Project, top},
};

/// The stories: 36 questions to evaluate on, of both tasks, about two stories.
fn dataset() -> Project {
    let project = Project::new();
    let workflow = top().join("workflows/stories.toml").display().to_string();
    project.run(&["build", &workflow]).exits(0);
    project
}

fn models(project: &Project, port: u16) {
    let model = format!(
        "[model.small]\nurl = \"http://127.0.0.1:{port}/v1\"\nmodel = \"small\"\nconcurrency = 2\nmax_tokens = 100\n"
    );
    project.write("models.toml", model);
}

/// A model that says what there is to choose, after a while.
fn server(waits: Duration) -> std::sync::Arc<Server> {
    Server::scripted(waits, |_, said| {
        let words = if said.contains("<given>") { "Somebody goes." } else { "So.\nAnswer: 2" };
        words.to_owned()
    })
}

pub fn rows(project: &Project, folder: &str, config: &str) -> Vec<Value> {
    let args = ["inspect", folder, "--config", config, "-n", "100000", "--format", "json"];
    let value: Value = serde_json::from_str(&project.run(&args).exits(0).out()).unwrap();
    let tables = value["tables"].as_array().unwrap();
    tables.iter().flat_map(|table| table["sample"].as_array().unwrap().clone()).collect()
}

#[test]
fn a_dataset_is_put_to_a_model_in_several_settings() {
    let project = dataset();
    let server = server(Duration::ZERO);
    models(&project, server.port);
    let args = ["evaluate", "out/stories", "--model", "small", "--setting", "full,none,recent-50"];
    let plan: Vec<&str> = args.iter().copied().chain(["--plan"]).collect();
    project.run(&plan).exits(0).says("answers asks `small` next").says("the workflow is");
    assert_eq!(server.asked(), 0, "a plan asks nothing");
    let ran = project.run(&args).exits(0).says("recent-50").says("METEOR is left out");
    drop(ran.says("results/stories-small.html is the report"));
    let page = project.read("results/stories-small.html");
    // With what searching gets in the same questions.
    assert!(page.contains("audit: ") && page.contains("<svg"), "{page}");
    assert!(page.contains("<h1>Report: stories-small</h1>"), "{page}");
    let asked = server.asked();
    // What says the same of two questions is asked once.
    assert!((90..=108).contains(&asked) && server.once(), "{asked}");
    let manifest = project.manifest("results/stories-small");

    // What lies beside results is passed over, and a workflow that was only planned is told.
    let trial = ["evaluate", "out/stories", "--model", "small", "--setting", "title"];
    let priced = [&trial[..], &["--out", "results/trial", "--plan", "--max-usd", "5"]].concat();
    project.run(&priced).exits(0).says("`--max-usd` will stop the run before anything is asked");
    project
        .run(&[
            "report",
            "results/stories-small",
            "results/stories-small.toml",
            "results/trial.toml",
        ])
        .exits(0)
        .says("results/trial.toml has no results yet")
        .says("report.html is the report");
    project.run(&["report", "results"]).exits(4).says("there are `results/stories-small`");

    // Everything is there: nobody is asked, nothing changes. The workflow beside it is all that it takes.
    project.run(&args).exits(0);
    let build = ["build", "results/stories-small.toml", "--out", "again", "--frozen"];
    project.run(&build).exits(0);
    assert_eq!((server.asked(), project.manifest("again")), (asked, manifest.clone()));
    project.run(&["diff", "results/stories-small", "again"]).exits(0);
    project.run(&["verify", "results/stories-small"]).exits(0);
    assert_eq!(project.manifest("results/stories-small"), manifest);

    let (answers, grades) = (
        rows(&project, "results/stories-small", "answers"),
        rows(&project, "results/stories-small", "grades"),
    );
    assert_eq!((answers.len(), grades.len()), (108, 108));
    // The counts of the server are in the rows.
    assert!(answers.iter().all(|row| row["values"]["output_tokens"] == 60), "{:?}", answers[0]);
}

#[test]
fn a_trial_asks_few_questions_that_all_find_again() {
    let project = dataset();
    let server = server(Duration::ZERO);
    models(&project, server.port);
    let trial =
        ["evaluate", "out/stories", "--model", "small", "--questions", "7", "--out", "trial"];
    project.run(&trial).exits(0);
    assert_eq!((server.asked(), rows(&project, "trial", "grades").len()), (7, 7));
    project.run(&["evaluate", "out/stories", "--model", "small"]).exits(0);
    assert!((30..=36).contains(&server.asked()) && server.once());
    // From another folder the answers are found too, and the page has what they cost.
    let asked = server.asked();
    project.write("elsewhere/prices.toml", "[\"small\"]\ninput = 1.0\noutput = 2.0\n");
    let evaluate = ["evaluate", "../out/stories", "--models", "../models.toml", "--model", "small"];
    let priced = [&evaluate[..], &["--prices", "prices.toml", "--frozen"]].concat();
    let ran = project.command(&priced).current_dir(project.path("elsewhere")).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let file = project.read("elsewhere/results/stories-small.toml");
    assert!(file.lines().next().unwrap().ends_with("--store ../.storymill"), "{file}");
    let report = ["report", "elsewhere/results/stories-small", "--prices", "elsewhere/prices.toml"];
    project.run(&report).exits(0);
    let figures = |page: &str| project.read(page).split("dollars").nth(1).map(str::to_owned);
    assert!(figures("report.html").is_some());
    assert_eq!(figures("elsewhere/results/stories-small.html"), figures("report.html"));
    assert_eq!(server.asked(), asked);
}

#[test]
fn a_trial_says_how_long_the_rest_takes() {
    let project = dataset();
    let server = server(Duration::from_millis(30));
    models(&project, server.port);
    let asks = |more: &[&str]| {
        project.run(&[&["evaluate", "out/stories", "--model", "small"], more].concat()).exits(0)
    };
    let few = ["--questions", "7", "--out", "few"];
    asks(&few).says("asked 7 of 36 questions; 29 left: too few answers are timed");
    let trial = ["--questions", "12", "--out", "trial"];
    let ran = asks(&trial).says("asked 12 of 36 questions; 24 left: about ");
    drop(ran.says("at the pace so far (12 answers, 0."));
    let json = asks(&[&trial[..], &["--format", "json"]].concat()).out();
    let left: Value = serde_json::from_str::<Value>(&json).unwrap()["left"].take();
    assert_eq!((&left["questions"], &left["of"]), (&24.into(), &36.into()));
    assert_eq!(left["pace"]["answers_timed"], 12);
    assert!(left["pace"]["seconds"].is_u64());
    // The whole, before it is asked; once it is, nothing is left, and nothing is said.
    asks(&[]).says(" requests left: about ").says("at the pace so far (12 answers, 0.");
    assert!(!asks(&[]).out().contains(" left: "));
}

#[test]
fn a_killed_evaluation_goes_on_to_the_same_results() {
    let args = ["evaluate", "out/stories", "--model", "small", "--setting", "full,none"];
    let calm = dataset();
    let fast = server(Duration::ZERO);
    models(&calm, fast.port);
    calm.run(&args).exits(0);
    let expected = calm.manifest("results/stories-small");

    let project = dataset();
    let slow = server(Duration::from_millis(20));
    models(&project, slow.port);
    for kill in 0..4 {
        let mut command = project.command(&args);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(150 + 120 * kill));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    project.run(&args).exits(0);
    // The address of the server is told in the model's description, so locks differ and rows do not.
    let rows = |text: &str| {
        let value: Value = serde_json::from_str(text).unwrap();
        value["digest"].clone()
    };
    assert_eq!(rows(&project.manifest("results/stories-small")), rows(&expected));
}

#[test]
fn baselines_ask_no_model() {
    let project = dataset();
    for of_a_prompt in [&["--story"][..], &["--book-order"], &["--form", "simple"]] {
        let ran = project.run(&[&["evaluate", "out/stories", "--baselines"], of_a_prompt].concat());
        ran.exits(2).says("cannot be used with");
    }
    let ran = project.run(&["evaluate", "out/stories", "--baselines"]).exits(0);
    for said in ["baseline:first", "baseline:longest", "baseline:random", "baseline:copy"] {
        assert!(ran.out().contains(said), "{}", ran.out());
    }
    let grades = rows(&project, "results/stories-baselines", "grades");
    let copies = grades.iter().filter(|row| row["values"]["model"] == "baseline:copy");
    assert!(copies.clone().count() > 0);
    for row in copies {
        assert_eq!(row["values"]["rouge_l_ppm"], row["values"]["copy_rouge_l_ppm"]);
    }
}

#[test]
fn every_question_is_asked_of_the_text_that_context_prints() {
    use storymill::{Dataset, Published};
    use storymill_core::Recipe;
    use storymill_dataset::exams::Wanted;

    let project = dataset();
    let folder = project.path("out/stories");
    let configs = ["read-along", "reconstruction"].map(str::to_owned).to_vec();
    let exams = Published::exams(&folder, &Wanted { configs, ..Wanted::default() }).unwrap();
    let dataset = Dataset::open(&folder).unwrap();
    let (mut units, mut questions) = (0, 0);
    for (unit, _) in exams.units() {
        let exam = exams.exam(unit).unwrap();
        units += 1;
        assert!(!exam.title.is_empty() && !exam.retellings.is_empty());
        for asked in &exam.questions {
            let found = dataset.question(&asked.question.id, Some(&asked.config)).unwrap();
            let Recipe::Read(length) = &asked.question.context else { panic!("no book") };
            let read: String = exam.text.chars().take(length.symbols as usize).collect();
            assert_eq!(read, found.context, "{}", asked.question.id);
            assert_eq!(asked.question.demand, found.question.demand);
            questions += 1;
        }
        let order: Vec<_> =
            exam.questions.iter().map(|one| one.question.context.length().symbols).collect();
        assert!(order.is_sorted(), "in reading order");
    }
    assert_eq!((units, questions), (7, 132));
}

#[test]
fn what_cannot_be_asked_is_told() {
    let project = dataset();
    project
        .run(&["evaluate", "out/stories", "--model", "small"])
        .exits(4)
        .says("no file describes the model")
        .says("[model.small]");
    project.run(&["evaluate", "nowhere", "--baselines"]).exits(4);
    project
        .run(&["evaluate", "out/stories", "--baselines", "--config", "books"])
        .exits(4)
        .says("`books` is not a config with questions");
    project
        .run(&["evaluate", "out/stories", "--setting", "half"])
        .exits(2)
        .says("no setting of this name");
    // A folder that is not what its manifest says is not asked about.
    let mut texts = fs::read_dir(project.path("out/stories/books-text")).unwrap();
    let book = texts.next().unwrap().unwrap().path();
    let mut bytes = fs::read(&book).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&book, bytes).unwrap();
    project
        .run(&["evaluate", "out/stories", "--baselines"])
        .exits(4)
        .says("not what its manifest says");
}

#[test]
fn results_name_the_models_that_wrote_the_retellings() {
    let teller = Server::start(0, Duration::ZERO);
    let project = crate::models::project(&teller, 2);
    let tables = "\n[stage.distortions.swap-facts]\nscenes = \"scenes\"\nsummaries = \"summaries\"\n\n\
        [stage.questions.read-along]\nscenes = \"scenes\"\nsummaries = \"summaries\"\n\
        distortions = \"distortions\"\n\n[dataset.questions]\nfrom = \"questions\"\n\n\
        [dataset.scenes]\nfrom = \"scenes\"\n";
    let workflow = project.read("my.toml") + tables;
    project.write("my.toml", workflow);
    let (code, said) = crate::models::build(&project, &[]);
    assert_eq!(code, 0, "{said}");
    let server = server(Duration::ZERO);
    let name = told_model(&project.read("my.toml"));
    // One of the same family answers, and one of another.
    for (table, model) in [("same", format!("{name}-7b")), ("other", "lantern-7b".to_owned())] {
        let url = format!("http://127.0.0.1:{}/v1", server.port);
        let text =
            format!("[model.{table}]\nurl = \"{url}\"\nmodel = \"{model}\"\nmax_tokens = 100\n");
        project.write("models.toml", text);
        project.run(&["evaluate", "out/mine", "--model", table, "--config", "questions"]).exits(0);
        let folder = format!("results/mine-{table}");
        let grades = rows(&project, &folder, "grades");
        assert!(grades.iter().all(|row| row["values"]["written_by"][0] == name), "{:?}", grades[0]);
        let page = project.read(&format!("{folder}.html"));
        assert_eq!(page.contains("is of the same family"), table == "same", "{table}");
    }
}

/// The model that a workflow names.
fn told_model(workflow: &str) -> String {
    let line = workflow.lines().find_map(|line| line.strip_prefix("model = \"")).unwrap();
    line.trim_end_matches('"').to_owned()
}

#[test]
fn claims_are_published_evaluated_and_counted_as_score_claims_counts_them() {
    let project = Project::new();
    let mut pairs = String::new();
    for book in ["b1", "b2"] {
        project.book(book, 3);
        for at in 1..=12 {
            let (yes, no) =
                (format!("Fact {at} of {book} holds."), format!("Lie {at} of {book} holds."));
            let pair = serde_json::json!({ "id": format!("{book}/{at:04}"), "book": book, "true_claim": yes, "false_claim": no });
            pairs += &format!("{pair}\n");
        }
    }
    project.write("set/pairs.jsonl", pairs);
    let text = "name = \"mine\"\nversion = \"1.0.0\"\nseed = 7\n\n[publish]\ntitle = \"Mine\"\nlicense = \"mit\"\n\
        canary = \"storymill-canary-0123456789\"\n\n[source.books.folder]\npath = \"books\"\n\n\
        [stage.claims.claims]\nfrom = \"books\"\npairs = \"set/pairs.jsonl\"\n\n\
        [dataset.books]\nfrom = \"books\"\n\n[dataset.claims]\nfrom = \"claims\"\n";
    project.write("my.toml", text);
    project.run(&["build", "my.toml"]).exits(0);
    project.run(&["verify", "out/mine"]).exits(0);
    let shown = project.run(&["inspect", "out/mine", "b1/0003/false", "--ask"]).exits(0).out();
    assert!(shown.contains("<claim>\nLie 3 of b1 holds.\n</claim>"), "{shown}");
    // One of three pairs is answered right, one says yes to all, one says nothing of its false claim.
    let server = Server::scripted(Duration::ZERO, |_, said| {
        let claim = said.split("<claim>\n").nth(1).unwrap().split(" of ").next().unwrap();
        let (what, at) = claim.split_once(' ').unwrap();
        let verdict = match (at.parse::<u32>().unwrap() % 3, what) {
            (0, "Lie") => "FALSE",
            (2, "Lie") => return "Who knows.".to_owned(),
            _ => "TRUE",
        };
        format!("So it is. <answer>{verdict}</answer>")
    });
    models(&project, server.port);
    let ran = project.run(&["evaluate", "out/mine", "--model", "small"]).exits(0);
    drop(ran.says("8 of 24 ("));
    let grades = rows(&project, "results/mine-small", "grades");
    assert_eq!(grades.len(), 48);
    let mut right: std::collections::BTreeMap<&str, u64> = std::collections::BTreeMap::new();
    for row in &grades {
        let values = &row["values"];
        assert_eq!((&values["form"], &values["kind"]), (&"verdict".into(), &"claim".into()));
        *right.entry(values["pair"].as_str().unwrap()).or_default() +=
            values["right"].as_u64().unwrap();
    }
    let pairs = right.values().filter(|right| **right == 2).count();
    // The same answers in NoCha's form.
    let told = rows(&project, "results/mine-small", "answers").into_iter().map(|row| {
        let (id, said) = (row["values"]["question_id"].clone(), row["values"]["said"].clone());
        let parts: Vec<&str> = id.as_str().unwrap().split('/').collect();
        serde_json::json!({
            "book_title": parts[0], "index": parts[1].parse::<u32>().unwrap(), "claim": "A claim.",
            "type": parts[2] == "true", "response-small": said,
        })
    });
    project.write("nocha.json", serde_json::to_string(&told.collect::<Vec<_>>()).unwrap());
    let scored = project.run(&["score", "claims", "nocha.json", "--format", "json"]).exits(0).out();
    let scored: Value = serde_json::from_str(&scored).unwrap();
    let all = &scored["systems"][0]["all"];
    assert_eq!(
        (all["pairs"]["correct"].as_u64(), all["pairs"]["total"].as_u64()),
        (Some(pairs as u64), Some(24))
    );
    for (half, column) in [("true", "true_claims"), ("false", "false_claims")] {
        let own = grades.iter().filter(|row| {
            let id = row["values"]["question_id"].as_str().unwrap();
            id.ends_with(&format!("/{half}")) && row["values"]["right"] == 1
        });
        assert_eq!(all[column]["correct"].as_u64(), Some(own.count() as u64), "{half}");
    }
}

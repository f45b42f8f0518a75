//! `storymill evaluate`: a published dataset put to a model and graded; killed, resumed, frozen; without any model.

use std::{fs, process::Stdio, time::Duration};

use serde_json::Value;

use crate::{
    models::Server,
    project::{Project, top},
};

/// The quickstart: 36 questions to evaluate on, of both tasks, about two stories.
fn dataset() -> Project {
    let project = Project::new();
    let workflow = top().join("workflows/quickstart.toml").display().to_string();
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

fn rows(project: &Project, folder: &str, config: &str) -> Vec<Value> {
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
    let args =
        ["evaluate", "out/quickstart", "--model", "small", "--setting", "full,none,recent-50"];
    let plan: Vec<&str> = args.iter().copied().chain(["--plan"]).collect();
    project.run(&plan).exits(0).says("answers asks `default` next").says("the workflow is");
    assert_eq!(server.asked(), 0, "a plan asks nothing");
    let ran = project.run(&args).exits(0).says("recent-50").says("METEOR is left out");
    drop(ran.says("results/quickstart-small.html is the report"));
    let page = project.read("results/quickstart-small.html");
    // With what searching gets in the same questions.
    assert!(page.contains("audit: ") && page.contains("<svg"), "{page}");
    assert!(page.contains("<h1>Report: quickstart-small</h1>"), "{page}");
    let asked = server.asked();
    // What says the same of two questions is asked once.
    assert!((90..=108).contains(&asked) && server.once(), "{asked}");
    let manifest = project.manifest("results/quickstart-small");

    // Everything is there: nobody is asked, nothing changes. The workflow beside it is all that it takes.
    project.run(&args).exits(0);
    let build = ["build", "results/quickstart-small.toml", "--out", "again", "--frozen"];
    project.run(&build).exits(0);
    assert_eq!((server.asked(), project.manifest("again")), (asked, manifest.clone()));
    project.run(&["diff", "results/quickstart-small", "again"]).exits(0);
    project.run(&["verify", "results/quickstart-small"]).exits(0);
    assert_eq!(project.manifest("results/quickstart-small"), manifest);

    let (answers, grades) = (
        rows(&project, "results/quickstart-small", "answers"),
        rows(&project, "results/quickstart-small", "grades"),
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
        ["evaluate", "out/quickstart", "--model", "small", "--questions", "7", "--out", "trial"];
    project.run(&trial).exits(0);
    assert_eq!((server.asked(), rows(&project, "trial", "grades").len()), (7, 7));
    project.run(&["evaluate", "out/quickstart", "--model", "small"]).exits(0);
    assert!((30..=36).contains(&server.asked()) && server.once());
}

#[test]
fn a_killed_evaluation_goes_on_to_the_same_results() {
    let args = ["evaluate", "out/quickstart", "--model", "small", "--setting", "full,none"];
    let calm = dataset();
    let fast = server(Duration::ZERO);
    models(&calm, fast.port);
    calm.run(&args).exits(0);
    let expected = calm.manifest("results/quickstart-small");

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
    assert_eq!(rows(&project.manifest("results/quickstart-small")), rows(&expected));
}

#[test]
fn baselines_ask_no_model() {
    let project = dataset();
    let ran = project.run(&["evaluate", "out/quickstart", "--baselines"]).exits(0);
    for said in ["baseline:first", "baseline:longest", "baseline:random", "baseline:copy"] {
        assert!(ran.out().contains(said), "{}", ran.out());
    }
    let grades = rows(&project, "results/quickstart-baselines", "grades");
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
    let folder = project.path("out/quickstart");
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
    project.run(&["evaluate", "out/quickstart"]).exits(4).says("no file describes the model");
    project.run(&["evaluate", "nowhere", "--baselines"]).exits(4);
    project
        .run(&["evaluate", "out/quickstart", "--baselines", "--config", "books"])
        .exits(4)
        .says("`books` is not a config with questions");
    project
        .run(&["evaluate", "out/quickstart", "--setting", "half"])
        .exits(2)
        .says("no setting of this name");
    // A folder that is not what its manifest says is not asked about.
    let book =
        fs::read_dir(project.path("out/quickstart/books")).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&book).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&book, bytes).unwrap();
    project
        .run(&["evaluate", "out/quickstart", "--baselines"])
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
        let folder = format!("results/mine-{model}");
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

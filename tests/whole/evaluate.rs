//! `storymill evaluate`: a published dataset put to a model and graded; killed, resumed, frozen; without any model.

use std::{fs, process::Stdio, time::Duration};

use serde_json::Value;

use crate::{
    models::Server,
    project::{Project, top},
};

/// A dataset of made-up books with questions of all forms that rules can make.
fn dataset() -> Project {
    let project = Project::new();
    for book in 0..3 {
        project.book(&format!("b{book}"), 4);
    }
    let text = "name = \"mine\"\nversion = \"1.0.0\"\nseed = 7\n\n[publish]\ntitle = \"Mine\"\nlicense = \"mit\"\n\
        canary = \"storymill-canary-0123456789\"\nexpected_rejects = 999\n\n[source.books.folder]\npath = \"books\"\n\n\
        [stage.scenes.chunk]\nfrom = \"books\"\nmax = 600\ntokens = [\"o200k_base\"]\n\n\
        [stage.summaries.extract]\nfrom = \"scenes\"\n\n\
        [stage.distortions.swap-facts]\nfrom = \"summaries\"\n\n\
        [stage.questions.read-along]\nscenes = \"scenes\"\nsummaries = \"summaries\"\ndistortions = \"distortions\"\n\n\
        [stage.repairs.reconstruct]\nscenes = \"scenes\"\nsummaries = \"summaries\"\ndistortions = \"distortions\"\n\n\
        [dataset.books]\nfrom = \"books\"\n\n[dataset.scenes]\nfrom = \"scenes\"\n\n[dataset.summaries]\nfrom = \"summaries\"\n\n\
        [dataset.read-along]\nfrom = \"questions\"\n\n[dataset.reconstruction]\nfrom = \"repairs\"\n";
    project.write("my.toml", text);
    project.run(&["build", "my.toml"]).exits(0);
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
    Server::scripted(waits, |_, said| match said.contains("<given>") {
        true => "Somebody does something.".to_owned(),
        false => "I think so.\nAnswer: 2".to_owned(),
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
    let args = ["evaluate", "out/mine", "--model", "small", "--setting", "full,none,recent-50"];
    let plan: Vec<&str> = args.iter().copied().chain(["--plan"]).collect();
    project.run(&plan).exits(0).says("answers asks `default` next").says("the workflow is");
    assert_eq!(server.asked(), 0, "a plan asks nothing");
    let ran = project.run(&args).exits(0).says("recent-50").says("METEOR is left out");
    let ran = ran.says("storymill report results/mine-small");
    drop(ran);
    let asked = server.asked();
    assert!(asked > 20 && server.once(), "{asked}");
    let manifest = project.manifest("results/mine-small");

    // Everything is there: nobody is asked, nothing changes. The workflow beside it is all that it takes.
    project.run(&args).exits(0);
    let build = ["build", "results/mine-small.toml", "--out", "again", "--frozen"];
    project.run(&build).exits(0);
    assert_eq!((server.asked(), project.manifest("again")), (asked, manifest.clone()));
    project.run(&["diff", "results/mine-small", "again"]).exits(0);
    project.run(&["verify", "results/mine-small"]).exits(0);
    assert_eq!(project.manifest("results/mine-small"), manifest);

    let (answers, grades) =
        (rows(&project, "results/mine-small", "answers"), rows(&project, "results/mine-small", "grades"));
    assert_eq!((answers.len(), grades.len()), (asked as usize, asked as usize));
    // The counts of the server are in the rows.
    assert!(answers.iter().all(|row| row["values"]["output_tokens"] == 60), "{:?}", answers[0]);
}

#[test]
fn a_killed_evaluation_goes_on_to_the_same_results() {
    let args = ["evaluate", "out/mine", "--model", "small", "--setting", "full,none"];
    let calm = dataset();
    let fast = server(Duration::ZERO);
    models(&calm, fast.port);
    calm.run(&args).exits(0);
    let expected = calm.manifest("results/mine-small");

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
    assert_eq!(rows(&project.manifest("results/mine-small")), rows(&expected));
}

#[test]
fn baselines_ask_no_model() {
    let project = dataset();
    let ran = project.run(&["evaluate", "out/mine", "--baselines"]).exits(0);
    for said in ["baseline:first", "baseline:longest", "baseline:random", "baseline:copy"] {
        assert!(ran.out().contains(said), "{}", ran.out());
    }
    let grades = rows(&project, "results/mine-baselines", "grades");
    let copies = grades.iter().filter(|row| row["values"]["model"] == "baseline:copy");
    assert!(copies.clone().count() > 0);
    for row in copies {
        assert_eq!(row["values"]["rouge_l_ppm"], row["values"]["copy_rouge_l_ppm"]);
    }
}

#[test]
fn what_cannot_be_asked_is_told() {
    let project = dataset();
    project.run(&["evaluate", "out/mine"]).exits(4).says("no file describes the model");
    project.run(&["evaluate", "nowhere", "--baselines"]).exits(4);
    project
        .run(&["evaluate", "out/mine", "--baselines", "--config", "books"])
        .exits(4)
        .says("`books` is not a config with questions");
    project.run(&["evaluate", "out/mine", "--setting", "half"]).exits(2).says("no setting of this name");
    // A folder that is not what its manifest says is not asked about.
    let book = fs::read_dir(project.path("out/mine/books")).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&book).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&book, bytes).unwrap();
    project.run(&["evaluate", "out/mine", "--baselines"]).exits(4).says("not what its manifest says");
    assert!(top().exists());
}

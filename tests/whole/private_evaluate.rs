//! A private dataset is looked at, asked, evaluated and reported, and no word of its book stands outside of the shelf.

use std::{fs, time::Duration};

use crate::{
    leaks::{Private, Said, marked},
    models::Server,
};

const ON: [&str; 4] = ["--shelf", "shelf", "--key", "ann.key"];

/// A dataset of questions, scenes and retellings in the shelf.
fn sealed() -> Private {
    let private = Private::new(6, 12);
    private.add().workflow(None);
    let tables =
        "\n[dataset.scenes]\nfrom = \"scenes\"\n\n[dataset.summaries]\nfrom = \"summaries\"\n";
    let text = private.project.read("my.toml") + tables;
    private.project.write("my.toml", text);
    private.run(&Private::BUILD).exits(0).says("sealed in shelf");
    private
}

fn run(private: &Private, args: &[&str]) -> Said {
    private.run(&[args, &ON].concat())
}

/// What is said where words are asked for.
fn words(private: &Private, args: &[&str]) -> String {
    let said = Said::of(&private.command(&[args, &ON].concat()).output().unwrap());
    assert!(marked(said.text.as_bytes()).is_some(), "{}", said.text);
    said.exits(0).text
}

#[test]
fn a_private_dataset_is_looked_at_and_asked() {
    let private = sealed();
    run(&private, &["inspect", "mine"]).exits(0).says("== questions / train");
    run(&private, &["inspect", "mine", "--format", "json"]).exits(0);
    run(&private, &["inspect", "mine", "--questions"]).exits(4).says("--texts");
    run(&private, &["inspect", "yours"]).exits(4).says("there are mine");
    run(&private, &["inspect", "../mine"]).exits(4);
    private.run(&["inspect", "mine"]).exits(4);
    let shown =
        words(&private, &["inspect", "mine", "--questions", "--texts", "--config", "questions"]);
    let id = shown.lines().find_map(|line| line.strip_prefix("-- ")).unwrap().to_owned();
    run(&private, &["inspect", "mine", &id]).exits(4).says("--clear FILE");
    words(&private, &["inspect", "mine", &id, "--ask", "--texts"]);
    private.keeps_quiet();

    // The one way out is said by name, is not for repositories, and is recorded.
    let out = private.books.path().join("asked.txt");
    let clear = ["inspect", "mine", &id, "--ask", "--clear", out.to_str().unwrap()];
    run(&private, &clear).exits(0).says("this is recorded");
    assert!(marked(&fs::read(&out).unwrap()).is_some());
    run(&private, &clear).exits(74);
    private.run(&["shelf", "list", "--key", "ann.key"]).exits(0).says("written in clear");
    fs::create_dir(private.books.path().join(".git")).unwrap();
    let inside = private.books.path().join("more.txt");
    let args = ["inspect", "mine", &id, "--clear", inside.to_str().unwrap()];
    run(&private, &args).exits(4).says("inside a repository");
    private.keeps_quiet();
}

#[test]
fn a_private_dataset_is_evaluated_and_reported_in_its_shelf() {
    let private = sealed();
    let server = Server::scripted(Duration::ZERO, |_, _| "So.\nAnswer: 2".to_owned());
    let models = private.books.path().join("models.toml");
    fs::write(
        &models,
        format!("[model.default]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"small\"\nmax_tokens = 100\n", server.port),
    )
    .unwrap();
    let models = models.to_str().unwrap();
    let args = ["evaluate", "mine", "--models", models, "--setting", "full,none,evidence"];
    run(&private, &[&args[..], &["--plan"]].concat()).exits(0);
    assert_eq!(server.asked(), 0);
    private.keeps_quiet();
    run(&private, &args).exits(0).says("evidence").says("in the shelf holds answers");
    let asked = server.asked();
    assert!(asked > 0);
    private.keeps_quiet();
    // What was answered is not asked again.
    run(&private, &args).exits(0);
    assert_eq!(server.asked(), asked);
    run(&private, &["evaluate", "mine", "--baselines"]).exits(0).says("baseline:longest");
    run(&private, &["inspect", "mine-small"]).exits(0).says("grades");
    run(&private, &["report", "mine-small", "mine-baselines"]).exits(0).says("is the report");
    private.keeps_quiet();
    let page = private.books.path().join("page.html");
    run(&private, &["report", "mine-small", "--clear", page.to_str().unwrap()]).exits(0);
    assert!(fs::read_to_string(&page).unwrap().contains("<svg"));
    private.keeps_quiet();
    // A model that is elsewhere is not sent private text.
    let elsewhere = private.books.path().join("elsewhere.toml");
    fs::write(
        &elsewhere,
        "[model.default]\nurl = \"https://models.example/v1\"\nmodel = \"far\"\n",
    )
    .unwrap();
    let far = ["evaluate", "mine", "--models", elsewhere.to_str().unwrap()];
    run(&private, &far).exits(4).says("send_private_to");
    private.keeps_quiet();
}

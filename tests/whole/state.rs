//! Questions about what changes, drafted and checked by a model server that answers from what it is shown: a whole run, again
//! when frozen, and put to a reader that sees the places which are marked as evidence.

use std::{collections::BTreeSet, time::Duration};

use serde_json::Value;

use crate::{
    models::Server,
    project::{Project, top},
    questions::{at, laws, rows},
};

const WORKFLOW: &str = r#"
name = "state"
version = "1.0.0"
seed = 7

[publish]
title = "state"
canary = "storymill-canary-0f1e2d3c4b5a69788796a5b4c3d2e1f0"
license = "mit"
split = "splits"
expected_rejects = 999

[publish.audit]
with_book = 1.0
without_book = 1.0

[model.default]
url = "http://127.0.0.1:PORT/v1"
model = "drafter"

[source.books.folder]
path = "books"

[stage.splits.split]
from = "books"
test = 1.0
validation = 0.0

[stage.scenes.chunk]
from = "books"
max  = 3000

[stage.summaries.extract]
from = "scenes"

[stage.distortions.swap-facts]
scenes    = "scenes"
summaries = "summaries"

[stage.states.draft-state]
scenes    = "scenes"
summaries = "summaries"
places    = 2
tries     = 2

[stage.questions.read-along]
scenes      = "scenes"
summaries   = "summaries"
distortions = "distortions"
states      = "states"
types       = ["state"]

[stage.repairs.reconstruct]
scenes      = "scenes"
summaries   = "summaries"
distortions = "distortions"

[stage.choice.choose]
questions       = "questions"
reconstructions = "repairs"
splits          = "splits"
size            = 12
small           = 2

[stage.eval.take]
questions       = "questions"
reconstructions = "repairs"
chosen          = "choice"

[stage.casts.cast]
from   = "books"
tagger = "perceptron"

[stage.names.substitutes]
from  = "casts"
books = "books"

[stage.other-questions.substitute-questions]
from        = "questions"
scenes      = "scenes"
substitutes = "names"

[dataset.books]
from = "books"
[dataset.scenes]
from = "scenes"
[dataset.read-along]
from = "questions"
[dataset.reconstruction]
from = "repairs"
[dataset.eval]
from = "eval"
[dataset.other-read-along]
from = "other-questions"
"#;

/// A text in one line, with plain marks.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands between tags of a prompt, each in one line.
fn between(text: &str, open: &str, close: &str) -> Vec<String> {
    let pieces = text.split(open).skip(1).filter_map(|rest| rest.split_once(close));
    pieces
        .map(|(inside, _)| plain(inside.split_once("\n").map_or("", |(_, inside)| inside)))
        .collect()
}

/// The first words of the longest sentence of an account, and the same as nobody wrote them.
fn halves(account: &str) -> [String; 2] {
    let sentences = account.split_inclusive(['.', '?', '!']);
    let longest = sentences.max_by_key(|sentence| sentence.len()).unwrap();
    let words: Vec<&str> = longest.split_whitespace().take(9).collect();
    let turned: Vec<&str> = words.iter().rev().copied().collect();
    [words.join(" "), turned.join(" ")]
}

/// Drafts from words of the accounts: of every third pair so that the last of them alone tells the answer.
fn draft(accounts: &[String]) -> String {
    let [first, last] = accounts else { panic!("two accounts: {accounts:?}") };
    let ([a, x], [b, y]) = (halves(first), halves(last));
    let (told, idle) =
        if first.len().is_multiple_of(3) { (halves(last), true) } else { ([a.clone(), x], false) };
    let [first, wrong] = told;
    let both = if idle { "once" } else { "on both occasions" };
    // No two questions are in the same words, or only one of them would be chosen.
    let number = accounts.concat().len();
    format!(
        "### BEGIN ANSWER ###\nQUESTION: What was so {both}, as of {number}, and what later?\nRIGHT: {first} / {b}\nWRONG: {wrong} / {b}\n\
         WRONG: {first} / {y}\nWRONG: {wrong} / {y}\nFROM 1: {a}\nFROM 2: {b}"
    )
}

/// The option of which every part stands in what is shown, from 1.
fn borne(text: &str, shown: &str) -> Option<usize> {
    let options = text.lines().filter_map(|line| {
        let (number, option) = line.split_once(") ")?;
        Some((number.parse::<usize>().ok()?, plain(option)))
    });
    let mut borne =
        options.filter(|(_, option)| option.split(" / ").all(|part| shown.contains(part)));
    borne.next().map(|(number, _)| number)
}

/// Answers from what it is shown, and from nothing else.
fn answered(text: &str) -> String {
    if text.contains("<account number=") {
        return draft(&between(text, "<account number=", "</account>"));
    }
    if text.contains("<passage>") {
        let shown = between(text, "<passage>", "</passage>").join(" ");
        let said = borne(text, &shown).map_or("UNKNOWN".to_owned(), |number| number.to_string());
        return format!("### BEGIN ANSWER ###\n{said}");
    }
    if text.contains("<given>") {
        return "Nobody knows.".to_owned();
    }
    let shown = between(text, "<text>", "</text>").concat();
    format!("Answer: {}", borne(text, &shown).unwrap_or(1))
}

fn built(server: &Server) -> Project {
    let project = Project::new();
    project.write("books/alice.html", std::fs::read(top().join("data/books/alice.html")).unwrap());
    project.write("state.toml", WORKFLOW.replace("PORT", &server.port.to_string()));
    project
}

#[test]
fn drafts_that_need_each_scene_become_questions() {
    let server = Server::scripted(Duration::ZERO, |_, text| answered(text));
    let project = built(&server);
    project.run(&["plan", "state.toml"]).exits(0);
    project.run(&["build", "state.toml"]).exits(0);
    let asked = server.asked();
    assert!(server.once());
    let configs = rows(&project, "out/state");
    laws(&configs, 8);
    let questions = &configs["read-along"];
    for row in questions {
        assert_eq!((&row["type"], row["options"].as_array().unwrap().len()), (&"state".into(), 4));
        assert_eq!(row["evidence"].as_array().unwrap().len(), 2, "{row}");
        let back = |at: usize| row["demands_scenes"][at].as_u64().unwrap();
        assert!(back(0) > back(1) + 3 && at(row, "demand_scenes") as u64 == back(0), "{row}");
        assert_eq!((&row["made_by"], at(row, "none_of_the_above")), (&"model".into(), 0));
        assert!(row["given"][0].as_str().unwrap().contains("both occasions"), "{row}");
    }
    // What one scene alone tells is rejected, with the scene that is not needed.
    let told = project.run(&["build", "state.toml", "--format", "json"]).exits(0).out();
    let told: Value = serde_json::from_str(&told).unwrap();
    let rejects: Vec<&Value> =
        told["rejects"].as_array().unwrap().iter().filter(|one| one["step"] == "states").collect();
    let of = |code: &str| rejects.iter().filter(|one| one["reason"]["code"] == code).count();
    let (unanswered, drafted) = (of("not-answered"), questions.len() + rejects.len());
    assert!(of("not-needed") > 0 && unanswered + of("not-needed") == rejects.len(), "{rejects:?}");
    // A draft each, a check of both scenes, and two of one where that is answered.
    assert_eq!(asked as usize, 4 * drafted - 2 * unanswered);
    assert!(drafted <= 20, "{drafted}");

    // Where it comes from, down to the bytes of the page.
    let id = questions[0]["question_id"].as_str().unwrap();
    let lineage = ["explain", id, "--workflow", "state.toml"];
    project
        .run(&lineage)
        .exits(0)
        .says("draft-state 1")
        .says("evidence")
        .says("bytes of the decoded page");

    // A store that is lost is made again from the answers, and nobody is asked.
    let manifest = project.manifest("out/state");
    std::fs::rename(project.path(".storymill/answers"), project.path("answers")).unwrap();
    std::fs::remove_dir_all(project.path(".storymill")).unwrap();
    project.run(&["build", "state.toml", "--frozen", "--answers", "answers"]).exits(0);
    assert_eq!((server.asked(), project.manifest("out/state")), (asked, manifest));

    // Other names stand in the questions and in the options.
    let texts = |config: &str| -> String {
        configs[config].iter().map(|row| format!("{}{}", row["given"], row["options"])).collect()
    };
    let (own, other) = (texts("read-along"), texts("other-read-along"));
    assert!(own.contains("Alice") && !other.contains("Alice"));
}

#[test]
fn a_reader_of_the_evidence_knows_and_a_reader_of_nothing_does_not() {
    let server = Server::scripted(Duration::ZERO, |_, text| answered(text));
    let project = built(&server);
    project.run(&["build", "state.toml"]).exits(0);
    let model = format!(
        "[model.small]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"small\"\n",
        server.port
    );
    project.write("models.toml", model);
    let settings = "full,evidence,recent-50,title,none";
    project.run(&["evaluate", "out/state", "--model", "small", "--setting", settings]).exits(0);
    let grades = &rows(&project, "results/state-small")["grades"];
    let right = |setting: &str| -> Vec<bool> {
        let own = grades.iter().filter(|row| row["setting"] == setting && row["kind"] == "state");
        own.map(|row| row["right"] == 1).collect()
    };
    let kinds: BTreeSet<&str> = grades.iter().filter_map(|row| row["setting"].as_str()).collect();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
    for sure in ["full", "evidence"] {
        let right = right(sure);
        assert!(right.len() > 3 && right.iter().all(|right| *right), "{sure}: {right:?}");
    }
    for blind in ["none", "title"] {
        assert!(right(blind).iter().any(|right| !right), "{blind}");
    }
}

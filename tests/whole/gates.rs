//! `storymill evaluate`: which questions are chosen, what does not fit, and the gates of CI.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    sync::{Arc, LazyLock},
    time::Duration,
};

use serde_json::Value;

use crate::{
    evaluate,
    models::Server,
    project::{Project, top},
};

const OUT: &str = "out/quickstart";

/// The quickstart's questions about six stories, which are made once, and a model on a port.
fn dataset(server: &Server) -> Project {
    static BUILT: LazyLock<Project> = LazyLock::new(|| {
        let project = Project::new();
        let workflow = top().join("workflows/quickstart.toml").display().to_string();
        project.run(&["build", &workflow]).exits(0);
        project
    });
    let project = Project::new();
    copy(&BUILT.path(OUT), &project.path(OUT));
    let model = format!(
        "[model.small]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"small\"\nmax_tokens = 100\n",
        server.port
    );
    project.write("models.toml", model);
    project
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// A model that always takes the same option.
pub fn stubborn() -> Arc<Server> {
    Server::scripted(Duration::ZERO, |_, _| "Answer: 2".to_owned())
}

/// A model that is right, but for so many in ten questions.
pub fn knowing(all: Vec<Value>, wrong: usize) -> Arc<Server> {
    Server::scripted(Duration::ZERO, move |_, said| {
        let options = |row: &Value| row["options"].as_array().cloned().unwrap_or_default();
        let has = |row: &&Value| {
            let mut options = options(row).into_iter().peekable();
            options.peek().is_some() && options.all(|one| said.contains(one.as_str().unwrap()))
        };
        let Some(row) = all.iter().find(has) else { return "Somebody goes.".to_owned() };
        let id = row["question_id"].as_str().unwrap();
        let lot: usize = id.bytes().map(usize::from).sum();
        let right = row["answer"].as_u64().unwrap() as usize + usize::from(lot % 10 < wrong);
        format!("Answer: {}", right % options(row).len() + 1)
    })
}

pub fn rows(project: &Project, folder: &str, config: &str) -> Vec<Value> {
    let rows = evaluate::rows(project, folder, config);
    rows.into_iter().map(|mut row| row["values"].take()).collect()
}

fn id(row: &Value) -> String {
    row["question_id"].as_str().unwrap().to_owned()
}

/// The ids of the questions that a run graded.
fn asked(project: &Project, results: &str) -> BTreeSet<String> {
    rows(project, results, "grades").iter().map(id).collect()
}

#[test]
fn questions_are_chosen_by_their_columns() {
    let project = dataset(&stubborn());
    let all = rows(&project, OUT, "eval");
    let number = |row: &Value, column: &str| row[column].as_i64().unwrap();
    type Holds<'h> = &'h dyn Fn(&Value) -> bool;
    let cases: [(&str, Holds<'_>); 6] = [
        ("demand_tokens < 4000 and task = 'lookahead'", &|row| {
            number(row, "demand_tokens_o200k_base") < 4000 && row["type"] == "lookahead"
        }),
        ("type != reconstruction, same-scene", &|row| {
            row["type"] != "reconstruction" && row["type"] != "same-scene"
        }),
        ("CONTEXT_WORDS >= 3000", &|row| number(row, "context_words") >= 3000),
        ("demands_scenes = unknown", &|row| row["evidence"].as_array().unwrap().is_empty()),
        ("context = 1000..6000", &|row| {
            (1000..=6000).contains(&number(row, "context_tokens_o200k_base"))
        }),
        ("question_id ~ alice and task ~ told", &|row| {
            id(row).starts_with("alice") && row["type"].as_str().unwrap().starts_with("told")
        }),
    ];
    for (filter, holds) in cases {
        let out = ["evaluate", OUT, "--baselines", "--where", filter, "--out", "some"];
        let expected: BTreeSet<String> = all.iter().filter(|row| holds(row)).map(id).collect();
        assert!(!expected.is_empty() && expected.len() < all.len(), "{filter}");
        project.run(&out).exits(0);
        assert_eq!(asked(&project, "some"), expected, "{filter}");
        fs::remove_dir_all(project.path("some")).unwrap();
        // The workflow says the same again.
        assert!(project.read("some.toml").contains("where = "), "{filter}");
    }
    let refused = |filter: &str, code: i32| {
        project.run(&["evaluate", OUT, "--baselines", "--where", filter]).exits(code)
    };
    let ran = refused("demnd_tokens < 9 and tpye = x", 2).says("there is no field `demnd_tokens`");
    drop(ran.says("did you mean `demand_tokens`?").says("did you mean `type`?"));
    drop(refused("demand < many", 2).says("`many` is not a number"));
    drop(refused("demand > 9000000", 4).says("no question passes `where`").says("0 of 120"));
}

#[test]
fn a_count_is_shared_out_over_strata() {
    let project = dataset(&stubborn());
    let run = |count: &str, over: &str, out: &str| {
        let args = ["evaluate", OUT, "--baselines", "--config", "read-along", "--questions", count];
        project.run(&[&args[..], &["--stratify", over, "--out", out]].concat())
    };
    drop(run("20", "demand:5", "twenty").exits(0));
    let mut all = rows(&project, OUT, "read-along");
    let demand = |row: &Value| row["demand_tokens_o200k_base"].as_i64().unwrap();
    all.sort_by_key(demand);
    let chosen = asked(&project, "twenty");
    // Where equal demands stand at a border, they may be on either side of it.
    let mut at = [0; 5];
    for (rank, row) in all.iter().enumerate() {
        at[rank * 5 / all.len()] += usize::from(chosen.contains(&id(row)));
    }
    assert!(at.iter().all(|count| (3..=5).contains(count)), "{at:?}");
    // Fewer are among more, and what one stratum does not have others give.
    drop(run("10", "demand:5", "ten").exits(0));
    assert!(asked(&project, "ten").is_subset(&chosen));
    drop(run("40", "task", "types").exits(0));
    let mut types = std::collections::BTreeMap::<String, usize>::new();
    for row in
        rows(&project, "types", "grades").iter().filter(|row| row["model"] == "baseline:first")
    {
        *types.entry(row["kind"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    assert_eq!(types.values().sum::<usize>(), 40, "{types:?}");
    let kinds: BTreeSet<_> = all.iter().map(|row| row["type"].as_str().unwrap()).collect();
    assert_eq!(types.len(), kinds.len(), "{types:?}");
    assert!(types.values().all(|count| *count <= 5), "{types:?}");
    drop(run("10", "dmand:5", "none").exits(4).says("there is no field `dmand`"));
    drop(run("10", "task:5", "none").exits(4).says("`task` is a text"));
    drop(run("10", "demand:1", "none").exits(4).says("is not a number of strata"));
    project.run(&["evaluate", OUT, "--baselines", "--stratify", "demand:5"]).exits(2);
}

#[test]
fn what_does_not_fit_is_said_before_it_is_asked() {
    let server = stubborn();
    let project = dataset(&server);
    let args = ["evaluate", OUT, "--model", "small", "--window", "6000"];
    let told = project.run(&[&args[..], &["--plan"]].concat()).exits(0);
    assert_eq!(server.asked(), 0);
    drop(project.run(&args).exits(0));
    let grades = rows(&project, "results/quickstart-small", "grades");
    let out = grades.iter().filter(|row| row["status"] == "does-not-fit").count();
    assert!((1..120).contains(&out));
    let text = told.out().split_whitespace().collect::<Vec<_>>().join(" ");
    let said = format!("{out} of 120 do not fit 6,000 tokens");
    assert!(
        text.contains(&said) && text.contains(&format!("; {} would be asked", 120 - out)),
        "{text}"
    );
    // A set that was chosen for the window is asked whole.
    let workflow = fs::read_to_string(top().join("workflows/quickstart.toml")).unwrap();
    let bound = "size            = 120\nlongest         = { tokens = 3000 }";
    let workflow = workflow.replace("size            = 120", bound);
    let workflow = workflow.replace("\"../", &format!("\"{}/", top().display()));
    project.write("short.toml", workflow);
    project.run(&["build", "short.toml", "--out", "short"]).exits(0);
    let rows = rows(&project, "short", "eval");
    assert!(rows.len() > 20, "{}", rows.len());
    assert!(rows.iter().all(|row| row["context_tokens_o200k_base"].as_i64().unwrap() <= 3000));
    let args = ["evaluate", "short", "--model", "small", "--window", "6000", "--plan"];
    assert!(!project.run(&args).exits(0).out().contains("do not fit"));
}

#[test]
fn gates_of_ci_end_with_a_code_of_their_own() {
    let stubborn = stubborn();
    let project = dataset(&stubborn);
    let all = [rows(&project, OUT, "eval"), rows(&project, OUT, "read-along")].concat();
    let (right, good) = (knowing(all.clone(), 0), knowing(all, 2));
    let model = |name: &str, server: &Server| {
        format!(
            "[model.{name}]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"{name}\"\n",
            server.port
        )
    };
    let models = [model("small", &stubborn), model("right", &right), model("good", &good)];
    project.write("models.toml", models.concat());
    let run = |model: &str, gate: &[&str]| {
        project.run(&[&["evaluate", OUT, "--model", model][..], gate].concat())
    };
    let smoke = run("right", &["--smoke", "--out", "smoke"]).exits(0);
    drop(smoke.says("passed: smoke, 10 of 10 (100.0 %) right with the evidence shown"));
    let settings = rows(&project, "smoke", "grades");
    assert!(settings.iter().all(|row| row["setting"] == "evidence"));
    drop(
        run("small", &["--smoke", "--out", "no"])
            .exits(17)
            .says("not passed: smoke")
            .says("8 are needed"),
    );
    drop(run("right", &["--fail-below", "0.62"]).exits(0).says("the lower end is not below 0.62"));
    let gate = ["--config", "read-along", "--fail-below"];
    let ran = run("good", &[&gate[..], &["0.62", "--format", "json"]].concat()).exits(0);
    let told: Value = serde_json::from_str(&ran.out()).unwrap();
    let (low, value) = (&told["gate"]["low"], &told["gate"]["value"]);
    let (low, value) = (low.as_f64().unwrap(), value.as_f64().unwrap());
    assert!(low < value && told["gate"]["passed"] == true, "{told}");
    // The lower end decides, not the mean; the same answers are found in the log.
    let between = format!("{:.3}", f64::midpoint(low, value));
    let before = good.asked();
    let ran = run("good", &[&gate[..], &[&between]].concat()).exits(17);
    drop(ran.says("not passed: accuracy").says("the lower end is below"));
    assert_eq!(good.asked(), before);
    run("small", &["--fail-below", "62"]).exits(2).says("0 to 1");
    run("small", &["--fail-below", "0.5", "--smoke"]).exits(2);
    // Six questions of one book have no interval.
    let one = ["--where", "book_id = alice", "--questions", "6", "--fail-below", "0"];
    drop(run("right", &one).exits(17).says("has no interval"));
    project.run(&["explain", "17"]).exits(0).says("--fail-below");
}

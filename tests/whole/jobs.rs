//! A workflow as jobs: step by step, shard by shard, twice at once, killed, with a budget; the same bytes in the end.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::Value;

use crate::{
    models::{self, Server},
    project::{Project, Ran, full},
};

fn project() -> Project {
    let project = Project::new();
    for book in 0..9 {
        project.book(&format!("b{book:02}"), 6);
    }
    project.workflow(&[]);
    project
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out()).unwrap_or_else(|e| panic!("{e}: {}{}", ran.out(), ran.err()))
}

/// The jobs of a workflow, each with the commands that do it.
fn jobs(project: &Project, shards: &str) -> Vec<Vec<Vec<String>>> {
    let steps = format!("--steps={shards}");
    let plan = project.run(&["plan", "my.toml", &steps, "--format", "json"]);
    let plan = json(&plan.exits(0));
    assert_eq!(plan["format"], 1);
    let steps = plan["steps"].as_array().unwrap();
    assert!(steps.iter().zip(1..).all(|(step, at)| step["number"] == at));
    let jobs = plan["jobs"].as_array().unwrap().iter();
    let mut named = Vec::new();
    let jobs = jobs
        .map(|job| {
            named.extend(job["steps"].as_array().unwrap().iter().cloned());
            let step = job["step"].as_str().unwrap();
            let command = |more: &[&str]| {
                let all =
                    ["build", "my.toml", "--step", step].into_iter().chain(more.iter().copied());
                all.map(str::to_owned).collect::<Vec<_>>()
            };
            let shards = job["shards"].as_array().unwrap();
            assert_eq!(job["of"] == "corpus", shards.is_empty());
            if shards.is_empty() {
                return vec![command(&[])];
            }
            let units: u64 = shards.iter().map(|one| one["units"].as_u64().unwrap()).sum();
            assert_eq!(units, job["units"].as_u64().unwrap(), "each unit is in one shard");
            let shard = |one: &Value| command(&["--shard", one["shard"].as_str().unwrap()]);
            shards.iter().map(shard).collect()
        })
        .collect();
    let all: Vec<Value> = steps.iter().map(|step| step["step"].clone()).collect();
    assert_eq!(named, all, "each step is in one job, in order");
    jobs
}

fn start(project: &Project, command: &[String]) -> Child {
    let args: Vec<&str> = command.iter().map(String::as_str).collect();
    let mut command = project.command(&args);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn run(project: &Project, command: &[String]) -> Ran {
    project.run(&command.iter().map(String::as_str).collect::<Vec<_>>())
}

fn expected() -> String {
    let calm = project();
    calm.run(&["build", "my.toml"]).exits(0);
    calm.manifest("out/mine")
}

#[test]
fn jobs_in_shards_come_to_the_bytes_of_one_run() {
    let project = project();
    for job in jobs(&project, "3") {
        let shards: Vec<_> = job.iter().map(|command| start(&project, command)).collect();
        for mut shard in shards {
            assert_eq!(shard.wait().unwrap().code(), Some(0), "{job:?}");
        }
    }
    project.run(&["plan", "my.toml"]).exits(0).says("every step is done");
    project.run(&["build", "my.toml", "--finalize"]).exits(0);
    assert_eq!(project.manifest("out/mine"), expected());
    // A build of all of it finds nothing to do.
    project.run(&["build", "my.toml"]).exits(0).says("is as it was");
}

#[test]
fn what_is_missing_is_named_and_nothing_is_made() {
    let project = project();
    let build = |more: &[&str]| {
        let all: Vec<_> = ["build", "my.toml"].iter().chain(more).copied().collect();
        project.run(&all)
    };
    let markers = |step: &str| project.path(format!(".storymill/markers/{step}")).exists();
    build(&["--step", "scenes", "--shard", "1/2"]).exits(14).says("missing: `books` of");
    assert!(!markers("chunk"));
    build(&["--finalize"]).exits(14).says("missing: `books` of 9 units: b00, b01, b02");
    assert!(!project.path("out").exists());
    // A shard needs its own units alone, what reads a corpus stage needs all.
    build(&["--step", "books", "--shard", "1/2"]).exits(0);
    build(&["--step", "scenes", "--shard", "1/2"]).exits(0);
    build(&["--step", "scenes", "--shard", "2/2"]).exits(14);
    build(&["--step", "splits"]).exits(14).says("missing: `books` of");
    build(&["--step", "books"]).exits(0);
    build(&["--step", "scenes-x"])
        .exits(4)
        .says("no step `scenes-x`")
        .says("did you mean `scenes`?");
    build(&["--step", "splits", "--shard", "1/2"]).exits(4).says("leave `--shard` out");
    build(&["--step", "2-3"]).exits(4).says("a job of its own");
    build(&["--step", "3-7"]).exits(0);
    build(&["--step", "choice"]).exits(14).says("missing: `splits` has not ruled");
    let missing = json(&build(&["--step", "eval", "--format", "json"]).exits(14));
    assert_eq!(missing["missing"][0], serde_json::json!({ "step": "splits", "unit": null }));
    build(&["--step", "splits"]).exits(0);
    build(&["--step", "eval"]).exits(14).says("missing: `choice` has not ruled");
    build(&["--step", "choice"]).exits(0);
    build(&["--step", "eval"]).exits(0);
    build(&["--finalize"]).exits(0);
    assert_eq!(project.manifest("out/mine"), expected());
}

#[test]
fn shards_that_run_twice_and_are_killed_come_to_the_same_bytes() {
    let expected = expected();
    let (mut killed, mut random) = (0, 88_u64);
    for _ in 0..if full() { 8 } else { 2 } {
        let project = project();
        for job in jobs(&project, "3") {
            for command in &job {
                // Two runs of the same shard, one of which is killed somewhere.
                let (mut one, mut other) = (start(&project, command), start(&project, command));
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                std::thread::sleep(Duration::from_millis((random >> 33) % 60));
                one.kill().unwrap();
                other.kill().unwrap();
                killed += usize::from(one.wait().unwrap().code().is_none());
                killed += usize::from(other.wait().unwrap().code().is_none());
            }
            let (mut one, mut other) = (start(&project, &job[0]), start(&project, &job[0]));
            let codes = [one.wait().unwrap().code(), other.wait().unwrap().code()];
            assert!(codes.iter().all(|code| *code == Some(0)), "both do all of it: {codes:?}");
            for command in &job {
                run(&project, command).exits(0);
            }
        }
        project.run(&["build", "my.toml", "--finalize"]).exits(0);
        assert_eq!(project.manifest("out/mine"), expected);
    }
    assert!(killed > 5, "{killed}");
    println!("{killed} shards were killed on the way");
}

/// Takes the right to write from a folder and all in it, or gives it back.
#[cfg(unix)]
fn may_write(folder: &Path, may: bool) {
    let ran =
        Command::new("chmod").args(["-R", if may { "u+w" } else { "a-w" }]).arg(folder).status();
    assert!(ran.unwrap().success());
}

/// A store that somebody else has made and nobody here may write, as on a mount that is for reading alone.
#[cfg(unix)]
#[test]
fn status_and_plan_read_a_store_that_may_not_be_written() {
    let project = project();
    project.run(&["build", "my.toml", "--step", "1"]).exits(0);
    let store = project.path(".storymill");
    may_write(&store, false);
    let bound = |way: &[&str], program: &str, args: &[&str]| {
        let mut command = Command::new("env");
        command.arg("STORYMILL_NO_PROGRESS=1").args(way).arg(program).args(args);
        command.current_dir(project.path(""));
        Ran::of(command)
    };
    // Permissions do not bind root, unless it gives up that right.
    let ways: [&[&str]; 2] = [&[], &["setpriv", "--bounding-set=-dac_override"]];
    let refused =
        |way: &&&[&str]| bound(way, "touch", &[".storymill/new"]).err().starts_with("touch:");
    let Some(way) = ways.iter().find(refused) else {
        println!(
            "skip: a store that may not be written: root may write, and cannot give that up here"
        );
        return may_write(&store, true);
    };
    let run = |args: &[&str]| bound(way, env!("CARGO_BIN_EXE_storymill"), args);
    let status: [&[&str]; 2] = [
        &["plan", "my.toml", "--format", "json"],
        &["plan", "my.toml", "--steps", "--format", "json"],
    ];
    for args in status {
        assert_eq!(run(args).exits(0).out(), project.run(args).exits(0).out());
    }
    let ran = run(&["build", "my.toml"]).says("cannot lock the store");
    assert_ne!(ran.code(), 0);
    may_write(&store, true);
    project.run(&["build", "my.toml"]).exits(0);
    assert_eq!(project.manifest("out/mine"), expected());
}

#[cfg(unix)]
#[test]
fn a_shard_that_pays_runs_once_and_says_what_it_used() {
    let server = Server::start(0, Duration::from_millis(300));
    let project = models::project(&server, 2);
    let text = project.read("my.toml").replace("api_key_env = \"TELLER_KEY\"\n", "");
    project.write("my.toml", text);
    let plan = project.run(&["plan", "my.toml", "--steps", "--format", "json"]);
    let plan = json(&plan.exits(0));
    let jobs = plan["jobs"].as_array().unwrap();
    let asks = jobs.iter().position(|job| job["wants"]["models"] == serde_json::json!(["default"]));
    let asks = asks.unwrap_or_else(|| panic!("{plan}"));
    let step = |job: &Value| job["step"].as_str().unwrap().to_owned();
    for job in &jobs[..asks] {
        project.run(&["build", "my.toml", "--step", &step(job)]).exits(0);
    }
    let paying = step(&jobs[asks]);
    let paying = ["build", "my.toml", "--step", &paying, "--message-format", "json"];
    // Its share of the budget: so many requests and no more.
    let limited: Vec<&str> = paying.iter().copied().chain(["--max-requests", "2"]).collect();
    let ran = project.run(&limited).exits(8);
    let last: Value = serde_json::from_str(ran.out().lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["event"], &last["used"]["requests"]),
        (&"failed".into(), &2.into()),
        "{last}"
    );
    assert_eq!(server.requests(), 2);

    let command: Vec<String> = paying.iter().map(|&word| word.to_owned()).collect();
    let status = || json(&project.run(&["plan", "my.toml", "--format", "json"]).exits(0));
    let shard = |status: &Value| status["shards"].as_array().unwrap().last().unwrap()["is"].clone();
    let mut first = start(&project, &command);
    while shard(&status())["in_flight"] != 1 {
        std::thread::sleep(Duration::from_millis(5));
    }
    // A second run of it would pay for the same.
    run(&project, &command).exits(75).says("another run is at the same shard");
    first.kill().unwrap();
    first.wait().unwrap();
    let seen = shard(&status());
    assert_eq!((&seen["in_flight"], &seen["lost"]), (&0.into(), &1.into()), "{seen}");
    assert_eq!(seen["ended"]["state"], "failed", "of the run before: {seen}");
    run(&project, &command).exits(0);
    let (status, asked) = (status(), u64::from(server.requests()));
    let seen = shard(&status);
    assert_eq!((&seen["lost"], &seen["ended"]["state"]), (&0.into(), &"done".into()), "{seen}");
    let paid = status["paid"]["answers"].as_u64().unwrap();
    assert!(
        paid <= asked && asked <= paid + 8,
        "what was in flight is asked again: {paid}, {asked}"
    );
    assert!(server.once() || asked > paid);
    project
        .run(&["build", "my.toml", "--step", "1", "--requests-per-minute", "other=9"])
        .exits(4)
        .says("`other`");
}

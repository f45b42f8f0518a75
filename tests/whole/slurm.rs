//! The Slurm scripts, played by a stand-in for `sbatch` that runs their command lines in their order.

use std::{fs, process::Command, time::Duration};

use crate::{
    models::{self, Server},
    project::{Project, Ran, top},
};

const SCRIPTS: [&str; 4] = ["submit.sh", "shard.sh", "check.sh", "publish.sh"];

fn project() -> Project {
    let project = Project::new();
    for book in 0..5 {
        project.book(&format!("b{book}"), 4);
    }
    project.workflow(&[]);
    project
}

/// Submits, and plays what was submitted: what was said, and a line for each task.
fn submit(project: &Project, more: &[(&str, &str)]) -> (String, Vec<Vec<String>>) {
    let play = project.path("play");
    fs::create_dir_all(&play).unwrap();
    for name in ["jobs", "said"] {
        fs::write(play.join(name), "").unwrap();
    }
    let mut command = Command::new("bash");
    let path = std::env::var("PATH").unwrap();
    command
        .arg(top().join("integrations/slurm/submit.sh"))
        .arg("my.toml")
        .current_dir(project.path(""))
        .env("PATH", format!("{}:{path}", top().join("tests/slurm").display()))
        .env("STORYMILL", env!("CARGO_BIN_EXE_storymill"))
        .env("STORYMILL_NO_PROGRESS", "1")
        .envs([("SHARDS", "5"), ("STORE", "store"), ("OUT", "out/slurm")])
        .envs(more.iter().copied())
        .env("PLAY", &play);
    Ran::of(command).exits(0).says("publishes");
    let jobs = fs::read_to_string(play.join("jobs")).unwrap();
    let words = |line: &str| line.split(' ').map(str::to_owned).collect();
    (fs::read_to_string(play.join("said")).unwrap(), jobs.lines().map(words).collect())
}

#[test]
fn the_scripts_are_sound_bash() {
    for script in SCRIPTS {
        let mut command = Command::new("bash");
        command.arg("-n").arg(top().join("integrations/slurm").join(script));
        Ran::of(command).exits(0);
    }
}

#[test]
fn a_lost_task_is_named_and_the_next_submission_does_what_is_left() {
    let project = project();
    project.run(&["build", "my.toml", "--out", "out/calm"]).exits(0);
    // A task of the second array of the job that makes scenes: its node dies.
    project.write("play/lost", "storymill-3-7 2\n");
    let (said, jobs) = submit(&project, &[]);
    let of = |name: &str| jobs.iter().filter(|job| job[1] == name).collect::<Vec<_>>();
    let codes = |name: &str| of(name).iter().map(|job| job[4].clone()).collect::<Vec<_>>();
    assert_eq!(codes("storymill-1"), ["0"; 5], "{said}{jobs:?}");
    let arrays: Vec<_> = of("storymill-1").iter().map(|job| (&job[0], &job[2], &job[3])).collect();
    let (first, after) = (arrays[0].0, format!("afterany:{}", arrays[0].0));
    assert!(arrays[..3].iter().all(|job| job.0 == first && job.2 == "-"), "{arrays:?}");
    assert!(
        arrays[3..].iter().all(|job| *job.2 == after),
        "split, one after the other: {arrays:?}"
    );
    assert_eq!(codes("storymill-check-1"), ["0"]);
    // The second task of both arrays of that name.
    assert_eq!(codes("storymill-3-7").iter().filter(|code| *code == "lost").count(), 2, "{jobs:?}");
    assert_eq!(codes("storymill-check-3-7"), ["14"]);
    assert!(said.contains("missing: `scenes` of"), "{said}");
    // What comes after it refuses, and nothing waits for ever.
    assert_eq!(
        (codes("storymill-8"), codes("storymill-publish")),
        (vec!["14".into()], vec!["14".into()])
    );
    assert!(!project.path("out/slurm").exists());

    fs::remove_file(project.path("play/lost")).unwrap();
    let (said, jobs) = submit(&project, &[]);
    assert!(jobs.iter().all(|job| job[4] == "0"), "{said}{jobs:?}");
    assert!(
        jobs.iter().all(|job| job[1] != "storymill-1"),
        "what is done is not submitted: {jobs:?}"
    );
    assert_eq!(project.manifest("out/slurm"), project.manifest("out/calm"));
}

/// A task whose node dies, and which Slurm starts again: it goes on behind the answers that came.
#[test]
fn a_task_that_is_started_again_asks_for_nothing_that_was_answered() {
    let server = Server::start(0, Duration::from_millis(30));
    let project = models::project(&server, 4);
    let text = project.read("my.toml").replace("api_key_env = \"TELLER_KEY\"\n", "");
    project
        .write("my.toml", text)
        .write("prices.toml", "[\"teller\"]\ninput = 1.0\noutput = 2.0\n");
    project.run(&["build", "my.toml", "--out", "out/calm"]).exits(0);
    let alone = server.requests();

    project.write("play/dies", "storymill-3 1\n");
    let shards = ("SHARDS", "2");
    let (said, jobs) = submit(&project, &[shards]);
    let codes = |jobs: &[Vec<String>], name: &str| {
        let of = jobs.iter().filter(|job| job[1] == name);
        of.map(|job| format!("{} {}", job[2], job[4])).collect::<Vec<_>>()
    };
    assert_eq!(codes(&jobs, "storymill-3"), ["1 killed", "1 0", "2 0"], "{said}{jobs:?}");
    assert_eq!(codes(&jobs, "storymill-publish"), ["0 0"], "{said}");
    assert_eq!(project.manifest("out/slurm"), project.manifest("out/calm"));
    // What was in flight is asked again: of four requests at once, two for each shard.
    let asked = server.requests() - alone;
    assert!((alone..=alone + 2).contains(&asked), "{asked} requests for {alone} answers");

    // With a share of a budget it does not go on, since nobody knows what is left of the share.
    let poor = [
        shards,
        ("STORE", "poor"),
        ("OUT", "out/poor"),
        ("MAX_USD", "5"),
        ("PRICES", "prices.toml"),
    ];
    let (said, jobs) = submit(&project, &poor);
    assert_eq!(codes(&jobs, "storymill-3"), ["1 killed", "1 8", "2 0"], "{said}{jobs:?}");
    assert_eq!(codes(&jobs, "storymill-publish"), ["0 14"], "{said}");
    fs::remove_file(project.path("play/dies")).unwrap();
    let (said, jobs) = submit(&project, &poor);
    assert!(jobs.iter().all(|job| job[4] == "0"), "{said}{jobs:?}");
    assert_eq!(project.manifest("out/poor"), project.manifest("out/calm"));
    let asked = server.requests() - alone - asked;
    assert!((alone..=alone + 2).contains(&asked), "{asked} requests for {alone} answers");
}

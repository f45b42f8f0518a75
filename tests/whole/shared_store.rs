//! Stores by URL: shards side by side without locks, killed at any moment, to the same bytes. Each test goes over a
//! folder; with `STORYMILL_S3`, the address of moto's server (`http://127.0.0.1:5000`), over a bucket too.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use storymill_bucket::BucketDisk;
use storymill_core::{Answer, Digest, RequestKey};
use storymill_llm::{AnswerLog, Record};

use crate::{
    models::{Server, project},
    project::{Project, full},
};

const SECRET: &str = "planted-secret-9d1c";

/// Where a store can be: its URL, and the variables of the environment that it wants.
struct Place {
    url: String,
    environment: Vec<(&'static str, String)>,
}

impl Place {
    fn command(&self, project: &Project, args: &[&str]) -> Command {
        let mut command = project.command(args);
        command.env("TELLER_KEY", "sk-teller").args(["--store", &self.url]);
        command.envs(self.environment.iter().map(|(name, value)| (*name, value)));
        command
    }

    fn run(&self, project: &Project, args: &[&str]) -> (i32, String) {
        let output = self.command(project, args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        (output.status.code().unwrap(), text)
    }
}

fn places(project: &Project) -> Vec<Place> {
    let url = format!("file://{}", project.path("far store").display());
    let folder = Place { url, environment: Vec::new() };
    let mut places = vec![folder];
    match std::env::var("STORYMILL_S3") {
        Ok(endpoint) if !endpoint.is_empty() => places.push(bucket(&endpoint)),
        _ => println!("skip: builds over S3: STORYMILL_S3 names no server (moto's, on loopback)"),
    }
    places
}

/// A bucket of its own on moto's server.
fn bucket(endpoint: &str) -> Place {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("w{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
    let host = endpoint.trim_start_matches("http://").trim_end_matches('/');
    let mut server = TcpStream::connect(host).unwrap();
    let request = format!(
        "PUT /{name} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    server.write_all(request.as_bytes()).unwrap();
    server.read_to_end(&mut Vec::new()).unwrap();
    let environment = vec![
        ("AWS_ENDPOINT_URL", endpoint.to_owned()),
        ("AWS_ACCESS_KEY_ID", "planted-id-4471".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ("AWS_REGION", "us-east-1".to_owned()),
        ("AWS_ALLOW_HTTP", "true".to_owned()),
    ];
    Place { url: format!("s3://{name}/novels"), environment }
}

/// What one process makes of the same project on a folder, and how often it asks.
fn alone(books: usize) -> (String, u32) {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, books);
    let (code, text) = crate::models::build(&project, &[]);
    assert_eq!(code, 0, "{text}");
    (lock(&project), server.requests())
}

/// The lock says which rows came of what; a manifest names the port of the server.
fn lock(project: &Project) -> String {
    project.read("out/mine/dataset.lock")
}

#[test]
fn shards_of_a_store_by_url_make_what_one_process_makes() {
    let (expected, requests) = alone(4);
    let count = places(&Project::new()).len();
    for which in 0..count {
        let server = Server::start(0, Duration::from_millis(5));
        let project = project(&server, 4);
        let place = places(&project).remove(which);
        let shards: Vec<_> = (1..=4)
            .map(|shard| {
                let shard = format!("{shard}/4");
                let mut command = place.command(&project, &["build", "my.toml", "--shard", &shard]);
                command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        for shard in shards {
            let output = shard.wait_with_output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(output.status.code(), Some(0 | 14)), "{}: {text}", place.url);
        }
        let (code, text) = place.run(&project, &["build", "my.toml"]);
        assert_eq!(code, 0, "{text}");
        assert_eq!(lock(&project), expected, "{}", place.url);
        assert!(server.once(), "nothing was asked twice");
        assert_eq!(server.requests(), requests);

        // Another machine finds everything, and makes the same of it.
        fs::remove_dir_all(project.path("out")).unwrap();
        let (code, text) = place.run(&project, &["build", "my.toml", "--frozen"]);
        assert_eq!((code, server.requests()), (0, requests), "{text}");
        assert_eq!(lock(&project), expected);
        let (code, text) = place.run(&project, &["plan", "my.toml"]);
        assert!(code == 0 && text.contains("nothing to build"), "{text}");
        assert!(!project.path("s3:").exists() && !project.path("file:").exists());
        assert!(!project.path(".storymill").exists());
    }
}

/// Runs several commands at the same time; how each ended.
fn together(place: &Place, project: &Project, commands: &[&[&str]]) -> Vec<(i32, String)> {
    let spawn = |args: &&[&str]| {
        let mut command = place.command(project, args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<_> = commands.iter().map(spawn).collect();
    let ended = |child: std::process::Child| {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code().unwrap(), text)
    };
    children.into_iter().map(ended).collect()
}

/// How often two runs are started at the same time.
fn rounds() -> usize {
    let named = std::env::var("STORYMILL_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    named.unwrap_or(if full() { 200 } else { 4 })
}

#[test]
fn two_builds_on_a_store_by_url_at_the_same_time_end_alike() {
    let (expected, _) = alone(2);
    let count = places(&Project::new()).len();
    for which in 0..count {
        for round in 0..rounds() {
            let server = Server::start(0, Duration::from_millis(2));
            let project = project(&server, 2);
            let place = places(&project).remove(which);
            let build: &[&str] = &["build", "my.toml"];
            for (code, text) in together(&place, &project, &[build, build]) {
                assert_eq!(code, 0, "{}, round {round}: {text}", place.url);
            }
            assert_eq!(lock(&project), expected, "{}, round {round}", place.url);
            project.run(&["verify", "out/mine"]).exits(0);
            // What publishes at the same time leaves nothing behind, and nothing of it undone.
            assert!(!project.path("out/mine/.tmp").exists(), "round {round}");
            // The same where all is made, and the folder has to be published anew.
            fs::remove_dir_all(project.path("out")).unwrap();
            for (code, text) in together(&place, &project, &[build, build, build]) {
                assert_eq!(code, 0, "{}, round {round}, again: {text}", place.url);
            }
            assert_eq!(lock(&project), expected, "{}, round {round}", place.url);
        }
    }
}

#[test]
fn a_build_beside_three_shards_of_a_store_by_url_ends_alike() {
    let (expected, _) = alone(3);
    let count = places(&Project::new()).len();
    for which in 0..count {
        for round in 0..rounds() {
            let server = Server::start(0, Duration::from_millis(2));
            let project = project(&server, 3);
            let place = places(&project).remove(which);
            let shard = |shard| vec!["build", "my.toml", "--shard", shard];
            let all = [vec!["build", "my.toml"], shard("1/3"), shard("2/3"), shard("3/3")];
            let all: Vec<&[&str]> = all.iter().map(Vec::as_slice).collect();
            for (at, (code, text)) in together(&place, &project, &all).into_iter().enumerate() {
                let fits = code == 0 || (at > 0 && code == 14);
                assert!(fits, "{}, round {round}, {:?}: {code}: {text}", place.url, all[at]);
            }
            assert_eq!(lock(&project), expected, "{}, round {round}", place.url);
        }
    }
}

/// Answers that wait for their upload, beside the four requests in flight.
const WAITING: u64 = 199;

#[test]
fn builds_on_a_store_by_url_that_are_killed_end_alike() {
    let (expected, _) = alone(4);
    let count = places(&Project::new()).len();
    for which in 0..count {
        let server = Server::start(0, Duration::from_millis(10));
        let project = project(&server, 4);
        let place = places(&project).remove(which);
        let kills: u32 = if full() { 200 } else { 10 };
        let mut killed = 0;
        for kill in 0..kills {
            let mut command = place.command(&project, &["build", "my.toml"]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            if kill % 2 == 0 {
                std::thread::sleep(Duration::from_millis(u64::from(30 + 37 * (kill % 12))));
            } else {
                // However slow the store is: while answers come.
                let asked = server.requests() + kill % 12;
                while server.requests() < asked && child.try_wait().unwrap().is_none() {
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
            child.kill().unwrap();
            killed += u64::from(child.wait().unwrap().code().is_none());
        }
        let (code, text) = place.run(&project, &["build", "my.toml"]);
        assert_eq!(code, 0, "{text}");
        assert_eq!(lock(&project), expected, "{}", place.url);
        let again = u64::from(server.again());
        println!(
            "{}: {killed} builds were killed, {again} answers were asked for again",
            place.url
        );
        assert!(killed > 0 && again <= killed * (WAITING + 4), "{again} after {killed} kills");
    }
}

#[test]
fn what_a_wave_was_asked_is_kept_on_ctrl_c() {
    let count = places(&Project::new()).len();
    for which in 0..count {
        let server = Server::start(0, Duration::from_millis(30));
        let project = project(&server, 3);
        let place = places(&project).remove(which);
        let mut command = place.command(&project, &["build", "my.toml"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while server.requests() < 9 {
            std::thread::sleep(Duration::from_millis(2));
        }
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(130), "{text}");
        let (code, text) = place.run(&project, &["build", "my.toml"]);
        assert_eq!(code, 0, "{text}");
        assert!(server.again() <= 4, "{} were asked for again", server.again());
    }
}

#[test]
fn two_answers_under_one_key_end_the_run_and_both_are_shown() {
    let count = places(&Project::new()).len();
    for which in 0..count {
        let server = Server::start(0, Duration::ZERO);
        let project = project(&server, 1);
        let place = places(&project).remove(which);
        let (code, text) = place.run(&project, &["build", "my.toml", "--shard", "1/2"]);
        assert!(matches!(code, 0 | 14), "{text}");
        let (code, text) = place.run(&project, &["build", "my.toml", "--shard", "2/2"]);
        assert!(matches!(code, 0 | 14), "{text}");
        // Another machine, whose store was empty, was told otherwise; its answers come to the same place.
        let other = format!("{}-b", place.url);
        let far = Place { url: other.clone(), environment: place.environment.clone() };
        server.later.store(50, Ordering::SeqCst);
        let (code, text) = far.run(&project, &["build", "my.toml"]);
        assert_eq!(code, 0, "{text}");
        let (code, text) = far_pack(&far, &project);
        assert_eq!(code, 0, "{text}");
        let import = ["answers", "import", "pack", "--answers", &format!("{}/answers", place.url)];
        let mut command = project.command(&import);
        command.envs(place.environment.iter().map(|(name, value)| (*name, value)));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

        let requests = server.requests();
        let (code, text) = place.run(&project, &["build", "my.toml"]);
        assert_eq!((code, server.requests()), (7, requests), "{text}");
        assert!(text.matches(" hours of").count() == 2, "both are shown: {text}");

        // Each is settled by the command that the message gives.
        for _ in 0..1000 {
            let (code, text) = place.run(&project, &["build", "my.toml"]);
            if code == 0 {
                break;
            }
            let key = after(&text, "answers keep ");
            let is_digest =
                |word: &&str| word.len() == 12 && word.bytes().all(|b| b.is_ascii_hexdigit());
            let mut first = text.lines().filter_map(|line| line.split_whitespace().next());
            let digest = first.find(is_digest).unwrap_or_else(|| panic!("{text}"));
            let answers = format!("{}/answers", place.url);
            let mut command =
                project.command(&["answers", "keep", &key, digest, "--answers", &answers]);
            command.envs(place.environment.iter().map(|(name, value)| (*name, value)));
            let output = command.output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert!(project.path("out/mine/dataset.lock").exists());
    }
}

#[test]
fn many_segments_of_answers_are_sealed_in_a_store_by_url() {
    let project = Project::new();
    // Some hundred requests, which moto's server takes its time for.
    for place in places(&project).into_iter().take(if full() { 2 } else { 1 }) {
        let environment = |name: &str| {
            let found = place.environment.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.clone())
        };
        let url = format!("{}/answers", place.url);
        let open = || {
            let disk = BucketDisk::open(Path::new(&place.url), &environment).unwrap();
            AnswerLog::open(Path::new(&url), &[], Arc::new(disk)).unwrap()
        };
        let key = |number: u32| RequestKey(Digest::of(&number.to_le_bytes()));
        let answer =
            |number: u32| Answer { text: format!("{number}"), finish_reason: "stop".into() };
        let (log, mut before) = (open(), None);
        for number in 0..64 {
            let record = Record { key: key(number), answer: answer(number), note: None };
            log.append(record).unwrap().wait().unwrap();
            // The end of a run: what it has goes into a segment.
            log.seal().unwrap();
            before = before.or_else(|| (number == 40).then(open));
        }
        // Another machine opened the log before that, and finds what it knew.
        let before = before.unwrap();
        for number in 0..=40 {
            assert_eq!(before.get(&key(number)).unwrap(), Some(answer(number)), "{}", place.url);
        }
        let mut command = project.command(&["answers", "stats", "--answers", &url]);
        command.args(["--format", "json"]);
        command.envs(place.environment.iter().map(|(name, value)| (*name, value)));
        let output = command.output().unwrap();
        let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let found = ["answers", "packs", "segments"].map(|what| stats[what].as_u64());
        assert_eq!(found, [Some(64), Some(1), Some(0)], "{}: {stats}", place.url);
    }
}

fn far_pack(far: &Place, project: &Project) -> (i32, String) {
    let _ = fs::remove_dir_all(project.path("pack"));
    let packed = far.run(project, &["answers", "pack", "my.toml", "--to", "pack"]);
    fs::remove_dir_all(project.path("out")).unwrap();
    packed
}

fn after(text: &str, what: &str) -> String {
    let rest = text.split_once(what).unwrap_or_else(|| panic!("`{what}` in {text}")).1;
    rest.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn no_credentials_stand_in_anything_that_is_written_or_said() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 1);
    let Some(place) = places(&project).into_iter().nth(1) else { return };
    let mut said = Vec::new();
    for args in [
        &["build", "my.toml", "--message-format", "json"][..],
        &["plan", "my.toml"],
        &["store", "check"],
        &["store", "check", "--format", "json"],
    ] {
        said.push(place.run(&project, args).1);
    }
    let gone = Place { url: "s3://no-such-bucket/x".to_owned(), environment: place.environment };
    let (code, text) = gone.run(&project, &["build", "my.toml"]);
    assert_eq!(code, 9, "{text}");
    said.push(text);
    said.push(gone.run(&project, &["store", "check"]).1);
    for text in &said {
        assert!(!text.contains("planted"), "{text}");
    }
    let mut folders = vec![project.path("")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                let found = bytes.windows(7).any(|window| window == b"planted");
                assert!(!found, "{}", path.display());
            }
        }
    }
}

#[test]
fn a_store_that_cannot_be_is_refused_before_anything_is_asked() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 1);
    let build = |store: &str| {
        let output = project
            .command(&["build", "my.toml", "--store", store])
            .env("TELLER_KEY", "sk-teller")
            .output()
            .unwrap();
        (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for store in ["ftp://a/b", "s3://", "s3://me:planted@b/c", "file://relative"] {
        let (code, text) = build(store);
        assert!(code == 4 && !text.contains("planted"), "{store}: {code}: {text}");
    }
    // Nobody may write there: a file stands in the way.
    project.write("file", "x");
    let (code, text) = build(&format!("file://{}/store", project.path("file").display()));
    assert!(code != 0 && text.contains("store"), "{code}: {text}");
    assert_eq!(server.requests(), 0);
    project.run(&["store", "check"]).exits(0).says("can hold a store");
    let url = format!("file://{}", project.path("new").display());
    project.run(&["store", "check", "--store", &url]).exits(0).says("second is refused");
}

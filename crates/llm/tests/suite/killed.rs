//! Killed with -9 at random points: what was synced is never asked for again.

use std::{
    collections::BTreeMap,
    hash::{BuildHasher, Hasher, RandomState},
    path::Path,
    process::{Command, Stdio},
    sync::atomic::Ordering,
    time::Duration,
};

use storymill_core::Asker;

use crate::{
    server::{Act, Server, answer},
    world::{Setting, World, world},
};

const IN_FLIGHT: usize = 6;
const REQUESTS: usize = 240;
const VARIABLE: &str = "STORYMILL_TEST_CHILD";

fn make(folder: &Path, url: &str) -> World {
    let lines = "concurrency = 6\nconnect_seconds = 1";
    world(folder, url, Setting { lines, ..Setting::default() })
}

/// The process that is killed: asks one wave. Does nothing unless it is started by the test below.
#[test]
fn child() {
    #[expect(clippy::disallowed_methods, reason = "how a test speaks to its child")]
    let Ok(told) = std::env::var(VARIABLE) else { return };
    let (url, folder) = told.split_once(' ').unwrap();
    let world = make(Path::new(folder), url);
    world.asker.ask(&world.wave(REQUESTS)).unwrap();
}

#[test]
fn what_was_synced_is_never_asked_for_again() {
    let server = Server::start(|_, heard| {
        let text = format!("answer to {}", heard.body["messages"][0]["content"]);
        Act::Wait(Duration::from_millis(8), Box::new(answer(&text)))
    });
    let folder = tempfile::tempdir().unwrap();
    let mut kills = 0;
    let mut synced_before = Vec::new();
    loop {
        let before = server.count();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::child"])
            .env(VARIABLE, format!("{} {}", server.url, folder.path().display()))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut finished = None;
        if kills < 20 {
            let random = RandomState::new().build_hasher().finish() % 40;
            std::thread::sleep(Duration::from_millis(15 + random));
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
        } else {
            finished = Some(child.wait().unwrap());
        }
        // Give requests that were on the wire the time to be counted.
        std::thread::sleep(Duration::from_millis(20));
        let heard = server.heard.lock().unwrap();
        let asked_now: Vec<String> = heard[before..]
            .iter()
            .map(|heard| heard.body["messages"][0]["content"].as_str().unwrap().to_owned())
            .collect();
        drop(heard);
        for asked in &asked_now {
            assert!(!synced_before.contains(asked), "request {asked} was answered and synced");
        }
        let after = make(folder.path(), &server.url);
        let wave = after.wave(REQUESTS);
        synced_before = (0..REQUESTS)
            .filter(|at| after.log.has(&wave[*at].key))
            .map(|at| at.to_string())
            .collect();
        if let Some(status) = finished {
            assert!(status.success());
            break;
        }
    }
    let after = make(folder.path(), &server.url);
    for (number, asked) in after.wave(REQUESTS).iter().enumerate() {
        let text = after.asker.get(&asked.key).unwrap().unwrap().text;
        assert_eq!(text, format!("answer to \"{number}\""));
    }
    assert_eq!(after.log.conflicts(), 0);
    let mut times = BTreeMap::<String, usize>::new();
    for heard in server.heard.lock().unwrap().iter() {
        *times.entry(heard.body.to_string()).or_default() += 1;
    }
    let again: usize = times.values().map(|times| times - 1).sum();
    println!("{kills} kills, {again} of {REQUESTS} requests asked again");
    assert!(again <= kills * IN_FLIGHT, "{again} re-asks after {kills} kills");
    assert!(server.most_in_flight.load(Ordering::SeqCst) <= 2 * IN_FLIGHT);
}

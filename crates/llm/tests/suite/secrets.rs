//! A planted key to an endpoint appears nowhere: no log, no pack, no event, no error.

use std::path::Path;

use storymill_core::{Asker, Disk};
use storymill_disk::RealDisk;

use crate::{
    server::{Act, Server, error},
    world::{Setting, whole, world},
};

const KEY: &str = "sk-planted-0123456789-abcdef";

fn holds_key(bytes: &[u8]) -> bool {
    bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes())
}

fn check_files(folder: &Path) {
    for name in RealDisk.list(folder).unwrap() {
        let path = folder.join(&name);
        assert!(!holds_key(&std::fs::read(path).unwrap()), "{name}");
    }
}

/// A server that knows the key and repeats it wherever it can.
fn parrot(number: usize, heard: &crate::server::Heard) -> Act {
    let said = heard.headers.get("authorization").cloned().unwrap_or_default();
    assert_eq!(said, format!("Bearer {KEY}"));
    match number {
        0 => error(
            429,
            &[("retry-after", "0.01"), ("x-key", KEY)],
            &format!("{{\"error\":\"{said}\"}}"),
        ),
        1 => {
            let body = format!(
                "{{\"choices\":[{{\"message\":{{\"content\":\"you said {KEY}\"}},\"finish_reason\":\"{KEY}\"}}]}}"
            );
            Act::Send(200, vec![("set-cookie", KEY.to_owned()), ("server", KEY.to_owned())], body)
        }
        _ => error(
            401,
            &[],
            &format!("{{\"error\":{{\"message\":\"bad key {KEY}\",\"code\":\"{KEY}\"}}}}"),
        ),
    }
}

#[test]
fn a_planted_key_appears_nowhere() {
    let server = Server::start(parrot);
    let folder = tempfile::tempdir().unwrap();
    let lines = "api_key_env = \"PLANTED\"\nconcurrency = 1";
    let setting = Setting { lines, key: Some(KEY), ..Setting::default() };
    let url = format!("{}?api-version=1&token={KEY}", server.url);
    let world = world(folder.path(), &url, setting);
    let fault = world.asker.ask(&world.wave(3)).unwrap_err();
    assert!(whole(&fault).contains("[key]"), "{}", whole(&fault));
    assert!(!whole(&fault).contains(KEY) && !format!("{fault:?}").contains(KEY));
    let answer = world.asker.get(&world.wave(1)[0].key).unwrap().unwrap();
    assert_eq!((answer.text.as_str(), answer.finish_reason.as_str()), ("you said [key]", "[key]"));
    let events = serde_json::to_string(&world.events()).unwrap();
    assert!(!events.contains(KEY) && !format!("{:?}", world.asker).contains(KEY));
    check_files(folder.path());
    world.log.seal().unwrap();
    check_files(folder.path());
    let packs = tempfile::tempdir().unwrap();
    storymill_llm::answers::pack(&world.log, world.log.keys(), packs.path()).unwrap();
    check_files(packs.path());
    // Notes are packed; look inside too.
    storymill_llm::answers::notes(folder.path(), &RealDisk, None, |_, note| {
        assert!(!format!("{note:?}").contains(KEY), "{note:?}");
        assert!(!note.headers.contains_key("set-cookie"));
    })
    .unwrap();
}

#[test]
fn a_connection_that_fails_tells_no_query() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("http://127.0.0.1:9/v1?token={KEY}");
    let setting = Setting { lines: "longest_wait_seconds = 1", ..Setting::default() };
    let world = world(folder.path(), &url, setting);
    let fault = world.ask_one().unwrap_err();
    assert!(!whole(&fault).contains(KEY), "{}", whole(&fault));
    assert!(!serde_json::to_string(&world.events()).unwrap().contains(KEY));
}

#[test]
fn a_missing_key_is_said_by_its_variable_and_only_when_it_is_needed() {
    let server = Server::start(|_, _| crate::server::answer("good"));
    let folder = tempfile::tempdir().unwrap();
    let setting = |lines| Setting { lines, ..Setting::default() };
    let open = world(folder.path(), &server.url, setting(""));
    open.ask_one().unwrap();
    let locked = world(folder.path(), &server.url, setting("api_key_env = \"NOWHERE\""));
    assert_eq!(locked.ask_one().unwrap(), "good", "the log answers without a key");
    let fault = locked.asker.ask(&locked.wave(2)).unwrap_err();
    assert!(whole(&fault).contains("`NOWHERE`"), "{}", whole(&fault));
}

//! What real servers sent, recorded, and what we made in the same form: every exchange is understood.

use std::{fs, path::PathBuf};

use serde_json::Value;
use storymill_core::Asker;

use crate::{
    server::{Act, Server},
    sets::sets,
    world::{Setting, whole, world},
};

/// The lines of each recorded file whose name starts so.
fn files(start: &str) -> Vec<Vec<Value>> {
    let entries = sets("llm").into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.file_name().unwrap().to_string_lossy().starts_with(start));
    let lines = |path: PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    paths.into_iter().map(lines).collect()
}

#[test]
fn recorded_answers_come_through_as_they_were() {
    for rows in files("recorded-") {
        let bodies: Vec<String> = rows.iter().map(|row| row["response"].to_string()).collect();
        let server = Server::start(move |_, heard| {
            let number: usize =
                heard.body["messages"][0]["content"].as_str().unwrap().parse().unwrap();
            Act::Send(200, Vec::new(), bodies[number].clone())
        });
        let folder = tempfile::tempdir().unwrap();
        let world = world(folder.path(), &server.url, Setting::default());
        let wave = world.wave(rows.len());
        world.asker.ask(&wave).unwrap();
        let mut tokens = 0;
        for (asked, row) in wave.iter().zip(&rows) {
            let answer = world.asker.get(&asked.key).unwrap().unwrap();
            assert_eq!(answer.text, row["response_text"].as_str().unwrap());
            assert_eq!(answer.finish_reason, row["finish_reason"].as_str().unwrap());
            tokens += row["usage"]["completion_tokens"].as_u64().unwrap();
        }
        assert_eq!(world.asker.ledger()[0].cost.usage.completion, tokens);
    }
}

#[test]
fn recorded_errors_are_understood() {
    for rows in files("server-edge-cases") {
        errors_are_understood(&rows);
    }
}

fn errors_are_understood(rows: &[Value]) {
    let mut seen = 0;
    for row in rows.iter().filter(|row| row["method"] == "POST") {
        let (case, status) = (row["case"].as_str().unwrap(), row["status"].as_u64().unwrap());
        let body = row["body"].as_str().unwrap().to_owned();
        let status = u16::try_from(status).unwrap();
        let server = Server::start(move |number, _| {
            let again = status == 503 && number > 0;
            if again {
                crate::server::answer("ready")
            } else {
                Act::Send(status, Vec::new(), body.clone())
            }
        });
        let folder = tempfile::tempdir().unwrap();
        let world = world(folder.path(), &server.url, Setting::default());
        let result = world.ask_one();
        let said = result.as_ref().err().map(whole).unwrap_or_default();
        match (case, status) {
            ("loading", _) => assert_eq!((result.unwrap().as_str(), server.count()), ("ready", 2)),
            ("context_overflow", _) => assert!(said.contains("refused for good"), "{said}"),
            ("bad_response_format", _) => assert!(said.contains("response_format"), "{said}"),
            ("not_found", _) => assert!(said.contains("`url`"), "{said}"),
            (_, 200) => assert!(!result.unwrap().is_empty(), "{case}"),
            _ => assert!(said.contains("400 (invalid_request_error)"), "{case}: {said}"),
        }
        assert!(server.count() <= 2, "{case}");
        seen += 1;
    }
    assert!(seen >= 8, "{seen}");
}

//! What real servers sent, recorded: every exchange is understood.

use std::path::PathBuf;

use serde_json::Value;
use storymill_core::Asker;

use crate::{
    server::{Act, Server},
    world::{Setting, whole, world},
};

/// The lines of a recorded file, if the recordings are here.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn lines(name: &str) -> Option<Vec<Value>> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../../shared/llm", name].iter().collect();
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skip: ../shared is not here");
        return None;
    };
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn recorded_answers_come_through_as_they_were() {
    let names = [
        "recorded-qwen2.5-coder-1.5b.jsonl",
        "recorded-qwen2.5-coder-0.5b.jsonl",
        "recorded-smollm2-135m.jsonl",
    ];
    for name in names {
        let Some(rows) = lines(name) else { return };
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
    let Some(rows) = lines("server-edge-cases-llamacpp.jsonl") else { return };
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
    assert!(seen >= 14, "{seen}");
}

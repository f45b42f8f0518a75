//! A wire format from outside of this crate: that of `integrations/own-stage`, in one file, asked live and in batches.

#[expect(unreachable_pub, reason = "it is public in its own crate")]
#[path = "../../../../integrations/own-stage/src/completion.rs"]
mod completion;

use std::{fs::File, io::Read, path::Path};

use serde_json::{Value, json};
use storymill_core::{Answer, Asker, Fault};
use storymill_disk::RealDisk;
use storymill_llm::{
    Described,
    batch::{self, Outstanding},
    wire::Wires,
};

use self::completion::Completion;
use crate::{
    server::{Act, Heard, Server, error, ok},
    world::{Setting, World, whole, world},
};

const LINES: &str = "wire = \"completion\"\nmax_tokens = 99";

fn speaking(folder: &Path, url: &str, lines: &'static str) -> World {
    let wires = Wires::default().with(&Completion);
    world(folder, url, Setting { lines, wires, ..Setting::default() })
}

fn good(text: &str) -> Value {
    json!({ "content": text, "stop": true, "stop_type": "eos", "tokens_evaluated": 7, "tokens_predicted": 2 })
}

/// The answer of an endpoint whose first response is this and whose others are good.
fn check(first: Act) -> Result<Answer, Fault> {
    let server = Server::start(move |number: usize, heard: &Heard| {
        let prompt = heard.body["prompt"].as_str().unwrap_or_default();
        let ours = heard.path == "/v1/completion" && heard.body["n_predict"] == 99;
        match (number, ours && prompt.ends_with("assistant:")) {
            (_, false) => error(400, &[], &heard.path),
            (0, _) => first.clone(),
            _ => ok(&good("good").to_string()),
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let world = speaking(folder.path(), &server.url, LINES);
    let wave = world.wave(1);
    world.asker.ask(&wave)?;
    Ok(world.asker.get(&wave[0].key)?.unwrap())
}

#[test]
fn it_is_spoken_live() {
    let answer = check(ok(&good("said").to_string())).unwrap();
    assert_eq!((answer.text.as_str(), answer.finish_reason.as_str()), ("said", "stop"));
    // What may pass is asked again, as in every format.
    assert_eq!(check(error(503, &[], "loading")).unwrap().text, "good");
    assert_eq!(check(ok("{\"choices\":[]}")).unwrap().text, "good");
    let pieces = "data: {\"content\":\"go\"}\n\ndata: {\"content\":\"od\",\"stop\":true,\"stop_type\":\"limit\"}\n\n";
    let answer = check(ok(pieces)).unwrap();
    assert_eq!((answer.text.as_str(), answer.finish_reason.as_str()), ("good", "length"));
    assert!(
        whole(&check(error(401, &[], r#"{"error":{"message":"who are you"}}"#)).unwrap_err())
            .contains("who are you")
    );
}

#[test]
fn the_key_of_an_answer_is_that_of_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let [own, plain] = [LINES, "max_tokens = 99"].map(|lines| {
        speaking(&folder.path().join(lines.len().to_string()), "http://127.0.0.1:9/v1", lines)
    });
    assert_eq!(own.wave(1)[0].key, plain.wave(1)[0].key);
}

#[test]
fn it_is_spoken_in_batches() {
    let folder = tempfile::tempdir().unwrap();
    let world = speaking(&folder.path().join("log"), "http://127.0.0.1:9/v1", LINES);
    let (wave, out) = (world.wave(2), folder.path().join("batch"));
    let wire = world.asker.wires().of("completion").unwrap();
    let written =
        batch::export(&world.asker, &wave, (wire, wire.limits()), &out, &RealDisk).unwrap();
    assert_eq!(written.format, "completion");
    let text = std::fs::read_to_string(out.join(&written.files[0].file)).unwrap();
    let results = [(200, good("one")), (503, json!({ "error": { "message": "loading" } }))];
    let result = |(line, (status, body)): (&str, &(u16, Value))| {
        let line: Value = serde_json::from_str(line).unwrap();
        assert!(line["body"]["prompt"].as_str().unwrap().ends_with("assistant:"));
        json!({ "custom_id": line["custom_id"], "status": status, "completion": body }).to_string()
    };
    let results: Vec<String> = text.lines().zip(&results).map(result).collect();
    let file = out.join("results.jsonl");
    std::fs::write(&file, results.join("\n")).unwrap();
    let mut outstanding = Outstanding::open(&folder.path().join("out.json"), &RealDisk).unwrap();
    let open =
        |path: &Path| -> Result<Box<dyn Read>, Fault> { Ok(Box::new(File::open(path).unwrap())) };
    let imported = batch::import(&world.asker, &wave, &[file], &mut outstanding, &open).unwrap();
    assert_eq!((imported.added, imported.come_again()), (1, 1), "{imported:?}");
}

#[track_caller]
fn refused(lines: &str, expected: &str) {
    let text = format!("[model.default]\nurl = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n{lines}");
    let fault = Described::parse(&text, &Wires::default().with(&Completion), None).unwrap_err();
    assert!(fault.message.contains(expected), "{}", fault.message);
}

#[test]
fn what_is_no_format_and_what_it_cannot_say_is_refused_by_name() {
    refused("wire = \"completoin\"", "did you mean `completion`?");
    refused("wire = \"completion\"\neffort = \"low\"", "is `completion`, and it knows no `effort`");
    let named = Wires::default().with(&Completion).with(&Completion);
    let names: Vec<_> = named.names().collect();
    assert_eq!(names, ["completion", "anthropic", "responses", "openai"]);
}

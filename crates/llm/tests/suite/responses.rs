//! Endpoints that answer OpenAI's responses: live and in batches, with how hard a model is to think.

use std::{fs::File, io::Read, path::Path};

use serde_json::{Value, json};
use storymill_core::{Answer, Asker, Chat, Fault, Schema};
use storymill_disk::RealDisk;
use storymill_llm::{
    Usage,
    batch::{self, Outstanding},
    wire::Wires,
};

use crate::{
    server::{Act, Heard, Server, error, ok},
    world::{Setting, of_chat, whole, world},
};

const LINES: &str = "wire = \"responses\"";

/// A response with some items, as it ended.
fn response(status: &str, why: Option<&str>, items: &Value) -> Value {
    json!({
        "id": "resp_1", "object": "response", "status": status, "error": null, "model": "tiny-2026", "output": items,
        "incomplete_details": why.map(|reason| json!({ "reason": reason })),
        "usage": {
            "input_tokens": 10, "input_tokens_details": { "cached_tokens": 4 }, "output_tokens": 5,
            "output_tokens_details": { "reasoning_tokens": 3 }, "total_tokens": 15,
        },
    })
}

fn items(text: &str) -> Value {
    let content = json!([{ "type": "output_text", "text": text, "annotations": [] }]);
    json!([
        { "type": "reasoning", "id": "rs_1", "summary": [] },
        { "type": "message", "role": "assistant", "status": "completed", "content": content },
    ])
}

fn good() -> Value {
    response("completed", None, &items("good"))
}

/// One request to an endpoint whose first response is this and whose others are good.
fn check(first: Act, lines: &'static str) -> (Result<Answer, Fault>, usize) {
    let script = move |number: usize, _: &Heard| {
        if number == 0 { first.clone() } else { ok(&good().to_string()) }
    };
    let server = Server::start(script);
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting { lines, ..Setting::default() });
    let wave = world.wave(1);
    let asked = world.asker.ask(&wave);
    (asked.map(|()| world.asker.get(&wave[0].key).unwrap().unwrap()), server.count())
}

#[test]
fn a_request_is_a_response_and_its_answer_that_of_a_chat() {
    let server = Server::start(|_, heard| {
        assert_eq!(heard.path, "/v1/responses");
        ok(&good().to_string())
    });
    let folder = tempfile::tempdir().unwrap();
    let lines = "wire = \"responses\"\neffort = \"high\"\nseed = 4\nextra = { max_completion_tokens = 9, reasoning = { summary = \"auto\" } }\nomit = [\"max_tokens\", \"temperature\"]";
    let setting = |lines| Setting { lines, ..Setting::default() };
    let spoken = world(folder.path(), &server.url, setting(lines));
    let schema = json!({ "type": "object", "properties": {} });
    let chat = Chat {
        system: Some("Be brief.".to_owned()),
        schema: Some(Schema { name: "told".to_owned(), schema: schema.clone() }),
        ..Chat::new("Tell.")
    };
    let wave = [spoken.asked("84", of_chat(chat), 0, 0)];
    spoken.asker.ask(&wave).unwrap();
    let expect = json!({
        "model": "tiny", "max_output_tokens": 9, "top_p": 1, "instructions": "Be brief.", "store": false,
        "input": [{ "role": "user", "content": "Tell." }], "reasoning": { "effort": "high", "summary": "auto" },
        "text": { "format": { "type": "json_schema", "name": "told", "strict": true, "schema": schema } },
    });
    assert_eq!(server.heard.lock().unwrap()[0].body, expect);
    let usage = Usage { prompt: 10, cached: 4, cache_write: 0, completion: 5, reasoning: 3 };
    assert_eq!(spoken.asker.ledger()[0].cost.usage, usage);
    // In chat completions it is the same request, and its answer is there.
    let chatted: &str = Box::leak(lines.replace("responses", "openai").into_boxed_str());
    let chatted = world(folder.path(), "http://127.0.0.1:9/v1", setting(chatted));
    assert_eq!(chatted.asker.get(&wave[0].key).unwrap().unwrap().text, "good");
    let again = chatted.asked("84", wave[0].request.clone(), 0, 0);
    assert_eq!(again.key, wave[0].key);
}

#[test]
fn what_it_ends_by_is_told_in_the_words_of_chats_and_no_answer_has_no_text() {
    let refusal =
        json!([{ "type": "message", "content": [{ "type": "refusal", "refusal": "No." }] }]);
    for (body, text, end) in [
        (good(), "good", "stop"),
        (response("incomplete", Some("max_output_tokens"), &items("go")), "go", "length"),
        (response("incomplete", Some("content_filter"), &json!([])), "", "content_filter"),
        (response("incomplete", Some("moved"), &items("go")), "", "incomplete"),
        (response("cancelled", None, &items("go")), "", "cancelled"),
        (response("completed", None, &refusal), "", "refusal"),
    ] {
        let (answer, count) = check(ok(&body.to_string()), LINES);
        let answer = answer.unwrap();
        assert_eq!((&*answer.text, &*answer.finish_reason, count), (text, end, 1), "{body}");
    }
    // The same of messages.
    let paused =
        json!({ "content": [{ "type": "text", "text": "Let me" }], "stop_reason": "pause_turn" });
    let answer = check(ok(&paused.to_string()), "wire = \"anthropic\"").0.unwrap();
    assert_eq!((&*answer.text, &*answer.finish_reason), ("", "pause_turn"));
}

#[test]
fn failures_are_told_apart() {
    let failed = |code: &str| {
        let mut body = response("failed", None, &json!([]));
        body["error"] = json!({ "code": code, "message": "m" });
        body
    };
    let piece = |body: Value| ok(&format!("event: x\ndata: {body}\n\n"));
    let soon = "wire = \"responses\"\nlongest_wait_seconds = 1";
    for (act, count) in [
        (ok(&failed("server_error").to_string()), 2),
        (ok(&failed("rate_limit_exceeded").to_string()), 2),
        (ok(&response("queued", None, &json!([])).to_string()), 2),
        (ok("{\"choices\":[]}"), 2),
        (piece(json!({ "type": "response.failed", "response": failed("server_error") })), 2),
        (piece(json!({ "type": "error", "code": "server_error", "message": "m" })), 2),
        (piece(json!({ "type": "response.output_text.delta", "delta": "go" })), 2),
        (piece(json!({ "type": "response.completed", "response": good() })), 1),
        // Refused fields go, as in other formats.
        (
            error(
                400,
                &[],
                r#"{"error":{"message":"Unsupported parameter","param":"temperature"}}"#,
            ),
            2,
        ),
    ] {
        let (answer, asked) = check(act.clone(), soon);
        assert_eq!((&*answer.unwrap().text, asked), ("good", count), "{act:?}");
    }
    let (answer, asked) = check(ok(&failed("invalid_prompt").to_string()), LINES);
    assert_eq!((&*answer.unwrap().finish_reason, asked), ("content_filter", 1));
    let stop = error(400, &[], r#"{"error":{"message":"Invalid","param":"input[0].content"}}"#);
    assert!(whole(&check(stop, LINES).0.unwrap_err()).contains("Invalid"));
}

#[test]
fn a_batch_asks_the_same_and_its_results_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "wire = \"responses\"\nstream = true\neffort = \"low\"";
    let setting = Setting { lines, ..Setting::default() };
    let world = world(&folder.path().join("log"), "http://127.0.0.1:9/v1", setting);
    let (wave, out) = (world.wave(3), folder.path().join("batch"));
    let wire = Wires::default().of("responses").unwrap();
    let written =
        batch::export(&world.asker, &wave, (wire, wire.limits()), &out, &RealDisk).unwrap();
    let text = std::fs::read_to_string(out.join(&written.files[0].file)).unwrap();
    let bodies = [
        response("completed", None, &items("one")),
        response("incomplete", Some("max_output_tokens"), &items("tw")),
        json!({ "error": { "message": "slow", "type": "rate_limit", "code": "rate_limit_exceeded" } }),
    ];
    let result = |(line, body): (&str, &Value)| {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            (&line["url"], &line["body"]["reasoning"]["effort"]),
            (&json!("/v1/responses"), &json!("low"))
        );
        assert!(line["body"].get("stream").is_none());
        let status =
            if body.get("error").is_some_and(|error| !error.is_null()) { 429 } else { 200 };
        let response = json!({ "status_code": status, "body": body });
        json!({ "id": "b", "custom_id": line["custom_id"], "response": response, "error": null })
            .to_string()
            + "\n"
    };
    let results: String = text.lines().zip(&bodies).map(result).collect();
    let file = out.join("results.jsonl");
    std::fs::write(&file, results).unwrap();
    let mut outstanding = Outstanding::open(&folder.path().join("out.json"), &RealDisk).unwrap();
    let open =
        |path: &Path| -> Result<Box<dyn Read>, Fault> { Ok(Box::new(File::open(path).unwrap())) };
    let imported = batch::import(&world.asker, &wave, &[file], &mut outstanding, &open).unwrap();
    assert_eq!((imported.added, imported.come_again()), (2, 1), "{imported:?}");
    let answers = wave.iter().filter_map(|asked| world.asker.get(&asked.key).unwrap());
    let mut ends: Vec<_> = answers.map(|answer| (answer.text, answer.finish_reason)).collect();
    ends.sort();
    assert_eq!(
        ends,
        [("one".to_owned(), "stop".to_owned()), ("tw".to_owned(), "length".to_owned())]
    );
}

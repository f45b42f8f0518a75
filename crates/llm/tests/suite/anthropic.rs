//! Endpoints that speak Anthropic's messages: asked live, and as carefully as any other.

use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};
use storymill_core::{Answer, Asker, Chat, Fault, FaultKind, Schema};
use storymill_disk::RealDisk;
use storymill_llm::{
    Described, ModelConfig, Usage,
    doctor::{Verdict, doctor},
    wire::Wires,
};

use crate::{
    server::{Act, Heard, Server, error, ok},
    world::{Setting, of_chat, whole, world},
};

const KEY: &str = "sk-ant-planted-0123456789";

/// A message as the endpoint sends it.
fn message(text: &str, stop_reason: &str) -> Act {
    ok(&json!({
        "type": "message", "role": "assistant", "model": "tiny-2026", "stop_reason": stop_reason,
        "content": [{ "type": "thinking", "thinking": "Hm." }, { "type": "text", "text": text }],
        "usage": { "input_tokens": 7, "cache_read_input_tokens": 3, "output_tokens": 5 },
    })
    .to_string())
}

fn refusal(status: u16, kind: &str, message: &str) -> Act {
    let error = json!({ "type": kind, "message": message });
    self::error(status, &[], &json!({ "type": "error", "error": error }).to_string())
}

/// Server-sent events, with their names as the endpoint sends them.
fn events(events: &[Value]) -> Act {
    let event = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"]);
    ok(&events.iter().map(event).collect::<String>())
}

fn pieces() -> Vec<Value> {
    let delta = |text: &str| {
        let delta = json!({ "type": "text_delta", "text": text });
        json!({ "type": "content_block_delta", "index": 0, "delta": delta })
    };
    vec![
        json!({ "type": "message_start", "message": { "content": [], "usage": { "input_tokens": 10, "output_tokens": 1 } } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
        json!({ "type": "ping" }),
        delta("go"),
        delta("od"),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "input_tokens": null, "output_tokens": 5 } }),
        json!({ "type": "message_stop" }),
    ]
}

/// One request to an endpoint whose first responses are these and whose last is a good one: what came
/// of it, and how often it was asked.
fn check(first: Vec<Act>, lines: &'static str) -> (Result<Answer, Fault>, usize) {
    let good = move |number: usize, _: &Heard| {
        first.get(number).cloned().unwrap_or_else(|| message("good", "end_turn"))
    };
    let server = Server::start(good);
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting { lines, ..Setting::default() });
    let wave = world.wave(1);
    let asked = world.asker.ask(&wave);
    (asked.map(|()| world.asker.get(&wave[0].key).unwrap().unwrap()), server.count())
}

const PLAIN: &str = "wire = \"anthropic\"";
const SOON: &str = "wire = \"anthropic\"\nlongest_wait_seconds = 1";

#[test]
fn a_request_is_a_message_and_the_key_to_the_endpoint_stays_secret() {
    let server = Server::start(|number, heard| {
        assert_eq!(heard.path, "/v1/messages?beta=true");
        assert_eq!(heard.headers["x-api-key"], KEY);
        assert_eq!(heard.headers["anthropic-version"], "2023-06-01");
        assert!(!heard.headers.contains_key("authorization"));
        match number {
            0 => refusal(429, "rate_limit_error", KEY),
            _ => message(&format!("You said {KEY}"), "max_tokens"),
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let setting = Setting {
        lines: "wire = \"anthropic\"\napi_key_env = \"PLANTED\"\nseed = 4\nextra = { top_k = 5 }",
        key: Some(KEY),
        prices: "[tiny]\ninput = 1.0\noutput = 2.0",
        ..Setting::default()
    };
    let world = world(folder.path(), &format!("{}?beta=true", server.url), setting);
    let system = Some("Be brief.".to_owned());
    let wave = [world.asked("84", of_chat(Chat { system, ..Chat::new("Tell.") }), 0, 0)];
    world.asker.ask(&wave).unwrap();
    let body = server.heard.lock().unwrap()[1].body.clone();
    let expect = json!({
        "model": "tiny", "max_tokens": 1024, "temperature": 0, "top_k": 5, "system": "Be brief.",
        "messages": [{ "role": "user", "content": "Tell." }],
    });
    assert_eq!(body, expect);
    let answer = world.asker.get(&wave[0].key).unwrap().unwrap();
    assert_eq!((&*answer.text, &*answer.finish_reason), ("You said [key]", "length"));
    let ledger = world.asker.ledger();
    let usage = Usage { prompt: 10, cached: 3, cache_write: 0, completion: 5, reasoning: 0 };
    assert_eq!(ledger.iter().map(|row| row.cost.usage).collect::<Vec<_>>(), [usage]);
    assert!(!serde_json::to_string(&world.events()).unwrap().contains(KEY));
    storymill_llm::answers::notes(folder.path(), &RealDisk, None, |_, note| {
        assert!(!format!("{note:?}").contains(KEY), "{note:?}");
    })
    .unwrap();
}

#[test]
fn an_answer_is_found_again_whichever_wire_format_was_sent() {
    let server = Server::start(|_, _| message("good", "end_turn"));
    let folder = tempfile::tempdir().unwrap();
    let setting = |lines| Setting { lines, ..Setting::default() };
    assert_eq!(world(folder.path(), &server.url, setting(PLAIN)).ask_one().unwrap(), "good");
    assert_eq!(world(folder.path(), &server.url, setting("")).ask_one().unwrap(), "good");
    assert_eq!(server.count(), 1);
}

#[test]
fn failures_that_pass_are_tried_again() {
    let overloaded = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let mut broken = pieces();
    broken[4] = overloaded.clone();
    let cases = [
        ("429", refusal(429, "rate_limit_error", "slow down")),
        ("529", refusal(529, "overloaded_error", "Overloaded")),
        ("500", refusal(500, "api_error", "Internal server error")),
        ("an error inside", ok(&overloaded.to_string())),
        ("an error among the pieces", events(&broken)),
        ("cut pieces", events(&pieces()[..5])),
        ("a cut piece", ok("event: message_start\ndata: {\"type\":\"mess")),
        ("cut off", ok("{\"type\":\"message\",\"content\":[{\"te")),
        ("another format", ok("{\"choices\":[{\"message\":{\"content\":\"a\"}}]}")),
        ("html", ok("<html><body>502</body></html>")),
        ("dropped", Act::Drop),
        ("truncated", Act::Truncate),
    ];
    for (name, act) in cases {
        let (result, count) = check(vec![act], SOON);
        assert_eq!((&*result.unwrap().text, count), ("good", 2), "{name}");
    }
}

#[test]
fn an_overloaded_endpoint_is_asked_less() {
    let (result, count) = check(vec![refusal(529, "overloaded_error", "Overloaded"); 7], SOON);
    assert!(whole(&result.unwrap_err()).contains("overloaded_error"));
    assert_eq!(count, 5, "one try and four more, as after 429");
}

#[test]
fn failures_that_last_stop_at_once_and_say_why() {
    let inside =
        json!({ "type": "error", "error": { "type": "permission_error", "message": "no" } });
    let cases = [
        (refusal(401, "authentication_error", "invalid x-api-key"), "api_key_env"),
        (refusal(403, "permission_error", "not yours"), "api_key_env"),
        (refusal(404, "not_found_error", "model: tiny"), "`model`"),
        (refusal(400, "invalid_request_error", "top_k is odd"), "top_k is odd"),
        (refusal(400, "invalid_request_error", "prompt is too long: 9 tokens > 8"), "too_long"),
        (refusal(400, "invalid_request_error", "Your credit balance is too low"), "quota"),
        (ok(&inside.to_string()), "api_key_env"),
    ];
    for (act, said) in cases {
        let (result, count) = check(vec![act], PLAIN);
        let fault = result.unwrap_err();
        assert_eq!((fault.kind, count), (FaultKind::Model, 1), "{said}");
        assert!(whole(&fault).contains(said), "{said} in {}", whole(&fault));
    }
}

#[test]
fn a_refusal_and_a_long_request_are_answers_that_say_nothing() {
    let end = |act| check(vec![act], "wire = \"anthropic\"\ntoo_long = \"reject\"").0.unwrap();
    assert_eq!(end(message("", "refusal")).finish_reason, "content_filter");
    let bad = |said: &str| end(refusal(400, "invalid_request_error", said)).finish_reason;
    assert_eq!(bad("Output blocked by content filtering policy"), "content_filter");
    let long = "input length and `max_tokens` exceed context limit: 9 + 9 > 10";
    assert_eq!(bad(long), "context_overflow");
    let long = refusal(400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum");
    assert_eq!(end(long).finish_reason, "context_overflow");
}

#[test]
fn an_answer_in_pieces_is_one_answer() {
    let lines = "wire = \"anthropic\"\nstream = true";
    let (result, count) = check(vec![events(&pieces())], lines);
    let answer = result.unwrap();
    assert_eq!((&*answer.text, &*answer.finish_reason, count), ("good", "stop", 1));
}

#[test]
fn a_refused_schema_is_left_out_unless_the_workflow_insists() {
    let properties = json!({ "summary": { "type": "string", "maxLength": 9 } });
    let schema = Schema {
        name: "told".into(),
        schema: json!({ "type": "object", "properties": properties }),
    };
    let asked = of_chat(Chat { schema: Some(schema), ..Chat::new("x") });
    for (lines, counts) in [
        ("wire = \"anthropic\"", Some(2)),
        ("wire = \"anthropic\"\nresponse_format = \"none\"", Some(1)),
        ("wire = \"anthropic\"\nresponse_format = \"schema\"", None),
    ] {
        let server = Server::start(|_, heard| match heard.body.get("output_config") {
            Some(output) => {
                let text = json!({ "summary": { "type": "string" } });
                assert_eq!(output["format"]["type"], "json_schema");
                assert_eq!(output["format"]["schema"]["properties"], text);
                refusal(400, "invalid_request_error", "output_config: not for this model")
            }
            None => message("good", "end_turn"),
        });
        let folder = tempfile::tempdir().unwrap();
        let world = world(folder.path(), &server.url, Setting { lines, ..Setting::default() });
        let result = world.asker.ask(&[world.asked("84", asked.clone(), 0, 0)]);
        match counts {
            Some(counts) => assert_eq!((result.is_ok(), server.count()), (true, counts), "{lines}"),
            None => assert!(whole(&result.unwrap_err()).contains("output_config")),
        }
    }
}

#[test]
fn what_messages_cannot_say_is_refused_with_the_description() {
    for (line, said) in
        [("temperature = 1.5", "`temperature` is"), ("omit = [\"max_tokens\"]", "`max_tokens`")]
    {
        let text = format!(
            "[model.default]\nurl = \"http://h\"\nmodel = \"m\"\nwire = \"anthropic\"\n{line}"
        );
        let fault = Described::parse(&text, &Wires::default(), None).unwrap_err();
        assert!(fault.to_string().contains(said), "{fault}");
    }
}

#[test]
fn the_doctor_examines_it() {
    let server = Server::start(|_, heard| {
        if heard.body["messages"][0]["content"].as_str().unwrap().len() > 10_000 {
            return refusal(400, "invalid_request_error", "prompt is too long: 5000 tokens");
        }
        if heard.body.get("output_config").is_some() {
            return message("{\"zoological_name\":\"Felis\"}", "end_turn");
        }
        let end = if heard.body["max_tokens"] == 1 { "max_tokens" } else { "end_turn" };
        message("cat", end)
    });
    let text = format!("url = \"{}\"\nmodel = \"tiny\"\n{PLAIN}", server.url);
    let config = ModelConfig::parse(&text).unwrap();
    let never = AtomicBool::new(false);
    let diagnosis = doctor(&config, &Wires::default(), &|_| None, Some(5000), &never).unwrap();
    assert!(diagnosis.checks.iter().all(|check| check.verdict == Verdict::Good), "{diagnosis:?}");
    assert!(diagnosis.endpoint.ends_with("/v1/messages"));
}

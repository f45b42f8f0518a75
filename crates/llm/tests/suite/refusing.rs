//! Endpoints that refuse a field: four families of them, with the words that they have for it. A run goes on without
//! what no answer needs, and stops where it would ask for something else.

use serde_json::{Map, Value, json};
use storymill_core::{Asker, Changes, Chat, Schema};
use storymill_llm::AskEvent;

use crate::{
    server::{Act, Heard, Server, answer, error, ok},
    world::{Setting, of_chat, whole, world},
};

type Body = Map<String, Value>;
/// A family, lines of the model, the text, and the fields that are sent otherwise or a part of why it ends.
type Case = (Family, &'static str, &'static str, Result<&'static [&'static str], &'static str>);
/// The first thing that a server does not like about a request: a status and a body.
type Family = fn(&Body) -> Option<(u16, Value)>;

#[expect(clippy::unnecessary_wraps, reason = "as families say it")]
fn openai(message: &str, param: Option<&str>, code: &str) -> Option<(u16, Value)> {
    let error = json!({ "message": message, "type": "invalid_request_error", "param": param, "code": code });
    Some((400, json!({ "error": error })))
}

/// OpenAI's older chat models: they know no field that came later.
fn older(body: &Body) -> Option<(u16, Value)> {
    let known = [
        "model",
        "messages",
        "temperature",
        "top_p",
        "max_tokens",
        "seed",
        "stream",
        "stream_options",
        "logprobs",
        "top_logprobs",
        "stop",
    ];
    if let Some(field) = body.keys().find(|field| !known.contains(&&***field)) {
        if field == "response_format" {
            let message = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.";
            return openai(message, None, "");
        }
        return openai(&format!("Unrecognized request argument supplied: {field}"), None, "");
    }
    if body["model"] == "gone" {
        return openai(
            "The model `gone` does not exist or you do not have access to it.",
            None,
            "model_not_found",
        );
    }
    if body["max_tokens"].as_u64() > Some(4096) {
        let message = "max_tokens is too large: 9000. This model supports at most 4096 completion tokens, whereas you provided 9000.";
        return openai(message, Some("max_tokens"), "invalid_value");
    }
    None
}

/// Its newer ones, which think: no limit by the old name, no sampling.
fn newer(body: &Body) -> Option<(u16, Value)> {
    let unsupported = |field: &str, more: &str| {
        let message =
            format!("Unsupported parameter: '{field}' is not supported with this model.{more}");
        openai(&message, Some(field), "unsupported_parameter")
    };
    if body.contains_key("max_tokens") {
        return unsupported("max_tokens", " Use 'max_completion_tokens' instead.");
    }
    if body.get("temperature").is_some_and(|value| *value != 1) {
        let message = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.";
        return openai(message, Some("temperature"), "unsupported_value");
    }
    if body.contains_key("logprobs") {
        let message = "You are not allowed to request logprobs from this model.";
        return openai(message, None, "").map(|(_, body)| (403, body));
    }
    if body.get("reasoning_effort").is_some_and(|value| value == "minimal") {
        let message = "Unsupported value: 'minimal' is not supported with this model. Supported values are: 'low', 'medium', and 'high'.";
        return openai(message, Some("reasoning_effort"), "unsupported_value");
    }
    if body["messages"][0]["content"] == "" {
        return openai(
            "Invalid 'messages[0].content': 'seed' or text wanted.",
            Some("messages[0].content"),
            "invalid_value",
        );
    }
    ["top_p", "stop"]
        .into_iter()
        .find(|field| body.contains_key(*field))
        .and_then(|field| unsupported(field, ""))
}

/// Anthropic's current models.
fn anthropic(body: &Body) -> Option<(u16, Value)> {
    let refuse = |message: &str| {
        let error = json!({ "type": "invalid_request_error", "message": message });
        Some((400, json!({ "type": "error", "error": error, "request_id": "req_011" })))
    };
    if body.contains_key("temperature") && body.contains_key("top_p") {
        return refuse(
            "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
        );
    }
    if body.get("temperature").is_some_and(|value| *value != 1) {
        return refuse("`temperature` may only be set to 1 for this model.");
    }
    if body.contains_key("top_k") {
        return refuse("top_k: Extra inputs are not permitted");
    }
    if body["max_tokens"].as_u64() > Some(64_000) {
        return refuse(
            "max_tokens: 90000 > 64000, which is the maximum allowed number of output tokens for tiny",
        );
    }
    if body["messages"][0]["content"] == "" {
        return refuse("messages: text content blocks must be non-empty");
    }
    body.get("output_config").and_then(|output| {
        let field = ["format", "effort"].into_iter().find(|field| output.get(field).is_some())?;
        refuse(&format!("output_config.{field}: Extra inputs are not permitted"))
    })
}

/// Servers of one's own, as vLLM and llama.cpp are: checked field by field, and grammars that do not compile.
fn own(body: &Body) -> Option<(u16, Value)> {
    let forbidden = |field: &str| json!([{ "type": "extra_forbidden", "loc": ["body", field], "msg": "Extra inputs are not permitted", "input": 0 }]);
    if body.contains_key("seed") {
        return Some((422, json!({ "detail": forbidden("seed") })));
    }
    if body.contains_key("cache_prompt") {
        let message = format!(
            "[{{'type': 'extra_forbidden', 'loc': ('body', 'cache_prompt'), 'msg': 'Extra inputs are not permitted', 'input': {}}}]",
            body["cache_prompt"]
        );
        return Some((
            400,
            json!({ "object": "error", "message": message, "type": "BadRequestError", "param": null, "code": 400 }),
        ));
    }
    if body.contains_key("response_format") {
        let message = "JSON schema conversion failed: unsupported keyword";
        return Some((
            400,
            json!({ "error": { "code": 400, "message": message, "type": "invalid_request_error" } }),
        ));
    }
    let message = "API key not valid. Please pass a valid API key: temperature";
    (body["model"] != "tiny")
        .then(|| (400, json!([{ "error": { "code": 400, "message": message } }])))
}

/// A message, or a chat completion, whichever was wanted.
fn good(heard: &Heard) -> Act {
    if heard.path.ends_with("/messages") {
        let text = json!([{ "type": "text", "text": "good" }]);
        return ok(
            &json!({ "type": "message", "stop_reason": "end_turn", "content": text }).to_string()
        );
    }
    answer("good")
}

/// What comes of two questions with a schema: the fields that are sent otherwise, or a part of why it ends.
fn asked(family: Family, lines: &'static str, text: &str) -> Result<Vec<String>, String> {
    let server = Server::start(move |_, heard| match family(heard.body.as_object().unwrap()) {
        Some((status, body)) => error(status, &[], &body.to_string()),
        None => good(heard),
    });
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting { lines, ..Setting::default() });
    let schema = Schema { name: "told".to_owned(), schema: json!({ "type": "object" }) };
    let chat = Chat { schema: Some(schema), ..Chat::new(text) };
    let wave = [0, 1].map(|sample| world.asked("84", of_chat(chat.clone()), sample, 0));
    world.asker.ask(&wave).map_err(|fault| whole(&fault))?;
    let line = |(field, name): (&String, &Option<String>)| match name {
        None => field.clone(),
        Some(name) => format!("{field} as {name}"),
    };
    // The same is said once, and stands beside every answer.
    let said = |event| match event {
        AskEvent::Changed { field, name, .. } => Some((field, name)),
        _ => None,
    };
    let said: Vec<_> = world.events().into_iter().filter_map(said).collect();
    let changes: Changes = said.iter().cloned().collect();
    assert_eq!(changes.len(), said.len(), "{said:?}");
    for asked in &wave {
        assert_eq!(world.asker.get(&asked.key).unwrap().unwrap().text, "good");
        assert_eq!(world.asker.changes(&asked.key), changes);
    }
    // A third question is asked right away.
    let count = server.count();
    world.asker.ask(&[world.asked("84", of_chat(chat), 2, 0)]).unwrap();
    assert_eq!(server.count(), count + 1);
    Ok(changes.iter().map(line).collect())
}

#[test]
fn a_run_goes_on_without_what_is_refused_and_stops_where_it_cannot() {
    const NAMED: &str = "max_tokens as max_completion_tokens";
    const TEMPERATE: &str = "wire = \"anthropic\"\ntemperature = 1";
    let cases: [Case; 20] = [
        (older, "", "x", Ok(&["response_format"])),
        (older, "response_format = \"none\"", "x", Ok(&[])),
        (older, "effort = \"low\"", "x", Ok(&["reasoning_effort", "response_format"])),
        (
            older,
            "omit = [\"max_tokens\"]\nextra = { max_completion_tokens = 9 }",
            "x",
            Ok(&["max_completion_tokens as max_tokens", "response_format"]),
        ),
        (older, "response_format = \"schema\"", "x", Err("response_format")),
        (older, "max_tokens = 9000", "x", Err("too large: 9000")),
        (older, "response_format = \"none\"\nextra = { stop = \"model\" }", "x", Ok(&[])),
        (newer, "", "x", Ok(&[NAMED, "temperature", "top_p"])),
        (newer, "temperature = 1", "x", Ok(&[NAMED, "top_p"])),
        (
            newer,
            "extra = { logprobs = true, stop = \"END\" }",
            "x",
            Ok(&["logprobs", NAMED, "stop", "temperature", "top_p"]),
        ),
        (
            newer,
            "extra = { reasoning_effort = \"minimal\" }",
            "x",
            Ok(&[NAMED, "reasoning_effort", "temperature", "top_p"]),
        ),
        (newer, "", "", Err("messages[0].content")),
        (anthropic, "wire = \"anthropic\"", "x", Ok(&["output_config.format", "temperature"])),
        (anthropic, TEMPERATE, "x", Ok(&["output_config.format"])),
        (
            anthropic,
            "wire = \"anthropic\"\ntop_p = 0.5\nresponse_format = \"none\"",
            "x",
            Ok(&["temperature", "top_p"]),
        ),
        (
            anthropic,
            "wire = \"anthropic\"\ntemperature = 1\neffort = \"low\"\nextra = { top_k = 5 }",
            "x",
            Ok(&["output_config.effort", "output_config.format", "top_k"]),
        ),
        (anthropic, "wire = \"anthropic\"\nmax_tokens = 90000", "x", Err("90000 > 64000")),
        (anthropic, "wire = \"anthropic\"", "", Err("must be non-empty")),
        (
            own,
            "extra = { cache_prompt = false }",
            "x",
            Ok(&["cache_prompt", "response_format", "seed"]),
        ),
        (own, "response_format = \"schema\"", "x", Err("conversion failed")),
    ];
    for (at, (family, lines, text, expect)) in cases.into_iter().enumerate() {
        let found = asked(family, lines, text);
        match (&found, expect) {
            (Ok(found), Ok(expect)) => assert_eq!(found, expect, "case {at}: {lines}"),
            (Err(found), Err(part)) => assert!(found.contains(part), "case {at}: {found}"),
            _ => panic!("case {at}: {lines}: {found:?}"),
        }
    }
}

#[test]
fn a_wrong_model_and_a_wrong_key_end_the_run_with_what_to_look_at() {
    for (family, hint) in [(older as Family, "`model`"), (own, "api_key_env")] {
        let server = Server::start(move |_, heard| {
            let mut body = heard.body.as_object().unwrap().clone();
            body.remove("seed").unwrap();
            body.insert("model".to_owned(), "gone".into());
            let (status, body) = family(&body).unwrap();
            error(status, &[], &body.to_string())
        });
        let folder = tempfile::tempdir().unwrap();
        let world = world(folder.path(), &server.url, Setting::default());
        assert!(whole(&world.ask_one().unwrap_err()).contains(hint), "{hint}");
        assert_eq!(server.count(), 1);
    }
}

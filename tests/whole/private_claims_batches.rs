//! Requests about claims in batches of Anthropic's form, and their results read back: of a private set and of a public one.

use std::fs;

use serde_json::{Value, json};

use crate::{
    claims,
    leaks::{MARKS, Private, files, marked},
    private_claims::{at, cat, requests, set},
};

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// What Anthropic gives back for a request.
fn result(request: &Value, result: &Value) -> Value {
    json!({ "custom_id": request["custom_id"], "result": result })
}

fn succeeded(request: &Value) -> Value {
    let said = format!("<explanation>{}</explanation><answer>TRUE</answer>", MARKS[0]);
    let message = json!({ "id": "msg", "role": "assistant", "stop_reason": "end_turn",
        "content": [{ "type": "text", "text": said }], "usage": { "input_tokens": 9, "output_tokens": 2 } });
    result(request, &json!({ "type": "succeeded", "message": message }))
}

fn errored(request: &Value, kind: &str) -> Value {
    let error = json!({ "type": kind, "message": format!("it holds {}", MARKS[1]) });
    let error = json!({ "type": "error", "error": error });
    result(request, &json!({ "type": "errored", "error": error }))
}

/// Hands requests out in clear; what was written.
fn clear(private: &Private, id: &str, name: &str, more: &[&str]) -> crate::leaks::Said {
    let out = private.books.path().join(name);
    let args = ["claims", "requests", "family", "--made", id, "--clear", out.to_str().unwrap()];
    private.run(&cat(&[&args[..], more].concat()))
}

#[test]
fn private_requests_go_into_anthropics_batches_and_come_back() {
    let private = set();
    let run = |args: &[&str]| private.run(&cat(args));
    let id = requests(&private);
    let beside = |name: &str| private.books.path().join(name);
    run(&["claims", "requests", "family", "--made", &id, "--format", "anthropic"])
        .exits(2)
        .says("--clear");
    let anthropic = ["--format", "anthropic"];
    clear(&private, &id, "one.jsonl", &anthropic).exits(0).says("this is recorded");
    let sent = rows(&fs::read_to_string(beside("one.jsonl")).unwrap());
    assert_eq!(sent.len(), 20);
    for line in &sent {
        let id = line["custom_id"].as_str().unwrap();
        assert!(id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        let fields: Vec<&String> = line.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["custom_id", "params"]);
        let params = line["params"].as_object().unwrap();
        let mut fields: Vec<&str> = params.keys().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(fields, ["max_tokens", "messages", "model", "temperature"]);
        assert_eq!((&params["model"], &params["max_tokens"]), (&json!("teller"), &json!(800)));
        let said = &params["messages"][0];
        assert_eq!(said["role"], "user");
        assert!(said["content"].as_str().unwrap().contains(MARKS[0]));
    }
    // In OpenAI's form it is what the shelf holds, and the same requests.
    clear(&private, &id, "two.jsonl", &["--format", "openai"]).exits(0);
    let openai = rows(&fs::read_to_string(beside("two.jsonl")).unwrap());
    clear(&private, &id, "plain.jsonl", &[]).exits(0);
    assert_eq!(openai, rows(&fs::read_to_string(beside("plain.jsonl")).unwrap()));
    for (one, other) in sent.iter().zip(&openai) {
        assert_eq!(one["custom_id"], other["custom_id"]);
        assert_eq!(one["params"]["messages"], other["body"]["messages"]);
    }
    // No file is larger than the provider takes, and none is left of what cannot be written.
    let size = fs::metadata(beside("one.jsonl")).unwrap().len();
    let most = (size / 3).to_string();
    let split = [&anthropic[..], &["--max-bytes", &most]].concat();
    clear(&private, &id, "many.jsonl", &split).exits(0).says("many-2.jsonl").says("many-3.jsonl");
    let mut whole = Vec::new();
    for entry in fs::read_dir(private.books.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.starts_with("many") {
            let bytes = fs::read(&path).unwrap();
            assert!(bytes.len() as u64 <= size / 3, "{name}");
            whole.push((name, String::from_utf8(bytes).unwrap()));
        }
        #[cfg(unix)]
        if path.extension().is_some_and(|end| end == "jsonl") {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
    let mut ids: Vec<Value> = whole
        .iter()
        .flat_map(|(_, text)| rows(text))
        .map(|line| line["custom_id"].clone())
        .collect();
    ids.sort_by_key(ToString::to_string);
    let mut all: Vec<Value> = sent.iter().map(|line| line["custom_id"].clone()).collect();
    all.sort_by_key(ToString::to_string);
    assert_eq!(ids, all);
    let tight = [&anthropic[..], &["--max-bytes", "900"]].concat();
    clear(&private, &id, "tight.jsonl", &tight).exits(4).says("a request has ");
    assert!(!beside("tight.jsonl").exists());

    // What became of them: answers, and every way of having none.
    let overloaded = errored(&sent[14], "overloaded_error");
    let mut results: Vec<Value> = sent[..12].iter().map(succeeded).collect();
    results.push(result(&sent[12], &json!({ "type": "expired" })));
    results.push(result(&sent[13], &json!({ "type": "canceled" })));
    results.extend([overloaded, errored(&sent[15], "invalid_request_error")]);
    results.push(results[0].clone());
    results.push(result(&sent[1], &json!({ "type": "expired" })));
    results.reverse();
    let first = at(&private, "results.jsonl", text(&results));
    let score = |file: &str| run(&["claims", "score", "family", file, "--system", "lab"]);
    let said = score(&first)
        .exits(0)
        .says("12 answers, 1 canceled, 1 expired, 1 failed, 1 refused, 1 given twice")
        .says("8 requests without an answer count as not asked (n01/")
        .says("it expired before its turn came; the claim counts as not asked")
        .says("it is refused for good (400)")
        .says("it failed, and may be sent again (529)")
        .says("| lab |");
    assert!(said.text.contains("row 3, pair n01/"), "{}", said.text);
    // Lines that are no results are named, and nothing of their file is taken.
    let before = files(&private.project.path("shelf"));
    let mut lines: Vec<String> =
        sent[12..].iter().map(|line| succeeded(line).to_string()).collect();
    let good = lines.join("\n");
    lines.insert(2, format!("{} and so on", MARKS[2]));
    lines.insert(4, json!({ "result": { "type": "succeeded", "said": MARKS[2] } }).to_string());
    lines.push(result(&json!({ "custom_id": "ab12" }), &json!({ "type": "expired" })).to_string());
    lines.push(result(&sent[12], &json!({ "type": MARKS[2] })).to_string());
    lines.push(sent[12].to_string());
    let bad = at(&private, "bad.jsonl", lines.join("\n"));
    score(&bad)
        .exits(4)
        .says("row 3: is not a result of a batch: it is not JSON")
        .says("row 5: is not a result of a batch: it has no `custom_id`")
        .says("row 11: `custom_id` is not a request of this key's bundle")
        .says("row 12: is not a result of a batch: its result is none that is known")
        .says("row 13: is not a result of a batch: it is a request, not a result")
        .says("5 mistakes");
    assert_eq!(files(&private.project.path("shelf")), before);
    let strange = text(&[result(&json!({ "custom_id": "ab12" }), &json!({ "type": "expired" }))]);
    score(&at(&private, "bad.jsonl", strange)).exits(4).says("requests that this set has not made");
    // The rest comes later, in a file of its own: what is there stays.
    let rest = at(&private, "rest.jsonl", good);
    let said = score(&rest).exits(0);
    assert!(!said.text.contains("not asked (n01"), "{}", said.text);
    let whole: Vec<Value> = sent.iter().map(succeeded).collect();
    let whole = at(&private, "whole.jsonl", text(&whole));
    let all = run(&["claims", "score", "family", &whole, "--system", "other"]).exits(0).text;
    let row = |name: &str| {
        let line = all.lines().find(|line| line.starts_with(&format!("| {name} "))).unwrap();
        line.replace(name, "")
    };
    assert_eq!(row("lab"), row("other"));
    private.keeps_quiet();
    assert!(marked(fs::read_to_string(&first).unwrap().as_bytes()).is_some());
}

#[test]
fn public_requests_go_into_anthropics_batches_and_come_back() {
    let project = claims::set();
    let make = |format: &str, out: &str, key: &str| {
        let args = ["claims", "requests", "set", "--model", "m", "--format", format];
        project.run(&[&args[..], &["--out", out, "--bundle-key", key]].concat())
    };
    make("anthropic", "batch", "key")
        .exits(0)
        .says("for anthropic's batches: batch/requests.jsonl");
    let about: Value = serde_json::from_str(&project.read("batch/bundle.json")).unwrap();
    let written = project.read("batch/requests.jsonl");
    assert_eq!(about["batch"], "anthropic");
    assert_eq!(about["digest"], blake3::hash(written.as_bytes()).to_string());
    project
        .write("models.toml", "[model.default]\nurl = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n");
    project
        .run(&["claims", "ask", "--bundle", "batch", "--models", "models.toml", "--out", "x.jsonl"])
        .exits(4)
        .says("written for anthropic's batches");
    let sent = rows(&written);
    let mut results: Vec<Value> = sent[..18].iter().map(succeeded).collect();
    results.push(errored(&sent[18], "invalid_request_error"));
    project.write("out.jsonl", text(&results));
    let score = ["claims", "score", "set", "out.jsonl", "--bundle-key", "key", "--system", "lab"];
    project
        .run(&score)
        .exits(0)
        // Of a public set the provider's words may be seen.
        .says("it holds quillifrax")
        .says("18 answers, 1 refused, 2 requests without an answer count as not asked")
        .says("| lab |");
    // What a second file answers is not missed in the first.
    let rest: Vec<Value> = sent[18..].iter().map(succeeded).collect();
    project.write("rest.jsonl", text(&rest));
    let both = [
        "claims",
        "score",
        "set",
        "out.jsonl",
        "rest.jsonl",
        "--bundle-key",
        "key",
        "--system",
        "lab",
    ];
    let said = project.run(&both).exits(0);
    assert!(!said.err().contains("without an answer"), "{}", said.err());
    project.write("rest.jsonl", text(&rest[..1]));
    project.run(&both).exits(0).says("rest.jsonl: 1 answer, 1 request without an answer");
    project.write("out.jsonl", text(&results) + "{\"custom_id\": 7}\n");
    project.run(&score).exits(4).says("row 20: is not a result of a batch: it has no `custom_id`");
}

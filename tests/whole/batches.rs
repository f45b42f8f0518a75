//! Requests that go out in batches and come back in any order, in part, broken: the same dataset as
//! from a live model, and nothing is asked or kept twice.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    models::{Server, build, project, told},
    project::Project,
};

/// Two books whose retellings are joined level by level: what is asked next hangs on answers.
fn ladder(server: &Server) -> Project {
    let project = project(server, 2);
    let text = project.read("my.toml").replace(
        "[dataset.summaries]\nfrom = \"summaries\"",
        "[stage.levels.hierarchy]\nfrom = \"summaries\"\npack = 1000\n\n[dataset.summaries]\nfrom = \"levels\"",
    );
    // The server's summaries of summaries are refused, and a batch cannot be stopped by that.
    project.write("my.toml", format!("{text}\n[asking]\nmost_refused = 1.0\n"));
    project
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The requests of a batch in the order of its files, with what its manifest says checked.
fn requests(project: &Project, batch: &str) -> Vec<Value> {
    let manifest: Value =
        serde_json::from_str(&project.read(&format!("{batch}/batch.json"))).unwrap();
    let mut all = Vec::new();
    for file in manifest["files"].as_array().unwrap() {
        let text = project.read(&format!("{batch}/{}", file["file"].as_str().unwrap()));
        let lines = lines(&text);
        assert_eq!(file["requests"], lines.len());
        assert_eq!(file["bytes"], text.len());
        assert_eq!(file["blake3"], blake3::hash(text.as_bytes()).to_hex().to_string());
        all.extend(lines);
    }
    assert_eq!(manifest["requests"], all.len());
    for line in &all {
        let id = line["custom_id"].as_str().unwrap();
        assert!(id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
    }
    all
}

fn export(project: &Project, batch: &str, more: &[&str]) -> crate::project::Ran {
    let form: &[&str] = if more.contains(&"--format") { &[] } else { &["--format", "openai"] };
    let fixed = ["answers", "export-batch", "my.toml", "--out", batch];
    project.run(&[&fixed[..], form, more].concat())
}

fn import(project: &Project, more: &[&str]) -> crate::project::Ran {
    project.run(&[&["answers", "import-batch", "my.toml"], more].concat())
}

/// What the live server says to a request of a batch.
fn answered(request: &Value) -> Value {
    let mut body = request["body"].clone();
    body["stream"] = json!(false);
    told(&body.to_string(), 0)
}

fn openai(request: &Value) -> Value {
    json!({ "id": "r", "custom_id": request["custom_id"], "error": null,
        "response": { "status_code": 200, "request_id": "q", "body": answered(request) } })
}

fn failed(request: &Value, code: &str) -> Value {
    json!({ "id": "r", "custom_id": request["custom_id"], "response": null, "error": { "code": code, "message": "m" } })
}

fn broken(request: &Value, status: u16) -> Value {
    let body = json!({ "error": { "message": "Try later.", "code": status } });
    json!({ "id": "r", "custom_id": request["custom_id"], "error": null,
        "response": { "status_code": status, "body": body } })
}

fn text(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// Exports and answers until nothing is asked any more. Returns the custom ids that went out.
fn all_the_rest(project: &Project) -> Vec<String> {
    let mut sent = Vec::new();
    for wave in 0..20 {
        let batch = format!("rest{wave}");
        let ran = export(project, &batch, &[]).exits(0);
        if !project.path(&batch).exists() {
            ran.says("no model is asked next");
            return sent;
        }
        let requests = requests(project, &batch);
        sent.extend(requests.iter().map(|line| line["custom_id"].as_str().unwrap().to_owned()));
        let rows: Vec<_> = requests.iter().rev().map(openai).collect();
        project.write(&format!("{batch}/output.jsonl"), text(&rows));
        import(project, &[&batch]).exits(0).says(&format!("{} answers added", rows.len()));
    }
    panic!("it asks on and on");
}

#[test]
fn a_build_by_batches_gives_the_bytes_of_a_live_one() {
    let server = Server::start(0, Duration::ZERO);
    let live = ladder(&server);
    let (code, shown) = build(&live, &[]);
    assert_eq!(code, 0, "{shown}");
    let asked = server.requests();

    let here = ladder(&server);
    export(&here, "one", &["--max-requests", "3"])
        .exits(0)
        .says("0001-default.jsonl")
        .says("asks `default`");
    let first = requests(&here, "one");
    assert!(first.len() >= 9, "{}", first.len());
    let files = fs::read_dir(here.path("one")).unwrap().count() - 1;
    assert_eq!(files, first.len().div_ceil(3));
    // What is out is not written again.
    export(&here, "two", &[]).exits(0).says("out in another batch (one)");
    assert!(!here.path("two").exists());

    // Out of order, in two files; some expired, failed, were cancelled; one came twice, one failed first.
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    for (at, request) in first.iter().enumerate().rev() {
        match at {
            0 => errors.push(failed(request, "batch_expired")),
            1 => errors.push(broken(request, 500)),
            2 => errors.push(failed(request, "batch_cancelled")),
            3 => {
                errors.push(failed(request, "batch_expired"));
                output.push(openai(request));
            }
            4 => output.extend([openai(request), openai(request)]),
            _ => output.push(openai(request)),
        }
    }
    here.write("one/errors.jsonl", text(&errors)).write("one/output.jsonl", text(&output));
    here.write("prices.toml", "[\"teller\"]\ninput = 1.0\noutput = 2.0\nbatch = 0.5\n");
    let added = first.len() - 3;
    let dollars = format!("${:.5}", added as f64 * 110e-6);
    let ran = import(&here, &["one", "--prices", "prices.toml"]).exits(0);
    ran.says(&format!("{added} answers added, 1 given twice, 1 expired, 1 canceled, 1 failed"))
        .says("1 times: 500")
        .says("3 requests without an answer come again")
        .says(dollars.trim_end_matches('0'));
    let again: Value =
        serde_json::from_str(&import(&here, &["one", "--format", "json"]).exits(0).out()).unwrap();
    assert_eq!(
        (&again["added"], &again["there"]),
        (&json!(0), &json!(output.len() + 1)),
        "{again}"
    );
    let stats = here.run(&["answers", "stats"]).exits(0).out();
    assert!(
        stats.starts_with(&format!("{added} answers")) && stats.contains("; 0 under a key"),
        "{stats}"
    );

    let rest = all_the_rest(&here);
    let ids: BTreeSet<_> = first.iter().map(|line| line["custom_id"].as_str().unwrap()).collect();
    let again: Vec<_> = rest.iter().filter(|id| ids.contains(id.as_str())).collect();
    assert_eq!(again.len(), 3, "only what had no answer went out again");
    assert_eq!(rest.iter().collect::<BTreeSet<_>>().len(), rest.len());
    assert_eq!(first.len() + rest.len() - 3, asked as usize, "the same requests as live");

    let (code, shown) = build(&here, &["--frozen"]);
    assert_eq!((code, server.requests()), (0, asked), "{shown}");
    assert_eq!(here.manifest("out/mine"), live.manifest("out/mine"));
}

#[test]
fn anthropics_form_gives_the_same_bytes() {
    let server = Server::start(0, Duration::ZERO);
    let live = ladder(&server);
    assert_eq!(build(&live, &[]).0, 0);
    let asked = server.requests();
    let here = ladder(&server);
    let kinds = ["expired", "canceled", "errored"];
    for wave in 0..20 {
        let (claude, chat) = (format!("claude{wave}"), format!("chat{wave}"));
        export(&here, &claude, &["--format", "anthropic"]).exits(0);
        if !here.path(&claude).exists() {
            break;
        }
        // The same requests in the other form, of which the provider of this test knows the answers.
        export(&here, &chat, &["--again"]).exits(0);
        let bodies: BTreeMap<_, _> = requests(&here, &chat)
            .into_iter()
            .map(|line| (line["custom_id"].as_str().unwrap().to_owned(), line))
            .collect();
        let mut rows = Vec::new();
        for (at, request) in requests(&here, &claude).iter().enumerate() {
            let params = request["params"].as_object().unwrap();
            assert!(params.contains_key("system") || params["messages"][0]["role"] == "user");
            assert!(!params.contains_key("seed") && !params.contains_key("stream"), "{params:?}");
            assert!(
                params["messages"].as_array().unwrap().iter().all(|one| one["role"] != "system")
            );
            let id = request["custom_id"].as_str().unwrap();
            let said = answered(&bodies[id]);
            let result = if wave == 0 && at < 3 {
                json!({ "type": kinds[at], "error": { "type": "error", "error": { "type": "overloaded_error", "message": "Busy" } } })
            } else {
                json!({ "type": "succeeded", "message": {
                    "content": [{ "type": "text", "text": said["choices"][0]["message"]["content"] }],
                    "stop_reason": "end_turn", "usage": { "input_tokens": 100, "output_tokens": 60 } } })
            };
            rows.push(json!({ "custom_id": id, "result": result }));
        }
        rows.reverse();
        here.write("results.jsonl", text(&rows));
        let ran = import(&here, &["results.jsonl"]).exits(0);
        if wave == 0 {
            ran.says("1 expired, 1 canceled, 1 failed").says("Busy");
        }
    }
    let (code, shown) = build(&here, &["--frozen"]);
    assert_eq!((code, server.requests()), (0, asked), "{shown}");
    assert_eq!(here.manifest("out/mine"), live.manifest("out/mine"));
}

#[test]
fn results_that_are_none_are_told_by_line_and_the_rest_is_taken() {
    let server = Server::start(0, Duration::ZERO);
    let project = ladder(&server);
    export(&project, "one", &[]).exits(0);
    let requests = requests(&project, "one");
    let good = |at: usize| openai(&requests[at]).to_string();
    let mut stranger = openai(&requests[0]);
    stranger["custom_id"] = json!("ab".repeat(32));
    let mut row = openai(&requests[0]);
    row["custom_id"] = json!("row-1");
    let rows = [
        "\u{feff}".to_owned() + &good(0),
        "{\"custom_id\": nonsense}".to_owned(),
        stranger.to_string(),
        String::new(),
        row.to_string(),
        good(1),
        requests[2].to_string(),
        good(3)[..good(3).len() - 40].to_owned(),
    ];
    project.write("results.jsonl", rows.join("\n"));
    let ran = import(&project, &["results.jsonl"]).exits(4).says("2 answers added");
    for (line, why) in [
        (2, "it is not JSON"),
        (3, "the workflow does not ask this"),
        (5, "its custom id `row-1` is not a key of ours"),
        (7, "it is a request, not a result"),
        (8, "the file is cut off here"),
    ] {
        assert!(
            ran.out().contains(&format!("not taken: results.jsonl:{line}: {why}")),
            "{line}: {}",
            ran.out()
        );
    }
    // What was cut off is answered by the next file; what is there stays.
    project.write("results.jsonl", format!("{}\n{}", good(3), good(0)));
    import(&project, &["results.jsonl"]).exits(0).says("1 answer added, 1 in the log already");
    // One that is not quite text is taken, and told.
    let half = good(5).replacen("On a quiet", "\\udc00 On a quiet", 1);
    project.write("results.jsonl", half);
    import(&project, &["results.jsonl"])
        .exits(0)
        .says("1 answer added, 1 with U+FFFD in place of what is not Unicode");

    // Another request is asked since, and the paid answer to the old one is not taken for it.
    let asks = project.read("my.toml");
    project.write("my.toml", asks.replace("concurrency = 4", "concurrency = 4\ntemperature = 0.5"));
    project.write("results.jsonl", good(4));
    import(&project, &["results.jsonl"]).exits(4).says("the workflow asks something else since");
}

#[test]
fn a_request_that_is_refused_for_good_ends_with_the_code_of_models() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 1);
    project.write("my.toml", project.read("my.toml").replace("tries = 2", "tries = 1"));
    export(&project, "one", &[]).exits(0);
    let requests = requests(&project, "one");
    let mut long = broken(&requests[0], 400);
    long["response"]["body"]["error"]["code"] = json!("context_length_exceeded");
    let mut rows = vec![long];
    rows.extend(requests[1..].iter().map(openai));
    project.write("one/output.jsonl", text(&rows));
    import(&project, &["one"]).exits(8).says("1 refused for good").says("too_long = \"reject\"");
    let text = project.read("my.toml");
    project.write(
        "my.toml",
        text.replace("concurrency = 4", "concurrency = 4\ntoo_long = \"reject\""),
    );
    import(&project, &["one"]).exits(0).says("1 answer added");
    project.run(&["build", "my.toml", "--frozen"]).exits(0);
}

#[test]
fn what_cannot_be_exported_or_imported_says_why() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 1);
    project.write("full/notes.txt", "mine");
    export(&project, "full", &[]).exits(4).says("something in the folder already");
    assert_eq!(project.read("full/notes.txt"), "mine");
    export(&project, "none", &["--format", "acme"]).exits(2);
    export(&project, "none", &["--max-requests", "0"]).exits(2);
    fs::create_dir(project.path("empty")).unwrap();
    import(&project, &["empty"]).exits(4).says("there are no results in the folder");
    import(&project, &["gone.jsonl"]).exits(4).says("cannot read results of a batch");
    import(&project, &[]).exits(2);
    project.write("bad.toml", "[\"teller\"]\ninput = 1.0\noutput = 2.0\nbatch = 2.0\n");
    export(&project, "none", &["--prices", "bad.toml"]).exits(4).says("must be from 0 to 1");
    let hot =
        project.read("my.toml").replace("concurrency = 4", "concurrency = 4\ntemperature = 1.5");
    project.write("hot.toml", hot);
    project
        .run(&["answers", "export-batch", "hot.toml", "--out", "hot", "--format", "anthropic"])
        .exits(4)
        .says("`temperature` is at most 1");
    assert!(!project.path("none").exists());
    // A list of what is out that somebody damaged is left alone.
    project.write(".storymill/batches.json", "{");
    export(&project, "next", &[]).exits(9).says("batches.json");
    assert_eq!(project.read(".storymill/batches.json"), "{");
    let rules = Project::new();
    rules.book("1", 2).workflow(&[]);
    rules
        .run(&["answers", "export-batch", "my.toml", "--out", "x", "--format", "openai"])
        .exits(2)
        .says("has no models");
}

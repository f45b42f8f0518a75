//! Every way in which a server can misbehave, and what becomes of it.

use std::time::{Duration, Instant};

use storymill_core::{Asker, Chat, FaultKind, Schema};
use storymill_llm::AskEvent;

use crate::{
    server::{Act, Server, answer, error, ok},
    world::{Setting, of_chat, whole, world},
};

/// One request to a server whose first responses are these and whose last is a good one. What
/// came of it, and how often the server was asked.
fn check(first: Vec<Act>, lines: &'static str) -> (Result<String, storymill_core::Fault>, usize) {
    let server = Server::start(move |number, _| {
        first.get(number).cloned().unwrap_or_else(|| answer("good"))
    });
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting { lines, ..Setting::default() });
    let result = world.ask_one();
    assert_eq!(world.retries(), if result.is_ok() { server.count() - 1 } else { world.retries() });
    (result, server.count())
}

#[test]
fn failures_that_pass_are_tried_again() {
    let cut = r#"{"choices":[{"message":{"content":"a"#;
    let soon = [("Retry-After", "0.05")];
    let cases = [
        ("429 with a wait", vec![error(429, &soon, "")]),
        ("429 with a wait in ms", vec![error(429, &[("retry-after-ms", "30")], "slow down")]),
        ("429 without", vec![error(429, &[], r#"{"error":{"code":429,"message":"slow"}}"#)]),
        ("500", vec![error(500, &soon, "oops")]),
        (
            "503 while loading",
            vec![error(
                503,
                &soon,
                r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#,
            )],
        ),
        ("408", vec![error(408, &soon, "")]),
        ("409", vec![error(409, &soon, "")]),
        ("dropped", vec![Act::Drop]),
        ("truncated", vec![Act::Truncate]),
        ("cut off", vec![ok(cut)]),
        ("html", vec![ok("<html><body>502</body></html>")]),
        ("no choice", vec![ok("{\"choices\":[]}")]),
        ("an error inside", vec![ok(r#"{"error":{"message":"upstream","code":502}}"#)]),
        ("60 MB", vec![Act::Huge(60_000_000)]),
        ("endless", vec![Act::Endless]),
        (
            "x-should-retry",
            vec![error(418, &[("x-should-retry", "true"), ("retry-after", "0")], "")],
        ),
    ];
    for (name, acts) in cases {
        let (result, count) = check(acts, "");
        assert_eq!(result.unwrap(), "good", "{name}");
        assert_eq!(count, 2, "{name}");
    }
}

#[test]
fn failures_that_last_stop_at_once_and_say_why() {
    let quota = r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#;
    let long = r#"{"error":{"code":400,"message":"request (931 tokens) exceeds the available context size (512 tokens)","type":"exceed_context_size_error","n_prompt_tokens":931,"n_ctx":512}}"#;
    let cases = [
        (error(429, &[("retry-after", "1")], quota), "quota"),
        (error(400, &[], long), "exceed_context_size_error"),
        (error(401, &[], r#"{"error":"no key"}"#), "api_key_env"),
        (error(404, &[], "<html>"), "`url`"),
        (
            error(400, &[], r#"{"error":{"code":400,"message":"messages are odd"}}"#),
            "messages are odd",
        ),
        (error(500, &[("x-should-retry", "false")], "broken"), "500"),
        (error(429, &[("retry-after", "3600")], "wait"), "3600 s"),
        (error(307, &[("location", "http://127.0.0.1:9/")], ""), "307"),
    ];
    for (act, said) in cases {
        let (result, count) = check(vec![act], "");
        let fault = result.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Model);
        assert!(whole(&fault).contains(said), "{said} in {}", whole(&fault));
        assert_eq!(count, 1, "{said}");
    }
}

#[test]
fn retries_come_to_an_end() {
    let busy = error(503, &[("retry-after", "0")], "busy");
    let (result, count) = check(vec![busy; 10], "");
    assert!(whole(&result.unwrap_err()).contains("after 5 tries: 503"));
    assert_eq!(count, 5);
    // What may have been paid for is not repeated as often.
    let (result, count) = check(vec![ok("<html>"); 10], "");
    assert!(whole(&result.unwrap_err()).contains("HTML"));
    assert_eq!(count, 4);
}

#[test]
fn a_refused_connection_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "longest_wait_seconds = 1";
    let world =
        world(folder.path(), "http://127.0.0.1:9/v1", Setting { lines, ..Setting::default() });
    let fault = world.ask_one().unwrap_err();
    assert!(whole(&fault).contains("cannot connect"), "{}", whole(&fault));
    assert!(world.retries() >= 1);
}

#[test]
fn silence_in_an_answer_and_slowness_in_all_are_noticed() {
    let drip = Act::Drip(3, Duration::from_millis(10));
    let start = Instant::now();
    let (result, _) = check(vec![drip.clone()], "idle_seconds = 1");
    assert_eq!(result.unwrap(), "good");
    assert!(start.elapsed() < Duration::from_secs(3));

    let steady = Act::Drip(100, Duration::from_millis(50));
    let (result, _) = check(vec![steady], "total_seconds = 1");
    assert_eq!(result.unwrap(), "good");

    let late = Act::Wait(Duration::from_millis(1500), Box::new(answer("late")));
    let (result, _) = check(vec![late], "total_seconds = 1");
    assert_eq!(result.unwrap(), "good");
}

#[test]
fn a_crowded_server_is_asked_less() {
    let server = Server::start(|number, _| {
        let crowded = number < 8;
        let wait = Duration::from_millis(20);
        let act = if crowded { error(429, &[("retry-after", "0.1")], "") } else { answer("good") };
        Act::Wait(wait, Box::new(act))
    });
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &server.url, Setting::default());
    world.asker.ask(&world.wave(40)).unwrap();
    assert_eq!(server.count(), 48);
    let limits = |event: AskEvent| match event {
        AskEvent::Crowded { limit, .. } => limit,
        _ => None,
    };
    let cuts: Vec<u32> = world.events().into_iter().filter_map(limits).collect();
    assert_eq!(cuts, [7, 6, 5, 4, 3, 2, 1], "no more than are in flight still");
}

#[test]
fn never_more_in_flight_than_allowed_and_never_faster() {
    let server =
        Server::start(|_, _| Act::Wait(Duration::from_millis(30), Box::new(answer("good"))));
    let folder = tempfile::tempdir().unwrap();
    let lines = "concurrency = 3\nrequests_per_minute = 1200";
    let world = world(folder.path(), &server.url, Setting { lines, ..Setting::default() });
    let start = Instant::now();
    world.asker.ask(&world.wave(30)).unwrap();
    assert!(server.most_in_flight.load(std::sync::atomic::Ordering::SeqCst) <= 3);
    // Twenty a second, after a first burst of one second's worth.
    assert!(start.elapsed() >= Duration::from_millis(450), "{:?}", start.elapsed());
}

#[test]
fn a_refused_schema_is_left_out_unless_the_workflow_insists() {
    let script = |_: usize, heard: &crate::server::Heard| {
        if heard.body.get("response_format").is_some() {
            error(400, &[], r#"{"error":{"message":"Unknown field","param":"response_format"}}"#)
        } else {
            answer("good")
        }
    };
    let asked = of_chat(Chat { schema: Some(Schema::default()), ..Chat::new("x") });
    for (lines, counts) in [
        ("", Some(3)),
        ("response_format = \"none\"", Some(2)),
        ("response_format = \"schema\"", None),
    ] {
        let server = Server::start(script);
        let folder = tempfile::tempdir().unwrap();
        let setting = Setting { lines, ..Setting::default() };
        let world = world(folder.path(), &server.url, setting);
        let result = world.asker.ask(&[world.asked("84", asked.clone(), 0, 0)]);
        if let Some(counts) = counts {
            result.unwrap();
            world.asker.ask(&[world.asked("84", asked.clone(), 1, 0)]).unwrap();
            assert_eq!(server.count(), counts, "{lines}");
        } else {
            assert!(whole(&result.unwrap_err()).contains("response_format"));
        }
    }
}

#[test]
fn one_request_that_is_too_long_stops_no_other() {
    let long = r#"{"error":{"code":"context_length_exceeded","message":"too long"}}"#;
    let script = move |_: usize, heard: &crate::server::Heard| {
        if heard.body["messages"][0]["content"] == "2" {
            error(400, &[], long)
        } else {
            answer("good")
        }
    };
    let server = Server::start(script);
    let folder = tempfile::tempdir().unwrap();
    let stops = world(folder.path(), &server.url, Setting::default());
    let wave = stops.wave(6);
    let fault = stops.asker.ask(&wave).unwrap_err();
    assert!(whole(&fault).contains("84/0, stage `summarize`"), "{}", whole(&fault));
    assert_eq!(stops.log.len(), 5);

    let setting = Setting { lines: "too_long = \"reject\"", ..Setting::default() };
    let rejects = world(folder.path(), &server.url, setting);
    rejects.asker.ask(&wave).unwrap();
    let refused = rejects.asker.get(&wave[2].key).unwrap().unwrap();
    assert_eq!((refused.text.as_str(), refused.finish_reason.as_str()), ("", "context_overflow"));
}

#[test]
fn an_answer_in_pieces_is_one_answer() {
    let pieces = "data: {\"choices\":[{\"delta\":{\"content\":\"go\"}}]}\n\n\
        data: {\"choices\":[{\"delta\":{\"content\":\"od\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let (result, _) = check(vec![ok("data: {\"choices\":[{\"del"), ok(pieces)], "stream = true");
    assert_eq!(result.unwrap(), "good");
}

#[test]
fn an_answer_that_is_not_quite_text_is_kept_and_told_and_not_paid_again() {
    for (body, text) in [
        (&br#"{"choices":[{"message":{"content":"a \ud83d b"},"finish_reason":"stop"}]}"#[..], "a \u{fffd} b"),
        (b"{\"choices\":[{\"message\":{\"content\":\"caf\xe9\"},\"finish_reason\":\"stop\"}]}", "caf\u{fffd}"),
        (
            b"data: {\"choices\":[{\"delta\":{\"content\":\"a \\udc00\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
            "a \u{fffd}",
        ),
    ] {
        let server = Server::start(move |_, _| Act::Bytes(body));
        let folder = tempfile::tempdir().unwrap();
        let world = world(folder.path(), &server.url, Setting::default());
        assert_eq!((world.ask_one().unwrap(), server.count()), (text.to_owned(), 1));
        let told = |event: &AskEvent| matches!(event, AskEvent::Mended { .. });
        assert_eq!(world.events().iter().filter(|event| told(event)).count(), 1);
    }
}

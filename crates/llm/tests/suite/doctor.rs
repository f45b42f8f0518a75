//! The doctor, and waiting for a server that is still starting.

use std::{sync::atomic::AtomicBool, time::Duration};

use storymill_core::FaultKind;
use storymill_llm::{
    ModelConfig, doctor,
    doctor::{Verdict, doctor, wait_ready},
    wire::Wires,
};

use crate::server::{Heard, Server, answer, error, ok};

fn config(url: &str) -> ModelConfig {
    ModelConfig::parse(&format!("url = \"{url}\"\nmodel = \"tiny\"")).unwrap()
}

fn verdicts(diagnosis: &doctor::Diagnosis) -> Vec<(&'static str, Verdict)> {
    diagnosis.checks.iter().map(|check| (check.name, check.verdict)).collect()
}

#[test]
fn a_good_endpoint_is_told_from_an_odd_one() {
    let never = AtomicBool::new(false);
    let good = Server::start(|_, heard: &Heard| {
        if heard.body["messages"][0]["content"].as_str().unwrap().len() > 10_000 {
            return error(
                400,
                &[],
                r#"{"error":{"code":"context_length_exceeded","message":"too long"}}"#,
            );
        }
        if heard.body.get("response_format").is_some() {
            return answer("{\"zoological_name\":\"Felis\"}");
        }
        let finish = if heard.body["max_tokens"] == 1 { "length" } else { "stop" };
        ok(&format!(
            "{{\"choices\":[{{\"message\":{{\"content\":\"cat\"}},\"finish_reason\":\"{finish}\"}}],\"usage\":{{\"prompt_tokens\":9,\"completion_tokens\":1}}}}"
        ))
    });
    let diagnosis =
        doctor(&config(&good.url), &Wires::default(), &|_| None, Some(5000), &never).unwrap();
    assert!(diagnosis.works());
    let names = ["answers", "usage", "length", "repeats", "schema", "overflow"];
    assert_eq!(verdicts(&diagnosis), names.map(|name| (name, Verdict::Good)));

    let odd = Server::start(|number, heard: &Heard| {
        if heard.body.get("response_format").is_some() {
            return error(400, &[], r#"{"error":{"message":"response_format is not supported"}}"#);
        }
        ok(&format!("{{\"choices\":[{{\"message\":{{\"content\":\"{number}\"}}}}]}}"))
    });
    let diagnosis = doctor(&config(&odd.url), &Wires::default(), &|_| None, None, &never).unwrap();
    let odd: Vec<_> =
        verdicts(&diagnosis).into_iter().skip(1).map(|(_, verdict)| verdict).collect();
    assert_eq!(odd, [Verdict::Odd; 4]);

    let dead = doctor(&config("http://127.0.0.1:9/v1"), &Wires::default(), &|_| None, None, &never)
        .unwrap();
    assert!(!dead.works() && dead.checks[0].detail.contains("cannot connect"));
}

#[test]
fn a_server_that_loads_is_waited_for() {
    let loading = r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#;
    let server = Server::start(
        move |number, _| {
            if number < 2 { error(503, &[], loading) } else { answer("x") }
        },
    );
    let never = AtomicBool::new(false);
    let wait = |url: &str, seconds| {
        wait_ready(&config(url), &Wires::default(), &|_| None, Duration::from_secs(seconds), &never)
    };
    wait(&server.url, 10).unwrap();
    assert_eq!(server.count(), 3);
    let stopped = AtomicBool::new(true);
    let url = "http://127.0.0.1:9/v1";
    let fault =
        wait_ready(&config(url), &Wires::default(), &|_| None, Duration::from_mins(1), &stopped)
            .unwrap_err();
    assert_eq!(fault.kind, FaultKind::Interrupted);
    let late = wait(url, 1).unwrap_err();
    assert!(late.to_string().contains("not ready after 1 s: cannot connect"), "{late}");
}

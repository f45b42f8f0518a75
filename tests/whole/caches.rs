//! Caches of servers in whole runs: what is forecast of a set of claims, and what is paid.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

use crate::{claims, models::listen};

/// A server that has in its cache whatever the requests that it has answered begin with, in steps of 128 tokens. It
/// keeps the texts of its requests in order.
fn server() -> (u16, Arc<Mutex<Vec<String>>>) {
    let (heard, kept) = (Arc::new(Mutex::new(Vec::new())), Mutex::new(BTreeSet::<String>::new()));
    let hears = Arc::clone(&heard);
    let port = listen(move |_, body| {
        let body: Value = serde_json::from_str(body).unwrap();
        let text = body["messages"][0]["content"].as_str().unwrap().to_owned();
        hears.lock().unwrap().push(text.clone());
        let steps: Vec<&str> = (1..=text.len() / 512).map(|step| &text[..step * 512]).collect();
        let known = steps.iter().rposition(|step| kept.lock().unwrap().contains(*step));
        let cached = known.map_or(0, |at| (at + 1) * 128);
        std::thread::sleep(std::time::Duration::from_millis(20));
        kept.lock().unwrap().extend(steps.into_iter().map(str::to_owned));
        let words = "<explanation>So it is.</explanation><answer>TRUE</answer>";
        let answer = json!({
            "choices": [{ "message": { "content": words }, "finish_reason": "stop" }],
            "usage": {
                "prompt_tokens": text.len().div_ceil(4), "completion_tokens": 20,
                "prompt_tokens_details": { "cached_tokens": if cached < 1_024 { 0 } else { cached } },
            },
        });
        ("200 OK", answer.to_string())
    });
    (port, heard)
}

/// The number before some words.
fn before(text: &str, words: &str) -> u64 {
    let (head, _) = text.split_once(words).expect(text);
    let digits = head.rsplit(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty()).unwrap();
    digits.parse().unwrap()
}

#[test]
fn claims_on_a_book_are_asked_together_and_paid_as_forecast() {
    let project = claims::set();
    let (port, heard) = server();
    let model = format!(
        "[model.default]\nurl = \"http://127.0.0.1:{port}/v1\"\nmodel = \"teller\"\nmax_tokens = 20\n"
    );
    project.write("models.toml", model);
    let price = "[teller]\ninput = 1.0\noutput = 0.0\n";
    project.write("prices.toml", format!("{price}cached_input = 0.1\n")).write("dear.toml", price);
    let plan = |prices| {
        let ran = project.run(&["evaluate", "set", "--prices", prices, "--plan"]).exits(0);
        ran.out()
    };
    assert!(!plan("dear.toml").contains("caches"), "what costs the same is not reckoned with");
    let planned = plan("prices.toml");
    let forecast = before(&planned, " of them from caches");
    let ran = project.run(&["evaluate", "set", "--prices", "prices.toml"]).exits(0);
    let paid = before(&ran.out(), " of them from caches");
    assert!(forecast.abs_diff(paid) * 20 <= paid, "{forecast} forecast, {paid} paid: {planned}");
    ran.says("came from caches; forecast: ");
    // Of each book one request alone, then those that share its text, mostly one after the other.
    let heard = heard.lock().unwrap();
    let of_book: Vec<bool> = heard.iter().map(|text| text.contains("time in b1.")).collect();
    assert_eq!((of_book.len(), of_book.iter().filter(|first| **first).count()), (20, 10));
    let turns = of_book.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(of_book[0] != of_book[1] && turns <= 6, "{of_book:?}");
}

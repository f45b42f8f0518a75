//! A line of a result file, of either provider, as what became of one request.

use serde_json::Value;
use storymill_core::{Answer, Digest, RequestKey};

use crate::{
    MAX_RESPONSE, TooLong,
    failure::{Failure, Why},
    wire::{Failed, Outcome, Reply, Wires, mend},
};

/// What is kept of an outcome, as of a live answer.
#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    Store(Reply),
    Expired,
    Canceled,
    /// It may work another time.
    Passing(String),
    /// It will not be answered.
    Refused(String),
}

/// Reads a line. The fragment says what it is instead of a result.
pub(crate) fn row(line: &[u8], wires: &Wires) -> Result<(RequestKey, Outcome), String> {
    let (id, value) = named(line)?;
    let Ok(key) = id.parse::<Digest>() else {
        let id: String = id.chars().take(80).collect();
        return Err(format!("its custom id `{}` is not a key of ours", id.escape_debug()));
    };
    Ok((RequestKey(key), outcome(&value, wires)?))
}

/// A line by the id that it gives.
fn named(line: &[u8]) -> Result<(String, Value), String> {
    let mended = mend::mended(line);
    let text = mended.as_ref().map_or(line, |text| text.as_bytes());
    let value: Value = serde_json::from_slice(text).map_err(|error| {
        if error.is_eof() && !line.ends_with(b"\n") {
            "the file is cut off here".to_owned()
        } else {
            format!("it is not JSON: {error}")
        }
    })?;
    match value.get("custom_id").and_then(Value::as_str).map(str::to_owned) {
        Some(id) => Ok((id, value)),
        None => Err("it has no `custom_id`".to_owned()),
    }
}

/// What a line says of its request.
fn outcome(value: &Value, wires: &Wires) -> Result<Outcome, String> {
    let outcome = match wires.outcome(value) {
        Some(outcome) => {
            outcome.map_err(|said| format!("its result is none that is known: {said}"))?
        }
        None if value.get("body").or(value.get("params")).is_some_and(|body| !body.is_null()) => {
            return Err("it is a request, not a result".to_owned());
        }
        None => return Err("it says nothing of a result".to_owned()),
    };
    match &outcome {
        Outcome::Reply(reply) if reply.answer.text.len() > MAX_RESPONSE => {
            Err("the answer is longer than 8 MB".to_owned())
        }
        _ => Ok(outcome),
    }
}

/// What becomes of an outcome: the same as where requests are sent one by one.
pub(crate) fn judge(outcome: Outcome, too_long: TooLong) -> Verdict {
    let empty = |reason: &str| {
        let answer = Answer { text: String::new(), finish_reason: reason.to_owned() };
        Verdict::Store(Reply { answer, usage: None })
    };
    match outcome {
        Outcome::Reply(reply) => Verdict::Store(reply),
        Outcome::Expired => Verdict::Expired,
        Outcome::Canceled => Verdict::Canceled,
        Outcome::Failed(Failed(Failure::Again(again))) => Verdict::Passing(again.what),
        Outcome::Failed(Failed(Failure::Never(refusal))) => match refusal.why {
            Why::Filtered => empty("content_filter"),
            Why::TooLong if too_long == TooLong::Reject => empty("context_overflow"),
            why => Verdict::Refused(format!("{} ({})", refusal.what, why.hint())),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{ModelConfig, Usage};

    fn read(value: &Value) -> Result<Outcome, String> {
        row(format!("{value}\n").as_bytes(), &Wires::default()).map(|(_, outcome)| outcome)
    }

    fn with(more: &Value) -> Value {
        let mut value = json!({ "id": "x", "custom_id": "ab".repeat(32) });
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        value
    }

    fn verdict(more: &Value, config: &str) -> Verdict {
        let config = format!("url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n{config}");
        judge(read(&with(more)).unwrap(), ModelConfig::parse(&config).unwrap().too_long)
    }

    fn stored(more: &Value) -> (String, String, Option<Usage>) {
        match verdict(more, "") {
            Verdict::Store(Reply { answer, usage }) => (answer.text, answer.finish_reason, usage),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_result_that_is_not_quite_text_is_taken() {
        let chat =
            json!({ "choices": [{ "message": { "content": "a half" }, "finish_reason": "stop" }] });
        let line = with(&json!({ "response": { "status_code": 200, "body": chat } })).to_string();
        let line = line.replace("half", "\\ud83d");
        let (_, outcome) = row(line.as_bytes(), &Wires::default()).unwrap();
        let Verdict::Store(reply) = judge(outcome, TooLong::Stop) else { panic!("{line}") };
        assert_eq!(reply.answer.text, "a \u{fffd}");
    }

    #[test]
    fn answers_of_both_providers_are_one() {
        let chat = json!({ "choices": [{ "message": { "content": "Told." }, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 9, "completion_tokens": 2 } });
        let openai =
            stored(&json!({ "response": { "status_code": 200, "body": chat }, "error": null }));
        let message = json!({ "content": [{ "type": "thinking", "thinking": "Hm." }, { "type": "text", "text": "Told." }],
            "stop_reason": "end_turn", "usage": { "input_tokens": 9, "output_tokens": 2 } });
        let anthropic = stored(&json!({ "result": { "type": "succeeded", "message": message } }));
        assert_eq!(openai, anthropic);
        assert_eq!(openai.2.unwrap().prompt, 9);
        let cached = json!({ "type": "succeeded", "message": { "stop_reason": "max_tokens", "usage":
            { "input_tokens": 1, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 3, "output_tokens": 2 } } });
        let (text, end, usage) = stored(&json!({ "result": cached }));
        assert_eq!((text.as_str(), end.as_str()), ("", "length"));
        assert_eq!(
            usage,
            Some(Usage { prompt: 9, cached: 5, cache_write: 3, completion: 2, reasoning: 0 })
        );
    }

    #[test]
    fn failures_are_told_apart_as_in_live_runs() {
        let response = |status: u16, code: &str| json!({ "response": { "status_code": status, "body": { "error": { "code": code, "message": "m" } } } });
        let error =
            |code: &str| json!({ "response": null, "error": { "code": code, "message": "m" } });
        let result = |kind: &str, message: &str| json!({ "result": { "type": "errored", "error": { "type": "error", "error": { "type": kind, "message": message } } } });
        assert_eq!(verdict(&error("batch_expired"), ""), Verdict::Expired);
        assert_eq!(verdict(&error("batch_cancelled"), ""), Verdict::Canceled);
        assert_eq!(verdict(&json!({ "result": { "type": "expired" } }), ""), Verdict::Expired);
        assert_eq!(verdict(&json!({ "result": { "type": "canceled" } }), ""), Verdict::Canceled);
        for passing in [
            error("x"),
            response(500, ""),
            response(429, "rate"),
            result("overloaded_error", ""),
            result("api_error", ""),
        ] {
            assert!(matches!(verdict(&passing, ""), Verdict::Passing(_)), "{passing}");
        }
        let long = [
            response(400, "context_length_exceeded"),
            result("invalid_request_error", "prompt is too long: 9 tokens"),
        ];
        for long in long {
            assert!(matches!(verdict(&long, ""), Verdict::Refused(_)), "{long}");
            let Verdict::Store(reply) = verdict(&long, "too_long = \"reject\"") else { panic!() };
            assert_eq!(reply.answer.finish_reason, "context_overflow");
        }
        for refused in [
            response(401, ""),
            response(400, ""),
            result("invalid_request_error", "no"),
            result("permission_error", ""),
        ] {
            assert!(matches!(verdict(&refused, ""), Verdict::Refused(_)), "{refused}");
        }
        assert_eq!(stored(&response(400, "content_filter")).1, "content_filter");
    }

    #[test]
    fn what_is_no_result_says_what_it_is() {
        let cases: [(&[u8], &str); 9] = [
            (b"{\"custom_id\": \"a", "cut off here"),
            (b"{\"custom_id\": \"a\n", "not JSON"),
            (b"<html>\n", "not JSON"),
            (b"[]\n", "no `custom_id`"),
            (b"{\"custom_id\": 3}\n", "no `custom_id`"),
            (b"{\"custom_id\": \"row-1\"}\n", "`row-1` is not a key"),
            (
                &with(&json!({ "method": "POST", "body": {} })).to_string().into_bytes(),
                "a request, not a result",
            ),
            (
                &with(&json!({ "response": null, "error": null })).to_string().into_bytes(),
                "nothing of a result",
            ),
            (
                &with(&json!({ "result": { "type": "moved" } })).to_string().into_bytes(),
                "of the kind `moved`",
            ),
        ];
        for (line, why) in cases {
            let told = row(line, &Wires::default()).unwrap_err();
            assert!(told.contains(why), "{told}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_line_makes_it_panic(line in proptest::collection::vec(proptest::num::u8::ANY, 0..200), status in 0_u64..99_999) {
            let _ = row(&line, &Wires::default());
            let _ = read(&with(&json!({ "response": { "status_code": status, "body": String::from_utf8_lossy(&line) } })));
        }
    }
}

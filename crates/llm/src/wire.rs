//! What servers really send back, read without prejudice: any `finish_reason`, a content of parts
//! or none, missing usage, integers where others send strings, whole or piece by piece.

use serde_json::Value;
use storymill_core::Answer;

use crate::Usage;

/// A response that holds an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) answer: Answer,
    pub(crate) usage: Option<Usage>,
}

/// What the body of a successful response turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    Reply(Reply),
    /// An error after all, as some proxies send it.
    Error(Value),
    /// Neither; the fragment says what it looks like.
    Garbage(&'static str),
}

/// Reads the body of a successful response.
pub(crate) fn read(body: &[u8]) -> Body {
    let start = body.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(body.len());
    let body = &body[start..];
    if body.starts_with(b"data:") || body.starts_with(b":") || body.starts_with(b"event:") {
        return read_stream(body);
    }
    if body.is_empty() {
        return Body::Garbage("an empty body");
    }
    if body.starts_with(b"<") {
        return Body::Garbage("HTML instead of JSON");
    }
    match serde_json::from_slice::<Value>(body) {
        Ok(value) => read_value(&value),
        Err(error) if error.is_eof() => Body::Garbage("JSON that is cut off"),
        Err(_) => Body::Garbage("no JSON"),
    }
}

fn read_value(value: &Value) -> Body {
    if value.get("error").is_some_and(|error| !error.is_null()) {
        return Body::Error(value.clone());
    }
    let Some(choice) = value.pointer("/choices/0").filter(|choice| choice.is_object()) else {
        return Body::Garbage("JSON without a choice");
    };
    let message = choice.get("message").unwrap_or(&Value::Null);
    let content = message.get("content").or_else(|| choice.get("text")).unwrap_or(&Value::Null);
    let mut finish_reason = word(choice.get("finish_reason"));
    let mut text = String::new();
    content_text(content, &mut text);
    if text.is_empty() && message.get("refusal").is_some_and(Value::is_string) {
        "refusal".clone_into(&mut finish_reason);
    }
    let usage = value.get("usage").and_then(usage);
    Body::Reply(Reply { answer: Answer { text, finish_reason }, usage })
}

/// Server-sent events: pieces of one answer, put together.
fn read_stream(body: &[u8]) -> Body {
    let (mut text, mut finish_reason, mut counted) = (String::new(), String::new(), None);
    let (mut pieces, mut done) = (0, false);
    for line in body.split(|byte| *byte == b'\n') {
        let Some(event) = line.strip_prefix(b"data:").map(<[u8]>::trim_ascii) else { continue };
        if event == b"[DONE]" {
            done = true;
            break;
        }
        let Ok(value) = serde_json::from_slice::<Value>(event) else {
            return Body::Garbage("an answer in pieces that is cut off");
        };
        if value.get("error").is_some_and(|error| !error.is_null()) {
            return Body::Error(value);
        }
        pieces += 1;
        counted = value.get("usage").and_then(usage).or(counted);
        if let Some(choice) = value.pointer("/choices/0") {
            content_text(choice.pointer("/delta/content").unwrap_or(&Value::Null), &mut text);
            let reason = word(choice.get("finish_reason"));
            if !reason.is_empty() {
                finish_reason = reason;
            }
        }
    }
    if pieces == 0 || !done && finish_reason.is_empty() {
        return Body::Garbage("an answer in pieces that is cut off");
    }
    Body::Reply(Reply { answer: Answer { text, finish_reason }, usage: counted })
}

/// The text of a content: a string, or parts of which some are text.
fn content_text(content: &Value, out: &mut String) {
    match content {
        Value::String(text) => out.push_str(text),
        Value::Array(parts) => {
            for part in parts {
                out.push_str(part.get("text").and_then(Value::as_str).unwrap_or_default());
            }
        }
        _ => {}
    }
}

/// A word that should be a string and may be a number, or missing.
pub(crate) fn word(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(word)) => word.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

fn usage(value: &Value) -> Option<Usage> {
    let count = |pointer: &str| {
        let number = value.pointer(pointer)?;
        let float = || number.as_f64().filter(|float| (0.0..1e15).contains(float));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        number.as_u64().or_else(|| float().map(|float| float as u64))
    };
    let prompt = count("/prompt_tokens").or_else(|| count("/input_tokens"));
    let completion = count("/completion_tokens").or_else(|| count("/output_tokens"));
    if prompt.is_none() && completion.is_none() {
        return None;
    }
    Some(Usage {
        prompt: prompt.unwrap_or(0),
        cached: count("/prompt_tokens_details/cached_tokens").unwrap_or(0),
        completion: completion.unwrap_or(0),
        reasoning: count("/completion_tokens_details/reasoning_tokens").unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(body: &str) -> Reply {
        match read(body.as_bytes()) {
            Body::Reply(reply) => reply,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn answers_of_many_shapes() {
        let cases = [
            (r#"{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}"#, "a", "stop"),
            (r#"{"choices":[{"message":{"content":null},"finish_reason":""}]}"#, "", ""),
            (
                r#"{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"x":1}]}}]}"#,
                "a",
                "",
            ),
            (r#"{"choices":[{"text":"a","finish_reason":7}]}"#, "a", "7"),
            (r#"{"choices":[{"message":{"content":null,"refusal":"no"}}]}"#, "", "refusal"),
            (r#"{"error":null,"choices":[{"message":{"content":"a"}}],"odd":[{}]}"#, "a", ""),
        ];
        for (body, text, finish) in cases {
            let reply = reply(body);
            assert_eq!(
                (reply.answer.text.as_str(), reply.answer.finish_reason.as_str()),
                (text, finish)
            );
            assert_eq!(reply.usage, None);
        }
    }

    #[test]
    fn pieces_are_put_together() {
        let body = ": hello\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"Call \"}}]}\r\n\r\n\
            data: {\"choices\":[{\"delta\":{\"content\":\"me\"},\"finish_reason\":\"stop\"}]}\n\n\
            data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\ndata: [DONE]\n";
        let reply = reply(body);
        assert_eq!(reply.answer.text, "Call me");
        assert_eq!(reply.usage.map(|usage| usage.completion), Some(2));
        let cut = &body[..60];
        assert!(matches!(read(cut.as_bytes()), Body::Garbage(_)));
    }

    #[test]
    fn garbage_has_a_name() {
        for body in ["", "<html>", "{\"choices\":[", "{\"choices\":[]}", "hello", "[]", "null"] {
            assert!(matches!(read(body.as_bytes()), Body::Garbage(_)), "{body}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_body_makes_it_panic(body in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
            let _ = read(&body);
            let _ = read(&[b"data: ", &body[..]].concat());
        }

        #[test]
        fn any_text_comes_through(text in ".*", finish in ".*") {
            let body = serde_json::json!({
                "choices": [{ "message": { "content": text }, "finish_reason": finish }],
            });
            let answer = reply(&body.to_string()).answer;
            proptest::prop_assert_eq!((answer.text, answer.finish_reason), (text, finish));
        }
    }
}

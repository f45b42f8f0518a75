//! Why a request failed, and whether trying again can help.

use std::time::Duration;

use serde_json::Value;
use storymill_core::one_plain_line;

use crate::{
    ModelConfig,
    fields::Complaint,
    wire::{Wire, word},
};

/// A failed request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Failure {
    /// It may pass.
    Again(Again),
    /// It will not.
    Never(Refusal),
}

/// A failure that may pass.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Again {
    /// A fragment.
    pub(crate) what: String,
    /// How long the server asks us to wait.
    pub(crate) after: Option<Duration>,
    /// The server has too many requests: everybody slows down.
    pub(crate) crowded: bool,
    /// The model may have worked on it, and been paid: it is not tried as often.
    pub(crate) costly: bool,
    /// Nobody was there to be asked: no connection came about.
    pub(crate) unreached: bool,
}

/// A failure that will not pass.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) why: Why,
    /// What the server said, as a fragment.
    pub(crate) what: String,
    /// The same about fields of the request, which may be sent without one of them.
    pub(crate) complaint: Option<Complaint>,
}

impl Refusal {
    pub(crate) fn new(why: Why, what: String) -> Self {
        Self { why, what, complaint: None }
    }
}

/// Why an endpoint refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// This request is too long for the model.
    TooLong,
    /// This request was stopped by a content filter.
    Filtered,
    /// The endpoint does not take schemas, or not this one.
    Schema,
    /// It does not like a field.
    Field,
    /// There is no money left, or no quota.
    Quota,
    /// The key is missing or wrong.
    Key,
    /// No such model, no such path.
    Missing,
    /// It asks for a longer wait than the workflow allows.
    Wait,
    /// Anything else.
    Other,
}

impl Why {
    /// Whether only this request is refused, and others may still be answered.
    pub(crate) fn is_of_one_request(self) -> bool {
        matches!(self, Self::TooLong | Self::Filtered)
    }

    /// What the user can do about a model that is described so.
    pub(crate) fn hint_for(self, config: &ModelConfig) -> &'static str {
        match self {
            Self::Key if config.api_key_env.is_none() => {
                "it wants a key: write `api_key_env = \"VARIABLE\"` into the model's table, with the variable that holds it"
            }
            why => why.hint(),
        }
    }

    /// The same of any model.
    pub(crate) fn hint(self) -> &'static str {
        match self {
            Self::TooLong => {
                "make the scenes shorter, use a model with a longer context, or set `too_long = \"reject\"`"
            }
            Self::Filtered | Self::Other => "`storymill doctor` tries what the endpoint can do",
            Self::Field => "change the model's table, or leave a field out with `omit`",
            Self::Schema => {
                "set `response_format = \"none\"` and let the stage use its tag protocol"
            }
            Self::Quota => "the account has no quota left; what was answered is kept",
            Self::Key => {
                "is the variable that `api_key_env` names set in this shell, and is it this provider's key?"
            }
            Self::Missing => "look at `url` (up to and with `/v1`) and `model`",
            Self::Wait => "run again later, or raise `longest_wait_seconds`",
        }
    }
}

/// A failure without the words of the server, which may quote what it was sent: its status alone.
pub(crate) fn without_words(what: String) -> String {
    match what.find(|c: char| !c.is_ascii_digit()) {
        Some(end) if end > 0 => {
            format!("{} (what it says may quote private text, and is not shown)", &what[..end])
        }
        _ => what,
    }
}

impl Again {
    pub(crate) fn transport(what: impl Into<String>, costly: bool) -> Failure {
        Failure::Again(Self {
            what: what.into(),
            after: None,
            crowded: false,
            costly,
            unreached: false,
        })
    }
}

/// What an answer with an error status means. `asked_again` is the server's own word on retries,
/// `after` the wait it asks for.
pub(crate) fn classify(
    status: u16,
    body: &[u8],
    asked_again: Option<bool>,
    after: Option<Duration>,
) -> Failure {
    let value = serde_json::from_slice::<Value>(body).unwrap_or(Value::Null);
    let error = Said::of(&value);
    let what = format!("{status}{}", error.shown());
    if let Some(why) = error.permanent(status) {
        let complaint = (why == Why::Schema).then(|| error.complaint());
        return Failure::Never(Refusal { why, what, complaint });
    }
    let passes = matches!(status, 408 | 409 | 425 | 429) || status >= 500;
    if asked_again.unwrap_or(passes) {
        let crowded = matches!(status, 429 | 529);
        let costly = status == 500;
        return Failure::Again(Again { what, after, crowded, costly, unreached: false });
    }
    let why = match status {
        401 | 403 => Why::Key,
        402 => Why::Quota,
        404 | 405 | 300..=399 => Why::Missing,
        413 => Why::TooLong,
        400 | 422 => Why::Field,
        _ => Why::Other,
    };
    // Some models forbid a field where others do not know it.
    let is_of_fields =
        why == Why::Field || (status == 403 && error.kind == "invalid_request_error");
    Failure::Never(Refusal { why, what, complaint: is_of_fields.then(|| error.complaint()) })
}

/// An error that came with a success status: its own code decides, or what the wire format calls it.
pub(crate) fn classify_inside(wire: &dyn Wire, value: &Value) -> Failure {
    let error = Said::of(value);
    let status = error.code.parse().ok().filter(|status| (400..600).contains(status));
    let status = status.or_else(|| wire.status(&error.kind)).or_else(|| wire.status(&error.code));
    let status = status.unwrap_or(500);
    classify(status, value.to_string().as_bytes(), None, None)
}

/// What an error body says: `code` may be a number, `error` a string, everything missing.
struct Said {
    code: String,
    kind: String,
    message: String,
    param: String,
}

impl Said {
    fn of(value: &Value) -> Self {
        let value = value.get(0).unwrap_or(value);
        let error = value.get("error").unwrap_or(value);
        let message = match error {
            Value::String(message) => message.clone(),
            // Lists of mistakes are shown as they are.
            _ => match error.get("message").or_else(|| error.get("detail")) {
                Some(list @ (Value::Array(_) | Value::Object(_))) => list.to_string(),
                message => word(message),
            },
        };
        Self {
            code: word(error.get("code")),
            kind: word(error.get("type")),
            message,
            param: word(error.get("param")),
        }
    }

    fn complaint(&self) -> Complaint {
        Complaint { param: self.param.clone(), message: self.message.clone() }
    }

    /// ` (context_length_exceeded): the text of the server`, cut to a readable length.
    fn shown(&self) -> String {
        let name = if self.kind.is_empty() { &self.code } else { &self.kind };
        let clean = |text: &str| -> String { one_plain_line(text).chars().take(300).collect() };
        match (name.is_empty(), self.message.is_empty()) {
            (true, true) => String::new(),
            (true, false) => format!(": {}", clean(&self.message)),
            (false, true) => format!(" ({})", clean(name)),
            (false, false) => format!(" ({}): {}", clean(name), clean(&self.message)),
        }
    }

    fn permanent(&self, status: u16) -> Option<Why> {
        let names = format!("{} {}", self.code, self.kind).to_ascii_lowercase();
        let message = self.message.to_ascii_lowercase();
        let either = |words: &[&str]| {
            words.iter().any(|word| names.contains(word) || message.contains(word))
        };
        let bad_request = matches!(status, 400 | 413 | 422);
        let quota = [
            "insufficient_quota",
            "exceeded your current quota",
            "billing_hard_limit",
            "credit balance is too low",
        ];
        if either(&quota) || (status == 402 || names.contains("billing")) {
            return Some(Why::Quota);
        }
        let too_long = [
            "context_length_exceeded",
            "exceed_context_size",
            "maximum context length",
            "context window",
            "available context size",
            "prompt is too long",
            "exceed context limit",
        ];
        if (bad_request || status == 500) && either(&too_long) {
            return Some(Why::TooLong);
        }
        if !bad_request {
            return None;
        }
        if either(&["api key not valid", "api_key_invalid", "invalid api key", "incorrect api key"])
        {
            return Some(Why::Key);
        }
        if names.contains("model_not_found") || self.param == "model" {
            return Some(Why::Missing);
        }
        if either(&[
            "content_filter",
            "invalid_prompt",
            "content_policy",
            "content filtering policy",
            "responsibleaipolicy",
        ]) {
            return Some(Why::Filtered);
        }
        let schema = [
            "response_format",
            "output_config.format",
            "json_schema",
            "json schema",
            "guided_json",
        ];
        let about_schema =
            ["response_format", "text.format"].iter().any(|name| self.param.starts_with(name));
        (about_schema || (self.param.is_empty() && either(&schema))).then_some(Why::Schema)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(status: u16, body: &str) -> Option<Why> {
        match classify(status, body.as_bytes(), None, None) {
            Failure::Never(refusal) => Some(refusal.why),
            Failure::Again(_) => None,
        }
    }

    #[test]
    fn what_passes_and_what_does_not() {
        let quota =
            r#"{"error":{"message":"m","type":"insufficient_quota","code":"insufficient_quota"}}"#;
        let busy = r#"{"error":{"message":"slow down","code":429}}"#;
        let long = r#"{"error":{"code":400,"message":"request (931 tokens) exceeds the available context size (512 tokens)","type":"exceed_context_size_error","n_ctx":512}}"#;
        let schema = r#"{"error":{"message":"Unknown parameter","param":"response_format"}}"#;
        let cases = [
            (429, busy, None),
            (429, "", None),
            (429, quota, Some(Why::Quota)),
            (400, long, Some(Why::TooLong)),
            (400, schema, Some(Why::Schema)),
            (400, r#"{"error":"bad"}"#, Some(Why::Field)),
            (400, r#"[{"error":{"message":"API key not valid."}}]"#, Some(Why::Key)),
            (400, r#"{"error":{"message":"no such","param":"model"}}"#, Some(Why::Missing)),
            (401, "<html>", Some(Why::Key)),
            (404, "", Some(Why::Missing)),
            (302, "", Some(Why::Missing)),
            (400, r#"{"error":{"code":"content_filter"}}"#, Some(Why::Filtered)),
            (408, "", None),
            (409, "", None),
            (500, "oops", None),
            (503, r#"{"error":{"message":"Loading model","code":503}}"#, None),
            (529, "", None),
        ];
        for (status, body, expected) in cases {
            assert_eq!(why(status, body), expected, "{status} {body}");
        }
    }

    #[test]
    fn the_server_has_the_last_word_on_retries() {
        assert!(matches!(classify(500, b"", Some(false), None), Failure::Never(_)));
        assert!(matches!(classify(418, b"", Some(true), None), Failure::Again(_)));
    }
}

//! Fields that an endpoint refuses: found in what it says, and then left out or sent under another name.
//!
//! What a model is called, the text, and the key are never among them. The key of an answer is taken over the request
//! that the workflow wants, so an answer is found again whatever an endpoint refused; what was refused stands beside it.

use serde_json::{Map, Value};
use storymill_core::Changes;

use crate::{
    ModelConfig, ResponseFormat,
    failure::{Refusal, Why},
    wire::Wire,
};

/// What no request can do without, in any wire format.
const NEEDED: [&str; 7] =
    ["model", "messages", "input", "system", "instructions", "prompt", "stream"];
/// The names that wire formats have for how long an answer may be.
const LENGTHS: [&str; 3] = ["max_tokens", "max_completion_tokens", "max_output_tokens"];
/// Fields inside of others that are refused by themselves.
const INNER: [(&str, &str); 4] = [
    ("output_config", "format"),
    ("output_config", "effort"),
    ("text", "format"),
    ("reasoning", "effort"),
];
/// How long a message about a field is at most.
const LONG: usize = 1_000;
/// Marks inside of the text that are no part of it.
pub(crate) const MARKS: &str = "cache_control";

/// A complaint about a request, in the words of the endpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// The field that it names apart from its words; blank if it names none.
    pub(crate) param: String,
    pub(crate) message: String,
}

/// What to do about a complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The field as it was sent: `temperature`, `reasoning.effort`.
    pub(crate) field: String,
    /// The name it is sent under from now on; none: it is left out.
    pub(crate) name: Option<String>,
}

/// What to change about a request that was refused, besides what was changed before; none if it cannot be sent
/// otherwise.
pub(crate) fn wanted(
    (config, wire): (&ModelConfig, &dyn Wire),
    body: &Map<String, Value>,
    before: &Changes,
    refusal: &Refusal,
) -> Option<Change> {
    let schema = wire.schema_field();
    let change = change(body, before, refusal.complaint.as_ref()?).or_else(|| {
        // Some speak of schemas in words of their own.
        let is_sent = matches!(found(body, schema), Found::Field(field) if field == schema);
        let field = schema.to_owned();
        (refusal.why == Why::Schema && is_sent).then_some(Change { field, name: None })
    })?;
    let insists = config.response_format == ResponseFormat::Schema;
    (change.field != schema || !insists).then_some(change)
}

/// The field of a request that a complaint is about, if the request can be sent without it.
fn change(body: &Map<String, Value>, before: &Changes, complaint: &Complaint) -> Option<Change> {
    let Complaint { param, message } = complaint;
    let mut field = match found(body, param) {
        Found::Needed => return None,
        Found::Field(field) => field,
        Found::Nothing => named(body, message)?,
    };
    // Some take either of the two and not both. What is unlikely anyway is said by the temperature already.
    let both = ["temperature", "top_p"];
    if both.contains(&&*field)
        && both.iter().all(|name| body.contains_key(*name) && words(message).any(|w| w == *name))
    {
        "top_p".clone_into(&mut field);
    }
    if !LENGTHS.contains(&&*field) {
        return Some(Change { field, name: None });
    }
    // Without a limit nobody knows what an answer may cost, and a number that is too large is the user's to change.
    let lower = message.to_ascii_lowercase();
    let is_unknown = [
        "not supported",
        "unsupported",
        "unrecognized",
        "unknown",
        "not permitted",
        "unexpected",
        "extra",
        "deprecated",
        "not allowed",
        "instead",
        "cannot find field",
    ];
    if !is_unknown.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let is_new = |name: &&str| !body.contains_key(*name) && !before.contains_key(*name);
    let others: Vec<&str> = LENGTHS.into_iter().filter(is_new).collect();
    let meant = others.iter().find(|name| words(message).any(|word| word == **name));
    let name = (*meant.or(others.first())?).to_owned();
    Some(Change { field, name: Some(name) })
}

/// Sends a request as an endpoint wants it; what of that there was to change. To do it twice is to do it once.
pub(crate) fn apply(changes: &Changes, body: &mut Map<String, Value>) -> Changes {
    let mut made = Changes::new();
    for (field, name) in changes {
        let value = match field.split_once('.') {
            _ if field == MARKS => {
                body.values_mut().for_each(unmark);
                continue;
            }
            None => body.remove(field),
            Some((outer, inner)) => {
                let object = body.get_mut(outer).and_then(Value::as_object_mut);
                let value = object.and_then(|object| object.remove(inner));
                if body.get(outer).and_then(Value::as_object).is_some_and(Map::is_empty) {
                    body.remove(outer);
                }
                value
            }
        };
        let Some(value) = value else { continue };
        made.insert(field.clone(), name.clone());
        if let Some(name) = name {
            body.insert(name.clone(), value);
        }
    }
    made
}

/// What a word says of a request.
enum Found {
    /// A field that it can be sent without.
    Field(String),
    /// One that it cannot.
    Needed,
    /// No field of it.
    Nothing,
}

/// The field of a request that has this name, or that holds what has it: `messages[0].content`.
fn found(body: &Map<String, Value>, name: &str) -> Found {
    let name = name.strip_prefix("body.").unwrap_or(name);
    let mut parts = name.split(['.', '[', ']']).filter(|part| !part.is_empty());
    let Some(root) = parts.next() else { return Found::Nothing };
    let inner = parts.next();
    if name.split(['.', '[', ']']).any(|part| part == MARKS) && body.values().any(is_marked) {
        return Found::Field(MARKS.to_owned());
    }
    if NEEDED.contains(&root) {
        return Found::Needed;
    }
    let Some(value) = body.get(root) else { return Found::Nothing };
    let parts = INNER.iter().filter(|(outer, part)| *outer == root && value.get(part).is_some());
    let own = inner.and_then(|inner| parts.clone().find(|(_, part)| *part == inner));
    // One that is not named goes before the whole: first what a stage wants, then what the user does.
    Found::Field(match own.or_else(|| parts.clone().next()) {
        Some((outer, part)) => format!("{outer}.{part}"),
        None => root.to_owned(),
    })
}

/// The field that a message is about: the one it begins with, else the first in quotes, else the first that it says.
fn named(body: &Map<String, Value>, message: &str) -> Option<String> {
    // What is this long repeats the request, which names every field.
    if message.len() > LONG {
        return None;
    }
    // Lists of mistakes say where each stands: `'loc': ('body', 'seed')`.
    let message = message.find("loc").map_or(message, |at| match &message[at..] {
        rest if rest.starts_with("loc'") || rest.starts_with("loc\"") => rest,
        _ => message,
    });
    let begins = message.split_once(':').map(|(first, _)| first.trim_matches(QUOTES));
    let begins = begins.filter(|first| words(first).eq([*first]));
    let quoted = message.split(QUOTES).skip(1).step_by(2).map(str::trim);
    // Every quotation mark may be an apostrophe: then what lies between quotes is what lies outside.
    let unquoted = message.split(QUOTES).skip(2).step_by(2).map(str::trim);
    for word in begins.into_iter().chain(quoted).chain(unquoted) {
        match found(body, word) {
            Found::Field(field) => return Some(field),
            Found::Needed => return None,
            Found::Nothing => {}
        }
    }
    // In plain prose `model` and `input` are words like others.
    words(message).find_map(|word| match found(body, word) {
        Found::Field(field) => Some(field),
        Found::Needed | Found::Nothing => None,
    })
}

const QUOTES: [char; 3] = ['\'', '"', '`'];

/// The words of a message that may be names of fields.
fn words(message: &str) -> impl Iterator<Item = &str> {
    let parts = message.split(|c: char| !c.is_ascii_alphanumeric() && !"_.[]".contains(c));
    parts.map(|word| word.trim_matches('.')).filter(|word| !word.is_empty())
}

fn is_marked(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.contains_key(MARKS) || fields.values().any(is_marked),
        Value::Array(items) => items.iter().any(is_marked),
        _ => false,
    }
}

fn unmark(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove(MARKS);
            fields.values_mut().for_each(unmark);
        }
        Value::Array(items) => items.iter_mut().for_each(unmark),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body() -> Map<String, Value> {
        let body = json!({
            "model": "m", "messages": [{ "role": "user", "content": "seed" }], "temperature": 0, "top_p": 0.5,
            "max_tokens": 9, "seed": 0, "stop": "END", "stream": false,
            "output_config": { "format": {}, "effort": "low" },
        });
        body.as_object().unwrap().clone()
    }

    #[track_caller]
    fn check(param: &str, message: &str, expect: Option<(&str, Option<&str>)>) {
        let complaint = Complaint { param: param.to_owned(), message: message.to_owned() };
        let found = change(&body(), &Changes::new(), &complaint);
        let found = found.as_ref().map(|one| (one.field.as_str(), one.name.as_deref()));
        assert_eq!(found, expect, "{param} {message}");
    }

    #[test]
    fn the_field_is_found_in_the_words_of_many_servers() {
        check("temperature", "Unsupported value", Some(("temperature", None)));
        check("", "`temperature` and `top_p` cannot both be specified", Some(("top_p", None)));
        check("", "Unknown name \"seed\": Cannot find field.", Some(("seed", None)));
        check(
            "",
            "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'input': 0}]",
            Some(("seed", None)),
        );
        check("", "output_config.effort: not for this model", Some(("output_config.effort", None)));
        check("", "output_config: not for this model", Some(("output_config.format", None)));
        let limit = Some(("max_tokens", Some("max_completion_tokens")));
        check("max_tokens", "Not supported: use 'max_completion_tokens' instead.", limit);
        check("", "Extra inputs are not permitted: max_tokens", limit);
        check("max_tokens", "max_tokens is too large: 9", None);
        check("messages[0].content", "'seed' is no word", None);
        check("", "messages.0: `seed` is no word", None);
        check("", "The model `m` does not exist", None);
        check("model", "temperature is not for it", None);
        check("", "the model isn't here, nor the user's input", None);
    }

    #[test]
    fn fields_inside_of_others_go_alone() {
        let body = json!({
            "model": "m", "input": [], "max_output_tokens": 9, "text": { "format": {} },
            "reasoning": { "effort": "low", "summary": "auto" },
        });
        let mut body = body.as_object().unwrap().clone();
        for (param, field) in [
            ("reasoning.effort", Some("reasoning.effort")),
            ("text.format.schema", Some("text.format")),
            ("input[0].content", None),
            ("reasoning", Some("reasoning")),
        ] {
            let complaint = Complaint { param: param.to_owned(), message: "No.".to_owned() };
            let found = change(&body, &Changes::new(), &complaint);
            assert_eq!(found.as_ref().map(|one| &*one.field), field);
            let changes = found.map(|one| (one.field, one.name)).into_iter().collect();
            apply(&changes, &mut body);
        }
        assert_eq!(Value::from(body), json!({ "model": "m", "input": [], "max_output_tokens": 9 }));
    }

    proptest::proptest! {
        /// Whatever is said: what is needed stays, and each change takes a field that is there.
        #[test]
        fn what_is_needed_stays(param in "[a-z_.\\[\\]]{0,20}", message in "([a-z_'`\".: ]|seed|model|messages|max_tokens|top_p|stream|unsupported){0,12}") {
            let complaint = Complaint { param, message };
            let (mut sent, mut changes) = (body(), Changes::new());
            while let Some(Change { field, name }) = change(&sent, &changes, &complaint) {
                proptest::prop_assert!(changes.insert(field, name).is_none());
                apply(&changes, &mut sent);
            }
            for field in ["model", "messages", "stream"] {
                proptest::prop_assert_eq!(&sent[field], &body()[field]);
            }
            proptest::prop_assert!(LENGTHS.iter().any(|name| sent.contains_key(*name)));
        }
    }
}

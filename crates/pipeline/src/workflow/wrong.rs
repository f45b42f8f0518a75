//! What serde says of a workflow file, in words of such files.

use std::{collections::BTreeMap, ops::Range};

use crate::{problem::Problem, registry::Kind};

/// A mistake at a place.
pub(super) fn at(error: &toml::de::Error, span: impl Into<Option<Range<usize>>>) -> Problem {
    Problem::new(flat(error.message()), span).hint(unquoted(error.message()))
}

/// A mistake in a table: one about all of it (a missing option) is shown at its head, not over all of it.
pub(super) fn below(error: &toml::de::Error, head: &Range<usize>) -> Problem {
    let span = error.span().filter(|_| !error.message().starts_with("missing field"));
    at(error, span.unwrap_or_else(|| head.clone()))
}

/// What to do about a step that names no kind, two kinds, or options where its kind should stand.
pub(super) fn no_kind(
    what: &str,
    name: &str,
    keys: &[&str],
    kinds: &BTreeMap<&'static str, Kind>,
) -> String {
    if kinds.contains_key(name) {
        return format!(
            "`{name}` is a kind: write `[{what}.NAME.{name}]`, with a name of your own"
        );
    }
    if keys.len() > 1 && keys.iter().all(|key| kinds.contains_key(*key)) {
        return "keep one kind, and give the other a step with a name of its own".to_owned();
    }
    let kinds: Vec<_> = kinds.keys().copied().collect();
    let kinds = kinds.join(", ");
    format!("write `[{what}.{name}.KIND]`, with the options below it; kinds are {kinds}")
}

/// serde speaks of fields and of Rust's types; the user wrote options, texts and numbers.
fn flat(message: &str) -> String {
    let message = message.trim().replace('\n', ", ");
    if let Some(name) = message.strip_prefix("missing field ") {
        return format!("option {name} is missing");
    }
    if message.starts_with("string values must be quoted") {
        return "a value is missing, or a text without quotation marks".to_owned();
    }
    let wrong = message.strip_prefix("invalid type: ").or(message.strip_prefix("invalid value: "));
    if let Some((found, expected)) = wrong.and_then(|rest| rest.split_once(", expected ")) {
        let negative = expected.starts_with('u') && found.starts_with("integer `-");
        let from = if negative { " of at least 0" } else { "" };
        return format!("expected {}{from}, found {}", in_words(expected), in_words(found));
    }
    match message.strip_prefix("unknown variant ").and_then(|rest| rest.split_once(", expected ")) {
        Some((found, known)) => {
            let known = known.trim_start_matches("one of ").replace(" or ", ", ");
            let known = known
                .rsplit_once(", ")
                .map_or_else(|| known.clone(), |(others, last)| format!("{others} or {last}"));
            format!("must be {known}, not {found}")
        }
        None => message,
    }
}

/// What to do about such an error: numbers and truth values stand without quotation marks, lists in brackets.
fn unquoted(message: &str) -> Option<String> {
    if message.starts_with("missing field `canary`") {
        return Some("take one from a new file of `storymill init`".to_owned());
    }
    let rest = message.strip_prefix("invalid type: string \"")?;
    let (text, expected) = rest.split_once("\", expected ")?;
    let bare = match expected {
        "a boolean" => text.parse::<bool>().is_ok(),
        "a sequence" => return Some(format!("write a list: [\"{text}\"]")),
        _ => !expected.contains("string") && text.parse::<f64>().is_ok(),
    };
    bare.then(|| format!("remove the quotation marks: {text}"))
}

fn in_words(text: &str) -> String {
    let wholes = ["u8", "u16", "u32", "u64", "usize", "i32", "i64"];
    match text.split_once(' ') {
        None if wholes.contains(&text) => "a whole number".to_owned(),
        None if text == "f64" => "a number".to_owned(),
        Some(("a", "sequence")) => "a list".to_owned(),
        Some(("a", "string")) => "a text in quotation marks".to_owned(),
        Some(("string", value)) => format!("the text {value}"),
        Some(("integer" | "boolean", value)) => value.to_owned(),
        Some(("floating", value)) => value.trim_start_matches("point ").to_owned(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serde_in_words() {
        for (said, words, hint) in [
            (
                "invalid type: string \"3000\", expected u32",
                "expected a whole number, found the text \"3000\"",
                Some("remove the quotation marks: 3000"),
            ),
            (
                "invalid type: string \"many\", expected u32",
                "expected a whole number, found the text \"many\"",
                None,
            ),
            (
                "invalid type: string \"true\", expected a boolean",
                "expected a boolean, found the text \"true\"",
                Some("remove the quotation marks: true"),
            ),
            (
                "unknown variant `autor`, expected one of `author`, `book`, `none`",
                "must be `author`, `book` or `none`, not `autor`",
                None,
            ),
            ("unknown variant `c`, expected `a` or `b`", "must be `a` or `b`, not `c`", None),
            ("missing field `from`", "option `from` is missing", None),
            (
                "missing field `canary`",
                "option `canary` is missing",
                Some("take one from a new file of `storymill init`"),
            ),
            (
                "invalid type: string \"Brook\", expected a sequence",
                "expected a list, found the text \"Brook\"",
                Some("write a list: [\"Brook\"]"),
            ),
            (
                "invalid value: integer `-3`, expected u32",
                "expected a whole number of at least 0, found `-3`",
                None,
            ),
            (
                "string values must be quoted, expected literal string",
                "a value is missing, or a text without quotation marks",
                None,
            ),
        ] {
            assert_eq!((flat(said).as_str(), unquoted(said).as_deref()), (words, hint));
        }
    }
}

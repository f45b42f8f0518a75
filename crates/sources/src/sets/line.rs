//! One line of a question set, in whichever form.

use std::collections::BTreeSet;

use serde_json::Value;
use storymill_core::{Reason, SetQuestion};

use super::{
    forms::{HotpotQa, MultiFieldQa, Own},
    released::{Article, Cmrc, DuReader, Flat, LooGle},
};

/// Reads all lines, or all items of one JSON array, or of the `data` of one JSON object. `language`
/// overrules what a line says.
pub(super) fn read(text: &str, language: Option<&str>) -> Result<Vec<SetQuestion>, Reason> {
    let mut rows: Vec<SetQuestion> = Vec::new();
    let mut ids = BTreeSet::new();
    let mut add = |place: String, found: Result<Vec<SetQuestion>, Wrong>| {
        let found = found.map_err(|(code, what)| Reason::new(code, format!("{place}: {what}")))?;
        for row in found {
            if !ids.insert(row.id.clone()) {
                let detail =
                    format!("{place}: the id `{}` is taken by an earlier question", row.id);
                return Err(Reason::new("duplicate-id", detail));
            }
            rows.push(row);
        }
        Ok(())
    };
    if let Some(articles) = data(text) {
        for (at, item) in (1..).zip(articles) {
            add(format!("item {at}"), read_item(item, at, language))?;
        }
    } else if text.trim_start().starts_with('[') {
        let items: Vec<Value> = serde_json::from_str(text)
            .map_err(|error| Reason::new("bad-json", format!("line {}: {error}", error.line())))?;
        for (at, item) in (1..).zip(items) {
            add(format!("item {at}"), read_item(item, at, language))?;
        }
    } else {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        for (at, line) in lines {
            let value = serde_json::from_str(line).map_err(|error: serde_json::Error| {
                let what = error.to_string();
                let what = what.split(" at line ").next().unwrap_or_default();
                Reason::new("bad-json", format!("line {at}, column {}: {what}", error.column()))
            })?;
            add(format!("line {at}"), read_item(value, at, language))?;
        }
    }
    if rows.is_empty() {
        return Err(Reason::new("empty", "the file holds no question"));
    }
    Ok(rows)
}

/// What is wrong with a line: a code and a detail.
pub(super) type Wrong = (&'static str, String);

/// The articles of a file in the form of SQuAD: one JSON object with `data`.
fn data(text: &str) -> Option<Vec<Value>> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    // Of lines the first is read, and then there is more.
    let mut whole: Value = serde_json::from_str(text).ok()?;
    match whole.get_mut("data")?.take() {
        Value::Array(articles) => Some(articles),
        _ => None,
    }
}

/// The questions of a line, by the fields that tell its form.
fn read_item(value: Value, at: usize, language: Option<&str>) -> Result<Vec<SetQuestion>, Wrong> {
    let rows = rows(value)?;
    let many = rows.len() > 1;
    let named = (1..).zip(rows).map(|(part, mut row)| {
        if row.id.is_empty() {
            row.id = if many { format!("q{at}-{part}") } else { format!("q{at}") };
        }
        finish(row, language)
    });
    named.collect()
}

fn rows(value: Value) -> Result<Vec<SetQuestion>, Wrong> {
    fn of<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, Wrong> {
        serde_json::from_value(value).map_err(|error| ("bad-line", error.to_string()))
    }
    let has = |name: &str| value.get(name).is_some();
    Ok(if has("supporting_facts") {
        vec![of::<HotpotQa>(value)?.row()?]
    } else if has("input") && has("context") {
        vec![of::<MultiFieldQa>(value)?.row()]
    } else if has("input") && has("qa_pairs") {
        of::<LooGle>(value)?.rows()?
    } else if has("context_text") {
        of::<Cmrc>(value)?.rows()
    } else if has("paragraphs") {
        of::<Article>(value)?.rows()
    } else if has("context") && has("question") {
        vec![of::<Flat>(value)?.row()]
    } else if has("question_id") || has("question_type") {
        vec![of::<DuReader>(value)?.row()]
    } else {
        vec![of::<Own>(value)?.row()]
    })
}

/// A question with its language, if nothing is wrong with it.
fn finish(mut row: SetQuestion, language: Option<&str>) -> Result<SetQuestion, Wrong> {
    if row.id.chars().any(|c| c.is_whitespace() || c.is_control() || c == '/') {
        return Err((
            "bad-id",
            format!("the id `{}` has a blank or a slash", row.id.escape_debug()),
        ));
    }
    if let Some(language) = language {
        language.clone_into(&mut row.language);
    }
    if row.language.is_empty() {
        row.language = told(&row).to_owned();
    }
    check(&row)?;
    Ok(row)
}

/// What no question can do without.
fn check(row: &SetQuestion) -> Result<(), Wrong> {
    let id = &row.id;
    if !["en", "zh"].contains(&&row.language[..]) {
        return Err((
            "bad-language",
            format!("`{id}`: the language is `{}`, and can be `en` or `zh`", row.language),
        ));
    }
    if row.documents.is_empty() {
        return Err(("no-documents", format!("`{id}` has no documents")));
    }
    if let Some(at) = row.documents.iter().position(|document| document.text.trim().is_empty()) {
        return Err(("empty-document", format!("`{id}`: document {} is blank", at + 1)));
    }
    if let Some(at) = row.supporting.iter().find(|at| **at as usize >= row.documents.len()) {
        let what = format!(
            "`{id}`: `supporting` names document {at}, and there are {}, counted from 0",
            row.documents.len()
        );
        return Err(("bad-supporting", what));
    }
    if row.question.is_empty() {
        return Ok(());
    }
    if row.answers.iter().all(|answer| answer.trim().is_empty()) {
        return Err(("no-answer", format!("`{id}` has no answer")));
    }
    if row.supporting.is_empty() {
        return Err(("no-evidence", format!("`{id}`: none of its documents is supporting")));
    }
    Ok(())
}

/// The language by the letters of the question, or of the first document.
fn told(row: &SetQuestion) -> &'static str {
    let text = if row.question.is_empty() {
        row.documents.first().map_or("", |document| &document.text)
    } else {
        &row.question
    };
    let han = text.chars().filter(|c| ('\u{4e00}'..='\u{9fff}').contains(c)).count();
    if han * 2 > text.chars().filter(|c| c.is_alphanumeric()).count() { "zh" } else { "en" }
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;

//! Recorded answers of real models, classified as the folder's own description says, and answers of
//! our own that say themselves how they are to be classified (`made`).

use std::collections::BTreeMap;

use serde_json::Value;
use storymill_core::{Answer, Edit};
use storymill_text::Language;

use super::{
    answer::{Protocol, pairs, retelling},
    checks::{Checks, too_near},
    event,
    tokens::Telling,
};
use crate::tests::sets;

struct Recorded {
    id: String,
    passage: String,
    is_true: bool,
    answer: Answer,
}

/// The rows of a file in all golden sets that have it; none where it is missing.
fn rows(file: &str) -> Option<Vec<Value>> {
    let paths = sets("llm").into_iter().map(|folder| folder.join(file));
    let texts: Vec<_> = paths.flat_map(std::fs::read_to_string).collect();
    let rows = texts.iter().flat_map(|text| text.lines());
    (!texts.is_empty()).then(|| rows.map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn recorded(model: &str) -> Option<Vec<Recorded>> {
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    let rows = rows(&format!("recorded-{model}.jsonl"))?;
    let rows = rows.iter().map(|row| {
        let task = text(row, "task");
        let answer =
            Answer { text: text(row, "response_text"), finish_reason: text(row, "finish_reason") };
        let id = format!("{} {} {}", text(row, "passage"), task, text(row, "variant"));
        Recorded { id, passage: text(row, "passage"), is_true: task.starts_with("true"), answer }
    });
    Some(rows.collect())
}

fn passages() -> BTreeMap<String, String> {
    let rows = rows("passages.jsonl").unwrap();
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    rows.iter().map(|row| (text(row, "id"), text(row, "text"))).collect()
}

/// What the checks say of each true retelling: nothing, or the first reason.
#[track_caller]
fn check_true(model: &str, expected: &[(&str, &str)]) {
    let Some(rows) = recorded(model) else { return };
    let (passages, checks) = (passages(), Checks::default());
    let mut found = Vec::new();
    for row in rows.iter().filter(|row| row.is_true) {
        let passage = &passages[&row.passage];
        let verdict = retelling(Protocol::Tag, &row.answer)
            .and_then(|found| checks.text(&found, passage, "", &[Language::English]));
        let code = verdict.map_or_else(|reason| reason.code.into_owned(), |()| "fit".into());
        let variant = if row.id.contains("no-repeat") { "*" } else { "" };
        found.push((row.passage.clone() + variant, code));
    }
    let found: Vec<_> = found.iter().map(|(passage, code)| (&passage[..], &code[..])).collect();
    assert_eq!(found, expected);
}

#[test]
fn true_retellings() {
    check_true(
        "made",
        &[
            ("rock-1", "fit"),
            ("rock-2", "copied"),
            ("rock-3", "fit"),
            ("rye-1", "tag-missing"),
            ("rye-2", "loop"),
            ("rye-3", "cut-off"),
        ],
    );
    check_true(
        "qwen2.5-coder-1.5b",
        &[
            ("pp-1", "fit"),
            ("pp-1*", "loop"),
            ("pp-2", "fit"),
            ("pp-3", "copied"),
            ("pp-4", "fit"),
            ("audley-1", "cut-off"),
            ("audley-2", "fit"),
            ("audley-3", "fit"),
            ("audley-4", "fit"),
            ("katrine-1", "fit"),
            ("katrine-2", "fit"),
            ("katrine-3", "fit"),
            ("katrine-4", "copied"),
        ],
    );
    check_true(
        "qwen2.5-coder-0.5b",
        &[
            ("pp-1", "loop"),
            ("pp-2", "cut-off"),
            ("pp-3", "cut-off"),
            ("pp-4", "cut-off"),
            ("audley-1", "fit"),
            ("audley-2", "cut-off"),
            ("audley-3", "loop"),
            ("audley-4", "fit"),
            ("katrine-1", "copied"),
            ("katrine-2", "copied"),
            ("katrine-3", "cut-off"),
            ("katrine-4", "loop"),
        ],
    );
    check_true(
        "smollm2-135m",
        &[
            ("pp-1", "tag-missing"),
            ("pp-1", "tag-missing"),
            ("pp-2", "tag-missing"),
            ("pp-2", "tag-missing"),
        ],
    );
}

#[test]
fn tags_are_present_or_absent() {
    for (model, with_tag) in
        [("made", 7), ("qwen2.5-coder-1.5b", 27), ("qwen2.5-coder-0.5b", 24), ("smollm2-135m", 0)]
    {
        let Some(rows) = recorded(model) else { return };
        let tagged = rows.iter().filter(|row| retelling(Protocol::Tag, &row.answer).is_ok());
        assert_eq!(tagged.count(), with_tag, "{model}");
    }
}

#[test]
fn loops_are_found_even_without_a_tag() {
    let checks = Checks::default();
    let untagged = |row: &Recorded| !row.id.starts_with("rye-3") && !row.id.contains("json");
    for row in recorded("made").unwrap().into_iter().filter(untagged) {
        let looped = checks.looped(&row.answer.text).is_err();
        assert_eq!(looped, row.answer.finish_reason == "length", "{}", row.id);
    }
    let Some(rows) = recorded("smollm2-135m") else { return };
    for row in rows {
        let looped = checks.looped(&row.answer.text).is_err();
        assert_eq!(looped, row.answer.finish_reason == "length", "{}", row.id);
    }
    let rows = recorded("qwen2.5-coder-0.5b").unwrap();
    let row = rows.iter().find(|row| row.id.starts_with("katrine-1 false")).unwrap();
    assert!(checks.looped(&row.answer.text).is_err());
}

#[test]
fn copies_are_found() {
    let passages = passages();
    for (model, passage) in [
        ("made", "rock-2"),
        ("qwen2.5-coder-1.5b", "pp-3"),
        ("qwen2.5-coder-1.5b", "audley-1"),
        ("qwen2.5-coder-0.5b", "pp-2"),
        ("qwen2.5-coder-0.5b", "pp-3"),
    ] {
        let Some(rows) = recorded(model) else { return };
        let row = rows.iter().find(|row| row.is_true && row.passage == passage).unwrap();
        let found = Checks::default().copied(&row.answer.text, &passages[passage]);
        assert_eq!(found.unwrap_err().code, "copied", "{model} {passage}");
    }
}

/// No model rewrote: every false retelling is turned down, for each model, 12 of 12.
#[test]
fn rewrites_fail_twelve_of_twelve() {
    for (model, expected) in [("made", 2), ("qwen2.5-coder-1.5b", 14), ("qwen2.5-coder-0.5b", 12)] {
        let Some(rows) = recorded(model) else { return };
        let checks = Checks::default();
        let mut turned_down = 0;
        for row in rows.iter().filter(|row| !row.is_true && !row.id.contains("json")) {
            let truth = rows.iter().find(|other| other.is_true && other.passage == row.passage);
            let truth = retelling(Protocol::Tag, &truth.unwrap().answer).unwrap().text;
            let found = retelling(Protocol::Tag, &row.answer).unwrap();
            let verdict = checks
                .text(&found, "", "", &[Language::English])
                .and_then(|()| too_near(&found.text, &truth, checks.rewrite_pm));
            let code = verdict.unwrap_err().code;
            assert!(["too-near", "loop", "cut-off", "about-prompt"].contains(&&code[..]), "{code}");
            turned_down += 1;
        }
        assert_eq!(turned_down, expected, "{model}");
    }
}

/// The answer with pairs of each: its finish reason is `length`, its object is complete, and its
/// pairs are good where its rewritten text is not.
#[test]
fn pairs_in_a_complete_object_pass() {
    for (model, passage, count) in [("made", "rock-1", 2), ("qwen2.5-coder-1.5b", "pp-2", 3)] {
        let Some(rows) = recorded(model) else { return };
        let json = rows.iter().find(|row| row.id.contains("json")).unwrap();
        assert_eq!(json.answer.finish_reason, "length");
        let truth = rows.iter().find(|row| row.is_true && row.passage == passage).unwrap();
        let truth = retelling(Protocol::Tag, &truth.answer).unwrap().text;
        let (account, scene) = (
            Telling::of(&truth, Language::English),
            Telling::of(&passages()[passage], Language::English),
        );
        let found = pairs(Protocol::Json, &json.answer).unwrap();
        let judged = |edit: &Edit| event::judge(edit, &account, &[&scene], &Checks::default());
        assert_eq!(found.len(), count);
        for edit in &found {
            judged(edit).unwrap();
        }
    }
}

/// No stray quotation mark is left at an end.
#[test]
fn stray_quotation_marks_are_trimmed() {
    for (model, row, end) in [
        ("made", "rock-3 false", "at the lighthouse."),
        ("qwen2.5-coder-1.5b", "pp-3 false", "Chapter 42"),
    ] {
        let Some(rows) = recorded(model) else { return };
        let row = rows.iter().find(|found| found.id.starts_with(row)).unwrap();
        assert!(row.answer.text.ends_with(&format!("{end}\"")));
        let text = retelling(Protocol::Tag, &row.answer).unwrap().text;
        assert!(text.ends_with(end));
    }
}

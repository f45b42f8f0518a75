//! One line of a question set, in whichever form.

use std::collections::BTreeSet;

use serde_json::Value;
use storymill_core::{Reason, SetQuestion};

use super::forms::{HotpotQa, MultiFieldQa, Own};

/// Reads all lines, or all items of one JSON array. `language` overrules what a line says.
pub(super) fn read(text: &str, language: Option<&str>) -> Result<Vec<SetQuestion>, Reason> {
    let mut rows: Vec<SetQuestion> = Vec::new();
    let mut ids = BTreeSet::new();
    let mut add = |place: String, row: Result<SetQuestion, (&'static str, String)>| {
        let row = row.map_err(|(code, what)| Reason::new(code, format!("{place}: {what}")))?;
        if !ids.insert(row.id.clone()) {
            let detail = format!("{place}: the id `{}` is taken by an earlier question", row.id);
            return Err(Reason::new("duplicate-id", detail));
        }
        rows.push(row);
        Ok(())
    };
    if text.trim_start().starts_with('[') {
        let items: Vec<Value> = serde_json::from_str(text)
            .map_err(|error| Reason::new("bad-json", format!("line {}: {error}", error.line())))?;
        for (at, item) in (1..).zip(items) {
            add(format!("item {at}"), row(item, at, language))?;
        }
    } else {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        for (at, line) in lines {
            let value = serde_json::from_str(line).map_err(|error: serde_json::Error| {
                let what = error.to_string();
                let what = what.split(" at line ").next().unwrap_or_default();
                Reason::new("bad-json", format!("line {at}, column {}: {what}", error.column()))
            })?;
            add(format!("line {at}"), row(value, at, language))?;
        }
    }
    if rows.is_empty() {
        return Err(Reason::new("empty", "the file holds no question"));
    }
    Ok(rows)
}

/// What is wrong with a line: a code and a detail.
pub(super) type Wrong = (&'static str, String);

/// A line by the fields that tell its form.
fn row(value: Value, at: usize, language: Option<&str>) -> Result<SetQuestion, Wrong> {
    let bad = |error: serde_json::Error| ("bad-line", error.to_string());
    let has = |name: &str| value.get(name).is_some();
    let mut row = if has("supporting_facts") {
        serde_json::from_value::<HotpotQa>(value).map_err(bad)?.row()?
    } else if has("input") && has("context") {
        serde_json::from_value::<MultiFieldQa>(value).map_err(bad)?.row()
    } else {
        serde_json::from_value::<Own>(value).map_err(bad)?.row()
    };
    if row.id.is_empty() {
        row.id = format!("q{at}");
    }
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
mod tests {
    use super::*;

    #[track_caller]
    fn check_refused(text: &str, code: &str, detail: &str) {
        let reason = read(text, None).unwrap_err();
        assert_eq!(
            (&*reason.code, reason.detail.contains(detail)),
            (code, true),
            "{}",
            reason.detail
        );
    }

    #[test]
    fn each_form_is_read() {
        let own = r#"{"id":"a","question":"Who?","answer":"Ann","documents":["Ann did.",{"title":"T","text":"No."}],"supporting":[0],"rules":[{"from":"Ann","to":"Lea"}]}
            {"documents":["Other words."]}"#;
        let rows = read(own, None).unwrap();
        assert_eq!(
            (rows[0].supporting.clone(), &rows[0].documents[1].title[..], rows[0].rules.len()),
            (vec![0], "T", 1)
        );
        assert_eq!(
            (&rows[1].id[..], &rows[1].question[..], &rows[1].supporting[..]),
            ("q2", "", &[][..])
        );
        let hotpot = r#"[{"_id":"h1","question":"Which?","answer":"B","context":[["A",[]],["B",["One.", " Two."]],["C",["Three."]]],"supporting_facts":[["C",0],["B",1]],"type":"bridge"}]"#;
        let rows = read(hotpot, None).unwrap();
        assert_eq!((rows[0].documents.len(), rows[0].supporting.clone()), (2, vec![0, 1]));
        assert_eq!(rows[0].documents[0].text, "One. Two.");
        let multi = r#"{"input":"谁？","context":"安娜做的。","answers":["安娜"],"length":5,"dataset":"multifieldqa_zh","language":"zh","all_classes":null,"_id":"m1"}"#;
        let rows = read(multi, None).unwrap();
        assert_eq!(
            (&rows[0].id[..], &rows[0].language[..], &rows[0].answers[..]),
            ("m1", "zh", &["安娜".to_owned()][..])
        );
        assert_eq!(
            read("{\"question\":\"谁？\",\"answer\":\"安\",\"documents\":[\"安\"]}", None).unwrap()
                [0]
            .language,
            "zh"
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        check_refused("{\"documents\":[\"a\"]}\n{", "bad-json", "line 2");
        check_refused(
            "{\"question\":\"Who?\",\"answer\":\"a\"}",
            "no-documents",
            "line 1: `q1` has no documents",
        );
        check_refused("{\"question\":\"Who?\",\"documents\":[\"a\"]}", "no-answer", "line 1");
        check_refused(
            "{\"question\":\"Who?\",\"answer\":\"a\",\"documents\":[\"a\"],\"supporting\":[1]}",
            "bad-supporting",
            "document 1",
        );
        check_refused(
            "{\"question\":\"Who?\",\"answer\":\"a\",\"documents\":[\"a\"],\"supporting\":[]}",
            "no-evidence",
            "line 1",
        );
        check_refused(
            "{\"id\":\"x\",\"documents\":[\"a\"]}\n{\"id\":\"x\",\"documents\":[\"b\"]}",
            "duplicate-id",
            "line 2",
        );
        check_refused("{\"documents\":[\"  \"]}", "empty-document", "document 1");
        check_refused("{\"documents\":[\"a\"],\"dokuments\":[]}", "bad-line", "dokuments");
        check_refused("\n", "empty", "no question");
        check_refused(
            "[{\"question\":\"q\",\"answer\":\"a\",\"context\":[[\"A\",[\"x\"]]],\"supporting_facts\":[[\"Z\",0]]}]",
            "bad-supporting",
            "item 1",
        );
    }
}

//! Tests of what is taken out of answers.

use super::*;

fn answer(text: &str, finish_reason: &str) -> Answer {
    Answer { text: text.into(), finish_reason: finish_reason.into() }
}

#[track_caller]
fn check(
    protocol: Protocol,
    text: &str,
    finish_reason: &str,
    expected: Result<(&str, bool), &str>,
) {
    let found = retelling(protocol, &answer(text, finish_reason));
    let found = found.as_ref().map(|found| (&found.text[..], found.cut));
    assert_eq!(found.map_err(|reason| &reason.code[..]), expected);
}

#[test]
fn tagged_texts() {
    let tag = |text, finish, expected| check(Protocol::Tag, text, finish, expected);
    tag("### BEGIN ANSWER ###\nAnne left.", "stop", Ok(("Anne left.", false)));
    tag("Here it is:\n### BEGIN ANSWER ### Anne left. ", "stop", Ok(("Anne left.", false)));
    tag(
        "### BEGIN ANSWER ###\nAnne left.\n### END ANSWER ###\nBye",
        "length",
        Ok(("Anne left.", false)),
    );
    tag("### BEGIN ANSWER ###\nAnne left and", "length", Ok(("Anne left and", true)));
    tag("### BEGIN ANSWER ###\nAnne left.\"", "stop", Ok(("Anne left.", false)));
    tag("### BEGIN ANSWER ###\n\"Anne left.\"", "stop", Ok(("Anne left.", false)));
    tag("### BEGIN ANSWER ###\nAnne said \"no\"", "stop", Ok(("Anne said \"no\"", false)));
    tag("### BEGIN ANSWER ###\nAnne said “no”", "stop", Ok(("Anne said “no”", false)));
    tag("### BEGIN ANSWER ###\nAnne left.”", "stop", Ok(("Anne left.", false)));
    tag("Anne left.", "stop", Err("tag-missing"));
    tag("### BEGIN ANSWER ### A ### BEGIN ANSWER ### B", "stop", Err("tag-repeated"));
    tag(" \n", "stop", Err("empty"));
    tag("", "content_filter", Err("withheld"));
}

#[test]
fn objects() {
    let json = |text, finish, expected| check(Protocol::Json, text, finish, expected);
    json(r#"{"summary": " Anne left."}"#, "stop", Ok(("Anne left.", false)));
    json("{\"summary\": \"Anne left.\"}\n\n\n\n", "length", Ok(("Anne left.", false)));
    json("```json\n{\"summary\": \"Anne left.\"}\n```", "stop", Ok(("Anne left.", false)));
    json("<think>{hm}</think>{\"summary\": \"A.\", \"x\": 1}", "stop", Ok(("A.", false)));
    json(r#"{"summary": "Anne le"#, "length", Err("cut-off"));
    json(r#"{"text": "Anne left."}"#, "stop", Err("not-json"));
    json("Anne left.", "stop", Err("not-json"));
    json("{Anne left.}", "stop", Err("not-json"));
}

#[track_caller]
fn check_pairs(protocol: Protocol, text: &str, expected: &[(&str, &str)]) {
    let found = pairs(protocol, &answer(text, "length")).unwrap();
    let found: Vec<_> = found.iter().map(|e| (&e.true_event[..], &e.false_event[..])).collect();
    assert_eq!(found, expected);
}

#[test]
fn pairs_of_events() {
    let text = "### BEGIN ANSWER ###\n1. TRUE: Anne leaves.\n   FALSE: Anne stays.\n\n- **True:** He \
                laughs.\n- **False:** He weeps.\nTRUE: cut";
    check_pairs(
        Protocol::Tag,
        text,
        &[("Anne leaves.", "Anne stays."), ("He laughs.", "He weeps.")],
    );
    let text = r#"{"changes": [{"true_event": "A.", "false_event": "B."}]}"#;
    check_pairs(Protocol::Json, text, &[("A.", "B.")]);
    let none = pairs(Protocol::Tag, &answer("### BEGIN ANSWER ### Sure.", "stop"));
    assert_eq!(none.unwrap_err().code, "no-pairs");
}

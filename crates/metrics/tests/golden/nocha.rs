//! NoCha's public sample: the labels and counts of every system.

use storymill_metrics::{
    pair_accuracy::{Accuracy, Share},
    score::claims,
};

use crate::{json, read, sets::sets};
use serde_json::Value;
use std::path::Path;

#[track_caller]
fn check(found: &Accuracy, expected: &Value, what: &str) {
    let share = |part: &str| Share {
        correct: usize::try_from(expected[format!("{part}_correct")].as_u64().unwrap()).unwrap(),
        total: usize::try_from(expected[format!("{part}_total")].as_u64().unwrap()).unwrap(),
    };
    let counts = (found.pairs, found.true_claims, found.false_claims);
    assert_eq!(counts, (share("pairs"), share("true"), share("false")), "{what}");
}

#[test]
fn every_system() {
    for set in sets("nocha") {
        every_system_of(&set);
    }
}

fn every_system_of(set: &Path) {
    let expected = json(&read(set, "expected.json"));
    let systems = expected["all_books_in_file"].as_object().unwrap();
    // Of the large set: the closed models of the paper, and how many pairs both answered.
    let (closed, common) = match expected.get("common") {
        Some(own) => (serde_json::from_value(own["of"].clone()).unwrap(), own["pairs"].as_u64()),
        None => (["response-gpt4o", "response-claude"].map(str::to_owned).to_vec(), Some(15)),
    };
    let found = claims(&read(set, "data_sample_shared.json"), &closed).unwrap();
    let counts = [found.rows, found.pairs, found.systems.len(), found.gaps.len()].map(Value::from);
    let wanted =
        [expected["rows"].clone(), expected["pairs"].clone(), systems.len().into(), 0.into()];
    assert_eq!(counts, wanted);
    assert_eq!(found.common.map(|pairs| pairs as u64), common);
    for system in &found.systems {
        let expected_all = &systems[&system.name];
        check(&system.all, expected_all, &system.name);
        let verdicts = serde_json::to_value(&system.verdicts).unwrap();
        assert_eq!(verdicts, expected_all["labels_in_row_order"], "{}", system.name);
        for book in &system.books {
            check(&book.accuracy, &expected["per_book"][&book.book][&system.name], &book.book);
        }
    }
}

#[test]
fn bad_files() {
    for (text, expect) in [
        ("[]", "the file has no rows"),
        ("[{\"claim\": \"x\"}]", "line 1, column 15: missing field `book_title`"),
        ("[{\"type\": 1}]", "line 1, column 12: `type` is true or false, not 1"),
        ("[\n{\"type\": true,}]", "line 2, column 15: trailing comma"),
    ] {
        assert_eq!(claims(text, &[]).unwrap_err().to_string(), expect);
    }
    let one = r#"[{"book_title":"b","index":1,"claim":"c","type":"True","response-x":"true","response-y":null}]"#;
    let found = claims(one, &[]).unwrap();
    assert_eq!(found.gaps[0].what, "1 true and 0 false claims instead of one each");
    assert_eq!(
        found.systems.iter().map(|system| system.all.true_claims.total).collect::<Vec<_>>(),
        [1, 0]
    );
    assert_eq!(
        claims(one, &["response-z".into()]).unwrap_err().to_string(),
        "no row has a field `response-z`; those of systems are `response-x`, `response-y`"
    );
}

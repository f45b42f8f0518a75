//! StorySumm's labels and its table of automatic judges.

use std::{fs, path::Path};

use serde_json::{Value, json as object};
use storymill_faithfulness::{
    defects::Fault,
    table::{Part, faithfulness},
};
use storymill_metrics::classify::Confusion;

use crate::{json, read, sets::sets};

/// Judges of the large set that its table calls otherwise than their files.
const JUDGES: [(&str, &str); 4] = [
    ("justquestion-mixtral", "mixtral_justquestion"),
    ("justquestion-gpt-4", "gpt-4-0125-preview_justquestion"),
    ("fables", "fables-gpt-4-turbo-preview"),
    ("alignscore", "alignscore-roberta-large"),
];

/// A part as the golden file writes it: rounded as Python rounds, half to even.
fn rounded(part: &Part) -> Value {
    let to = |value: Option<f64>, places: usize| {
        format!("{:.places$}", value.unwrap()).parse::<f64>().unwrap()
    };
    let whole: i64 = format!("{:.0}", part.pct_faithful.unwrap()).parse().unwrap();
    object!({
        "n": part.n, "tp": part.counts.tp, "fp": part.counts.fp, "fn": part.counts.fn_, "tn": part.counts.tn,
        "kappa": to(part.kappa, 2), "pct_faithful": whole, "precision": to(part.precision, 2),
        "recall": to(part.recall, 2), "easy_detected": to(part.easy_detected, 1),
        "hard_detected": to(part.hard_detected, 1), "bal_acc": to(part.bal_acc, 1),
    })
}

#[test]
fn dataset_and_table() {
    for set in sets("storysumm") {
        dataset_and_table_of(&set);
    }
}

fn dataset_and_table_of(set: &Path) {
    let (labels, expected) = (read(set, "labels.json"), json(&read(set, "expected.json")));
    let files = fs::read_dir(set.join("predicted_labels")).unwrap().map(|file| {
        let path = file.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let name = JUDGES.iter().find(|(_, file)| *file == stem).map_or(stem, |(name, _)| name);
        (name.to_owned(), fs::read_to_string(&path).unwrap())
    });
    let files: Vec<(String, String)> = files.collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let found = faithfulness(&labels, &files, false).unwrap();
    assert_eq!(found.evaluators.len(), expected["evaluators"].as_object().unwrap().len());

    let mut counts = serde_json::to_value(&found.dataset).unwrap();
    let defects = found.dataset.defects.iter();
    let of = |fault: Fault| defects.clone().filter(move |defect| defect.fault == fault);
    let ids = |fault: Fault| of(fault).map(|defect| defect.id.clone()).collect::<Vec<_>>();
    let lengths: Vec<String> = of(Fault::SummaryAndErrorsLengthDiffer)
        .map(|defect| format!("{}: {}", defect.id, defect.what))
        .collect();
    counts.as_object_mut().unwrap().remove("defects");
    counts["known_defects"] = object!({
        "summary_and_errors_length_differ": lengths,
        "label_0_but_no_zero_sentence": ids(Fault::LabelZeroButNoZeroSentence),
        "explanations_without_zero": ids(Fault::ExplanationsWithoutZero),
    });
    assert_eq!(counts, expected["dataset"]);
    println!("{} defects in all", found.dataset.defects.len());

    for judge in &found.evaluators {
        let expected = &expected["evaluators"][&judge.name];
        assert!(judge.unjudged.is_empty() && judge.unknown.is_empty());
        assert!(judge.contradictions.is_empty(), "{:?}", judge.contradictions);
        if let Some(threshold) = judge.threshold {
            assert!((threshold - expected["threshold"].as_f64().unwrap()).abs() < 1e-12);
            for part in &judge.parts[1..] {
                assert_eq!(rounded(part), expected[&part.split], "{} {}", judge.name, part.split);
            }
        } else {
            assert_eq!(rounded(&judge.parts[0]), *expected, "{}", judge.name);
        }
    }
}

#[test]
fn a_stray_quotation_mark_is_named_with_its_line() {
    let labels = read(&sets("storysumm")[0], "labels.json");
    // The released file has had one such mark since its first repair.
    let line = labels.lines().position(|line| line.trim_end().ends_with("\",")).unwrap();
    let mut broken: Vec<String> = labels.lines().map(str::to_owned).collect();
    broken[line].push('"');
    let (name, fault) = faithfulness(&broken.join("\n"), &[], false).unwrap_err();
    let told = fault.to_string();
    assert!(
        name.is_none()
            && told.contains(&format!("line {},", line + 1))
            && told.contains("quotation mark"),
        "{told}"
    );
}

fn labels(more: &str) -> String {
    format!(
        r#"{{"a":{{"label":1,"difficulty":"","summary":["s"],"errors":[1],"story-id":1,"split":"val","model":"m"}},
        "b":{{"label":0,"difficulty":"easy","summary":["s"],"errors":[0],"story-id":1,"explanations":["e"],"split":"test","model":"m"{more}}}}}"#
    )
}

#[test]
fn bad_files() {
    let good = labels("");
    for (text, expect) in [
        ("{}", "the file has no rows"),
        (
            r#"{"a":{"probs":NaN},"b":{"probs":1}}"#,
            "line 1, column 15: `NaN` is not a number in JSON, and no score",
        ),
        (r#"{"a":{"probs":null},"b":{"probs":1}}"#, "`a`: `probs` is null, which is not a score"),
        (r#"{"a":{"label":2},"b":{"label":1}}"#, "`a`: `label` is 0 or 1"),
        (
            r#"{"a":{"label":1},"b":{}}"#,
            "`a`: neither `label` nor `probs`, or only some entries have a `label`",
        ),
        (r#"{"b":{"probs":0.5}}"#, "`probs`: no summary of the split `val` to tune a threshold on"),
        (r#"{"a":{"label":1},"a":{"label":1}}"#, "line 1, column 33: `a` stands here twice"),
    ] {
        let (name, fault) = faithfulness(&good, &[("judge", text)], false).unwrap_err();
        assert_eq!((name.as_deref(), fault.to_string().as_str()), (Some("judge"), expect));
    }
    let said = r#"{"a":{"label":1,"claim_labels":[1,0]},"c":{"label":0}}"#;
    let found = |allow| faithfulness(&good, &[("judge", said)], allow).unwrap();
    let counts = |allow| found(allow).evaluators[0].parts[0].counts;
    // What it says nothing of is judged wrongly, or left out.
    let (wrong, left_out) = (counts(false), counts(true));
    let all = |of: Confusion| of.tp + of.fp + of.tn + of.fn_;
    assert_eq!((all(wrong), all(left_out)), (2, 1));
    assert_eq!((wrong.tp + wrong.tn, wrong.fp + wrong.fn_), (1, 1));
    let found = found(true);
    let judge = &found.evaluators[0];
    assert_eq!(
        (judge.unjudged[0].as_str(), judge.unknown[0].as_str(), judge.contradictions[0].as_str()),
        ("b", "c", "a")
    );
    let (name, fault) = faithfulness(&labels(r#","label":1"#), &[], false).unwrap_err();
    assert!(name.is_none() && fault.to_string().contains("duplicate field `label`"), "{fault}");
}

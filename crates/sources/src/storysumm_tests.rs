use storymill_core::{Decisions, Difficulty, Label};

use super::*;

fn item(id: &str, story: i64, more: &str) -> String {
    format!(
        r#""{id}": {{"story-id": {story}, "story": "Ada hid the bell.", "summary": ["Ada hid it.", "She sold it."], "errors": [1, 0], "explanations": ["She hid it."], "label": 0, "difficulty": "hard", "split": "val", "model": "m"{more}}}"#
    )
}

fn open(text: &str, annotators: Option<&[&str]>) -> Result<Box<dyn OpenSource<Retold>>, Fault> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pairs.json"), text).unwrap();
    let annotators = annotators.map(|names| names.iter().map(|&name| name.to_owned()).collect());
    StorySumm { annotators, ..StorySumm::at("pairs.json") }.open(&Env::at(folder.path()))
}

fn rows(open: &dyn OpenSource<Retold>) -> Vec<Retold> {
    let listing = open.units(&Known::default()).unwrap();
    let sound = listing.units.iter().filter(|unit| unit.spoiled.is_none());
    sound.flat_map(|unit| open.read(unit, &mut Reviews::new(Decisions::NONE)).unwrap()).collect()
}

#[test]
fn a_unit_is_a_story() {
    let text = format!("{{{}, {}, {}}}", item("a", 7, ""), item("b", 2, ""), item("c", 7, ""));
    let open = open(&text, None).unwrap();
    let listing = open.units(&Known::default()).unwrap();
    let units: Vec<&str> = listing.units.iter().map(|unit| unit.unit.as_str()).collect();
    assert_eq!((units, listing.notes.len()), (vec!["pairs-2", "pairs-7"], 0));
    let rows = rows(&*open);
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, ["b", "a", "c"]);
    let row = &rows[1];
    assert_eq!(
        (row.of.as_str(), row.story.as_str(), row.split.as_str()),
        ("pairs-7", "pairs-7", "val")
    );
    let gold = row.gold.as_ref().unwrap();
    assert_eq!((gold.faithful, gold.difficulty), (false, Some(Difficulty::Hard)));
    assert_eq!(
        (gold.sentences[1].label, gold.sentences[1].explanation.as_str()),
        (Label::Unfaithful, "She hid it.")
    );
}

#[test]
fn a_unit_changes_with_its_story_only() {
    let digests = |text: &str| -> Vec<Digest> {
        let listing = open(text, None).unwrap().units(&Known::default()).unwrap();
        listing.units.iter().map(|unit| unit.digest).collect()
    };
    let old = digests(&format!("{{{}, {}}}", item("a", 1, ""), item("b", 2, "")));
    let kinds = r#", "kinds": [[], ["event"]]"#;
    let new = digests(&format!("{{{},\n\n {}}}", item("a", 1, ""), item("b", 2, kinds)));
    assert_eq!(old[0], new[0]);
    assert_ne!(old[1], new[1]);
}

#[track_caller]
fn check(more: &str, annotators: Option<&[&str]>, expect: &str) {
    let text = format!("{{{}, {}}}", item("a", 1, more), item("b", 2, ""));
    let open = open(&text, annotators).unwrap();
    let listing = open.units(&Known::default()).unwrap();
    let told = listing.units[0].spoiled.as_ref().map_or_else(
        || listing.notes.join("; "),
        |reason| format!("{} ({})", reason.code, reason.detail),
    );
    assert!(if expect.is_empty() { told.is_empty() } else { told.ends_with(expect) }, "{told}");
    assert!(listing.units[1].spoiled.is_none());
}

#[test]
fn bad_stories_are_named_rejects() {
    let vote = |person: &str, labels: &str| {
        format!(r#", "votes": [{{"person": "{person}", "protocol": "x", "labels": [{labels}]}}]"#)
    };
    let both = r#""faithful", "unfaithful""#;
    check("", None, "");
    check(&vote("ann", both), Some(&["ann"]), "");
    check(
        &vote("bob", both),
        Some(&["ann"]),
        "unknown-annotator (`a` has a vote of `bob`, who is not in `annotators`)",
    );
    check(&vote("", both), None, "unknown-annotator (`a`: vote 1 names no person)");
    check(&vote("ann", r#""faithful""#), None, "vote-length (`a`: vote 1: 1 labels, 2 sentences)");
    check(
        r#", "labels": ["faithful"]"#,
        None,
        "line 1: `a`: 1 labels in words, 2 in numbers; its sentences have no labels",
    );
}

#[test]
fn labels_and_sentences_need_each_other() {
    let of = |from: &str, to: &str| {
        let text = format!("{{{}}}", item("a", 1, "").replace(from, to));
        let open = open(&text, None).unwrap();
        let mut listing = open.units(&Known::default()).unwrap();
        (listing.units.remove(0).spoiled.map(|reason| reason.code), listing.notes, rows(&*open))
    };
    let (spoiled, ..) = of(r#"["Ada hid it.", "She sold it."]"#, "[]");
    assert_eq!(spoiled.as_deref(), Some("labels-without-sentences"));
    let (spoiled, ..) = of("[1, 0]", "[]");
    assert_eq!(spoiled.as_deref(), Some("sentences-without-labels"));
    let (spoiled, ..) = of("Ada hid the bell.", "");
    assert_eq!(spoiled.as_deref(), Some("no-story"));
    // As in the released file: the whole has a label, and nobody knows those of its sentences.
    let (spoiled, notes, rows) = of("[1, 0]", "[0]");
    assert!(spoiled.is_none() && notes[0].contains("2 sentences, 1 labels"), "{notes:?}");
    let gold = rows[0].gold.as_ref().unwrap();
    assert!(gold.sentences.is_empty() && !gold.faithful);
}

#[test]
fn files_that_are_no_labels() {
    let told = |text: &str| {
        let Err(fault) = open(text, None) else { panic!("it opens") };
        let cause = std::error::Error::source(&fault).map(ToString::to_string);
        format!("{}: {}", fault.message, cause.unwrap_or_default())
    };
    let broken = item("a", 1, "").replace("hid it.\",", "hid it.\"\n\",");
    let broken = told(&format!("{{\n{broken}}}"));
    assert!(broken.starts_with("cannot read the file of labels: line "), "{broken}");
    assert!(told(r#"{"FABLES": {}}"#).starts_with("there is nothing in it"));
    assert_eq!(told("{}"), "cannot read the file of labels: the file has no rows");
}

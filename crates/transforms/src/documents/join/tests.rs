use serde_json::json;
use storymill_core::Answer;

use super::{super::tests::document, *};
use crate::{
    retelling::tests::{Scripted, run as run_asking},
    tests::{book, run, run_decided},
};

fn stage() -> Join {
    serde_json::from_value(json!({ "from": "a", "kinds": [
        "novel", "stories", "play", "poetry", "letters", "nonfiction"
    ], "doubt": 0 }))
    .unwrap()
}

/// A document about a book of this title and text.
fn given(title: &str, of_book: &str, text: &str) -> AskedDocument {
    let book = Book { title: of_book.into(), ..book(text) };
    AskedDocument { title: title.into(), book: Some(book), ..document(&["Who came?"]) }
}

const OWN: &str = "Old Ann kept the weigh-house. In Tarrow she met Jos, who came from Hallow.";
const OTHER: &str = "Far away Travis met Ashe. In the ship sat Renfry and Ross.";
/// Two of the four names of the summary.
const HALF: &str = "Old Ann sat. In Tarrow it rained, and Travis slept.";

#[track_caller]
fn check(title: &str, of_book: &str, text: &str, left_out: bool, doubts: usize) {
    let (rows, trace) = run(&stage(), vec![given(title, of_book, text)].into());
    let out = rows.unwrap().remove(0);
    assert_eq!(out.left_out.is_some(), left_out, "{:?}", out.evidence);
    assert_eq!(trace.reviews.len(), doubts, "{:?}", trace.reviews);
    assert_eq!((out.book, out.revisions.len()), (None, usize::from(left_out)));
}

#[test]
fn titles_and_names_decide_and_what_is_left_out_is_put_before_people() {
    check("T", "T", OWN, false, 0);
    check("", "T", OWN, false, 0);
    // Of another title it stays, and people are asked, whatever the names.
    check("A Name of Its Own", "T", OWN, false, 1);
    check("T Derelict", "T", OTHER, true, 1);
    check("T", "T", OTHER, false, 1);
    check("Elsewhere", "T", HALF, true, 1);
}

#[test]
fn people_have_the_last_word() {
    let other = given("Elsewhere", "T", OTHER);
    let (_, trace) = run(&stage(), vec![other.clone()].into());
    let (rows, _) = run_decided(&stage(), vec![other].into(), &[(&trace.reviews[0], "keep")]);
    assert_eq!(rows.unwrap()[0].left_out, None);
}

#[test]
fn a_model_is_asked_on_doubt_alone() {
    let stage = Join { model: Some("default".into()), ..stage() };
    let says = |same: bool| {
        let asker = Scripted::new(move |_, prompt| {
            assert!(prompt.contains("Ann keeps") && prompt.contains("Old Ann sat."), "{prompt}");
            (json!({ "same_book": same, "reason": "r" }).to_string(), "stop")
        });
        let given = || vec![given("Elsewhere", "T", HALF)].into();
        let (rows, _, asked) = run_asking(&stage, given, &asker);
        assert_eq!(asked, 1);
        rows[0].left_out.is_some()
    };
    assert!(says(false) && !says(true));
    let asker = Scripted::new(|_, _| panic!("asked"));
    for (title, text) in [("T", OWN), ("", OWN), ("Elsewhere", OTHER)] {
        run_asking(&stage, || vec![given(title, "T", text)].into(), &asker);
    }
    let no =
        Scripted::new(|_, _| (json!({ "same_book": false, "reason": "r" }).to_string(), "stop"));
    let (rows, ..) = run_asking(&stage, || vec![given("Elsewhere", "T", OWN)].into(), &no);
    assert!(rows[0].left_out.is_some());
}

#[test]
fn prose_is_no_verdict() {
    let read =
        |text: &str| same_book::read(&Answer { text: text.into(), finish_reason: "stop".into() });
    assert_eq!(read("Both are the same book.").unwrap_err().code, "not-json");
    assert_eq!(read("{\"same_book\": \"maybe\"}").unwrap_err().code, "no-verdict");
    assert_eq!(read("{\"same_book\": \"No\"}").unwrap(), (false, String::new()));
}

#[test]
fn other_kinds_and_questions_without_answers_are_left_out() {
    let novels = Join { kinds: vec![Kind::Play], ..stage() };
    let mut one = given("T", "T", OWN);
    one.questions[0].answers.clear();
    let (rows, _) = run(&novels, vec![one.clone()].into());
    assert_eq!(rows.unwrap()[0].left_out.as_ref().unwrap().code, "other-kind");
    let (rows, _) = run(&stage(), vec![one].into());
    let out = rows.unwrap().remove(0);
    assert_eq!((out.questions.len(), &*out.revisions[0].kind), (0, "no-answer"));
}

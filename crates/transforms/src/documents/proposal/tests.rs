use proptest::prelude::*;
use storymill_core::Answer;

use super::{super::tests::document, *};

fn answer(text: &str) -> Answer {
    Answer { text: text.into(), finish_reason: "stop".into() }
}

fn asked() -> AskedQuestion {
    document(&["Who keep weigh-house?"]).questions.remove(0)
}

#[track_caller]
fn refused(text: &str, code: &str) {
    let reason = read(&asked(), &answer(text)).unwrap_err();
    assert_eq!(reason.code, code, "{}", reason.detail);
}

#[test]
fn an_object_is_read_whatever_stands_around_it() {
    let text = r#"Sure. ```json
        {"question_problem": "Malformed", "question": "Who keeps the weigh-house?",
         "answer_1_problem": "none", "answer_1": "anything", "answer_2_problem": "", "reason": "grammar"}
        ``` I hope this helps."#;
    let proposal = read(&asked(), &answer(text)).unwrap();
    let correction =
        Correction { kind: "malformed", text: Some("Who keeps the weigh-house?".into()) };
    assert_eq!(proposal.question, Some(correction));
    assert_eq!((proposal.answers, &*proposal.reason), (vec![None, None], "grammar"));
}

#[test]
fn what_says_the_same_is_no_change() {
    let text = r#"{"question_problem": "ill_posed", "question": "who keep weigh-house?",
        "answer_1_problem": "wrong", "answer_1": "The  keeper", "answer_2_problem": "wrong", "answer_2": ""}"#;
    let proposal = read(&asked(), &answer(text)).unwrap();
    assert_eq!(proposal.question, None);
    let gone = Correction { kind: "wrong", text: Some(String::new()) };
    assert_eq!(proposal.answers, [None, Some(gone)]);
}

#[test]
fn what_cannot_be_read_is_refused() {
    refused("The question is fine.", "not-json");
    refused(r#"{"question_problem": "none", "answer_1_pro"#, "cut-off");
    refused("", "empty");
    refused(r#"{"question": "Who?"}"#, "no-problem");
    refused(r#"{"question_problem": "rude", "question": "Who?"}"#, "other-problem");
    refused(r#"{"question_problem": "malformed", "question": 3}"#, "no-text");
}

#[test]
fn what_cannot_stand_there_is_named() {
    let of = |text: &str| Correction { kind: "malformed", text: Some(text.into()) };
    assert_eq!(of("Who keeps it?").refused(true), None);
    assert!(of("The keeper keeps it.").refused(true).unwrap().contains("question mark"));
    assert!(of(&"word ".repeat(61)).refused(false).unwrap().contains("61 words"));
    assert!(of("...").refused(false).is_some());
    assert_eq!(of("").refused(true), None);
    assert!(Correction { kind: "wrong", text: None }.refused(false).is_some());
}

proptest! {
    #[test]
    fn no_answer_makes_it_panic(text in "\\PC{0,200}") {
        let _ = read(&asked(), &answer(&text));
    }
}

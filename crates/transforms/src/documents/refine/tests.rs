use proptest::prelude::*;
use serde_json::{Value, json};
use storymill_core::{Decisions, Reason, ReviewForm, RevisionState};

use super::{
    super::tests::{document, questions},
    *,
};
use crate::retelling::tests::{Scripted, run};

fn stage() -> Refine {
    serde_json::from_value(json!({ "from": "a", "called": "m1" })).unwrap()
}

/// What is said of a question: what is wrong with it, and what should stand there.
fn said(question: [&str; 2], first: [&str; 2], second: [&str; 2]) -> Value {
    json!({
        "question_problem": question[0], "question": question[1],
        "answer_1_problem": first[0], "answer_1": first[1],
        "answer_2_problem": second[0], "answer_2": second[1],
        "reason": "because",
    })
}

const FINE: [&str; 2] = ["none", ""];

#[track_caller]
fn check(said: &Value, left: &str, rows: &[(&str, &str, RevisionState)]) -> AskedDocument {
    let asker = Scripted::new(|_, _| (said.to_string(), "stop"));
    let input = || vec![document(&["Who keep weigh-house?"])].into();
    let (mut out, _, _) = run(&stage(), input, &asker);
    let out = out.remove(0);
    let shown = |question: &AskedQuestion| {
        let answers: Vec<&str> = question.answers.iter().map(|one| &*one.text).collect();
        format!("{} {}", question.question, answers.join(" / "))
    };
    let is: Vec<String> = out.questions.iter().map(shown).collect();
    assert_eq!(is.join("\n"), left, "{said}");
    let found: Vec<_> =
        out.revisions.iter().map(|row| (&*row.part, &*row.kind, row.state)).collect();
    assert_eq!(found, rows, "{said}");
    out
}

#[test]
fn one_side_is_changed_and_both_are_left_out() {
    use RevisionState::{Applied, Refused};
    let asked = "Who keep weigh-house? The keeper / A keeper";
    check(&said(FINE, FINE, FINE), asked, &[]);
    let better = ["malformed", "Who keeps the weigh-house?"];
    let out = check(
        &said(better, FINE, FINE),
        "Who keeps the weigh-house? The keeper / A keeper",
        &[("question", "malformed", Applied)],
    );
    assert!(out.questions[0].is_modified && out.revisions[0].model == "m1");
    assert!(out.revisions[0].answer.is_some() && out.revisions[0].reason == "because");
    let out = check(
        &said(FINE, ["wrong", "Ann"], FINE),
        "Who keep weigh-house? Ann / A keeper",
        &[("answer-1", "wrong", Applied)],
    );
    let modified: Vec<bool> = out.questions[0].answers.iter().map(|one| one.is_modified).collect();
    assert_eq!(modified, [true, false]);
    check(
        &said(FINE, FINE, ["wrong", ""]),
        "Who keep weigh-house? The keeper",
        &[("answer-2", "wrong", Applied)],
    );
    check(
        &said(better, FINE, ["wrong", "Ann"]),
        "",
        &[
            ("question", "malformed", Applied),
            ("answer-2", "wrong", Applied),
            ("whole", "both-changed", Applied),
        ],
    );
    check(&said(["ill-posed", ""], FINE, FINE), "", &[("question", "ill-posed", Applied)]);
    check(
        &said(["malformed", "The keeper keeps it."], FINE, FINE),
        asked,
        &[("question", "malformed", Refused)],
    );
}

#[test]
fn a_question_without_a_usable_answer_stays_and_is_named() {
    let asker = Scripted::new(|_, _| ("It is fine.".into(), "stop"));
    let (out, trace, asked) = run(&stage(), || vec![document(&["Who?"])].into(), &asker);
    assert_eq!((questions(&out[0]), asked), (vec!["t/q001"], 3));
    let row = &out[0].revisions[0];
    assert_eq!((&*row.kind, row.state), ("not-refined", RevisionState::Refused));
    assert!(trace.rejects.is_empty());
}

#[test]
fn nobody_is_asked_about_what_is_left_out_or_has_no_summary() {
    let asker = Scripted::new(|_, _| panic!("asked"));
    let bare = || vec![AskedDocument { summary: String::new(), ..document(&["Who?"]) }].into();
    assert_eq!(run(&stage(), bare, &asker).0[0].passed[0].questions, 1);
    let gone = || {
        let left_out = Some(Reason::new("other-kind", "a play"));
        vec![AskedDocument { left_out, ..document(&["Who?"]) }].into()
    };
    assert_eq!(run(&stage(), gone, &asker).0[0].passed[0].questions, 0);
}

#[test]
fn what_a_person_writes_stands_in_place_of_what_the_model_wrote() {
    let asker = Scripted::new(|_, _| {
        let said = said(["malformed", "Who keeps the weigh-house?"], FINE, FINE);
        (said.to_string(), "stop")
    });
    let input = || vec![document(&["Who keep weigh-house?"])].into();
    let (_, trace, _) = run(&stage(), input, &asker);
    let review = &trace.reviews[0];
    assert!(
        matches!(&review.form, ReviewForm::Text { text, .. } if text == "Who keeps the weigh-house?")
    );
    let refined = |choice: &str, text: &str| {
        let said = json!({ "text": text });
        let line = json!({ "review": review.id(), "choice": choice, "by": "ann", "said": said });
        let line = line.to_string();
        let decisions = Decisions::parse([(String::new(), line.as_str())]).unwrap();
        let unit = "t".parse().unwrap();
        let seed = storymill_core::Seed::new(2023);
        let mut cx = Cx::new(Refine::KIND, &unit, seed, &asker).with(&decisions);
        stage().run(input(), &mut cx).unwrap().remove(0)
    };
    let written = "Who looks after the weigh-house?";
    let out = refined("change", written);
    assert_eq!((out.questions[0].question.as_str(), out.questions[0].is_modified), (written, true));
    let row = &out.revisions[0];
    assert_eq!(
        (row.after.as_str(), row.reviewer.as_str(), row.model.as_str()),
        (written, "people", "m1")
    );
    assert_eq!(refined("change", " ").questions[0].question, "Who keeps the weigh-house?");
    let kept = refined("keep", written);
    assert_eq!(kept.questions[0].question, "Who keep weigh-house?");
    assert_eq!(kept.revisions[0].state, RevisionState::TakenBack);
}

proptest! {
    /// What is left is what stood there with every applied change made, and nothing else is changed.
    #[test]
    fn the_ledger_tells_all(
        problems in prop::array::uniform3(0_usize..3),
        texts in prop::array::uniform3(prop::sample::select(vec!["", "Who is it?", "Ann", "Who keep weigh-house?"])),
    ) {
        let of = |at: usize, kinds: [&'static str; 3]| [kinds[problems[at]], texts[at]];
        let answers = ["none", "malformed", "wrong"];
        let said = said(of(0, ["none", "malformed", "ill-posed"]), of(1, answers), of(2, answers));
        let asker = Scripted::new(|_, _| (said.to_string(), "stop"));
        let before = document(&["Who keep weigh-house?"]);
        let out = run(&stage(), || vec![before.clone()].into(), &asker).0.remove(0);
        let applied = |part: &str| {
            let mut rows = out.revisions.iter();
            rows.find(|row| row.part == part && row.state == RevisionState::Applied)
        };
        match out.questions.first() {
            None => prop_assert!(!out.revisions.is_empty()),
            Some(left) => {
                let asked = applied("question").map_or("Who keep weigh-house?", |row| &row.after);
                prop_assert_eq!(&left.question, asked);
                prop_assert_eq!(left.is_modified, applied("question").is_some());
                for answer in &before.questions[0].answers {
                    let part = format!("answer-{}", answer.number);
                    let expected = applied(&part).map_or(&answer.text, |row| &row.after);
                    let is = left.answers.iter().find(|one| one.number == answer.number);
                    prop_assert_eq!(is.map_or("", |one| &one.text), expected);
                }
                let both = applied("question").is_some() && left.answers.iter().any(|one| one.is_modified);
                prop_assert!(!both);
            }
        }
    }
}

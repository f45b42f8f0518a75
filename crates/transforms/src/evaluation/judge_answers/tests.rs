use storymill_core::{Question, Recipe, Spent, ToldSoFar};

use super::*;
use crate::retelling::tests::{Scripted, rejects, run};

fn exam(summary: bool) -> Exam {
    let references = vec!["Ann".to_owned(), "It was Ann".to_owned()];
    let question = Question {
        id: "t/q001".into(),
        of: "t".parse().unwrap(),
        kind: "literary".into(),
        task: "Who came?".into(),
        form: Form::FreeText { given: None, references, keywords: String::new() },
        about: Vec::new(),
        evidence: Vec::new(),
        demands: Vec::new(),
        demand: storymill_core::Demand::default(),
        context: Recipe::Nothing,
        made_by: None,
    };
    let told = ToldSoFar { end_symbol: 9, text: "Ann comes to the mill.".into() };
    let (config, split) = ("questions".to_owned(), "test".to_owned());
    Exam {
        of: "t".parse().unwrap(),
        title: "T".into(),
        author: "A".into(),
        language: "en".into(),
        text: "Ann came.".into(),
        scenes: Vec::new(),
        retellings: if summary { vec![told] } else { Vec::new() },
        questions: vec![ExamQuestion {
            config,
            split,
            flags: Vec::new(),
            written_by: Vec::new(),
            facets: Vec::new(),
            story: None,
            question,
        }],
    }
}

fn answer(status: Status, model: &str) -> ModelAnswer {
    ModelAnswer {
        question: "t/q001".into(),
        config: "questions".into(),
        of: "t".parse().unwrap(),
        model: model.into(),
        setting: "full".into(),
        status,
        said: "Ann did.".into(),
        answer: "Ann did.".into(),
        spent: Spent::default(),
    }
}

fn stage() -> JudgeAnswers {
    serde_json::from_value(json!({ "from": "a", "answers": "b", "called": "judge" })).unwrap()
}

#[test]
fn each_answer_is_judged_with_and_without_the_summary() {
    let asker = Scripted::new(|_, prompt| {
        assert!(prompt.contains("It was Ann") && prompt.contains("Ann did."), "{prompt}");
        let score = if prompt.contains("comes to the mill") { 4 } else { 5 };
        (json!({ "reason": "it is right", "score": score }).to_string(), "stop")
    });
    let input = || (vec![exam(true)].into(), vec![answer(Status::Answered, "m")].into());
    let (rows, _, asked) = run(&stage(), input, &asker);
    let found: Vec<_> = rows.iter().map(|row| (&*row.shown, row.score)).collect();
    assert_eq!((found, asked), (vec![("references", Some(5)), ("summary", Some(4))], 2));
    assert_eq!((&*rows[0].system, &*rows[0].judge, &*rows[0].split), ("m", "judge", "test"));
}

#[test]
fn what_is_not_answered_is_worth_nothing_and_nobody_judges_itself() {
    let asker = Scripted::new(|_, _| panic!("asked"));
    let input = || (vec![exam(true)].into(), vec![answer(Status::Refused, "m")].into());
    let (rows, _, _) = run(&stage(), input, &asker);
    assert_eq!((rows[0].score, rows[0].status), (Some(1), Status::Refused));
    let input = || (vec![exam(true)].into(), vec![answer(Status::Answered, "judge")].into());
    let (rows, trace, _) = run(&stage(), input, &asker);
    assert_eq!((rows.len(), rejects(&trace)[0].1), (0, "judges-itself"));
}

#[test]
fn without_a_summary_only_the_references_are_shown_and_prose_is_no_score() {
    let asker = Scripted::new(|_, _| ("I would give it a 5.".into(), "stop"));
    let input = || (vec![exam(false)].into(), vec![answer(Status::Answered, "m")].into());
    let (rows, trace, asked) = run(&stage(), input, &asker);
    assert_eq!((rows.len(), rows[0].score, rows[0].status), (1, None, Status::Unparsed));
    assert_eq!((trace.left_out[0].reason.code.as_ref(), asked), ("no-summary", 3));
}

#[test]
fn scores_are_whole_numbers_from_1_to_5() {
    let of = |score: &str| {
        let text = format!("```json\n{{\"score\": {score}, \"reason\": \"r\"}}\n```");
        read(&Answer { text, finish_reason: "stop".into() }).map(|(score, _)| score).ok()
    };
    let found =
        ["1", "5.0", "\"4\"", "\"3/5\"", "0", "6", "2.5", "true", "\"good\"", "null"].map(of);
    assert_eq!(found, [Some(1), Some(5), Some(4), Some(3), None, None, None, None, None, None]);
}

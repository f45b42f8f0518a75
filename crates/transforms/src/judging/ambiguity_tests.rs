use storymill_core::{
    Choice, Demand, Form, Length, OptionKind, Options, Question, QuestionType, ReadAlongQuestion,
    Recipe, Summary,
};

use super::Ambiguity;
use crate::{
    retelling::scripted::{Scripted, between, run},
    testing::scenes,
};

const SCENES: [&str; 3] =
    ["The dog ran to the mill. ", "A boat came up the river. ", "The dog swam over the river. "];

fn question(read: u32, decoy: &str) -> ReadAlongQuestion {
    let choice = |kind, text: &str| Choice {
        kind,
        text: text.to_owned(),
        names: Vec::new(),
        from: String::new(),
        book: None,
        scene: None,
        demand: None,
    };
    let options = vec![
        choice(OptionKind::True, "The dog ran to the mill."),
        choice(OptionKind::Decoy(QuestionType::Lookahead), decoy),
        choice(OptionKind::None, "None of the above."),
    ];
    ReadAlongQuestion(Question {
        id: format!("t/{read:04}/lookahead"),
        of: "t".parse().unwrap(),
        kind: "lookahead".to_owned(),
        task: "Which?".to_owned(),
        form: Form::Options { options, right: 0 },
        about: None,
        evidence: Vec::new(),
        demand: Demand::default(),
        context: Recipe::Read(Length { scenes: read + 1, ..Length::default() }),
        made_by: None,
    })
}

/// The ids that are kept, the reasons of the others, and how often the judge was asked.
fn judged(questions: &[ReadAlongQuestion], answer: &str) -> (usize, Vec<String>, usize) {
    let summary = |at: u32| Summary {
        book: "t".parse().unwrap(),
        level: 0,
        at,
        first_scene: at,
        last_scene: at,
        protocol: "extract".to_owned(),
        text: SCENES[at as usize].trim().to_owned(),
        answers: Vec::new(),
    };
    let stage = "questions = 'q'\nscenes = 's'\nsummaries = 't'";
    let stage: Ambiguity = toml::from_str(stage).unwrap();
    assert_eq!(stage.check(), []);
    let asker = Scripted::new(|_, text| {
        let found = between(text, "passages").contains(between(text, "account"));
        (
            if answer.is_empty() { if found { "Yes" } else { "No" } } else { answer }.to_owned(),
            "stop",
        )
    });
    let input = || {
        let told: Vec<Summary> = (0..3).map(summary).collect();
        (questions.to_vec().into(), scenes(&SCENES).into(), told.into())
    };
    let (rows, trace, asked) = run(&stage, input, &asker);
    assert!(trace.rejects.is_empty());
    (rows.len(), trace.left_out.iter().map(|one| one.reason.code.to_string()).collect(), asked)
}

#[test]
fn a_wrong_option_that_happened_leaves_the_question_out() {
    let happened = "A boat came up the river.";
    let left = vec!["ambiguous-lookahead".to_owned()];
    // Not read yet, so it is a good decoy, and nothing that was read is near to it.
    assert_eq!(judged(&[question(0, happened)], ""), (1, vec![], 0));
    assert_eq!(judged(&[question(1, happened)], ""), (0, left, 1));
    // Near to a scene that was read, and false.
    assert_eq!(judged(&[question(1, "A boat came up the road.")], ""), (1, vec![], 1));
    // What is no verdict says nothing against a question.
    assert_eq!(judged(&[question(1, happened)], "It may be so."), (1, vec![], 1));
}

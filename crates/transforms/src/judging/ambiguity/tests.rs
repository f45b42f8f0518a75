use storymill_core::{
    Choice, Demand, Form, Length, OptionKind, Options, Question, QuestionType, ReadAlongQuestion,
    Recipe, Spare, Spares, Summary,
};

use super::Ambiguity;
use crate::{
    retelling::tests::{Scripted, between, run},
    tests::scenes,
};

const SCENES: [&str; 3] =
    ["The dog ran to the mill. ", "A boat came up the river. ", "The dog swam over the river. "];

fn choice(kind: OptionKind, text: &str) -> Choice {
    Choice {
        kind,
        text: text.to_owned(),
        names: Vec::new(),
        from: String::new(),
        book: None,
        scene: None,
        demand: None,
    }
}

fn question(read: u32, decoy: &str) -> ReadAlongQuestion {
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
        form: Form::Options { given: Vec::new(), options, right: 0 },
        about: Vec::new(),
        evidence: Vec::new(),
        demands: Vec::new(),
        demand: Demand::default(),
        context: Recipe::Read(Length { scenes: read + 1, ..Length::default() }),
        made_by: None,
    })
}

/// The ids that are kept, the reasons of the others, and how often the judge was asked.
fn judged(questions: &[ReadAlongQuestion], answer: &str) -> (usize, Vec<String>, usize) {
    let (rows, left_out, asked) = with_spares(questions, None, answer);
    (rows.len(), left_out, asked)
}

/// The same with the rows, and with spare decoys of these texts for each question.
fn with_spares(
    questions: &[ReadAlongQuestion],
    spares: Option<&[&str]>,
    answer: &str,
) -> (Vec<ReadAlongQuestion>, Vec<String>, usize) {
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
    let stage = "questions = 'q'\nscenes = 's'\nsummaries = 't'\nnear_pm = 300";
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
        let spares: Option<Vec<Spares>> = spares.map(|texts| {
            let spare = |text: &&str| {
                let kind = OptionKind::Decoy(QuestionType::Lookahead);
                Spare { choice: choice(kind, text), made_by: None }
            };
            let of = |question: &ReadAlongQuestion| Spares {
                question: question.0.id.clone(),
                spares: texts.iter().map(spare).collect(),
            };
            questions.iter().map(of).collect()
        });
        let spares = spares.map(Into::into);
        (questions.to_vec().into(), scenes(&SCENES).into(), told.into(), spares)
    };
    let (rows, trace, asked) = run(&stage, input, &asker);
    assert!(trace.rejects.is_empty());
    (rows, trace.left_out.iter().map(|one| one.reason.code.to_string()).collect(), asked)
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

#[test]
fn a_spare_that_did_not_happen_takes_its_place() {
    let asked = question(1, "A boat came up the river.");
    let replaced = vec!["replaced-lookahead".to_owned()];
    let gone = vec!["ambiguous-lookahead".to_owned()];
    let texts = |rows: &[ReadAlongQuestion]| -> Vec<String> {
        rows.iter().map(|row| row.0.options()[1].text.clone()).collect()
    };
    // The first that is not shown, and that did not happen either.
    let spares = ["The dog ran to the mill.", "A dog ran to the mill.", "A queen was crowned."];
    let script = |spares: &[&str]| with_spares(std::slice::from_ref(&asked), Some(spares), "");
    let (rows, left_out, requests) = script(&spares);
    assert_eq!((texts(&rows), left_out, requests), (vec![spares[1].to_owned()], replaced, 2));
    // The others stay as they are, the right one at its place.
    let other = |row: &ReadAlongQuestion| {
        let mut row = row.0.clone();
        if let Form::Options { options, .. } = &mut row.form {
            options.remove(1);
        }
        row
    };
    assert_eq!(other(&rows[0]), other(&asked));
    // Near to nothing that was read: nobody has to be asked.
    let (rows, _, requests) = script(&spares[2..]);
    assert_eq!((texts(&rows), requests), (vec![spares[2].to_owned()], 1));
    // None fits, or there is none.
    for spares in [&[][..], &spares[..1]] {
        let (rows, left_out, _) = script(spares);
        assert_eq!((rows.len(), left_out), (0, gone.clone()));
    }
    // What was right at once is not touched.
    let fine = question(1, "A queen was crowned.");
    let (rows, left_out, _) = with_spares(std::slice::from_ref(&fine), Some(&spares), "");
    assert_eq!((rows, left_out), (vec![fine], vec![]));
}

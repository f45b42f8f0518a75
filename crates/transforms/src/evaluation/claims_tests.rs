//! Claims as they are put to a model, and answers to them that somebody has already.

use storymill_claims::prompt::{Filling, Form as Prompts, Prompt};
use storymill_core::{
    Demand, Exam, ExamQuestion, Facet, Form, Length, ModelAnswer, Question, Recipe, Rows, Status,
};

use super::{
    answer::AnswerStage,
    responses::Responses,
    tests::{run, says},
};

const CLAIMS: [(&str, bool); 2] = [("Ann left at noon.", true), ("Ann left at night.", false)];

fn exam() -> Exam {
    let lines: Vec<String> = (0..400)
        .map(|at| format!("Line {at} tells how Ann left the mill at noon. Été.\n\n"))
        .collect();
    let text = lines.concat();
    let symbols = u32::try_from(text.chars().count()).unwrap();
    let question = |(claim, holds): (&str, bool)| ExamQuestion {
        config: "claims".to_owned(),
        split: "test".to_owned(),
        flags: Vec::new(),
        written_by: Vec::new(),
        facets: vec![Facet::new("claim", if holds { "true" } else { "false" })],
        story: Some(1_000..3_000),
        question: Question {
            id: format!("t/0001/{holds}"),
            of: "t".parse().unwrap(),
            kind: "claim".to_owned(),
            task: "Is this claim true?".to_owned(),
            form: Form::Verdict { claim: claim.to_owned(), pair: "t/0001".to_owned(), holds },
            about: Vec::new(),
            evidence: Vec::new(),
            demands: Vec::new(),
            demand: Demand::default(),
            context: Recipe::Read(Length { symbols, ..Length::default() }),
            made_by: None,
        },
    };
    Exam {
        of: "t".parse().unwrap(),
        title: String::new(),
        author: String::new(),
        language: "en".to_owned(),
        text,
        scenes: Vec::new(),
        retellings: Vec::new(),
        questions: CLAIMS.map(question).into(),
    }
}

/// What is said to a model, claim by claim.
fn said(options: &str) -> Vec<String> {
    let asker = says(|_| "<answer>TRUE</answer>".to_owned());
    let stage: AnswerStage = toml::from_str(&format!("from = 'exam'\n{options}")).unwrap();
    run(&stage, || Rows::from(vec![exam()]), &asker);
    let log = asker.log.lock().unwrap();
    log.iter().map(|(.., said)| said.clone()).collect()
}

#[test]
fn every_form_is_the_prompt_of_claims_to_the_byte() {
    let text = exam().text;
    for form in Prompts::ALL {
        let filled = CLAIMS.map(|(claim, _)| {
            let filling = Filling { book: &text, claim, story: false, book_order: false };
            Prompt::ours(form).fill(filling).unwrap()
        });
        assert_eq!(said(&format!("form = '{}'", form.name())), filled);
    }
    // Where nothing of the book is shown, the question stands in the prompt of all others.
    let bare = said("form = 'simple'\nsettings = ['none']");
    assert!(bare[0].contains("Is this claim true?") && !bare[0].contains("Read this text"));
}

#[test]
fn excerpts_and_stories_are_shown_as_asked() {
    let text = exam().text;
    let excerpts = said("form = 'explain-first'\nsettings = ['retrieved-2']\nbook_order = true");
    assert!(excerpts[0].contains("<excerpt_2>\n") && !excerpts[0].contains("<excerpt_3>"));
    assert!(excerpts[0].contains("They stand in the order of the book."));
    let story: String = text.chars().skip(1_000).take(2_000).collect();
    let told = said("form = 'simple'\nstory = true");
    assert!(told[0].contains(&format!("Read this text:\n\n{story}\n\nA claim")), "{}", told[0]);
    // The best excerpts of a story are in it.
    let found = said("form = 'excerpts'\nstory = true\nsettings = ['retrieved-1']");
    let inside = found[0].split_once("<excerpt_1>\n").unwrap().1;
    let inside = inside.split_once("\n</excerpt_1>").unwrap().0;
    assert!(story.contains(inside) && found[0].contains("a story"), "{inside}");
}

#[test]
fn answers_that_are_there_are_read_by_the_rule() {
    let lines = [
        r#"{"system": "a", "pair": "t/0001", "claim": true, "answer": "<answer>TRUE</answer>"}"#,
        r#"{"system": "a", "pair": "t/0001", "claim": "false", "answer": "Who knows."}"#,
        r#"{"system": "b", "pair": "t/0001", "claim": true, "answer": "SKIPPED"}"#,
        r#"{"system": "b", "pair": "t/0001", "claim": false, "answer": "PROHIBITED_CONTENT"}"#,
        r#"{"system": "c", "pair": "t/0009", "claim": true, "answer": "TRUE"}"#,
    ];
    let rows = |lines: &[&str], options: &str| {
        let mut stage: Responses =
            toml::from_str(&format!("from = 'exam'\nfile = 'said.jsonl'\n{options}")).unwrap();
        stage.file.fill(lines.join("\n").into_bytes());
        stage
    };
    let stage = rows(&lines, "");
    let found = run(&stage, || Rows::from(vec![exam()]), &crate::tests::Nobody);
    let told: Vec<_> = found
        .iter()
        .map(|ModelAnswer { model, status, answer, .. }| (&**model, *status, &**answer))
        .collect();
    assert_eq!(
        told,
        [
            ("a", Status::Answered, "true"),
            ("b", Status::DoesNotFit, ""),
            ("a", Status::Unparsed, ""),
            ("b", Status::Refused, ""),
        ]
    );
    let one = rows(&lines, "systems = ['b']").read().unwrap();
    assert!(one.values().all(|systems| systems.keys().all(|system| system == "b")));
    let twice = [lines[0], &lines[0].replace("TRUE", "FALSE")];
    let refused = rows(&twice, "").read().unwrap_err().to_string();
    assert!(
        refused.contains("two answers of one system") && !refused.contains("FALSE"),
        "{refused}"
    );
    assert!(rows(&["{"], "").read().is_err());
}

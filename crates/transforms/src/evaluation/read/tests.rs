use std::sync::Mutex;

use proptest::prelude::*;
use serde_json::json;
use storymill_core::{
    Asked, Asker, Choice, Demand, Length, OptionKind, Recipe, RequestKey,
    reader::{Line, Script},
};

use super::*;
use crate::evaluation::tests::run;

/// A reader by script: from what was read before a question.
struct Reads<F> {
    answer: F,
    scripts: Mutex<Vec<(RequestKey, Script, Answer)>>,
}

impl<F: Fn(&str) -> Value + Sync> Asker for Reads<F> {
    fn get(&self, key: &RequestKey) -> Result<Option<Answer>, Fault> {
        let scripts = self.scripts.lock().unwrap();
        let known = scripts.iter().find(|(own, ..)| own == key);
        Ok(known.map(|(.., answer)| answer.clone()))
    }

    fn ask(&self, wave: &[Asked]) -> Result<(), Fault> {
        for asked in wave {
            let Content::Raw(raw) = &asked.request.content else { panic!("no script") };
            let script = Script::of(raw)?;
            let (mut read, mut replies) = (String::new(), Vec::new());
            for line in &script.lines {
                match line {
                    Line::Reset { .. } => assert!(read.is_empty() && replies.is_empty()),
                    Line::Read { text, .. } => read += text,
                    Line::Ask { id, .. } => {
                        replies.push((self.answer)(&read));
                        assert_eq!(*id as usize, replies.len());
                    }
                }
            }
            let text = json!({ "answers": replies }).to_string();
            let answer = Answer { text, finish_reason: "stop".to_owned() };
            self.scripts.lock().unwrap().push((asked.key, script, answer));
        }
        Ok(())
    }
}

fn reads<F: Fn(&str) -> Value + Sync>(answer: F) -> Reads<F> {
    Reads { answer, scripts: Mutex::default() }
}

fn stage() -> Read {
    toml::from_str("from = 'exam'\nreaders = [{ called = 'r', command = 'c' }]").unwrap()
}

fn question(id: usize, context: Recipe) -> ExamQuestion {
    let choice = |text: &str| Choice {
        kind: OptionKind::Wrong,
        text: text.to_owned(),
        from: String::new(),
        book: None,
        scene: None,
        demand: None,
        names: Vec::new(),
    };
    let options = vec![choice("Ann goes."), choice("Ben goes."), choice("2 go.")];
    ExamQuestion {
        config: "eval".to_owned(),
        split: "test".to_owned(),
        flags: Vec::new(),
        written_by: Vec::new(),
        facets: Vec::new(),
        story: None,
        question: Question {
            id: format!("q{id}"),
            of: "t".parse().unwrap(),
            kind: "lookahead".to_owned(),
            task: format!("Which of these was in what you read? ({id})"),
            form: Form::Options { given: Vec::new(), options, right: 1 },
            about: Vec::new(),
            evidence: Vec::new(),
            demands: Vec::new(),
            demand: Demand::default(),
            context,
            made_by: None,
        },
    }
}

fn read_upto(symbols: usize) -> Recipe {
    Recipe::Read(Length { symbols: u32::try_from(symbols).unwrap(), ..Length::default() })
}

fn exam(text: String, scenes: Vec<u32>, contexts: &[Recipe]) -> Exam {
    let questions = contexts.iter().enumerate();
    Exam {
        of: "t".parse().unwrap(),
        title: String::new(),
        author: String::new(),
        language: "en".to_owned(),
        text,
        scenes,
        retellings: Vec::new(),
        questions: questions.map(|(at, context)| question(at, context.clone())).collect(),
    }
}

fn texts(exam: &Exam) -> (Vec<(u32, String)>, usize) {
    let (mut read, mut asks) = (Vec::new(), 0);
    for line in Plan::of(exam).lines {
        match line {
            Line::Read { scene, text } => read.push((scene, text)),
            Line::Ask { .. } => asks += 1,
            Line::Reset { .. } => {}
        }
    }
    (read, asks)
}

proptest! {
    /// What was read before each question is exactly its context, however scenes and contexts lie, and each question gets the answer
    /// to its own.
    #[test]
    fn what_was_read_before_a_question_is_its_context(
        words in proptest::collection::vec("[aé—]{1,9}", 1..900),
        scenes in proptest::collection::btree_set(1_u32..3_000, 0..12),
        places in proptest::collection::vec(0_usize..3_000, 1..12),
        mixed in any::<bool>(),
    ) {
        let text = words.join(" ");
        let symbols = text.chars().count();
        let scenes: Vec<u32> = scenes.into_iter().filter(|end| (*end as usize) < symbols).collect();
        let context = |at: &usize| match (*at % symbols, mixed) {
            (0, _) => Recipe::Nothing,
            (_, true) => Recipe::Mixed(u32::try_from(symbols).unwrap()),
            (at, false) => read_upto(at),
        };
        let contexts: Vec<Recipe> = places.iter().map(context).collect();
        let exam = exam(text, scenes, &contexts);
        let asker = reads(|read| json!({ "answer": read }));
        let rows = run(&stage(), || Rows::from(vec![exam.clone()]), &asker);
        prop_assert_eq!(rows.len(), contexts.len());
        for (row, asked) in rows.iter().zip(&exam.questions) {
            prop_assert_eq!(&row.question, &asked.question.id);
            let length = asked.question.context.length().symbols as usize;
            prop_assert_eq!(&row.said, &exam.text.chars().take(length).collect::<String>());
        }
        // Nothing is read behind the last question.
        let (read, asks) = texts(&exam);
        let last = contexts.iter().map(|one| one.length().symbols as usize).max().unwrap();
        prop_assert_eq!(read.iter().map(|(_, text)| text.chars().count()).sum::<usize>(), last);
        prop_assert_eq!(asks, contexts.len());
        prop_assert!(read.iter().all(|(_, text)| !text.is_empty()));
    }
}

#[test]
fn scenes_are_read_one_by_one() {
    let text = "One two. Three four. Five six. Seven.".to_owned();
    let contexts = [read_upto(21), read_upto(9), read_upto(25)];
    let read = texts(&exam(text.clone(), vec![9, 21, 31, 37], &contexts)).0;
    let expected = [(0, "One two. "), (1, "Three four. "), (2, "Five")];
    let expected = expected.map(|(scene, text)| (scene, text.to_owned()));
    assert_eq!(read, expected);
    // A text without scenes: excerpts, with numbers of their own.
    let text = "Some words here.\n\n".repeat(200);
    let whole = Recipe::Mixed(u32::try_from(text.len()).unwrap());
    let read = texts(&exam(text, Vec::new(), &[whole])).0;
    assert!(read.iter().map(|(scene, _)| *scene).eq(0..3), "{read:?}");
}

#[test]
fn what_two_configs_publish_is_asked_once() {
    let mut exam = exam("One two. Three.".to_owned(), vec![9], &[read_upto(9), read_upto(9)]);
    exam.questions[1].question = exam.questions[0].question.clone();
    exam.questions[1].config = "eval-small".to_owned();
    let asker = reads(|_| json!({ "answer": 2 }));
    let rows = run(&stage(), || Rows::from(vec![exam.clone()]), &asker);
    assert_eq!(texts(&exam).1, 1);
    assert!(rows.iter().all(|row| row.answer == "1"), "{rows:?}");
}

#[track_caller]
fn check(form: Option<Form>, answer: &Value, expected: (Status, &str)) {
    let mut exam = exam("One two.".to_owned(), Vec::new(), &[read_upto(8)]);
    if let Some(form) = form {
        exam.questions[0].question.form = form;
    }
    let asker = reads(|_| json!({ "answer": answer, "tokens": 7, "written": 2 }));
    let rows = run(&stage(), || Rows::from(vec![exam.clone()]), &asker);
    assert_eq!((rows[0].status, rows[0].answer.as_str()), expected, "{answer}");
    let spent = Spent { shown: Some(7), output: Some(2), ..Spent::default() };
    assert_eq!((&rows[0].model, &rows[0].spent), (&"r".to_owned(), &spent));
}

#[test]
fn answers_are_read_as_models_answers_are() {
    check(None, &json!(2), (Status::Answered, "1"));
    check(None, &json!("Answer: 3"), (Status::Answered, "2"));
    check(None, &json!(" Ben goes.\n"), (Status::Answered, "1"));
    // Not the second option: all of its words are the third.
    check(None, &json!("2 go."), (Status::Answered, "2"));
    check(None, &json!("I think that Carl goes."), (Status::Unparsed, ""));
    check(None, &json!(0), (Status::Unparsed, ""));
    check(None, &json!(4), (Status::Unparsed, ""));
    check(None, &json!(null), (Status::Failed, ""));
    check(None, &json!(""), (Status::Failed, ""));
    let claim = || {
        let claim = "It is true that Ann went.".to_owned();
        Some(Form::Verdict { claim, pair: "p".to_owned(), holds: true })
    };
    check(claim(), &json!(true), (Status::Answered, "true"));
    check(claim(), &json!("false"), (Status::Answered, "false"));
    check(claim(), &json!(2), (Status::Answered, "false"));
    let free =
        Form::FreeText { given: None, references: vec!["x".into()], keywords: String::new() };
    check(Some(free), &json!("She is at home."), (Status::Answered, "She is at home."));
}

#[test]
fn what_a_reader_did_not_come_to_has_failed() {
    let exam = exam("One two. Three.".to_owned(), vec![9], &[read_upto(9), read_upto(15)]);
    let asker = reads(|_| json!({ "answer": 1 }));
    run(&stage(), || Rows::from(vec![exam.clone()]), &asker);
    let text = json!({ "answers": [{ "answer": 2 }], "failed": "no reply" }).to_string();
    asker.scripts.lock().unwrap()[0].2.text = text;
    let rows = run(&stage(), || Rows::from(vec![exam.clone()]), &asker);
    let ends: Vec<(Status, &str)> =
        rows.iter().map(|row| (row.status, row.said.as_str())).collect();
    assert_eq!(ends, [(Status::Answered, "2"), (Status::Failed, "no reply")]);
}

#[test]
fn options_are_checked() {
    for (readers, expected) in [
        ("[]", "must name at least one"),
        ("[{ called = '', command = 'x' }]", "each must have a name and a command"),
        ("[{ called = 'a', command = 'x' }, { called = 'a', command = 'y' }]", "are called `a`"),
    ] {
        let stage: Read = toml::from_str(&format!("from = 'exam'\nreaders = {readers}")).unwrap();
        let faults = stage.check();
        assert!(faults.iter().any(|(_, fault)| fault.contains(expected)), "{faults:?}");
    }
}

//! Systems and cases whose tables `score` gives: through exams, answers and grades they are the same.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use storymill_core::{
    Answer, Demand, Exam, ExamQuestion, Form, Grade, ModelAnswer, Question, Recipe, Rows, Spent,
    Status,
};
use storymill_metrics::{
    pair_accuracy::{Judged, Verdict, accuracy},
    score::{
        claims,
        lveval::{Item, Options, Score, lveval, predictions},
    },
    wordlists::WordLists,
};

use super::{grade::GradeStage, parse};
use crate::tests::{run, sets};

fn asked(id: &str, of: &str, form: Form) -> ExamQuestion {
    ExamQuestion {
        config: "all".to_owned(),
        split: "test".to_owned(),
        flags: Vec::new(),
        written_by: Vec::new(),
        facets: Vec::new(),
        story: None,
        question: Question {
            id: id.to_owned(),
            of: of.parse().unwrap(),
            kind: "claim".to_owned(),
            task: String::new(),
            form,
            about: Vec::new(),
            evidence: Vec::new(),
            demands: Vec::new(),
            demand: Demand::default(),
            context: Recipe::Nothing,
            made_by: None,
        },
    }
}

fn exam(of: &str, language: &str, questions: Vec<ExamQuestion>) -> Exam {
    Exam {
        of: of.parse().unwrap(),
        title: String::new(),
        author: String::new(),
        language: language.to_owned(),
        text: String::new(),
        scenes: Vec::new(),
        retellings: Vec::new(),
        questions,
    }
}

/// What somebody said, as the stage `answer` reads it.
fn answered(asked: &ExamQuestion, system: &str, said: &str) -> ModelAnswer {
    let answer = Answer { text: said.to_owned(), finish_reason: "stop".to_owned() };
    let (status, found) = parse::read(&asked.question, &answer, None, u32::MAX);
    ModelAnswer {
        question: asked.question.id.clone(),
        config: asked.config.clone(),
        of: asked.question.of.clone(),
        model: system.to_owned(),
        setting: "full".to_owned(),
        status,
        said: said.to_owned(),
        answer: found,
        spent: Spent::default(),
    }
}

fn graded(exam: &Exam, answers: Vec<ModelAnswer>) -> Vec<Grade> {
    let stage: GradeStage = toml::from_str("from = 'exam'\nanswers = 'answers'").unwrap();
    run(&stage, (Rows::from(vec![exam.clone()]), Rows::from(answers))).0.unwrap()
}

#[test]
fn the_systems_of_nocha_have_their_tables() {
    for set in sets("nocha") {
        let text = std::fs::read_to_string(set.join("data_sample_shared.json")).unwrap();
        let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
        let expected = claims(&text, &[]).unwrap();
        let holds = |row: &Value| row["type"].as_bool().unwrap_or(row["type"] == "True");
        let question = |(at, row): (usize, &Value)| {
            let form = Form::Verdict {
                claim: row["claim"].as_str().unwrap().to_owned(),
                pair: format!("{}#{}", row["book_title"].as_str().unwrap(), row["index"]),
                holds: holds(row),
            };
            asked(&at.to_string(), "nocha", form)
        };
        let exam = exam("nocha", "en", rows.iter().enumerate().map(question).collect());
        for system in &expected.systems {
            let said = exam.questions.iter().zip(&rows).filter_map(|(question, row)| {
                Some(answered(question, &system.name, row[&system.name].as_str()?))
            });
            let grades = graded(&exam, said.collect());
            let judged = |grade: &Grade| {
                let row = &rows[grade.question.parse::<usize>().unwrap()];
                let right = grade.right == Some(true);
                let verdict = match grade.status {
                    Status::DoesNotFit | Status::Refused | Status::Failed => None,
                    Status::Answered if right == holds(row) => Some(Verdict::True),
                    Status::Answered => Some(Verdict::False),
                    _ => Some(Verdict::Fail),
                };
                Judged { pair: grade.pair.clone(), truth: holds(row), verdict }
            };
            let own: Vec<Judged<String>> = grades.iter().map(judged).collect();
            let table = |keep: &dyn Fn(&str) -> bool| {
                let kept = own.iter().filter(|one| keep(&one.pair));
                let kept = kept.map(|one| Judged {
                    pair: one.pair.as_str(),
                    truth: one.truth,
                    verdict: one.verdict,
                });
                accuracy(&kept.collect::<Vec<_>>())
            };
            let found = table(&|_| true);
            let wanted = &system.all;
            assert_eq!(
                (found.pairs, found.true_claims, found.false_claims, found.failed),
                (wanted.pairs, wanted.true_claims, wanted.false_claims, wanted.failed),
                "{}",
                system.name
            );
            for book in &system.books {
                let of = format!("{}#", book.book);
                let found = table(&|pair| pair.starts_with(&of));
                assert_eq!(found.pairs, book.accuracy.pairs, "{} {}", system.name, book.book);
            }
        }
        println!("{} systems, {} claims", expected.systems.len(), rows.len());
    }
}

#[test]
fn the_cases_of_lveval_have_their_tables() {
    let lists = WordLists::ours();
    for set in sets("lveval") {
        let Ok(text) = std::fs::read_to_string(set.join("metric_cases.jsonl")) else { continue };
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let rows: Vec<Value> = rows.filter(|row| row["lang"] == "en").collect();
        let word = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let mut means = BTreeMap::new();
        for name in ["hotpotwikiqa_mixup", "factrecall_en", "dureader_mixup"] {
            let item = |(at, row): (usize, &Value)| Item {
                id: at.to_string(),
                set: name.to_owned(),
                answers: vec![word(row, "answer")],
                keywords: word(row, "answer_keywords"),
                ..Item::default()
            };
            let items: Vec<Item> = rows.iter().enumerate().map(item).collect();
            let line = |(at, row): (usize, &Value)| {
                json!({ "_id": at.to_string(), "pred": row["prediction"] }).to_string()
            };
            let lines: Vec<String> = rows.iter().enumerate().map(line).collect();
            let said = predictions(&lines.join("\n"), 0, name).unwrap();
            let options = Options {
                score: Score::AsReleased,
                lists: &lists,
                cutter: None,
                window: None,
                partial: false,
            };
            let expected = lveval(&said, &items, &options).unwrap();
            let question = |item: &Item| {
                let form = Form::FreeText {
                    given: None,
                    references: item.answers.clone(),
                    keywords: item.keywords.clone(),
                };
                asked(&item.id, name, form)
            };
            let exam = exam(name, "en", items.iter().map(question).collect());
            let answers = exam.questions.iter().zip(&rows);
            let answers =
                answers.map(|(question, row)| answered(question, "m", &word(row, "prediction")));
            let grades = graded(&exam, answers.collect());
            for (grade, row) in grades.iter().zip(&expected.rows) {
                assert!(
                    (f64::from(grade.score_ppm) - 1e6 * row.score).abs() <= 0.5,
                    "{row:?} {grade:?}"
                );
            }
            let count = u32::try_from(grades.len()).unwrap();
            let sum: u32 = grades.iter().map(|grade| grade.score_ppm).sum();
            let mean = f64::from(sum) / f64::from(count) / 1e4;
            assert_eq!(format!("{mean:.2}"), format!("{:.2}", expected.cells[0].score), "{name}");
            means.insert(name, mean);
        }
        println!("{} cases: {means:?}", rows.len());
    }
}

#![allow(clippy::cast_precision_loss, reason = "counts in tests are small")]

use std::collections::BTreeMap;

use storymill_core::{Digest, MadeBy, Question};

use super::tests::{ask, told};

/// How often the option that is wrong in fewest other questions is the right one, and the one that is wrong in most.
fn found_by_other_answers(questions: &[Question]) -> [f64; 2] {
    let mut wrong: BTreeMap<&str, i32> = BTreeMap::new();
    let decoys = |q: &Question, at: usize| Some(at) != q.right().map(usize::from);
    for question in questions {
        for (at, option) in question.options()[..5].iter().enumerate() {
            *wrong.entry(&option.text).or_default() += i32::from(decoys(question, at));
        }
    }
    let mut found = [0.0; 2];
    for question in questions {
        let options = question.options()[..5].iter().enumerate();
        let elsewhere =
            options.map(|(at, option)| wrong[&*option.text] - i32::from(decoys(question, at)));
        let elsewhere: Vec<i32> = elsewhere.collect();
        for (share, sign) in found.iter_mut().zip([1, -1]) {
            let least = elsewhere.iter().map(|count| sign * count).min().unwrap();
            let equal: Vec<usize> = (0..5).filter(|at| sign * elsewhere[*at] == least).collect();
            if equal.iter().any(|at| !decoys(question, *at)) {
                *share += 1.0 / equal.len() as f64;
            }
        }
    }
    found.map(|share| share / questions.len() as f64)
}

/// The lookahead questions of a book by number.
fn lookahead(book: usize, scenes: usize) -> Vec<Question> {
    let mut told = told(scenes, |_| 0);
    // Each book has an id of its own, and so draws of its own.
    let id: storymill_core::BookId = format!("b{book}").parse().unwrap();
    told.scenes.iter_mut().for_each(|scene| scene.book = id.clone());
    told.summaries.iter_mut().for_each(|summary| summary.book = id.clone());
    ask("types = ['lookahead']", &told).0
}

#[test]
fn the_answers_of_other_lookahead_questions_tell_little() {
    let books: Vec<Vec<Question>> = (0..8).map(|book| lookahead(book, 100)).collect();
    let found: Vec<[f64; 2]> = books.iter().map(|book| found_by_other_answers(book)).collect();
    let mean = |at: usize| found.iter().map(|one| one[at]).sum::<f64>() / found.len() as f64;
    let [least, most] = [mean(0), mean(1)];
    // Chance is .167; where all later scenes were drawn alike, .65 and .00.
    assert!((0.1..0.26).contains(&least) && (0.08..0.22).contains(&most), "{least} {most}");
    let all = || books.iter().flatten();
    let far = |q: &&Question| q.options()[..5].iter().any(|o| o.scene.unwrap() > q.asked_at() + 20);
    let share = all().filter(far).count() as f64 / all().count() as f64;
    assert!(share > 0.1, "far scenes are decoys too: {share}");
}

#[test]
fn who_made_the_retellings_is_said() {
    let mut told = told(14, |_| 1);
    for summary in told.summaries.iter_mut().filter(|summary| summary.at != 2) {
        summary.answers = vec![Digest::of(b"answer")];
    }
    let (questions, _) = ask("twins = false", &told);
    for question in &questions {
        let of_2 = question.options()[..5].iter().any(|option| option.scene == Some(2));
        let expected = match (question.kind.as_str(), question.scene()) {
            ("lookahead", _) if of_2 => MadeBy::Both,
            ("lookahead", _) => MadeBy::Model,
            (_, None | Some(2)) => MadeBy::Rule,
            _ => MadeBy::Both,
        };
        assert_eq!(question.made_by, Some(expected), "{}", question.id);
    }
}

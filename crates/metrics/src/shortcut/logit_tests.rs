//! What it learns, beside scikit-learn and beside what was planted.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::shortcut::{GramCounts, Grams, deal};

/// Figures of `tests/golden/shortcut.py`.
fn golden() -> Value {
    serde_json::from_str(include_str!("../../tests/golden/shortcut.json")).unwrap()
}

/// Questions whose options are texts, with the place of the right one.
fn labelled<T: AsRef<str>>(all: &[(Vec<T>, usize)]) -> (Vec<GramCounts>, Vec<Labelled>) {
    let (mut texts, mut questions) = (Vec::new(), Vec::new());
    for (options, right) in all {
        let from = texts.len();
        texts.extend(options.iter().map(|text| GramCounts::of(Grams::Words, text.as_ref())));
        questions.push(Labelled { options: (from..texts.len()).collect(), right: *right });
    }
    (texts, questions)
}

/// Questions of a golden set; the first option is right.
fn questions(of: &Value) -> (Vec<GramCounts>, Vec<Labelled>) {
    let options = |one: &Value| {
        one.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let all = of["options"].as_array().unwrap().iter();
    labelled::<String>(&all.map(|one| (options(one), 0)).collect::<Vec<_>>())
}

#[test]
fn pairs_are_those_of_a_logistic_regression() {
    let golden = &golden()["pairs"];
    let (texts, questions) = questions(golden);
    let trained = usize::try_from(golden["trained"].as_u64().unwrap()).unwrap();
    let seen: BTreeSet<usize> =
        texts.iter().flat_map(GramCounts::counts).map(|(at, _)| at).collect();
    assert_eq!(golden["features"].as_u64(), Some(seen.len() as u64), "two features share a hash");
    let plan = Plan { penalty: golden["penalty"].as_f64().unwrap(), rounds: 2_000, seed: 1 };
    let features = Features::of(&texts);
    let logit = Logit::train(&features, &questions[..trained], plan);
    for (question, expected) in
        questions[trained..].iter().zip(golden["chances"].as_array().unwrap())
    {
        let (found, expected) = (logit.chances(&question.options)[0], expected.as_f64().unwrap());
        assert!((found - expected).abs() < 0.01, "{found} {expected}");
    }
}

#[test]
fn as_often_right_as_scikit_learn() {
    let golden = &golden()["sets"];
    let (texts, questions) = questions(golden);
    let features = Features::of(&texts);
    let groups = golden["groups"].as_array().unwrap();
    let fold = |at: usize| groups[at].as_u64().unwrap() % 5;
    let mut right = 0.0;
    for held in 0..5 {
        let (rest, own): (Vec<_>, Vec<_>) = (0..questions.len()).partition(|at| fold(*at) != held);
        let rest_of = rest.iter().map(|at| &questions[*at]);
        let logit = Logit::train(&features, rest_of, Plan::of(rest.len()));
        right += own.iter().map(|at| logit.credit(&questions[*at])).sum::<f64>();
    }
    let expected = golden["right"].as_f64().unwrap();
    assert!(
        (right - expected).abs() <= 8.0,
        "{right} of {}, scikit-learn {expected}",
        questions.len()
    );
}

/// Questions of six options with words drawn from a few, the right one with one word more if there is a cue.
fn drawn(count: usize, cue: &str, seed: u64) -> (Vec<GramCounts>, Vec<Labelled>) {
    let mut stream = Stream::new(seed);
    let words: Vec<String> = (0..400).map(|at| format!("w{}x", at * 7)).collect();
    let mut questions = Vec::new();
    for _ in 0..count {
        let right = stream.below(6);
        let mut options = Vec::new();
        for at in 0..6 {
            let mut text: Vec<&str> =
                (0..30).map(|_| words[stream.below(words.len())].as_str()).collect();
            if at == right && !cue.is_empty() {
                text.insert(stream.below(30), cue);
            }
            options.push(text.join(" "));
        }
        questions.push((options, right));
    }
    labelled(&questions)
}

/// The share of right answers over folds of groups of ten questions.
fn found((texts, questions): &(Vec<GramCounts>, Vec<Labelled>)) -> f64 {
    let features = Features::of(texts);
    let folds = deal(&vec![10; questions.len() / 10], 5).unwrap();
    let mut right = 0.0;
    for held in 0..5 {
        let (rest, own): (Vec<_>, Vec<_>) =
            (0..questions.len()).partition(|at| folds[at / 10] != held);
        let rest_of = rest.iter().map(|at| &questions[*at]);
        let logit = Logit::train(&features, rest_of, Plan::of(rest.len()));
        right += own.iter().map(|at| logit.credit(&questions[*at])).sum::<f64>();
    }
    right / count(questions.len())
}

#[test]
fn a_planted_word_is_found() {
    let share = found(&drawn(400, "forsooth", 3));
    assert!(share > 0.9, "{share}");
}

#[test]
fn without_a_cue_it_is_chance() {
    let drawn = drawn(600, "", 4);
    let (share, questions) = (found(&drawn), &drawn.1);
    let right = (share * count(questions.len())).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let interval = crate::binomial::wilson(right as u64, questions.len() as u64, 0.999).unwrap();
    assert!(interval.low < 1.0 / 6.0 && 1.0 / 6.0 < interval.high, "{share}");
}

#[test]
fn nothing_learned_is_nothing_known() {
    let (texts, questions) = drawn(1, "", 5);
    let features = Features::of(&texts);
    let logit = Logit::train(&features, [], Plan::of(0));
    assert!((logit.credit(&questions[0]) - 1.0 / 6.0).abs() < 1e-12);
}

proptest! {
    #[test]
    fn the_exponential(x in -750.0_f64..=0.0) {
        let expected = x.exp();
        prop_assert!((exp(x) - expected).abs() <= expected * 1e-12 + 1e-300, "{} {}", exp(x), expected);
    }
}

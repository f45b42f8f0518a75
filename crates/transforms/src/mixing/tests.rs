use proptest::prelude::*;
use storymill_core::{Document, Rule, Scope};

use super::{mix::Mix, passages::Passages, select::Select};
use crate::tests::run;
use storymill_core::SetQuestion;

fn set(questions: usize) -> Vec<SetQuestion> {
    let text = |at: usize| {
        let words = (0..40).map(|word| format!("w{}", (at * 37 + word * 11) % 83));
        format!("{}.", words.collect::<Vec<_>>().join(" "))
    };
    let question = |at: usize| SetQuestion {
        id: format!("q{at}"),
        language: "en".into(),
        question: format!("Who built mill {at}?"),
        answers: vec![format!("Pell{at}")],
        keywords: format!("Pell{at}"),
        documents: vec![Document {
            title: "Mill".into(),
            text: format!("Pell{at} built mill {at}. {}", text(at)),
        }],
        supporting: vec![0],
        confusing: vec!["Nobody built it.".into(), "Orm sold it.".into()],
        rules: vec![Rule {
            from: format!("Pell{at}"),
            to: format!("Vask{at}"),
            scope: vec![Scope::Context, Scope::Answer],
        }],
        ..SetQuestion::default()
    };
    let others = (0..60).map(|at| SetQuestion {
        id: format!("p{at}"),
        language: "en".into(),
        documents: vec![Document { title: String::new(), text: text(at + 900) }],
        ..SetQuestion::default()
    });
    (0..questions).map(question).chain(others).collect()
}

fn stage(more: &str) -> Mix {
    toml::from_str(&format!("from = 's'\nlevels = [400, 900]\n{more}")).unwrap()
}

#[track_caller]
fn check(more: &str, change: impl Fn(&mut Vec<SetQuestion>), rows: usize, rejects: &[&str]) {
    let mut set = set(3);
    change(&mut set);
    let (contexts, trace) = run(&stage(more), set.into());
    let codes: Vec<_> = trace.rejects.iter().map(|one| &*one.reason.code).collect();
    assert_eq!((contexts.unwrap().len(), &codes[..]), (rows, rejects));
}

#[test]
fn questions_become_contexts_or_say_why_not() {
    check("", |_| (), 6, &[]);
    check("replace = false", |set| set[0].rules[0].to.clear(), 6, &[]);
    check("", |set| set[0].rules[0].to.clear(), 4, &["empty-answer"]);
    check("", |set| set[0].rules[0].from = "Zorn".into(), 4, &["hits-nothing"]);
    check("", |set| set[0].rules[0].to = "Mill".into(), 4, &["collision"]);
    check("", |set| set.truncate(20), 3, &["too-few-distractors"; 3]);
    check("", |set| set[1].language = "zh".into(), 4, &["two-languages"]);
    check("replace = false", |set| set[1].supporting.clear(), 4, &["no-evidence"; 2]);
}

#[test]
fn another_chinese_script_is_told() {
    let reviews = |filler: &str| {
        let mut set = set(2);
        for row in &mut set {
            row.language = "zh".into();
            let asks = !row.question.is_empty();
            let text = if asks { "她在门口听见马车的声音。" } else { filler };
            row.documents[0].text += text;
        }
        let found = run(&stage(""), set.into()).1.reviews;
        found.into_iter().filter(|one| one.code == "other-script").collect::<Vec<_>>()
    };
    assert_eq!(reviews("他在门口等着马。"), []);
    assert_eq!(reviews("山上有雨。"), []);
    let found = reviews("他在門口等著馬。");
    let [review] = &found[..] else { panic!("one review") };
    assert_eq!(
        review.excerpt,
        "the evidence is in simplified characters, 60 of 60 passages in traditional ones"
    );
}

#[test]
fn each_ablation_says_so() {
    for (more, expected) in [
        ("", "cf+kpr"),
        ("confusing = false", "kpr"),
        ("replace = false", "cf"),
        ("replace = false\nconfusing = false", "none"),
        ("bare = true", "bare+kpr"),
        ("bare = true\nreplace = false", "bare"),
    ] {
        let (contexts, _) = run(&stage(more), set(1).into());
        assert_eq!(contexts.unwrap()[0].ablation, expected);
    }
}

#[test]
fn levels_must_ascend() {
    use storymill_core::Options;
    for levels in ["[]", "[200, 100]", "[100, 100]", "[5]"] {
        let stage: Mix = toml::from_str(&format!("from = 's'\nlevels = {levels}")).unwrap();
        assert_eq!(stage.check().len(), 1, "{levels}");
    }
}

#[test]
fn a_rejected_question_keeps_its_documents() {
    let mut rows = set(3);
    rows[1].rules[0].from = "Zorn".into();
    let stage: super::rules::Rules = toml::from_str("from = 's'\nmodel = 'm'").unwrap();
    let (ruled, trace) = run(&stage, rows.clone().into());
    let ruled = ruled.unwrap();
    assert_eq!((&*trace.rejects[0].item, &*trace.rejects[0].reason.code), ("q1", "hits-nothing"));
    assert!(ruled[1].question.is_empty() && !ruled[0].question.is_empty());
    let passages = |rows: Vec<SetQuestion>| {
        run(&toml::from_str::<Passages>("from = 's'").unwrap(), rows.into()).0.unwrap()
    };
    assert_eq!(passages(ruled), passages(rows));
}

#[test]
fn nested_contexts_have_one_depth() {
    use storymill_core::Options;
    assert_eq!(stage("same_depth = false").check()[0].0, "same_depth");
    assert_eq!(stage("same_depth = false\nnested = false").check(), []);
    check("same_depth = false\nnested = false", |_| (), 6, &[]);
    check("bare = true", |set| set.truncate(3), 3, &[]);
}

#[test]
fn passages_are_each_text_once() {
    let stage: Passages = toml::from_str("from = 's'").unwrap();
    let mut rows = set(2);
    rows[1].documents = rows[0].documents.clone();
    let (passages, _) = run(&stage, rows.into());
    let passages = passages.unwrap();
    assert_eq!(
        (passages.len(), &passages[0].id()[..], &passages[0].text[..5]),
        (61, "t/00000", "Mill\n")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// So many questions are asked, no document is lost, and a question more changes one at most.
    #[test]
    fn selecting_is_stable(all in 2_usize..12, wanted in 1_u32..12) {
        let stage: Select = toml::from_str(&format!("from = 's'\nquestions = {wanted}")).unwrap();
        let asked = |rows: Vec<SetQuestion>| {
            let (rows, _) = run(&stage, rows.into());
            let rows = rows.unwrap();
            prop_assert!(rows.iter().all(|row| row.documents.len() == 1));
            let asked: Vec<String> = rows.iter().filter(|row| !row.question.is_empty()).map(|row| row.id.clone()).collect();
            Ok(asked)
        };
        let (less, more) = (asked(set(all))?, asked(set(all + 1))?);
        prop_assert_eq!(less.len(), all.min(wanted as usize));
        let gone = less.iter().filter(|id| !more.contains(id)).count();
        prop_assert!(gone <= 1);
    }

    /// Rows hang on the seed and the set alone: twice the same.
    #[test]
    fn mixing_is_the_same_twice(questions in 1_usize..4) {
        let [a, b] = [0, 1].map(|_| run(&stage(""), set(questions).into()).0.unwrap());
        prop_assert_eq!(a, b);
    }
}

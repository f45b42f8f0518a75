use storymill_core::{Choice, Demand, Form, OptionKind, Recipe};

use super::*;

fn question(id: &str) -> Question {
    let option = |text: &str| Choice {
        kind: OptionKind::Wrong,
        text: text.to_owned(),
        from: String::new(),
        book: None,
        scene: None,
        demand: None,
        names: Vec::new(),
    };
    let texts = ["The keeper lit the lamp.", "A boat came in at dawn.", "The bell was stolen."];
    Question {
        id: id.to_owned(),
        of: "t".parse().unwrap(),
        kind: "lookahead".to_owned(),
        task: "Which?".to_owned(),
        form: Form::Options { given: Vec::new(), options: texts.map(option).to_vec(), right: 1 },
        about: Vec::new(),
        evidence: Vec::new(),
        demands: Vec::new(),
        demand: Demand::default(),
        context: Recipe::Nothing,
        made_by: None,
    }
}

/// What is read of an answer to three questions: labels from 1, or the words of statuses.
#[track_caller]
fn check(said: &str, finish: &str, expected: [&str; 3]) {
    let questions = ["a", "b", "c"].map(question);
    let answer = Answer { text: said.to_owned(), finish_reason: finish.to_owned() };
    let read = read_each(&questions.each_ref(), &answer, None, 100);
    let told = read.into_iter().map(|(status, answer)| match answer.parse::<u32>() {
        Ok(at) => (at + 1).to_string(),
        Err(_) => status.name().to_owned(),
    });
    assert_eq!(told.collect::<Vec<_>>(), expected, "{said}");
}

#[test]
fn each_question_has_an_answer_of_its_own() {
    let none = ["unparsed"; 3];
    for (said, expected) in [
        ("Answer 1: 2\nAnswer 2: 3\nAnswer 3: 1", ["2", "3", "1"]),
        ("So.\n**Answer 2:** C\n**Answer 1:** (b)\n**Answer 3:** A.", ["2", "3", "1"]),
        (
            "Answer to question 1 is 2. It is.\nThe answer to question 3: option 3",
            ["2", "unparsed", "3"],
        ),
        (
            "Answer 1: A boat came in at dawn.\nAnswer 2: 9\nAnswer 3: 1 or 2",
            ["2", "unparsed", "unparsed"],
        ),
        // The last one counts.
        ("Answer 1: 3\nNo.\nAnswer 1: 1\nAnswer 2: 2\nAnswer 3: 2", ["1", "2", "2"]),
        // Ten is not one.
        ("Answer 10: 3", none),
        // Bare lines, one for each.
        ("2\n3\n1", ["2", "3", "1"]),
        ("Here they are.\n(b)\n(c)\n(a)", ["2", "3", "1"]),
        ("1\n2\n3\n1", none),
        ("2\n3", none),
        ("2, 3, 1", none),
        ("<think>Answer 1: 1</think>Answer 1: 2", ["2", "unparsed", "unparsed"]),
        ("<think>Answer 1: 1", none),
        ("I cannot answer these questions.", ["refused"; 3]),
    ] {
        check(said, "stop", expected);
    }
    check("Answer 1: 2", "length", ["cut"; 3]);
    check("", "stop", ["failed"; 3]);
    check("Answer 1: 2", "content_filter", ["refused"; 3]);
}

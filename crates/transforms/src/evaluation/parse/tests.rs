use storymill_core::{Demand, Recipe};

use super::*;

const OPTIONS: [&str; 6] = [
    "The keeper lit the lamp.",
    "A boat came in at dawn.",
    "The bell was stolen.",
    "Nobody found the key.",
    "It rained for a week.",
    "None of the above.",
];

fn question(form: Form) -> Question {
    Question {
        id: "t/1".to_owned(),
        of: "t".parse().unwrap(),
        kind: "lookahead".to_owned(),
        task: "Which?".to_owned(),
        form,
        about: Vec::new(),
        evidence: Vec::new(),
        demands: Vec::new(),
        demand: Demand::default(),
        context: Recipe::Nothing,
        made_by: None,
    }
}

fn options() -> Form {
    let option = |(at, text): (usize, &&str)| Choice {
        kind: if at == 5 { OptionKind::None } else { OptionKind::Wrong },
        text: (*text).to_owned(),
        from: String::new(),
        book: None,
        scene: None,
        demand: None,
        names: Vec::new(),
    };
    Form::Options {
        given: Vec::new(),
        options: OPTIONS.iter().enumerate().map(option).collect(),
        right: 2,
    }
}

/// What is expected of answers with the finish reason `stop`: a label from 1, or the word of a status.
const SAID: [(&str, &str); 56] = [
    // The label alone.
    ("3", "3"),
    (" 3\n", "3"),
    ("3.", "3"),
    ("(3)", "3"),
    ("3)", "3"),
    ("**3**", "3"),
    ("C", "3"),
    ("c", "3"),
    ("(c)", "3"),
    ("C.", "3"),
    ("Option 3", "3"),
    ("option C", "3"),
    ("#3", "3"),
    // With the mark.
    ("Answer: 3", "3"),
    ("answer: (3)", "3"),
    ("**Answer:** 3", "3"),
    ("**Answer: 3**", "3"),
    ("The answer is 3.", "3"),
    ("The correct answer is option 3.", "3"),
    ("Answer:\n3", "3"),
    ("Final answer = C", "3"),
    ("<answer>3</answer>", "3"),
    ("Answer: 3) The bell was stolen.", "3"),
    ("Answer: The bell was stolen.", "3"),
    ("Answer: 3, because 2 came later", "3"),
    ("Answer: number 3", "3"),
    // Reasoning first.
    ("Option 1 is early. Option 2 comes later, so it is out.\nAnswer: 3", "3"),
    ("At first I thought the answer is 2. But the bell is gone, so the answer is 3.", "3"),
    ("<think>It could be 2. Answer: 2</think>\n3", "3"),
    ("<think>Hm.</think>Answer: 3", "3"),
    ("The keeper sleeps in chapter 1, the boat comes in 1815.\n\nC)", "3"),
    ("Let me see what was read: the bell.\n\n**3**", "3"),
    ("I recall that the bell was stolen from the tower.", "3"),
    ("It must be option 3, as the bell was gone.", "3"),
    ("What was read has the theft (3) and nothing else.", "3"),
    ("3) The bell was stolen.", "3"),
    // None of the above.
    ("6", "6"),
    ("None of the above.", "6"),
    ("none of these", "6"),
    ("Answer: None of the above", "6"),
    ("The answer is none of them.", "6"),
    ("Answer: 6) None of the above.", "6"),
    // Two, or none that there is.
    ("2 or 3", "unparsed"),
    ("Answer: 2 or 3", "unparsed"),
    ("Answer: B and C", "unparsed"),
    ("B/C", "unparsed"),
    ("Answer: 2, 3", "unparsed"),
    ("It is option 2 or option 3.", "unparsed"),
    ("Answer: 7", "unparsed"),
    ("0", "unparsed"),
    ("A man came and went.", "unparsed"),
    ("<think>It goes on and on about 3", "unparsed"),
    // Refusals.
    ("I'm sorry, but I cannot answer questions on this text.", "refused"),
    ("I can’t help with copyrighted books.", "refused"),
    ("As an AI language model, I have read no such book.", "refused"),
    // Nothing.
    (" \n", "failed"),
];

#[track_caller]
fn check(form: Form, said: &str, finish: &str, written: Option<Written>, expected: &str) {
    let answer = Answer { text: said.to_owned(), finish_reason: finish.to_owned() };
    let (status, found) = read(&question(form), &answer, written, 100);
    let found = match (status, found.parse::<usize>()) {
        (Status::Answered, Ok(at)) => (at + 1).to_string(),
        (Status::Answered, Err(_)) => found,
        (other, _) => {
            assert_eq!(found, "");
            other.name().to_owned()
        }
    };
    assert_eq!(found, expected, "{said:?}, {finish}");
}

#[test]
fn options_are_read_by_the_rule() {
    for (said, expected) in SAID {
        check(options(), said, "stop", None, expected);
    }
}

#[test]
fn what_reached_its_limit_is_cut_whatever_the_server_says() {
    let written = |output, thinking| Some(Written { output, thinking });
    check(options(), "Answer: 3", "length", None, "cut");
    check(options(), "Answer: 3", "max_tokens", None, "cut");
    check(options(), "Answer: 3", "stop", written(100, 0), "cut");
    check(options(), "", "stop", written(40, 100), "cut");
    check(options(), "Answer: 3", "stop", written(99, 90), "3");
    check(options(), "Answer: 3", "content_filter", None, "refused");
    check(options(), "", "refusal", None, "refused");
    check(options(), "", "context_overflow", None, "does-not-fit");
}

#[test]
fn claims_keep_their_rule() {
    let claim = || Form::Verdict {
        claim: "It is true that Jay is rich.".to_owned(),
        pair: "p".to_owned(),
        holds: true,
    };
    check(claim(), "Well. <answer>TRUE</answer>", "stop", None, "true");
    check(claim(), "That is not true.", "stop", None, "false");
    check(claim(), "I cannot answer this.", "stop", None, "unparsed");
    check(claim(), "SKIPPED", "stop", None, "does-not-fit");
    check(claim(), "PROHIBITED_CONTENT", "stop", None, "refused");
    check(claim(), "EMPTY_RESPONSE", "stop", None, "failed");
}

#[test]
fn free_text_is_taken_as_it_is() {
    let free = || Form::FreeText { given: None, references: Vec::new(), keywords: String::new() };
    check(free(), " in the salt mine\n", "stop", None, "in the salt mine");
    check(free(), "<think>Hm.</think> A key", "stop", None, "A key");
    check(free(), "I cannot answer", "stop", None, "I cannot answer");
}

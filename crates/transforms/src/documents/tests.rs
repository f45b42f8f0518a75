//! Documents for tests.

use storymill_core::{AskedDocument, AskedQuestion, Reply};

/// A document of the book `t` with these questions, two answers each.
pub(super) fn document(asked: &[&str]) -> AskedDocument {
    let reply = |number, text: &str| Reply { number, text: text.to_owned(), is_modified: false };
    let question = |(at, text): (usize, &&str)| AskedQuestion {
        id: format!("t/q{:03}", at + 1),
        question: (*text).to_owned(),
        answers: vec![reply(1, "The keeper"), reply(2, "A keeper")],
        is_modified: false,
    };
    AskedDocument {
        id: "d1".into(),
        of: "t".parse().unwrap(),
        split: "test".into(),
        title: "T".into(),
        address: "books/t.html".into(),
        summary: "Ann keeps the weigh-house at Tarrow, and Jos comes to Hallow.".into(),
        questions: asked.iter().enumerate().map(question).collect(),
        book: None,
        book_title: "T".into(),
        kind: "stories".into(),
        evidence: Vec::new(),
        left_out: None,
        passed: Vec::new(),
        revisions: Vec::new(),
    }
}

/// The ids of the questions that are left.
pub(super) fn questions(document: &AskedDocument) -> Vec<&str> {
    document.questions.iter().map(|question| question.id.as_str()).collect()
}

//! Simulated grades: questions of books, models of known skill.

use storymill_core::{Demand, Encoding, Grade, Length, Spent, Status, Stream, Tokens};

/// A stream of choices of its own.
pub(crate) fn stream(purpose: &str) -> Stream {
    storymill_core::Seed::new(11).derive("report", &"books".parse().unwrap(), "sim", purpose)
}

/// A number from 0 to below 1.
pub(crate) fn unit(stream: &mut Stream) -> f64 {
    f64::from(stream.below(1 << 30)) / f64::from(1 << 30)
}

/// Whether full runs are wanted, which take minutes.
pub(crate) fn full() -> bool {
    std::env::var_os("CI_FULL").is_some_and(|value| value == "1")
}

/// So many tokens, and the words and symbols that go with them.
pub(crate) fn length(tokens: u32) -> Length {
    Length {
        scenes: tokens / 500 + 1,
        words: tokens * 3 / 4,
        symbols: tokens * 4,
        tokens: vec![Tokens { encoding: Encoding::O200kBase, count: tokens }],
    }
}

/// A question about a book, right or wrong; to be changed by who needs another.
pub(crate) fn grade(book: usize, at: usize, tokens: u32, right: bool) -> Grade {
    Grade {
        question: format!("b{book:03}/{at:05}/lookahead"),
        config: "questions".into(),
        of: format!("b{book:03}").parse().unwrap(),
        title: format!("Book {book}"),
        author: format!("Author {book}"),
        split: "test".into(),
        flags: if book.is_multiple_of(3) { vec!["pg19".into()] } else { vec![] },
        written_by: vec![],
        model: "model-a".into(),
        setting: "full".into(),
        form: "options".into(),
        kind: "lookahead".into(),
        status: Status::Answered,
        right: Some(right),
        none_of_the_above: false,
        choices: 6,
        pair: String::new(),
        facets: vec![],
        score_ppm: if right { 1_000_000 } else { 0 },
        measures: vec![],
        demand: Demand { to_start: length(tokens), to_end_symbols: tokens * 4 },
        context: length(tokens.max(8_000) * 2),
        spent: Spent {
            offered: Some(tokens * 2),
            shown: Some(tokens * 2),
            cut: String::new(),
            output: Some(20),
            thinking: None,
            limit: Some(512),
            place: 0,
        },
    }
}

/// The same answer with this status, as wrong.
pub(crate) fn without_answer(mut grade: Grade, status: Status) -> Grade {
    grade.status = status;
    grade.right = Some(false);
    grade.score_ppm = 0;
    grade
}

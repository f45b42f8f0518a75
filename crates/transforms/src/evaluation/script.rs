//! What is said to a reader of one text: the scenes in order, and each question at the moment when exactly its context was
//! read.

use std::{collections::BTreeSet, ops::Range};

use storymill_core::{
    Exam, Form, Question, Recipe,
    reader::{Line, Script, Who},
};
use storymill_text::excerpt::{WORDS, excerpts};

/// The lines to a reader, and whose questions they ask.
pub(super) struct Plan {
    pub(super) lines: Vec<Line>,
    asked: Vec<String>,
    /// For each question of the exam, which of the answers is its.
    pub(super) answers: Vec<usize>,
}

impl Plan {
    /// Laws: the texts before a question, put together, are its context; every question is asked; what says the same at one
    /// place is asked once, and nothing is read behind the last question.
    pub(super) fn of(exam: &Exam) -> Self {
        let symbols = u32::try_from(exam.text.chars().count()).unwrap_or(u32::MAX);
        let asked_at = |question: &Question| match &question.context {
            Recipe::Nothing => 0,
            Recipe::Read(length) => length.symbols.min(symbols),
            Recipe::Mixed(_) => symbols,
        };
        let mut order: Vec<usize> = (0..exam.questions.len()).collect();
        // Those at one place stay in the order of the exam.
        order.sort_by_key(|at| asked_at(&exam.questions[*at].question));
        let stops: BTreeSet<u32> =
            order.iter().map(|at| asked_at(&exam.questions[*at].question)).collect();
        let mut pieces = pieces(exam, &stops).into_iter().peekable();
        let mut lines = vec![Line::reset(&exam.language)];
        let (mut answers, mut asked, mut here) = (vec![0; order.len()], Vec::new(), lines.len());
        for at in order {
            let question = &exam.questions[at].question;
            while let Some((_, scene, range)) =
                pieces.next_if(|(piece, ..)| piece.end <= asked_at(question))
            {
                lines.push(Line::Read { scene, text: exam.text[range].to_owned() });
                here = lines.len();
            }
            let line = ask(question, asked.len() + 1);
            // A question may be published in several configs.
            let known = lines[here..].iter().position(|known| is_same(known, &line));
            let first = asked.len() - (lines.len() - here);
            answers[at] = known.map_or(asked.len(), |known| first + known);
            if known.is_none() {
                lines.push(line);
                asked.push(question.id.clone());
            }
        }
        Self { lines, asked, answers }
    }

    pub(super) fn script(&self, reader: Who) -> Script {
        Script { reader, lines: self.lines.clone(), asked: self.asked.clone() }
    }
}

/// The pieces of a text up to the last of some places, in symbols, with the numbers of their scenes and in bytes. They end
/// where scenes end and at each of the places; a text without scenes is cut into excerpts.
fn pieces(exam: &Exam, stops: &BTreeSet<u32>) -> Vec<(Range<u32>, u32, Range<usize>)> {
    let text = &exam.text;
    let last = stops.last().copied().unwrap_or_default();
    let starts: BTreeSet<usize> = if exam.scenes.is_empty() {
        excerpts(text, WORDS).into_iter().map(|excerpt| excerpt.start).collect()
    } else {
        BTreeSet::new()
    };
    let ends: BTreeSet<u32> = exam.scenes.iter().copied().collect();
    let mut pieces: Vec<(Range<u32>, u32, Range<usize>)> = Vec::new();
    let (mut from, mut scene) = ((0, 0), 0);
    let places = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
    for (at, byte) in (0..=last).zip(places) {
        let ends_here = ends.contains(&at);
        if at > from.0 && (ends_here || stops.contains(&at) || starts.contains(&byte)) {
            pieces.push((from.0..at, scene, from.1..byte));
            from = (at, byte);
            scene += u32::from(ends_here || exam.scenes.is_empty());
        }
    }
    pieces
}

fn ask(question: &Question, id: usize) -> Line {
    let options = match &question.form {
        Form::Options { options, .. } => options.iter().map(|one| one.text.clone()).collect(),
        Form::FreeText { .. } => Vec::new(),
        Form::Verdict { .. } => vec!["true".to_owned(), "false".to_owned()],
    };
    let id = u32::try_from(id).unwrap_or(u32::MAX);
    Line::Ask { id, question: question.asked(), options }
}

/// Whether two lines ask the same.
fn is_same(one: &Line, other: &Line) -> bool {
    match (one, other) {
        (
            Line::Ask { question, options, .. },
            Line::Ask { question: asked, options: chosen, .. },
        ) => question == asked && options == chosen,
        _ => false,
    }
}

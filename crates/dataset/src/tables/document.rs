//! The tables of documents that a released file asks about, of their questions, and of what was changed.

use serde::Serialize;
use storymill_core::{AskedDocument, BookId, Encoding, Form, LiteraryQuestion, Revision};

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table of documents.
#[derive(Debug, Serialize)]
pub struct DocumentRow {
    document_id: String,
    book_id: BookId,
    split: String,
    title: String,
    book_title: String,
    kind: String,
    evidence: Vec<String>,
    left_out: String,
    why: String,
    questions: u32,
    steps: Vec<StepRow>,
    summary: String,
    canary: String,
}

/// How many questions were left behind a step.
#[derive(Debug, Serialize)]
pub(super) struct StepRow {
    step: String,
    questions: u32,
}

impl Table for AskedDocument {
    type Row = DocumentRow;
    const ABOUT: &'static str = "a document that questions are asked about, left out or not";
    const EVALUATION: bool = true;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let word = |name, about| Column::new(name, Type::Word, about);
        let int = |name, about| Column::new(name, Type::Int, about);
        vec![
            Column::new("document_id", Type::Line, "the document, as the released files name it"),
            word("book_id", "the book that it is said to be"),
            word("split", "train, validation or test"),
            Column::new("title", Type::Line, "the title in the released files"),
            Column::new("book_title", Type::Line, "the title of the book"),
            word("kind", "what the book was judged to be; blank where nobody judged"),
            Column::new(
                "evidence",
                Type::list(Type::Line),
                "what spoke for and against that it belongs to the book",
            ),
            word("left_out", "other-kind or other-book; blank if it is kept"),
            Column::new("why", Type::Line, "why it is left out, in words"),
            int("questions", "questions that are left"),
            Column::new(
                "steps",
                Type::records(vec![
                    word("step", "the step's kind"),
                    int("questions", "questions left behind it; 0 where the document is left out"),
                ]),
                "how many questions each step left, the source first",
            ),
            Column::new("summary", Type::Text, "the summary in the released files"),
            Column::canary(),
        ]
    }

    fn row(self, added: &Added<'_>) -> DocumentRow {
        let (left_out, why) = match self.left_out {
            Some(reason) => (reason.code.into_owned(), reason.detail),
            None => Default::default(),
        };
        let step =
            |one: storymill_core::Passed| StepRow { step: one.step, questions: one.questions };
        DocumentRow {
            document_id: self.id,
            book_id: self.of,
            split: added.split.to_owned(),
            title: self.title,
            book_title: self.book_title,
            kind: self.kind,
            evidence: self.evidence,
            questions: self.passed.last().map_or(0, |last| last.questions),
            left_out,
            why,
            steps: self.passed.into_iter().map(step).collect(),
            summary: self.summary,
            canary: added.canary.to_owned(),
        }
    }
}

/// A row of the table of questions.
#[derive(Debug, Serialize)]
pub struct LiteraryRow {
    question_id: String,
    book_id: BookId,
    document_id: String,
    split: String,
    r#type: String,
    question: String,
    answer: String,
    answers: Vec<String>,
    question_modified: u8,
    answers_modified: Vec<u8>,
    context_words: u32,
    context_symbols: u32,
    canary: String,
}

impl Table for LiteraryQuestion {
    type Row = LiteraryRow;
    const ABOUT: &'static str = "a question about a whole book, with short answers";
    const EVALUATION: bool = true;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let word = |name, about| Column::new(name, Type::Word, about);
        let int = |name, about| Column::new(name, Type::Int, about);
        vec![
            Column::new("question_id", Type::Line, "the question: `541/q003`"),
            word("book_id", "the book"),
            word("document_id", "the document, as the released files name it"),
            word("split", "train, validation or test"),
            word("type", "literary"),
            Column::new("question", Type::Text, "the question"),
            Column::new("answer", Type::Text, "the first answer"),
            Column::new("answers", Type::list(Type::Text), "all answers, each right by itself"),
            int("question_modified", "1 if the question was changed, else 0"),
            Column::new(
                "answers_modified",
                Type::list(Type::Int),
                "for each answer 1 if it was changed, else 0",
            ),
            int("context_words", "the whole book in words"),
            int(
                "context_symbols",
                "the context is the first so many symbols of the book: all of it",
            ),
            Column::canary(),
        ]
    }

    fn row(self, added: &Added<'_>) -> LiteraryRow {
        let question = self.question;
        let whole = question.context.length();
        let answer = question.reference().to_owned();
        let answers = match question.form {
            Form::FreeText { references, .. } => references,
            Form::Options { .. } | Form::Verdict { .. } => vec![answer.clone()],
        };
        LiteraryRow {
            question_id: question.id,
            book_id: question.of,
            document_id: self.document,
            split: added.split.to_owned(),
            r#type: question.kind,
            question: question.task,
            answer,
            answers,
            question_modified: u8::from(self.question_modified),
            answers_modified: self.answers_modified.into_iter().map(u8::from).collect(),
            context_words: whole.words,
            context_symbols: whole.symbols,
            canary: added.canary.to_owned(),
        }
    }
}

/// A row of the ledger.
#[derive(Debug, Serialize)]
pub struct RevisionRow {
    revision_id: String,
    document_id: String,
    book_id: BookId,
    split: String,
    asked: String,
    step: String,
    part: String,
    kind: String,
    before: String,
    after: String,
    reason: String,
    model: String,
    reviewer: String,
    state: &'static str,
    answer_digest: String,
    canary: String,
}

impl Table for Revision {
    type Row = RevisionRow;
    const ABOUT: &'static str = "a change of a document, a question or an answer";
    const EVALUATION: bool = true;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let word = |name, about| Column::new(name, Type::Word, about);
        vec![
            Column::new("revision_id", Type::Line, "question or document, part and step"),
            word("document_id", "the document"),
            word("book_id", "the book"),
            word("split", "train, validation or test"),
            Column::new("asked", Type::Line, "the question's id; blank of a document"),
            word("step", "join, distinct-questions or refine"),
            word(
                "part",
                "document, question, answer-1, answer-2; whole: the question with its answers",
            ),
            word(
                "kind",
                "other-kind, other-book, no-answer, duplicate, malformed, ill-posed, wrong, both-changed, not-refined",
            ),
            Column::new("before", Type::Text, "what stood there"),
            Column::new(
                "after",
                Type::Text,
                "what was to stand there; blank: it was to be left out",
            ),
            Column::new("reason", Type::Text, "why, in words"),
            word("model", "who proposed it; blank if a rule did"),
            word("reviewer", "people, if somebody decided on it"),
            word("state", "applied, taken-back or refused"),
            Column::new("answer_digest", Type::Line, "the model's answer; blank if there is none"),
            Column::canary(),
        ]
    }

    fn row(self, added: &Added<'_>) -> RevisionRow {
        RevisionRow {
            revision_id: self.id(),
            document_id: self.document,
            book_id: self.of,
            split: added.split.to_owned(),
            asked: self.question,
            step: self.step,
            part: self.part,
            kind: self.kind,
            before: self.before,
            after: self.after,
            reason: self.reason,
            model: self.model,
            reviewer: self.reviewer,
            state: self.state.name(),
            answer_digest: self.answer.map(|answer| answer.to_string()).unwrap_or_default(),
            canary: added.canary.to_owned(),
        }
    }
}

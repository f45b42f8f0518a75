//! The tables of documents that a released file asks about, of their questions, and of what was changed.

use storymill_core::{AskedDocument, Form, LiteraryQuestion, Passed, Revision};

use super::row::{SPLIT, records};
use crate::table;

records! { StepRow(Passed), |passed|
    "step": Word => passed.step, "the step's kind";
    "questions": Int => passed.questions, "questions left behind it; 0 where the document is left out";
}

table! { AskedDocument, "a document that questions are asked about, left out or not", evaluation, |document, added| {
        let (left_out, why) = match &document.left_out {
            Some(reason) => (&*reason.code, &*reason.detail),
            None => ("", ""),
        };
    }
    "document_id": Line => document.id, "the document, as the released files name it";
    "book_id": Word => document.of, "the book that it is said to be";
    "split": Word => added.split, SPLIT;
    "title": Line => document.title, "the title in the released files";
    "book_title": Line => document.book_title, "the title of the book";
    "kind": Word => document.kind, "what the book was judged to be; blank where nobody judged";
    "evidence": list(Line) => document.evidence, "what spoke for and against that it belongs to the book";
    "left_out": Word => left_out, "other-kind or other-book; blank if it is kept";
    "why": Line => why, "why it is left out, in words";
    "questions": Int => document.passed.last().map_or(0, |last| last.questions), "questions that are left";
    "steps": StepRow::kind() => StepRow::each(&document.passed), "how many questions each step left, the source first";
    "summary": Text => document.summary, "the summary in the released files";
}

table! { LiteraryQuestion, "a question about a whole book, with short answers", evaluation, |literary, added| {
        let question = &literary.question;
        let whole = question.context.length();
        let answers: Vec<&str> = match &question.form {
            Form::FreeText { references, .. } => references.iter().map(String::as_str).collect(),
            Form::Options { .. } | Form::Verdict { .. } => vec![question.reference()],
        };
        let modified: Vec<u8> = literary.answers_modified.iter().map(|one| u8::from(*one)).collect();
    }
    "question_id": Line => question.id, "the question: `541/q003`";
    "book_id": Word => question.of, "the book";
    "document_id": Word => literary.document, "the document, as the released files name it";
    "split": Word => added.split, SPLIT;
    "type": Word => question.kind, "literary";
    "question": Text => question.task, "the question";
    "answer": Text => question.reference(), "the first answer";
    "answers": list(Text) => answers, "all answers, each right by itself";
    "question_modified": Int => u8::from(literary.question_modified), "1 if the question was changed, else 0";
    "answers_modified": list(Int) => modified, "for each answer 1 if it was changed, else 0";
    "context_words": Int => whole.words, "the whole book in words";
    "context_symbols": Int => whole.symbols, "the context is the first so many symbols of the book: all of it";
}

table! { Revision, "a change of a document, a question or an answer", evaluation, |revision, added| {}
    "revision_id": Line => revision.id(), "question or document, part and step";
    "document_id": Word => revision.document, "the document";
    "book_id": Word => revision.of, "the book";
    "split": Word => added.split, SPLIT;
    "asked": Line => revision.question, "the question's id; blank of a document";
    "step": Word => revision.step, "join, distinct-questions or refine";
    "part": Word => revision.part, "document, question, answer-1, answer-2; whole: the question with its answers";
    "kind": Word => revision.kind, "other-kind, other-book, no-answer, duplicate, malformed, ill-posed, wrong, both-changed, not-refined";
    "before": Text => revision.before, "what stood there";
    "after": Text => revision.after, "what was to stand there; blank: it was to be left out";
    "reason": Text => revision.reason, "why, in words";
    "model": Word => revision.model, "who proposed it; blank if a rule did";
    "reviewer": Word => revision.reviewer, "people, if somebody decided on it";
    "state": Word => revision.state.name(), "applied, taken-back or refused";
    "answer_digest": Line => revision.answer.map(|answer| answer.to_string()).unwrap_or_default(), "the model's answer; blank if there is none";
}

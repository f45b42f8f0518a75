//! Changes put before people, and written into the ledger.

use storymill_core::{
    AskedDocument, AskedQuestion, Cx, Digest, Fault, Review, ReviewForm, Revision, RevisionState,
    Said,
};

/// A change that a step proposes.
#[derive(Clone, Debug, Default)]
pub(super) struct Proposed<'p> {
    pub(super) step: &'static str,
    /// `question`, `answer-1`.
    pub(super) part: String,
    /// Why, in a word.
    pub(super) kind: &'static str,
    pub(super) before: &'p str,
    /// Blank: it is left out.
    pub(super) after: &'p str,
    pub(super) reason: String,
    pub(super) model: &'p str,
    pub(super) answer: Option<Digest>,
}

/// The choice that takes a change back.
const KEEP: &str = "keep";

impl Proposed<'_> {
    /// The row of the ledger.
    pub(super) fn row(
        &self,
        document: &AskedDocument,
        question: &AskedQuestion,
        state: RevisionState,
        decided: bool,
    ) -> Revision {
        Revision {
            document: document.id.clone(),
            of: document.of.clone(),
            question: question.id.clone(),
            step: self.step.to_owned(),
            part: self.part.clone(),
            kind: self.kind.to_owned(),
            before: self.before.to_owned(),
            after: self.after.to_owned(),
            reason: self.reason.clone(),
            model: self.model.to_owned(),
            reviewer: if decided { "people" } else { "" }.to_owned(),
            state,
            answer: self.answer,
        }
    }

    /// Makes the change unless somebody takes it back, with the text that they wrote in its place, if they did.
    pub(super) fn decide(
        &self,
        document: &AskedDocument,
        question: &AskedQuestion,
        cx: &mut Cx<'_>,
    ) -> Result<Decided, Fault> {
        let left_out = self.after.is_empty();
        let made = if left_out { "leave-out" } else { "change" };
        let asked = match self.part.as_str() {
            "whole" => "is the question to be left out, or to stay with all its words as they were",
            _ if left_out => "is it to be left out",
            _ => "is the new text better (where the book does not tell, `keep`)",
        };
        let review = Review {
            item: question.id.clone(),
            code: if left_out { "question-left-out" } else { "question-changed" }.into(),
            about: format!("{} {}: {} => {}", self.step, self.part, self.before, self.after),
            question: format!("{}, {}: {asked}?", self.part, self.kind),
            excerpt: excerpt(question, self),
            text: document.summary.clone(),
            choices: vec![made.to_owned(), KEEP.to_owned()],
            default: made.to_owned(),
            form: match self.after {
                "" => ReviewForm::Choice,
                after => ReviewForm::Text { text: after.to_owned(), of: made.to_owned() },
            },
            ..Review::default()
        };
        let taken = cx.take(review)?;
        let applies = taken.choice != KEEP;
        let state = if applies { RevisionState::Applied } else { RevisionState::TakenBack };
        let row = self.row(document, question, state, taken.is_decided());
        let written = match taken.said {
            Said::Text(text) if applies && !left_out && !text.trim().is_empty() => Some(text),
            _ => None,
        };
        let after = written.clone().unwrap_or_else(|| row.after.clone());
        Ok(Decided { row: Revision { after, ..row }, applies, written })
    }
}

/// What became of a change.
pub(super) struct Decided {
    /// The row of the ledger.
    pub(super) row: Revision,
    /// Whether the change is made.
    pub(super) applies: bool,
    /// What a person wrote in its place; none if nobody did.
    pub(super) written: Option<String>,
}

fn excerpt(question: &AskedQuestion, proposed: &Proposed<'_>) -> String {
    let answers: Vec<&str> = question.answers.iter().map(|answer| answer.text.as_str()).collect();
    let asked = format!("{} ({})", question.question, answers.join(" / "));
    match proposed.after {
        "" => format!("{asked}\nwhy: {}", proposed.reason),
        after => format!("{asked}\n{} => {after}\nwhy: {}", proposed.before, proposed.reason),
    }
}

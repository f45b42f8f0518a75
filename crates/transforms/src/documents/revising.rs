//! Changes put before people, and written into the ledger.

use storymill_core::{
    AskedDocument, AskedQuestion, Cx, Digest, Fault, Review, Revision, RevisionState,
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

    /// Makes the change unless somebody takes it back. Gives the row of the ledger, and whether the change is made.
    pub(super) fn decide(
        &self,
        document: &AskedDocument,
        question: &AskedQuestion,
        cx: &mut Cx<'_>,
    ) -> Result<(Revision, bool), Fault> {
        let left_out = self.after.is_empty();
        let made = if left_out { "leave-out" } else { "change" };
        let what = if left_out { "is it to be left out" } else { "is the change right" };
        let review = Review {
            item: question.id.clone(),
            code: if left_out { "question-left-out" } else { "question-changed" }.into(),
            about: format!("{} {}: {} => {}", self.step, self.part, self.before, self.after),
            question: format!("{} ({}): {what}?", self.part, self.kind),
            excerpt: excerpt(question, self),
            choices: vec![made.to_owned(), KEEP.to_owned()],
            default: made.to_owned(),
        };
        let decided = cx.is_decided(&review);
        let applies = cx.decide(review)? != KEEP;
        let state = if applies { RevisionState::Applied } else { RevisionState::TakenBack };
        Ok((self.row(document, question, state, decided), applies))
    }
}

fn excerpt(question: &AskedQuestion, proposed: &Proposed<'_>) -> String {
    let answers: Vec<&str> = question.answers.iter().map(|answer| answer.text.as_str()).collect();
    let asked = format!("{} ({})", question.question, answers.join(" / "));
    match proposed.after {
        "" => format!("{asked}\n{}", proposed.reason),
        after => format!("{asked}\n{} => {after}\n{}", proposed.before, proposed.reason),
    }
}

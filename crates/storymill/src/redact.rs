//! Private builds are told of without a word of what is private. What endpoints say is left out where they are asked.

use std::sync::Arc;

use storymill_core::{Asked, Fault, FaultKind, Reason, Review, ReviewForm};
use storymill_llm::{AskEvent, AskEvents, LimitReached, ModelConfig};
use storymill_pipeline::{Event, Outcome, StepReject};

use crate::{
    claims::Exposures,
    events::{Events, Notice},
};

/// A listener that tells how far a private run is, and none of its words.
/// What is sent is noted in its shelf.
#[derive(Debug)]
pub(crate) struct Redacted(pub(crate) Arc<dyn Events>, pub(crate) Arc<Exposures>);

impl storymill_pipeline::Events for Redacted {
    fn emit(&self, event: Event) {
        let event = match event {
            Event::UnitRejected { step, unit, mut reason } => {
                KEPT.clone_into(&mut reason.detail);
                Event::UnitRejected { step, unit, reason }
            }
            Event::Note { .. } => return,
            Event::Judged { step, round, accepted, refused, reason, .. } => {
                let reason = reason.map(|reason| Reason { detail: KEPT.to_owned(), ..reason });
                Event::Judged { step, round, accepted, refused, item: None, reason }
            }
            other => other,
        };
        storymill_pipeline::Events::emit(&*self.0, event);
    }
}

impl Events for Redacted {
    fn notice(&self, notice: Notice) {
        self.0.notice(notice);
    }

    fn run_ended(&self) {
        self.0.run_ended();
    }
}

impl AskEvents for Redacted {
    fn emit(&self, event: AskEvent) {
        AskEvents::emit(&*self.0, event);
    }

    fn leaving(&self, asked: &Asked, to: &ModelConfig) -> Result<(), Fault> {
        self.1.note([asked], to, None)?;
        self.0.leaving(asked, to)
    }

    fn flying(&self, requests: usize) {
        self.0.flying(requests);
    }
}

const KEPT: &str = "why is not shown, as it may quote private text";

/// Takes the words out of what a private run gave; counts and reasons stay.
pub(crate) fn redact(outcome: &mut Outcome) {
    let reject = |reject: &mut StepReject| {
        reject.reject.item = reject.unit.to_string();
        KEPT.clone_into(&mut reject.reject.reason.detail);
        reject.reject.span = None;
    };
    outcome.rejects.iter_mut().for_each(reject);
    outcome.left_out.iter_mut().for_each(reject);
    for review in &mut outcome.reviews {
        review.review.item = review.unit.to_string();
        redact_review(&mut review.review);
    }
    for lapsed in &mut outcome.lapsed {
        lapsed.item = String::new();
        KEPT.clone_into(&mut lapsed.choice);
    }
}

/// Takes the words of a book out of a doubt about it.
pub fn redact_review(review: &mut Review) {
    KEPT.clone_into(&mut review.question);
    review.about = String::new();
    review.excerpt = String::new();
    review.text = String::new();
    review.choices = Vec::new();
    review.default = String::new();
    review.passages = Vec::new();
    review.form = ReviewForm::Choice;
    review.proposal = String::new();
    review.author = String::new();
}

/// A fault of a private run without what a stage said.
pub fn redact_fault(fault: Fault) -> Fault {
    let ours = fault.source.as_ref().is_none_or(|source| source.is::<std::io::Error>());
    let limit = fault.source.as_ref().is_some_and(|source| source.is::<LimitReached>());
    match fault.kind {
        _ if limit => fault,
        FaultKind::Internal => Fault::new(fault.kind, format!("a stage could not go on; {KEPT}")),
        _ if ours => fault,
        _ => Fault { source: None, ..fault },
    }
}

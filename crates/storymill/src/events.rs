//! What a project tells of while it works.

use std::sync::Arc;

use storymill_llm::{AskEvents, Cost, LedgerRow};

/// Something that its user should know, and that is no reason to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Whether something is odd; else it is only said.
    pub is_warning: bool,
    /// One sentence without a full stop.
    pub message: String,
    /// What can be done.
    pub hints: Vec<String>,
}

impl Notice {
    /// Something odd.
    pub(crate) fn warning(message: impl Into<String>) -> Self {
        Self { is_warning: true, message: message.into(), hints: Vec::new() }
    }

    /// Something that is as it should be.
    pub(crate) fn note(message: impl Into<String>) -> Self {
        Self { is_warning: false, ..Self::warning(message) }
    }

    /// The same with something that can be done.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

/// What models were asked in a run.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// By unit, stage and model.
    pub ledger: Vec<LedgerRow>,
    /// Answers that this machine gave; the ledger does not hold them.
    pub answered_here: u64,
    /// What the requests were expected to come to, each sent once and with the longest answer.
    pub expected: Cost,
}

impl Asked {
    /// All of it, added up.
    pub fn cost(&self) -> Cost {
        self.ledger.iter().map(|row| row.cost).sum()
    }
}

/// A listener to all of it: what the engine does, what is asked of models, and notices. It may be called
/// from several threads at once. `Arc::new(())` listens to nothing.
pub trait Events: storymill_pipeline::Events + AskEvents + std::fmt::Debug {
    /// Hears of something that the user should know.
    fn notice(&self, notice: Notice);
    /// Hears that the steps are through, or stopped; what comes now is publishing.
    fn run_ended(&self) {}
    /// Hears what a run asked of models and what that cost, however it ended.
    fn asked(&self, _asked: &Asked) {}
}

impl Events for () {
    fn notice(&self, _: Notice) {}
}

/// Tells of all of these.
pub(crate) fn tell(events: &dyn Events, notices: impl IntoIterator<Item = Notice>) {
    for notice in notices {
        events.notice(notice);
    }
}

/// Nobody listens.
pub(crate) fn nobody() -> Arc<dyn Events> {
    Arc::new(())
}

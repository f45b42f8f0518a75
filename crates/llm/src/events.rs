//! What happens while a wave is asked, told to whoever listens.

use serde::Serialize;
use storymill_core::{Asked, Fault, UnitId};

use crate::{ModelConfig, Usage};

/// One thing that happened. Texts from servers are in it, without control characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum AskEvent {
    /// A wave begins.
    WaveStarted {
        /// Requests to be sent.
        requests: usize,
        /// Requests that the log answers already.
        in_log: usize,
    },
    /// An answer is safe in the log.
    Answered {
        /// The unit.
        unit: UnitId,
        /// The kind of stage that asked.
        stage: String,
        /// The model's name in the workflow.
        model: String,
        /// What it cost, if the server said so.
        usage: Option<Usage>,
    },
    /// An answer held what is not text: bytes that are not UTF-8, or half of a surrogate pair. It is kept with U+FFFD in
    /// the place of each.
    Mended {
        /// The unit.
        unit: UnitId,
        /// The kind of stage that asked.
        stage: String,
        /// The model.
        model: String,
    },
    /// A request failed and is sent again.
    Retrying {
        /// The model.
        model: String,
        /// Why.
        why: String,
        /// Which retry it will be, from 1.
        retry: u32,
        /// After how long.
        wait_millis: u64,
    },
    /// The endpoint has too many requests: it is asked less, and takes the refused one later.
    Crowded {
        /// The model.
        model: String,
        /// How long the refused request waits.
        wait_millis: u64,
        /// How many requests will be in flight at most, if that changed.
        limit: Option<u32>,
    },
    /// The endpoint refuses a field; from now on it is asked without, or the field has another name.
    Changed {
        /// The model.
        model: String,
        /// The field.
        field: String,
        /// The name that it has from now on; none: it is left out.
        name: Option<String>,
        /// What it said.
        why: String,
    },
    /// The endpoint refuses one request for good.
    Refused {
        /// The unit.
        unit: UnitId,
        /// The kind of stage that asked.
        stage: String,
        /// The model.
        model: String,
        /// Why.
        why: String,
    },
}

/// A listener. It may be called from any thread.
pub trait AskEvents: Send + Sync {
    /// Hears of one event.
    fn emit(&self, event: AskEvent);
    /// Hears how many requests are on their way now. Called often.
    fn flying(&self, _requests: usize) {}
    /// Hears that a private request is about to be sent to an endpoint that takes connections. A fault keeps it here.
    fn leaving(&self, _asked: &Asked, _to: &ModelConfig) -> Result<(), Fault> {
        Ok(())
    }
}

/// Nobody listens.
impl AskEvents for () {
    fn emit(&self, _: AskEvent) {}
}

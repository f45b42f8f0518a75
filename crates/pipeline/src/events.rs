//! What happens during a run, told to whoever listens. The form is versioned: `VERSION`.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::{Reason, UnitId};

/// The version of the events' form, given in the first event of a run.
pub(crate) const VERSION: u32 = 1;

/// One thing that happened.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A run began.
    RunStarted {
        /// `VERSION`.
        version: u32,
        /// The workflow's name.
        workflow: String,
        /// The dataset's version.
        dataset_version: String,
    },
    /// The units of a source are known.
    SourceListed {
        /// The source.
        step: String,
        /// How many units.
        units: usize,
    },
    /// Something odd that is not wrong.
    Note {
        /// The step it came up in.
        step: String,
        /// One sentence.
        message: String,
    },
    /// Steps begin that work unit by unit, up to the next corpus stage.
    UnitsStarted {
        /// The steps.
        steps: Vec<String>,
        /// How many units.
        units: usize,
    },
    /// A unit went through those steps.
    UnitDone {
        /// The unit.
        unit: UnitId,
        /// How many parts were made; 0 if all were there.
        made: u32,
    },
    /// A corpus stage has ruled on all units, now or before.
    Ruled {
        /// The step.
        step: String,
        /// Whether it was there already.
        current: bool,
    },
    /// A whole unit was rejected by a step.
    UnitRejected {
        /// The step.
        step: String,
        /// The unit.
        unit: UnitId,
        /// Why.
        reason: Reason,
    },
    /// A wave of requests goes to the model.
    Wave {
        /// How many requests.
        requests: usize,
        /// What of it belongs to each step.
        steps: BTreeMap<String, Share>,
    },
    /// Answers of a step were held against its checks.
    Judged {
        /// The step.
        step: String,
        /// Which round: 1 for first answers, 2 for second ones, and so on.
        round: u64,
        /// How many passed.
        accepted: u64,
        /// How many did not.
        refused: u64,
        /// The item of the first that did not.
        item: Option<String>,
        /// Why it did not.
        reason: Option<Reason>,
    },
    /// A pilot has chosen what it works on.
    Chosen {
        /// How many scenes.
        scenes: usize,
        /// Of how many units.
        units: usize,
    },
}

/// What a step has of a wave.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Share {
    /// Its requests in this wave.
    pub requests: usize,
    /// Its requests that wait until it is known what these are worth.
    pub waiting: usize,
}

/// A listener. It may be called from several threads at once.
pub trait Events: Sync {
    /// Hears of one event.
    fn emit(&self, event: Event);
}

/// Nobody listens.
impl Events for () {
    fn emit(&self, _: Event) {}
}

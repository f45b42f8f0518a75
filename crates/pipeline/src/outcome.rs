//! What a run gives: reports, rejects, reviews, parts, the lock.

use std::{collections::BTreeMap, time::Duration};

use storymill_core::{Fault, PartRef, Parts, Reject, Review, Round, UnitId};

use crate::{
    Lock, Missing,
    decided::{Lapsed, Undecided},
    engine::Engine,
};

/// What a step did.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// The step's name.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Units that have rows.
    pub units: u64,
    /// Rows.
    pub rows: u64,
    /// Units that were there already.
    pub current: u64,
    /// Units that were made.
    pub made: u64,
    /// Units that wait for another shard.
    pub pending: u64,
    /// Answers of models that it read, whether in this run or when its rows were made.
    pub answers: u64,
    /// What became of these answers, round by round.
    pub rounds: Vec<Round>,
    /// Its share of the time that passed while it was looked at and made; of a moment, each thread that works
    /// has the same part.
    pub time: Duration,
    /// How long its requests were waited for.
    pub asking: Duration,
}

/// An item or a unit that was rejected.
#[derive(Clone, Debug)]
pub struct StepReject {
    /// The step.
    pub step: String,
    /// The unit.
    pub unit: UnitId,
    /// The item and the reason.
    pub reject: Reject,
    /// Whether the unit has nothing else from this step.
    pub whole: bool,
}

/// A decision that a person may want to look at.
#[derive(Clone, Debug)]
pub struct StepReview {
    /// The step.
    pub step: String,
    /// The unit.
    pub unit: UnitId,
    /// What is to be decided.
    pub review: Review,
}

/// What a run gave.
#[derive(Debug)]
pub struct Outcome {
    /// One report for each step, in the order of the workflow.
    pub steps: Vec<StepReport>,
    /// Everything that was rejected, by step, unit and place.
    pub rejects: Vec<StepReject>,
    /// Everything that was left out on purpose, in the same order.
    pub left_out: Vec<StepReject>,
    /// Every decision that a person may want to look at, in the same order.
    pub reviews: Vec<StepReview>,
    /// The decisions of people that find no item; none while units wait for another shard.
    pub lapsed: Vec<Lapsed>,
    /// How many of the items are open, and how many disputed.
    pub undecided: Undecided,
    /// The parts of each step, by unit.
    pub parts: BTreeMap<String, Vec<PartRef>>,
    /// The lock; none while units wait for another shard, and none of a run of some steps only.
    pub lock: Option<Lock>,
    /// What a run of some steps needs and did not find: then it made nothing.
    pub missing: Vec<Missing>,
}

/// A run that is over. What turns out to be damaged when it is read from here is made anew.
#[derive(Debug)]
pub struct Finished<'a> {
    /// What it gave.
    pub outcome: Outcome,
    pub(crate) engine: Engine<'a>,
}

/// The rows of its parts.
impl Parts for Finished<'_> {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        self.engine.read(part)
    }
}

/// Of so many items that a step looks at one may be rejected, where a workflow says nothing.
const ONE_IN: u64 = 10;

impl Outcome {
    /// How many items were rejected beyond those that are no surprise: beyond `expected`, or without
    /// it beyond one in ten of each step's items. A book that is lost whole is always a surprise.
    pub fn surprises(&self, expected: Option<u64>) -> u64 {
        if let Some(expected) = expected {
            return (self.rejects.len() as u64).saturating_sub(expected);
        }
        let of_step = |step: &StepReport| {
            let own = self.rejects.iter().filter(|reject| reject.step == step.name);
            let (whole, items): (Vec<_>, Vec<_>) = own.partition(|reject| reject.whole);
            let items = items.len() as u64;
            whole.len() as u64 + items.saturating_sub((step.rows + items) / ONE_IN)
        };
        self.steps.iter().map(of_step).sum()
    }
}

impl StepReject {
    /// The item of a unit that is rejected as a whole is the unit.
    pub(crate) fn new(step: &str, unit: &UnitId, reject: Reject) -> Self {
        let whole = reject.item == unit.as_str();
        Self { step: step.to_owned(), unit: unit.clone(), reject, whole }
    }
}

#[cfg(test)]
mod tests {
    use storymill_core::Reason;

    use super::*;

    #[test]
    fn a_redacted_item_is_not_a_whole_book() {
        let unit: UnitId = "b1".parse().unwrap();
        let reject = |item: &str| {
            let reason = Reason::new("short", "too short");
            StepReject::new("told", &unit, Reject { item: item.to_owned(), reason, span: None })
        };
        let surprises = |rejects: Vec<StepReject>| {
            let step = StepReport { name: "told".to_owned(), rows: 101, ..StepReport::default() };
            let (steps, parts) = (vec![step], BTreeMap::new());
            let (left_out, reviews, lapsed) = (Vec::new(), Vec::new(), Vec::new());
            let (undecided, missing) = (Undecided::default(), Vec::new());
            let lock = None;
            let outcome = Outcome {
                steps,
                rejects,
                left_out,
                reviews,
                lapsed,
                undecided,
                parts,
                lock,
                missing,
            };
            outcome.surprises(None)
        };
        // A private build tells the book in place of the scene.
        let mut redacted = reject("b1/0007");
        redacted.reject.item = unit.to_string();
        assert_eq!((surprises(vec![redacted]), surprises(vec![reject("b1")])), (0, 1));
    }
}

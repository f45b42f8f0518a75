//! What is known of each step and unit so far in this run.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use storymill_core::{AskTotals, Changes, Digest, PartRef, UnitId};

use crate::Workflow;

/// What is known of one step for one unit.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// Its rows are there.
    Part(PartRef),
    /// The unit was rejected or left out, here or by a step before.
    Rejected,
    /// It has to be made, and this run does not make it: a plan, or another shard's work.
    Pending,
}

type Cells = BTreeMap<UnitId, Cell>;
type Answered = BTreeMap<UnitId, Answers>;

/// The answers that the rows of a unit were made from.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    /// How many were read.
    pub(crate) read: u64,
    /// A digest over them.
    pub(crate) digest: Digest,
    /// How much was asked of each model.
    pub(crate) exchanged: BTreeMap<String, AskTotals>,
    /// What endpoints refused of the requests to each model.
    pub(crate) changes: BTreeMap<String, Changes>,
}

/// All cells, by step. Each step's cells have a lock of their own.
pub(crate) struct RunState {
    steps: BTreeMap<String, Mutex<Cells>>,
    /// For each step that asked, the answers that a unit's rows were made from.
    answers: Mutex<BTreeMap<String, Answered>>,
    /// For each step, a digest over what people decided for a unit.
    decisions: Mutex<BTreeMap<String, BTreeMap<UnitId, Digest>>>,
}

impl RunState {
    pub(crate) fn new(workflow: &Workflow) -> Self {
        let steps =
            workflow.steps.iter().map(|step| (step.name.clone(), Mutex::default())).collect();
        Self { steps, answers: Mutex::default(), decisions: Mutex::default() }
    }

    fn cells(&self, step: &str) -> MutexGuard<'_, Cells> {
        let cells = self.steps.get(step).expect("edges lead to steps of the workflow");
        cells.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set(&self, step: &str, unit: &UnitId, cell: Cell) {
        self.cells(step).insert(unit.clone(), cell);
    }

    pub(crate) fn note_answers(&self, step: &str, unit: &UnitId, read: Answers) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.entry(step.to_owned()).or_default().insert(unit.clone(), read);
    }

    pub(crate) fn note_decisions(&self, step: &str, unit: &UnitId, digest: Digest) {
        let mut decisions = self.decisions.lock().unwrap_or_else(PoisonError::into_inner);
        decisions.entry(step.to_owned()).or_default().insert(unit.clone(), digest);
    }

    /// For each unit of a step on which people decided something, a digest over that.
    pub(crate) fn decisions(&self, step: &str) -> BTreeMap<UnitId, Digest> {
        let decisions = self.decisions.lock().unwrap_or_else(PoisonError::into_inner);
        decisions.get(step).cloned().unwrap_or_default()
    }

    /// For each unit of a step that asked, the answers it read.
    pub(crate) fn answers(&self, step: &str) -> Answered {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(step).cloned().unwrap_or_default()
    }

    pub(crate) fn get(&self, step: &str, unit: &UnitId) -> Option<Cell> {
        self.cells(step).get(unit).cloned()
    }

    /// The parts of a step, by unit.
    pub(crate) fn parts(&self, step: &str) -> Vec<PartRef> {
        let part =
            |cell: &Cell| if let Cell::Part(part) = cell { Some(part.clone()) } else { None };
        self.cells(step).values().filter_map(part).collect()
    }

    /// How many units of a step are still to be made by somebody else.
    pub(crate) fn pending(&self, step: &str) -> usize {
        self.cells(step).values().filter(|cell| matches!(cell, Cell::Pending)).count()
    }

    /// These units.
    pub(crate) fn waiting(&self, step: &str) -> Vec<UnitId> {
        let waits =
            |(unit, cell): (&UnitId, &Cell)| matches!(cell, Cell::Pending).then(|| unit.clone());
        self.cells(step).iter().filter_map(waits).collect()
    }
}

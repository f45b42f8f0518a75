//! A workflow as it was built: its parts and traces, found again without making anything.

use std::{path::Path, sync::Arc};

use storymill_core::{Decisions, Fault, FaultKind, PartRef, Trace, UnitId};
use storymill_pipeline::{Lock, RunOptions, Step, Store, Visitor, Workflow, plan, run};

use crate::{
    args,
    exit::Failure,
    ground::Ground,
    kinds,
    models::{Models, STOP},
    settled::{self, By, Record},
    table::typed,
};

/// A workflow that was built, the store it was built in, and everything that is there.
pub(crate) struct BuiltWorkflow {
    pub(crate) workflow: Workflow,
    pub(crate) models: Models,
    pub(crate) store: Store,
    /// What is there, step by step in the order of the workflow, unit by unit.
    pub(crate) found: Vec<Found>,
    /// How many units some step is still to be built for.
    pub(crate) to_build: usize,
}

/// What is there of a step for a unit.
pub(crate) struct Found {
    pub(crate) step: String,
    pub(crate) unit: UnitId,
    pub(crate) trace: Trace,
    /// Its rows; none if the unit was rejected or left out.
    pub(crate) part: Option<PartRef>,
}

#[derive(Default)]
struct Gather(Vec<Found>);

impl Visitor for Gather {
    fn found(&mut self, step: &Step, unit: &UnitId, part: Option<PartRef>, trace: &Trace) {
        let (step, unit, trace) = (step.name.clone(), unit.clone(), trace.clone());
        self.0.push(Found { step, unit, trace, part });
    }
}

impl BuiltWorkflow {
    /// Goes through a workflow as it was built; that something is still to be built is a fault.
    pub(crate) fn open(
        workflow: &Path,
        store: &Path,
        answers: Option<&Path>,
        out: Option<&Path>,
    ) -> Result<Self, Failure> {
        let read = Workflow::read(workflow, &kinds::registry())?;
        let ground = Ground::folder(store);
        Self::of(workflow, read, &Record { ground: &ground, answers, out })
    }

    /// The same in a folder or a shelf.
    pub(crate) fn open_at(workflow: &Path, ground: &Ground) -> Result<Self, Failure> {
        let read = ground.read(workflow)?;
        Self::of(workflow, read, &Record { ground, answers: None, out: None })
    }

    /// As far as it is built, whatever was decided since, and what is decided now; in a folder or a shelf.
    pub(crate) fn open_undecided(
        workflow: &Path,
        ground: &Ground,
        answers: Option<&Path>,
    ) -> Result<(Self, Decisions), Failure> {
        let mut read = ground.read(workflow)?;
        let decisions = read.decisions.take().unwrap_or_default();
        let record = Record { ground, answers, out: None };
        Ok((Self::so_far(read, &record)?, decisions))
    }

    fn of(path: &Path, workflow: Workflow, record: &Record<'_>) -> Result<Self, Failure> {
        let built = Self::so_far(workflow, record)?;
        if built.to_build > 0 {
            let hint = format!("run `storymill build {}` first", typed(path));
            return Err(Fault::new(FaultKind::Input, "the workflow is not built, or not whole")
                .hint(hint)
                .into());
        }
        Ok(built)
    }

    fn so_far(mut workflow: Workflow, record: &Record<'_>) -> Result<Self, Failure> {
        settled::settle(&mut workflow, &By::Record(*record));
        let Record { ground, answers, .. } = *record;
        let models = Models::open(&workflow, ground, &frozen(answers), Arc::new(()))?;
        let store = Store::look(&ground.store, Arc::clone(&ground.disk))?;
        let mut gather = Gather::default();
        let plan = plan(&workflow, &store, models.asker(), &(), &mut gather)?;
        let to_build = plan.steps.iter().map(|row| row.run).max().unwrap_or(0);
        Ok(Self { workflow, models, store, found: gather.0, to_build })
    }

    /// The lock of the build. All of it is there, so this makes and writes nothing.
    pub(crate) fn lock(&self) -> Result<Lock, Fault> {
        let options = RunOptions { threads: 0, shard: None, stop: &STOP };
        let run = run(&self.workflow, &self.store, self.models.asker(), &(), &options)?;
        run.outcome.lock.ok_or_else(|| {
            Fault::new(FaultKind::Internal, "a whole workflow was run and came to no lock")
        })
    }
}

/// Answers that are there are read, and nobody is asked.
pub(crate) fn frozen(answers: Option<&Path>) -> args::Models {
    args::Models {
        answers: answers.map(Path::to_owned),
        mode: args::Mode::Frozen,
        frozen: true,
        prices: None,
        batches: false,
        max_usd: None,
        max_requests: None,
        ask_again: false,
        wait_ready: None,
        taggers: None,
    }
}

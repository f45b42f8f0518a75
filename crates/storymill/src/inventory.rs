//! Everything that is there of a workflow, found without making anything.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::Serialize;
use storymill_core::{
    Decisions, Fault, FaultKind, PartRef, Parts, Reason, Record, Rows, SourceUnit, Span, Trace,
    UnitId,
};
use storymill_llm::AnswerLog;
use storymill_pipeline::{Lock, RunOptions, Step, Store, Visitor, Workflow, plan, run};
use storymill_shelf::Shelf;

use crate::{
    Project, Workspace,
    events::nobody,
    models::{ModelOptions, Models},
    settle::{By, Record as Recorded, settle},
    surroundings::Surroundings,
};

/// An item, or a whole unit, that a step made no row of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The step.
    pub step: String,
    /// The unit.
    pub unit: UnitId,
    /// The item, or the unit where nothing came of all of it.
    pub item: String,
    /// The reason.
    pub reason: Reason,
    /// Where the item stands in the book.
    pub span: Option<Span>,
    /// Whether it was left out on purpose; else it failed.
    pub on_purpose: bool,
}

/// Everything that is there of a workflow: parts, and what making them read and left out.
pub struct Inventory {
    pub(crate) workflow: Workflow,
    pub(crate) models: Models,
    pub(crate) store: Store,
    surroundings: Surroundings,
    pub(crate) shelf: Option<Arc<Shelf>>,
    /// The files of the units that sources list.
    pub(crate) pages: BTreeMap<UnitId, PathBuf>,
    /// Units of which steps made nothing.
    pub(crate) stopped: Vec<LeftOut>,
    /// What is there, step by step in the order of the workflow, unit by unit.
    pub found: Vec<Found>,
    /// How many units some step is still to be built for.
    pub to_build: usize,
}

/// What is there of a step for a unit.
#[derive(Clone, Debug)]
pub struct Found {
    /// The step.
    pub step: String,
    /// The unit.
    pub unit: UnitId,
    /// What making it read, left out and put before people.
    pub trace: Trace,
    /// Its rows; none if the unit was rejected or left out.
    pub part: Option<PartRef>,
}

#[derive(Default)]
struct Gather {
    found: Vec<Found>,
    pages: BTreeMap<UnitId, PathBuf>,
    stopped: Vec<LeftOut>,
}

impl Visitor for Gather {
    fn found(&mut self, step: &Step, unit: &UnitId, part: Option<PartRef>, trace: &Trace) {
        let (step, unit, trace) = (step.name.clone(), unit.clone(), trace.clone());
        self.found.push(Found { step, unit, trace, part });
    }

    fn listed(&mut self, unit: &SourceUnit) {
        self.pages.insert(unit.unit.clone(), unit.path.clone());
    }

    fn stopped(&mut self, step: &Step, unit: &UnitId, reason: &Reason, on_purpose: bool) {
        self.stopped.push(LeftOut {
            step: step.name.clone(),
            unit: unit.clone(),
            item: unit.to_string(),
            reason: reason.clone(),
            span: None,
            on_purpose,
        });
    }
}

impl std::fmt::Debug for Inventory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inventory")
            .field("found", &self.found.len())
            .field("to_build", &self.to_build)
            .finish_non_exhaustive()
    }
}

impl Project {
    /// Everything that is there of the workflow, which has to be built. Answers lie in the folder that is
    /// named, else in the store; the dataset in `out`, else in [`default_out`](Self::default_out).
    ///
    /// # Errors
    ///
    /// Something is still to be built, or something of it cannot be read.
    pub fn inventory(
        &self,
        answers: Option<&Path>,
        out: Option<&Path>,
    ) -> Result<Inventory, Fault> {
        let inventory = self.inventory_of(self.lent()?, answers, out)?;
        if inventory.to_build > 0 {
            let build = format!("run `{}` first", self.build_command());
            let fault = Fault::new(FaultKind::Input, "the workflow is not built, or not whole");
            let Workspace { disk, store, .. } = &self.workspace;
            let there = disk.list(store).is_ok_and(|names| !names.is_empty());
            if self.workspace.is_private() || there {
                return Err(fault.hint(build));
            }
            let hint = format!("{build}, or name the store that it was built in with `--store`");
            return Err(fault.at(store).hint(hint));
        }
        Ok(inventory)
    }

    /// Everything that is there so far, whatever was decided since, and what is decided now.
    ///
    /// # Errors
    ///
    /// Something of it cannot be read.
    pub fn inventory_so_far(
        &self,
        answers: Option<&Path>,
    ) -> Result<(Inventory, Decisions), Fault> {
        let (workflow, decisions) = self.undecided()?;
        Ok((self.inventory_of(workflow, answers, None)?, decisions))
    }

    fn inventory_of(
        &self,
        mut workflow: Workflow,
        answers: Option<&Path>,
        out: Option<&Path>,
    ) -> Result<Inventory, Fault> {
        let workspace = &self.workspace;
        let by = By::Record(Recorded { workspace, answers, out });
        settle(&mut workflow, &by, &self.surroundings.data);
        let options = ModelOptions::frozen(answers);
        let models = self.models(&workflow, &options, &nobody())?;
        let store = Store::look(&workspace.store, workspace.disk.clone())?;
        let mut gather = Gather::default();
        let plan = plan(&workflow, &store, models.asker(), &(), &mut gather)?;
        let to_build = plan.steps.iter().map(|row| row.run).max().unwrap_or(0);
        let surroundings = self.surroundings.clone();
        let shelf = workspace.exposures.as_ref().map(|exposures| Arc::clone(&exposures.shelf));
        let Gather { found, pages, stopped } = gather;
        Ok(Inventory {
            workflow,
            models,
            store,
            surroundings,
            shelf,
            pages,
            stopped,
            found,
            to_build,
        })
    }
}

impl Inventory {
    /// The workflow, without what people decided.
    pub fn workflow(&self) -> &Workflow {
        &self.workflow
    }

    /// The rows of a part.
    ///
    /// # Errors
    ///
    /// They are damaged, or of another record.
    pub fn rows<R: Record>(&self, part: &PartRef) -> Result<Rows<R>, Fault> {
        (&self.store as &dyn Parts).rows::<R>(part)
    }

    /// The log of answers, if the workflow asks models.
    pub fn log(&self) -> Option<&AnswerLog> {
        self.models.log()
    }

    /// The lock of the build. All of it is there, so this makes and writes nothing.
    ///
    /// # Errors
    ///
    /// Something is still to be built.
    pub fn lock(&self) -> Result<Lock, Fault> {
        let options = RunOptions { threads: 0, shard: None, stop: &self.surroundings.stop };
        let run = run(&self.workflow, &self.store, self.models.asker(), &(), &options)?;
        run.outcome.lock.ok_or_else(|| {
            Fault::new(FaultKind::Internal, "a whole workflow was run and came to no lock")
        })
    }
}

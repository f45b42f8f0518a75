//! The same folder again, from the workflow and recorded answers alone.

use std::{collections::BTreeMap, path::PathBuf};

use storymill_core::{Fault, FaultKind, UnitId};
use storymill_dataset::{Rebuilt, as_built, publish, rebuilt};
use storymill_disk::RealDisk;
use storymill_pipeline::{Claim, LockChange, RunOptions, run};

use crate::{
    Dataset, Project,
    damage::Watched,
    models::{ModelOptions, Models},
    publication::publication,
    settle::By,
    votes::Votes,
    workspace::Workspace,
};

/// What building a dataset again came to.
#[derive(Debug)]
pub struct Rebuild {
    /// The files that differ.
    pub files: Rebuilt,
    /// Why, as far as the locks tell.
    pub causes: Vec<String>,
    /// Whose published rows differ, by config.
    pub units: BTreeMap<String, Vec<UnitId>>,
    /// Whether the second build came to the same lock.
    pub lock_is_same: bool,
}

impl Project {
    /// Builds the workflow into a temporary folder, from these packs of answers
    /// beside its own and asking nobody; and holds it against what was published.
    ///
    /// # Errors
    ///
    /// An answer is missing, or what is needed cannot be read or written.
    pub fn rebuild(&self, dataset: &Dataset, packs: &[PathBuf]) -> Result<Rebuild, Fault> {
        self.refuse_private("building again in a temporary folder")?;
        let lock = dataset.lock()?;
        let mut workflow = self.settled(&By::Lock(&lock))?;
        if let Some(missing) = packs.iter().find(|pack| !pack.exists()) {
            return Err(Fault::new(FaultKind::Input, "there are no answers here").at(missing));
        }
        workflow.answers.extend(packs.iter().cloned());
        let folder = tempfile::Builder::new().prefix("storymill-rebuild-").tempdir();
        let folder = folder.map_err(|error| {
            let fault = Fault::new(FaultKind::Io, "cannot make a temporary folder").because(error);
            fault.hint("the variable `TMPDIR` names another place")
        })?;
        let workspace = Workspace::folder(folder.path().join("store"));
        let store = workspace.claim(Claim::Whole)?;
        let (surroundings, events) = (&self.surroundings, &self.events);
        let store = Watched::new(store, events);
        let frozen = ModelOptions::frozen(None);
        let models = Models::open(
            &workflow,
            self.registry.wires(),
            &workspace,
            surroundings,
            &frozen,
            events,
        )?;
        let options = RunOptions { threads: 0, shard: None, stop: &surroundings.stop };
        let run = run(&workflow, &store, models.asker(), &**events, &options);
        events.run_ended();
        let run = run?;
        let built = run.outcome.lock.as_ref().ok_or_else(|| {
            Fault::new(FaultKind::Internal, "a whole workflow was run and came to no lock")
        })?;
        let votes = Votes::of(&workflow, &run.outcome)?;
        let publication = publication(&workflow, &run, built, &models, &votes)?;
        let out = folder.path().join("out");
        let again =
            publish(&publication, self.registry.tables(), &votes.beside(&run), &RealDisk, &out)?;
        let first = as_built(dataset.site(), dataset.manifest())?;
        let causes = LockChange::between(&lock, built).causes;
        Ok(Rebuild {
            files: rebuilt(&first, &again.manifest),
            causes: causes.iter().map(ToString::to_string).collect(),
            units: lock.differing_units(built),
            lock_is_same: lock == *built,
        })
    }
}

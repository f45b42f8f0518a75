//! `storymill verify --rebuild`: the same folder again, from the workflow and recorded answers
//! alone.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use storymill_core::{Fault, FaultKind, UnitId};
use storymill_dataset::{Manifest, Rebuilt, publish, rebuilt};
use storymill_pipeline::{
    Claim, Lock, LockChange, RunOptions, Store, Workflow, run as run_workflow, store::RealDisk,
};

use super::build::publication;
use crate::{
    args::{self, Messages},
    built::frozen,
    damage::Watched,
    exit::Failure,
    ground::Ground,
    kinds,
    models::{Models, STOP, stop_on_signals},
    progress::Progress,
    settled::{self, By},
};

/// What building again came to.
pub(super) struct Rebuild {
    /// The files that differ.
    pub(super) files: Rebuilt,
    /// Why, as far as the locks tell.
    pub(super) causes: Vec<String>,
    /// Whose published rows differ, by config.
    pub(super) units: BTreeMap<String, Vec<UnitId>>,
    /// Whether the second build came to the same lock.
    pub(super) lock_is_same: bool,
}

/// Builds a workflow into a temporary folder, asking nobody, and holds it against what was
/// published.
pub(super) fn rebuild(
    args: &args::Verify,
    workflow: &Path,
    manifest: &Manifest,
    lock: &Lock,
) -> Result<Rebuild, Failure> {
    stop_on_signals()?;
    let mut workflow = Workflow::read(workflow, &kinds::registry())?;
    settled::settle(&mut workflow, &By::Lock(lock));
    if let Some(missing) = args.packs.iter().find(|pack| !pack.exists()) {
        return Err(Fault::new(FaultKind::Input, "there are no answers here").at(missing).into());
    }
    workflow.answers.extend(args.packs.iter().cloned());
    let mut scratch = tempfile::Builder::new();
    let scratch = scratch.prefix("storymill-rebuild-");
    let scratch = match &args.scratch {
        Some(folder) => scratch.tempdir_in(folder),
        None => scratch.tempdir(),
    };
    let scratch = scratch.map_err(|error| {
        let fault = Fault::new(FaultKind::Io, "cannot make a temporary folder").because(error);
        fault.hint("`--scratch DIR` names one that has room")
    })?;
    let (kept, out) = (scratch.path().join("store"), scratch.path().join("out"));
    let store = Watched(Store::open(&kept, Arc::new(RealDisk), Claim::Whole)?);
    let progress = Arc::new(Progress::new(Messages::Text));
    let models =
        Models::open(&workflow, &Ground::folder(&kept), &frozen(None), Arc::clone(&progress) as _)?;
    let options = RunOptions { threads: 0, shard: None, stop: &STOP };
    let run = run_workflow(&workflow, &store, models.asker(), &*progress, &options);
    progress.finish();
    let run = run?;
    let built = run.outcome.lock.as_ref().ok_or_else(|| {
        Fault::new(FaultKind::Internal, "a whole workflow was run and came to no lock")
    })?;
    let publication = publication(&workflow, &run, built, &models)?;
    let again = publish(&publication, &kinds::tables(), &run, &RealDisk, &out)?;
    let causes = LockChange::between(lock, built).causes;
    Ok(Rebuild {
        files: rebuilt(manifest, &again.manifest),
        causes: causes.iter().map(ToString::to_string).collect(),
        units: lock.differing_units(built),
        lock_is_same: lock == built,
    })
}

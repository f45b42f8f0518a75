//! `storymill build`: run the workflow, publish what it made, say what came of it.

mod last;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
    time::Instant,
};

use storymill_core::{Fault, FaultKind, PartRef, Parts, Split};
use storymill_dataset::{Publication, RejectCount, publish};
use storymill_pipeline::{
    Claim, Lock, Outcome, RunOptions, Store, Workflow, run as run_workflow, store::RealDisk,
};

use super::plan;
use crate::{
    args,
    exit::{DONE, Exit, Failure, REJECTS},
    kinds,
    models::{Models, STOP, stop_on_signals},
    progress::Progress,
};
use last::{Last, reject_counts};

pub(crate) fn run(args: &args::Build) -> Result<Exit, Failure> {
    if args.dry_run {
        return plan::show(&args.workflow, &args.store, false, &args.models, args.format);
    }
    let start = Instant::now();
    stop_on_signals()?;
    let workflow = Workflow::read(&args.workflow, &kinds::registry())?;
    let claim = args.shard.map_or(Claim::Whole, Claim::Shard);
    let store = Store::open(&args.store, Arc::new(RealDisk), claim)?;
    let progress = Arc::new(Progress::new(args.message_format));
    let models = Models::open(&workflow, &args.store, &args.models, Arc::clone(&progress) as _)?;
    let options =
        RunOptions { threads: args.threads.unwrap_or(0).into(), shard: args.shard, stop: &STOP };
    let outcome = run_workflow(&workflow, &store, models.asker(), &*progress, &options);
    progress.finish();
    let outcome = outcome?;
    models.close();
    let published = match (&outcome.lock, args.shard) {
        (Some(lock), None) => {
            let out = args.out.clone().unwrap_or_else(|| PathBuf::from("out").join(&workflow.name));
            let publication = publication(&workflow, &outcome, lock, &store, &models)?;
            let published =
                publish(&publication, &kinds::tables(), &UntilStopped(&store), &RealDisk, &out)?;
            Some((published, out))
        }
        _ => None,
    };
    let last = Last {
        workflow: &workflow,
        outcome: &outcome,
        models: &models,
        published,
        took: start.elapsed(),
    };
    last.show(args)?;
    Ok(if outcome.rejects.len() as u64 > workflow.publish.expected_rejects {
        REJECTS
    } else {
        DONE
    })
}

/// What is to be published of an outcome.
fn publication(
    workflow: &Workflow,
    outcome: &Outcome,
    lock: &Lock,
    store: &Store,
    models: &Models,
) -> Result<Publication, Fault> {
    let publish = &workflow.publish;
    let mut splits = BTreeMap::new();
    for part in publish.split.iter().flat_map(|step| &outcome.parts[step]) {
        let rows = (store as &dyn Parts).rows::<Split>(part)?;
        splits.extend(rows.iter().map(|row| (row.unit.clone(), row.split.clone())));
    }
    let config = |config: &storymill_pipeline::Config| storymill_dataset::Config {
        name: config.name.clone(),
        record: config.record.to_owned(),
        parts: outcome.parts[&config.from].clone(),
    };
    let step = |step: &storymill_pipeline::Step| storymill_dataset::Step {
        name: step.name.clone(),
        kind: step.kind().to_owned(),
        version: step.version(),
    };
    Ok(Publication {
        name: workflow.name.clone(),
        title: publish.title.clone(),
        version: workflow.version.clone(),
        license: publish.license.clone(),
        description: publish.description.clone(),
        canary: publish.canary.clone(),
        seed: workflow.seed,
        lock: lock.to_text().into_bytes(),
        models: models.ids(workflow),
        configs: workflow.configs.iter().map(config).collect(),
        splits,
        steps: workflow.steps.iter().map(step).collect(),
        rejects: reject_counts(outcome)
            .into_iter()
            .map(|((step, reason), (count, _))| RejectCount { step, reason, count })
            .collect(),
    })
}

/// Parts that are read until the user stops the run: so publishing stops too.
struct UntilStopped<'s>(&'s Store);

impl Parts for UntilStopped<'_> {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        if STOP.load(Ordering::SeqCst) {
            let hint = "what is built is kept; run the same command again to publish it";
            return Err(Fault::new(FaultKind::Interrupted, "stopped while publishing").hint(hint));
        }
        self.0.read(part)
    }
}

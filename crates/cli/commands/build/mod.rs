//! `storymill build`: run the workflow, publish what it made, say what came of it.

mod last;
mod pilot;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
    time::Instant,
};

use storymill_core::{Decisions, Disk, Fault, FaultKind, PartRef, Parts, Split};
use storymill_dataset::{
    Asked, Damage, Depth, Manifest, Publication, Published, RejectCount, check, may_publish,
    publish,
};
use storymill_llm::AskEvents;
use storymill_pipeline::{
    Claim, Events, Finished, Lock, LockChange, Outcome, RunOptions, StepReject, StepReport, Store,
    Workflow, run as run_workflow, run_pilot, store::RealDisk,
};

use super::{bill::Bill, plan};
use crate::{
    args::{self, Messages},
    damage::Watched,
    decided,
    exit::{DONE, EMPTY, Exit, Failure, REJECTS, WAITS},
    ground::{Ground, Hushed, hush, hush_fault},
    kinds, leaks,
    models::{Models, STOP, stop_on_signals},
    progress::Progress,
    report,
    settled::{self, By},
    table::plural,
    taggers,
};
use last::{Last, counts};

pub(crate) fn run(args: &args::Build) -> Result<Exit, Failure> {
    let result = build(args);
    if let (Err(failure), Messages::Json) = (&result, args.message_format) {
        let (exit, message) = (failure.exit(), failure.to_string());
        Progress::json(
            &serde_json::json!({ "event": "failed", "code": exit.code, "word": exit.word, "message": message }),
        );
    }
    result
}

fn build(args: &args::Build) -> Result<Exit, Failure> {
    if args.dry_run {
        return plan::show(&args.workflow, &args.store, false, &args.models, args.format);
    }
    let start = Instant::now();
    stop_on_signals()?;
    // Mistakes in the workflow are told before a passphrase is asked for.
    Workflow::read(&args.workflow, &kinds::registry())?;
    let ground = Ground::of(args.shelf.as_deref(), &args.key, &args.store)?;
    let mut workflow = ground.read(&args.workflow)?;
    if args.pilot.is_some() {
        pilot::rename(&mut workflow)?;
    }
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("out").join(&workflow.name));
    if args.shard.is_none() && !ground.private {
        // What would be refused at the end is refused before anything is built or paid for.
        may_publish(&RealDisk, &out, Some(&*workflow.name).filter(|_| !args.replace))?;
    }
    let locked = args.locked.as_deref().map(Lock::read).transpose()?;
    let by = By::of(&args.models, locked.as_ref(), &ground, Some(&out));
    let without = settled::settle(&mut workflow, &by);
    settled::warn_of(&without, &workflow, &by);
    if let (Some(lock), Some(path)) = (&locked, &args.locked) {
        let disagreements = lock.disagreements(&workflow);
        if !disagreements.is_empty() {
            return Err(not_as_locked(path, &disagreements, "nothing was run").into());
        }
    }
    let claim = args.shard.map_or(Claim::Whole, Claim::Shard);
    let store = Watched(Store::open(&ground.store, Arc::clone(&ground.disk), claim)?);
    let progress = Arc::new(Progress::new(args.message_format));
    let (events, asks): (Arc<dyn Events>, Arc<dyn AskEvents>) = if ground.private {
        let hushed = Arc::new(Hushed(Arc::clone(&progress)));
        (Arc::clone(&hushed) as _, hushed)
    } else {
        (Arc::clone(&progress) as _, Arc::clone(&progress) as _)
    };
    ground.note_endpoints(&workflow.send_private_to)?;
    leaks::warn_of_partners(&workflow);
    let models = Models::open(&workflow, &ground, &args.models, asks)?;
    let options =
        RunOptions { threads: args.threads.unwrap_or(0).into(), shard: args.shard, stop: &STOP };
    let asker = models.asker();
    let run = match args.pilot {
        Some(scenes) => run_pilot(&workflow, &store, asker, &*events, &options, scenes),
        None => run_workflow(&workflow, &store, asker, &*events, &options),
    };
    progress.finish();
    let run = if ground.private {
        let mut run = run.map_err(hush_fault)?;
        decided::warn_of_private(&run.outcome.lapsed);
        hush(&mut run.outcome);
        run
    } else {
        let run = run?;
        let decisions = workflow.decisions.as_ref().unwrap_or(Decisions::NONE);
        let items = run.outcome.reviews.iter().map(|one| &one.review);
        decided::warn_of_lapsed(&run.outcome.lapsed, items, decisions, &args.workflow);
        run
    };
    let outcome = &run.outcome;
    let bill = args.pilot.map(|_| Bill::of(&workflow, &store, &models, &())).transpose();
    let bill = if ground.private { bill.map_err(hush_fault)? } else { bill? };
    models.close();
    if let (Some(locked), Some(path), Some(lock)) = (&locked, &args.locked, &outcome.lock)
        && locked != lock
    {
        let causes = LockChange::between(locked, lock).causes;
        let causes: Vec<_> = causes.iter().map(ToString::to_string).collect();
        return Err(not_as_locked(path, &causes, "nothing was published").into());
    }
    let is_empty = args.shard.is_none() && is_empty(&workflow, outcome);
    let mut dealt = BTreeMap::new();
    let published = match (&outcome.lock, args.shard) {
        (Some(lock), None) if !ground.private && !is_empty => {
            let publication = publication(&workflow, &run, lock, &models)?;
            warn_of_empty_splits(&workflow, &publication);
            leaks::warn_of_strangers(&workflow, &run, &publication.splits)?;
            for split in publication.splits.values() {
                *dealt.entry(split.clone()).or_default() += 1;
            }
            Some((publish_whole(&publication, &run, &out)?, out))
        }
        _ => None,
    };
    let exit = if outcome.lock.is_none() {
        WAITS
    } else if is_empty {
        EMPTY
    } else if bill.is_none() && outcome.surprises(workflow.publish.expected_rejects) > 0 {
        REJECTS
    } else {
        DONE
    };
    let last = Last {
        workflow: &workflow,
        outcome,
        models: &models,
        published,
        is_empty,
        dealt,
        took: start.elapsed(),
    };
    match &bill {
        Some(bill) => pilot::show(&last, bill, args)?,
        None => last.show(args)?,
    }
    Ok(exit)
}

/// Whether all is built and no table has a row: nothing is published then.
fn is_empty(workflow: &Workflow, outcome: &Outcome) -> bool {
    let mut parts = workflow.configs.iter().flat_map(|config| &outcome.parts[&config.from]);
    outcome.lock.is_some() && parts.all(|part| part.rows == 0)
}

/// The fault of a build that is not the one its lock describes.
fn not_as_locked(lock: &Path, why: &[String], so: &str) -> Fault {
    const SHOWN: usize = 5;
    let more = why.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let why = why[..why.len().min(SHOWN)].join("; ");
    let message = format!("the build is not the one that the lock describes, and {so}");
    let message = if why.is_empty() { message } else { format!("{message} ({why}{more})") };
    Fault::new(FaultKind::Lock, message).at(lock).hint(
        "build without `--locked`, look at `storymill diff`, and keep the new lock if it is meant",
    )
}

/// Publishes; where all of it seems to be there already, looks whether it is whole.
fn publish_whole(
    publication: &Publication,
    run: &Finished<'_>,
    out: &Path,
) -> Result<Published, Fault> {
    let before = Manifest::of(out).ok();
    let parts = UntilStopped(run);
    let publish = || publish(publication, &kinds::tables(), &parts, &RealDisk, out);
    let published = publish()?;
    if !published.current {
        if let Some(before) = before.filter(|before| before.version == published.manifest.version)
            && before.digest != published.manifest.digest
        {
            report::warn(&format!(
                "version {} was published before with other rows ({}); raise `version` in the workflow",
                before.version,
                before.digest.short()
            ));
        }
        return Ok(published);
    }
    let damage = check(out, Depth::Bytes)?;
    if damage.is_empty() {
        return Ok(published);
    }
    for Damage { path, wrong } in &damage {
        report::warn(&format!("{}: {wrong}; it is written anew", path.display()));
        // A file that is missing is written anew by the publisher.
        RealDisk.remove(path).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Ok(()),
            _ => Err(Fault::io("cannot remove", path, error)),
        })?;
    }
    publish()
}

/// A share that was asked for and got no book is easily overlooked.
fn warn_of_empty_splits(workflow: &Workflow, publication: &Publication) {
    let Some(step) = workflow.publish.split.as_ref().and_then(|name| workflow.step(name)) else {
        return;
    };
    let options: serde_json::Value = serde_json::from_str(&step.options()).unwrap_or_default();
    for split in ["validation", "test"] {
        let wanted = options[split].as_f64().unwrap_or(0.0);
        if wanted > 0.0 && !publication.splits.values().any(|own| own == split) {
            let books = plural(publication.splits.len() as u64, "book");
            report::warn(&format!(
                "the split `{split}` is empty: none of {books} went there; with at least as many authors as splits each split gets one, unless a base lock has placed them all"
            ));
        }
    }
}

/// What is to be published of a run.
pub(super) fn publication(
    workflow: &Workflow,
    run: &Finished<'_>,
    lock: &Lock,
    models: &Models,
) -> Result<Publication, Fault> {
    let outcome = &run.outcome;
    let publish = &workflow.publish;
    let mut splits = BTreeMap::new();
    for part in publish.split.iter().flat_map(|step| &outcome.parts[step]) {
        let rows = (run as &dyn Parts).rows::<Split>(part)?;
        splits.extend(rows.iter().map(|row| (row.unit.clone(), row.split.clone())));
    }
    let config = |config: &storymill_pipeline::Config| storymill_dataset::Config {
        name: config.name.clone(),
        record: config.record.to_owned(),
        encodings: workflow.encodings(&config.from).into_iter().collect(),
        parts: outcome.parts[&config.from].clone(),
    };
    let step = |step: &storymill_pipeline::Step| storymill_dataset::Step {
        name: step.name.clone(),
        kind: step.kind().to_owned(),
        version: step.version(),
        tagger: taggers::of(step),
    };
    let asked = |(step, report): (&storymill_pipeline::Step, &StepReport)| Asked {
        step: step.name.clone(),
        models: models.ids_of(step),
        prompts: step.texts(),
        answers: report.answers,
    };
    let steps = workflow.steps.iter().zip(&outcome.steps);
    let asking = steps.filter(|(step, _)| !step.models().is_empty());
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
        rejects: reject_counts(&outcome.rejects),
        left_out: reject_counts(&outcome.left_out),
        reviews: outcome.reviews.len() as u64,
        asked: asking.clone().map(asked).collect(),
        prompts: asking.flat_map(|(step, _)| step.words()).collect(),
    })
}

fn reject_counts(items: &[StepReject]) -> Vec<RejectCount> {
    let count = |((step, reason), (count, _))| RejectCount { step, reason, count };
    counts(items).into_iter().map(count).collect()
}

/// Parts that are read until the user stops the run: so publishing stops too.
struct UntilStopped<'r>(&'r Finished<'r>);

impl Parts for UntilStopped<'_> {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        if STOP.load(Ordering::SeqCst) {
            let hint = "what is built is kept; run the same command again to publish it";
            return Err(Fault::new(FaultKind::Interrupted, "stopped while publishing").hint(hint));
        }
        self.0.read(part)
    }
}

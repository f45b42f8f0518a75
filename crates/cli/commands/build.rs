//! `storymill build`: run the workflow, publish what it made, say what came of it.

use std::{
    collections::BTreeMap,
    io::Write,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::json;
use storymill_core::{Fault, FaultKind, Split};
use storymill_dataset::{Publication, Published, RejectCount, publish};
use storymill_pipeline::{
    Claim, Lock, NoModel, Outcome, RunOptions, Store, Workflow, run as run_workflow,
    store::RealDisk,
};

use super::plan;
use crate::{
    args::{self, Format, Messages},
    exit::{DONE, Exit, Failure, REJECTS},
    kinds,
    progress::Progress,
    report,
    table::Table,
};

static STOP: AtomicBool = AtomicBool::new(false);

pub(crate) fn run(args: &args::Build) -> Result<Exit, Failure> {
    if args.dry_run {
        return plan::show(&args.workflow, &args.store, args.format);
    }
    let start = Instant::now();
    stop_on_signals()?;
    let workflow = Workflow::read(&args.workflow, &kinds::registry())?;
    let claim = args.shard.map_or(Claim::Whole, Claim::Shard);
    let store = Store::open(&args.store, Arc::new(RealDisk), claim)?;
    let progress = Progress::new(args.message_format);
    let options =
        RunOptions { threads: args.threads.unwrap_or(0).into(), shard: args.shard, stop: &STOP };
    let outcome = run_workflow(&workflow, &store, &NoModel, &progress, &options);
    progress.finish();
    let outcome = outcome?;
    let published = match (&outcome.lock, args.shard) {
        (Some(lock), None) => {
            let out = args.out.clone().unwrap_or_else(|| PathBuf::from("out").join(&workflow.name));
            let publication = publication(&workflow, &outcome, lock, &store)?;
            let published = publish(&publication, &kinds::tables(), &store, &RealDisk, &out)?;
            Some((published, out))
        }
        _ => None,
    };
    let last = Last { workflow: &workflow, outcome: &outcome, published, took: start.elapsed() };
    last.show(args)?;
    Ok(if outcome.rejects.len() as u64 > workflow.publish.expected_rejects {
        REJECTS
    } else {
        DONE
    })
}

/// The first signal asks the run to stop, the second ends the program at once.
fn stop_on_signals() -> Result<(), Failure> {
    let handler = || {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(crate::exit::INTERRUPTED.code.into());
        }
        report::say("stopping after what is being written; once more to stop at once");
    };
    let set = ctrlc::set_handler(handler);
    set.map_err(|error| {
        Fault::new(FaultKind::Internal, "cannot listen for Ctrl-C").because(error).into()
    })
}

/// What is to be published of an outcome.
fn publication(
    workflow: &Workflow,
    outcome: &Outcome,
    lock: &Lock,
    store: &Store,
) -> Result<Publication, Fault> {
    let publish = &workflow.publish;
    let mut splits = BTreeMap::new();
    for part in publish.split.iter().flat_map(|step| &outcome.parts[step]) {
        let rows = (store as &dyn storymill_core::Parts).rows::<Split>(part)?;
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
        models: Vec::new(),
        configs: workflow.configs.iter().map(config).collect(),
        splits,
        steps: workflow.steps.iter().map(step).collect(),
        rejects: reject_counts(outcome)
            .into_iter()
            .map(|((step, reason), (count, _))| RejectCount { step, reason, count })
            .collect(),
    })
}

/// Rejects by step and reason: how many, and the first of them.
fn reject_counts(
    outcome: &Outcome,
) -> BTreeMap<(String, String), (u64, &storymill_pipeline::StepReject)> {
    let mut counts = BTreeMap::new();
    for reject in &outcome.rejects {
        let key = (reject.step.clone(), reject.reject.reason.code.to_string());
        counts.entry(key).or_insert((0, reject)).0 += 1;
    }
    counts
}

/// The last screen.
struct Last<'a> {
    workflow: &'a Workflow,
    outcome: &'a Outcome,
    published: Option<(Published, PathBuf)>,
    took: Duration,
}

impl Last<'_> {
    fn show(&self, args: &args::Build) -> Result<(), Failure> {
        if args.message_format == Messages::Json {
            let mut value = self.as_json();
            value["event"] = json!("finished");
            Progress::json(&value);
            return Ok(());
        }
        if args.format == Format::Json {
            super::json(&self.as_json())?;
            return Ok(());
        }
        let mut out = std::io::stdout().lock();
        self.steps(&mut out)?;
        self.rejects(&mut out)?;
        self.end(&mut out, args)?;
        Ok(())
    }

    fn steps(&self, out: &mut impl Write) -> std::io::Result<()> {
        let mut table =
            Table::new(&["stage", "kind", ">units", ">rows", ">built", ">kept", ">time"]);
        for step in &self.outcome.steps {
            table.row([
                step.name.clone(),
                step.kind.clone(),
                step.units.to_string(),
                step.rows.to_string(),
                step.made.to_string(),
                step.current.to_string(),
                seconds(step.time),
            ]);
        }
        write!(out, "{table}")
    }

    fn rejects(&self, out: &mut impl Write) -> std::io::Result<()> {
        let counts = reject_counts(self.outcome);
        if counts.is_empty() {
            return Ok(());
        }
        let count = self.outcome.rejects.len();
        let expected = self.workflow.publish.expected_rejects;
        writeln!(out, "\n{count} rejected ({expected} expected):")?;
        let mut table = Table::new(&["stage", "reason", ">items", "first of them"]);
        for ((step, reason), (count, first)) in counts {
            let detail =
                first.reject.reason.detail.chars().take(80).collect::<String>().replace('\n', " ");
            table.row([
                step,
                reason,
                count.to_string(),
                format!("{}: {detail}", first.reject.item),
            ]);
        }
        write!(out, "{table}")
    }

    fn end(&self, out: &mut impl Write, args: &args::Build) -> std::io::Result<()> {
        let file = args.workflow.display();
        let Some((published, folder)) = &self.published else {
            let pending = self.outcome.steps.iter().map(|step| step.pending).max().unwrap_or(0);
            let shard = args.shard.map(|shard| shard.to_string()).unwrap_or_default();
            writeln!(
                out,
                "\nshard {shard} is done in {}; {}",
                seconds(self.took),
                units_wait(pending)
            )?;
            return writeln!(out, "next: the other shards, then `storymill build {file}`");
        };
        let rows: u64 = published.manifest.files.iter().map(|file| file.rows).sum();
        let configs = self.workflow.configs.len();
        let what = if published.current { "is as it was" } else { "is published" };
        writeln!(
            out,
            "\n{} {} {what}: {rows} rows in {configs} configs, in {}",
            self.workflow.name,
            self.workflow.version,
            seconds(self.took)
        )?;
        writeln!(out, "  in      {}", folder.display())?;
        writeln!(out, "  digest  {}", published.manifest.digest)?;
        for removed in &published.removed {
            writeln!(out, "  removed {removed}")?;
        }
        writeln!(out, "next: `storymill inspect {}`", folder.display())
    }

    fn as_json(&self) -> serde_json::Value {
        let steps: Vec<_> = self
            .outcome
            .steps
            .iter()
            .map(|step| {
                json!({
                    "step": step.name, "kind": step.kind, "units": step.units, "rows": step.rows,
                    "built": step.made, "kept": step.current, "pending": step.pending,
                    "milliseconds": u64::try_from(step.time.as_millis()).unwrap_or(u64::MAX),
                })
            })
            .collect();
        let rejects: Vec<_> = self
            .outcome
            .rejects
            .iter()
            .map(|r| json!({ "step": r.step, "unit": r.unit, "item": r.reject.item, "reason": r.reject.reason, "span": r.reject.span }))
            .collect();
        let published = self.published.as_ref().map(|(published, folder)| {
            json!({ "folder": folder, "current": published.current, "digest": published.manifest.digest, "files": published.manifest.files })
        });
        json!({
            "name": self.workflow.name, "version": self.workflow.version, "steps": steps, "rejects": rejects,
            "expected_rejects": self.workflow.publish.expected_rejects, "published": published,
        })
    }
}

fn units_wait(pending: u64) -> String {
    match pending {
        0 => "no unit waits for another shard".to_owned(),
        1 => "1 unit waits for another shard".to_owned(),
        _ => format!("{pending} units wait for other shards"),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

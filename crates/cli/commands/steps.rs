//! `storymill plan --steps`: the steps as data, and the jobs that do them.

use std::{io::Write, sync::Arc};

use serde_json::json;
use storymill::{PlanOptions, Steps};
use storymill_pipeline::{Job, Of, Step};

use super::json as print;
use crate::{
    args::{self, Format, Messages},
    exit::{DONE, Exit, Failure},
    next::Next,
    progress::Progress,
    session::Session,
    table::Table,
};

/// The version of the form.
const FORM: u32 = 1;

pub(crate) fn run(
    args: &args::Plan,
    shards: Option<u32>,
    session: &Session,
) -> Result<Exit, Failure> {
    let project =
        session.project(&args.workflow)?.in_store(Session::store(&args.workflow, &args.store))?;
    let progress = Arc::new(Progress::new(Messages::Text));
    let project = project.told_to(Arc::clone(&progress) as _);
    let options = PlanOptions { cost: false, models: args.models.options()? };
    let steps = project.steps(&options, shards);
    progress.finish();
    let steps = steps?;
    if args.format == Format::Json {
        return print(&as_json(&steps, project.workflow()));
    }
    let mut table =
        Table::new(&[">job", "steps", ">units", ">left", ">shards", ">cpus", ">MiB", "asks"]);
    for job in &steps.jobs {
        let shards = match job.of {
            Of::Units => job.shards.len().to_string(),
            Of::Corpus => "at once".to_owned(),
        };
        table.row([
            job.number.to_string(),
            job.steps.join(","),
            job.units.to_string(),
            job.run.to_string(),
            shards,
            job.wants.cpus.to_string(),
            job.wants.memory_mib.to_string(),
            job.wants
                .models
                .iter()
                .chain(&job.wants.taggers)
                .cloned()
                .collect::<Vec<_>>()
                .join(","),
        ]);
    }
    let mut out = crate::screen::out();
    write!(out, "{table}")?;
    let next = Next::of(&args.workflow, &args.store).with_out(args.out.as_deref());
    let first = steps.jobs.iter().find(|job| job.run > 0);
    match first {
        Some(job) => {
            let options = format!("--step {}{}", numbers(job, &steps), shard(job));
            writeln!(out, "next: `{}`", next.build(&options))?;
        }
        None => writeln!(out, "next: `{}`", next.build("--finalize"))?,
    }
    Ok(DONE)
}

fn shard(job: &Job) -> String {
    let first = job.shards.iter().find(|shard| shard.run > 0);
    first.map(|shard| format!(" --shard {}", shard.shard)).unwrap_or_default()
}

/// The steps of a job as `--step` takes them: their numbers, because a name may be anything.
fn numbers(job: &Job, steps: &Steps) -> String {
    let of = |name: &String| steps.plan.steps.iter().position(|row| row.step == *name);
    let numbers: Vec<usize> = job.steps.iter().filter_map(of).map(|at| at + 1).collect();
    match numbers.as_slice() {
        [one] => one.to_string(),
        // Neighbours: a job has no gaps.
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    }
}

fn as_json(steps: &Steps, workflow: &storymill::Workflow) -> serde_json::Value {
    let rows = steps.plan.steps.iter().zip(1..).map(|(row, number): (_, usize)| {
        let step = workflow.step(&row.step);
        let reads: Vec<String> =
            step.iter().flat_map(|step| step.edges()).map(|edge| edge.step).collect();
        let of = if step.is_some_and(Step::is_corpus_stage) { Of::Corpus } else { Of::Units };
        json!({
            "number": number, "step": row.step, "kind": row.kind, "of": of, "reads": reads,
            "units": row.units, "current": row.current, "run": row.run, "rejected": row.rejected,
        })
    });
    let jobs = steps.jobs.iter().map(|job| {
        json!({
            "number": job.number, "steps": job.steps, "step": numbers(job, steps), "of": job.of,
            "units": job.units, "run": job.run, "shards": job.shards, "wants": job.wants,
        })
    });
    json!({
        "format": FORM, "name": workflow.name, "version": workflow.version,
        "steps": rows.collect::<Vec<_>>(), "jobs": jobs.collect::<Vec<_>>(), "models": steps.models,
    })
}

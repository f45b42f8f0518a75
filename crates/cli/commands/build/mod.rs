//! `storymill build`: run the workflow, publish what it made, say what came of it.

mod pilot;
mod summary;

use std::{sync::Arc, time::Instant};

use storymill::{BuildOptions, End};

use super::plan;
use crate::{
    args::{self, Messages},
    exit::{DONE, EMPTY, Exit, Failure, REJECTS, WAITS},
    next::Next,
    progress::Progress,
    session::Session,
};
pub(super) use summary::BY_RULE;
use summary::Summary;

pub(crate) fn run(args: &args::Build, session: &Session) -> Result<Exit, Failure> {
    run_before(args, &[], session)
}

/// The same for a command that knows what is typed next, once a dataset is published.
pub(super) fn run_before(
    args: &args::Build,
    next: &[String],
    session: &Session,
) -> Result<Exit, Failure> {
    let progress = Arc::new(Progress::new(args.message_format));
    let result = build(args, next, session, &progress);
    if let (Err(failure), Messages::Json) = (&result, args.message_format) {
        let (exit, message) = (failure.exit(), failure.to_string());
        Progress::json(
            &serde_json::json!({ "event": "failed", "code": exit.code, "word": exit.word, "message": message, "used": progress.used() }),
        );
    }
    result
}

fn build(
    args: &args::Build,
    next: &[String],
    session: &Session,
    progress: &Arc<Progress>,
) -> Result<Exit, Failure> {
    if args.dry_run {
        let next = Next::of_build(args);
        return plan::show(next, false, None, &args.models, args.format, session);
    }
    let start = Instant::now();
    session.stop_on_signals()?;
    let (file, shelf) = (&args.workflow, args.shelf.as_deref());
    let project = session.project_in(file, shelf, &args.key, &args.store)?;
    let project = project.told_to(Arc::clone(progress) as _);
    let built = project.build(&BuildOptions {
        out: args.out.clone(),
        replace: args.replace,
        threads: args.threads.unwrap_or(0).into(),
        shard: args.shard,
        steps: args.step.clone(),
        finalize: args.finalize,
        locked: args.locked.clone(),
        pilot: args.pilot,
        models: args.models.options()?,
    });
    progress.finish();
    let built = built?;
    let summary = Summary { built: &built, took: start.elapsed(), next };
    match &built.bill {
        Some(bill) => pilot::show(&summary, bill, args)?,
        None => summary.show(args)?,
    }
    Ok(match built.end {
        End::Waits | End::Misses => WAITS,
        End::StepsDone => DONE,
        End::Empty => EMPTY,
        _ if built.bill.is_none() && built.unexpected_rejects() > 0 => REJECTS,
        _ => DONE,
    })
}

//! `storymill status`: what is done, in flight, lost and paid for.

use std::{io::Write, sync::Arc};

use storymill::{ModelOptions, PlanOptions};

use super::json;
use crate::{
    args::{self, Format, Messages, prices},
    exit::{DONE, Exit, Failure, WAITS},
    next::Next,
    progress::Progress,
    session::Session,
    table::{Table, plural},
};

pub(crate) fn run(args: &args::Status, session: &Session) -> Result<Exit, Failure> {
    let project =
        session.project(&args.workflow)?.in_store(Session::store(&args.workflow, &args.store))?;
    let progress = Arc::new(Progress::new(Messages::Text));
    let project = project.told_to(Arc::clone(&progress) as _);
    let prices = prices(args.prices.as_deref())?;
    let models = ModelOptions { answers: args.answers.clone(), prices, ..ModelOptions::default() };
    let status = project.status(&PlanOptions { cost: false, models });
    progress.finish();
    let mut status = status?;
    if let Some(named) = &args.step {
        let names = project.workflow().steps_named(named)?;
        status.steps.retain(|step| names.contains(&step.step));
    }
    let is_done = status.steps.iter().all(|step| step.missing == 0);
    let exit = if is_done || args.step.is_none() { DONE } else { WAITS };
    if args.format == Format::Json {
        return json(&status).map(|_| exit);
    }
    let mut table =
        Table::new(&[">step", "name", "kind", ">units", ">done", ">rejected", ">missing"]);
    for step in &status.steps {
        table.row([
            step.number.to_string(),
            step.step.clone(),
            step.kind.clone(),
            step.units.to_string(),
            step.done.to_string(),
            step.rejected.to_string(),
            step.missing.to_string(),
        ]);
    }
    let mut out = crate::screen::out();
    write!(out, "{table}")?;
    let of = |shard: &str| {
        let (steps, shard) = shard.split_once('.').unwrap_or((shard, "all units"));
        format!("steps {steps}, {}", shard.replace("-of-", "/"))
    };
    for shard in status.shards.iter().filter(|shard| shard.is.in_flight > 0) {
        writeln!(out, "in flight: {}", of(&shard.shard))?;
    }
    for shard in status.shards.iter().filter(|shard| shard.is.lost > 0 && shard.is.in_flight == 0) {
        writeln!(out, "lost: {}: its run died; start it again", of(&shard.shard))?;
    }
    for shard in &status.shards {
        let failed = shard.is.ended.as_ref().and_then(|ended| ended.message.as_ref());
        if let (Some(message), 0) = (failed, shard.is.in_flight) {
            writeln!(out, "failed: {}: {message}", of(&shard.shard))?;
        }
    }
    let paid = &status.paid;
    if paid.answers > 0 {
        writeln!(out, "paid for: {}, {paid}", plural(paid.answers, "answer"))?;
    }
    for step in status.steps.iter().filter(|_| args.step.is_some()) {
        if let Some(first) = &step.first_missing {
            let count = plural(step.missing as u64, "unit");
            writeln!(out, "missing: `{}` of {count}, the first is {first}", step.step)?;
        }
    }
    if is_done && args.step.is_none() {
        let next = Next::of(&args.workflow, &args.store).build("--finalize");
        writeln!(out, "every step is done; next: `{next}`")?;
    }
    Ok(exit)
}

//! `storymill plan`: what a build would do, and why.

use std::{io::Write, sync::Arc};

use serde_json::json;
use storymill::{PlanOptions, Planned, Project, ShardStatus, Status};
use storymill_core::{Fault, FaultKind, Record as _, Scene};
use storymill_dataset::Evaluation;
use storymill_llm::{Cost, Price, Usage, Usd};
use storymill_pipeline::{PlanRow, Undecided, Why};

use super::{bill, steps};
use crate::{
    args::{self, Format, Messages, Tariff},
    exit::{DONE, Exit, Failure, WAITS},
    next::Next,
    progress::Progress,
    session::Session,
    table::{self, Table, plural},
};

pub(crate) fn run(args: &args::Plan, session: &Session) -> Result<Exit, Failure> {
    if let Some(Tariff(price)) = args.evaluate {
        return evaluate(args, price, session);
    }
    if let Some(shards) = args.steps {
        return steps::run(args, Some(shards).filter(|shards| *shards > 0), session);
    }
    let next = Next::of(&args.workflow, &args.store).with_out(args.out.as_deref());
    show(next, args.cost, args.step.as_deref(), &args.models, args.format, session)
}

/// What the build that comes next would do.
pub(crate) fn show(
    next: Next<'_>,
    cost: bool,
    step: Option<&str>,
    models: &args::Models,
    format: Format,
    session: &Session,
) -> Result<Exit, Failure> {
    let project = session
        .project(next.workflow())?
        .in_store(Session::store(next.workflow(), next.store()))?;
    shown(project, next, cost, step, models, format)
}

/// What a build of a project would do, and what runs have done; of some steps, if they are named.
fn shown(
    project: Project,
    next: Next<'_>,
    cost: bool,
    step: Option<&str>,
    models: &args::Models,
    format: Format,
) -> Result<Exit, Failure> {
    let progress = Arc::new(Progress::new(Messages::Text));
    let project = project.told_to(Arc::clone(&progress) as _);
    // A pilot is of scenes; where no model is asked about any there is none.
    let about_scenes = |step: &storymill_pipeline::Step| {
        !step.models().is_empty() && step.edges().iter().any(|edge| edge.record == Scene::NAME)
    };
    let pilot = project.workflow().steps.iter().any(about_scenes);
    let options = PlanOptions { cost, models: models.options()? };
    let planned = project.plan(&options).and_then(|plan| Ok((plan, project.status(&options)?)));
    progress.finish();
    let (Planned { mut plan, bill }, status) = planned?;
    if let Some(named) = step {
        let names = project.workflow().steps_named(named)?;
        plan.steps.retain(|row| names.contains(&row.step));
    }
    let is_done = plan.steps.iter().all(|row| row.run == 0);
    let exit = if is_done || step.is_none() { DONE } else { WAITS };
    if format == Format::Json {
        let mut value =
            json!({ "steps": plan.steps, "shards": status.shards, "paid": status.paid.as_json() });
        value["decisions"] =
            json!({ "lapsed": plan.lapsed, "unsure": plan.unsure, "undecided": plan.undecided });
        if let Some(bill) = &bill {
            for (name, part) in bill::as_json(bill).as_object().into_iter().flatten() {
                value[name] = part.clone();
            }
        }
        return super::json(&value).map(|_| exit);
    }
    let mut out = crate::screen::out();
    let fresh = plan.steps.iter().any(|row| row.run > 0)
        && plan.steps.iter().all(|row| row.current == 0 && row.run == row.units);
    // Of a build that is new all other columns say the same in each row.
    let columns = if fresh { 3 } else { 7 };
    let units = table::units(plan.steps.iter().map(|row| &*row.kind));
    let head = ["stage", "kind", units, ">current", ">run", ">rejected", "why"];
    let mut table = Table::new(&head[..columns]);
    for row in &plan.steps {
        let [units, current, run, rejected] =
            [row.units, row.current, row.run, row.rejected].map(|count| count.to_string());
        let cells = [row.step.clone(), row.kind.clone(), units, current, run, rejected, why(row)];
        table.row(cells.into_iter().take(columns));
    }
    write!(out, "{table}")?;
    if fresh {
        let units = plan.steps.first().and_then(|row| row.why.first()).map(named);
        let units = units.map_or(String::new(), |units| format!(": {units}"));
        let now = if bill.is_some() {
            "nothing was built before; what asks no model is made now"
        } else {
            "nothing is built yet; every stage runs for all of it"
        };
        writeln!(out, "{now}{units}")?;
    }
    if is_done {
        writeln!(out, "nothing to build: all of it is there")?;
    }
    runs(&status, &mut out)?;
    if is_done && step.is_none() && !status.shards.is_empty() {
        writeln!(out, "every step is done; next: `{}`", next.build("--finalize"))?;
    }
    if plan.undecided != Undecided::default() {
        let review = next.command("review", "");
        writeln!(out, "items for people: {}; `{review}`", plan.undecided)?;
    }
    if let Some(bill) = &bill {
        bill::show(bill, &mut out, Some(next).filter(|_| pilot))?;
        if bill.estimates.is_empty() && !is_done {
            writeln!(out, "this build costs nothing; next: `{}`", next.build(""))?;
        }
        bill::warn_unpriced(bill, models);
    }
    Ok(exit)
}

/// Shards in flight, lost or failed, and what was paid for.
fn runs(status: &Status, out: &mut impl Write) -> std::io::Result<()> {
    let of = |shard: &str| {
        let (steps, shard) = shard.split_once('.').unwrap_or((shard, "all units"));
        format!("steps {steps}, {}", shard.replace("-of-", "/"))
    };
    for ShardStatus { shard, is } in &status.shards {
        let failed = is.ended.as_ref().and_then(|ended| ended.message.as_ref());
        if is.in_flight > 0 {
            writeln!(out, "in flight: {}", of(shard))?;
        } else if is.lost > 0 {
            writeln!(out, "lost: {}: its run died; start it again", of(shard))?;
        } else if let Some(message) = failed {
            writeln!(out, "failed: {}: {message}", of(shard))?;
        }
    }
    if status.paid.answers > 0 {
        let paid = &status.paid;
        writeln!(out, "paid for: {}, {paid}", plural(paid.answers, "answer"))?;
    }
    Ok(())
}

/// The reasons in one line; of many units the first is named.
fn why(row: &PlanRow) -> String {
    let reason = |why: &Why| format!("{}: {}", named(why), why.reason);
    let mut reasons: Vec<_> = row.why.iter().take(3).map(reason).collect();
    if row.why.len() > 3 {
        reasons.push(format!("{} more reasons", row.why.len() - 3));
    }
    reasons.join("; ")
}

/// The units of a reason: of many the first.
fn named(why: &Why) -> String {
    match why.units {
        1 => why.example.to_string(),
        units => format!("{} and {} more", why.example, units - 1),
    }
}

/// What it would cost to put the published questions to a model.
fn evaluate(args: &args::Plan, price: Option<Price>, session: &Session) -> Result<Exit, Failure> {
    let project = session.project(&args.workflow)?;
    let out = args.out.clone().unwrap_or_else(|| project.default_out());
    if !out.join("manifest.json").exists() {
        let build = Next::of(&args.workflow, &args.store).with_out(args.out.as_deref());
        let fault = Fault::new(FaultKind::Input, "the dataset is not published here").at(&out);
        let build = build.build("");
        let hint = format!("run `{build}` first, or name the folder with `--out`");
        return Err(fault.hint(hint).into());
    }
    let rows = storymill_dataset::evaluation(&out)?;
    let cost = |row: &Evaluation| {
        let usage = Usage { prompt: row.tokens_in, completion: row.tokens_out, ..Usage::default() };
        Cost::of(row.questions, usage, price)
    };
    if args.format == Format::Json {
        let row =
            |row| json!({ "evaluation": row, "usd": cost(row).known_usd().map(Usd::dollars) });
        return super::json(&rows.iter().map(row).collect::<Vec<_>>());
    }
    let cells = |row: &Evaluation| ([row.config.clone(), row.questions.to_string()], cost(row));
    let table = Table::of_costs(["config", ">questions"], true, rows.iter().map(cells));
    let mut out = crate::screen::out();
    write!(out, "{table}")?;
    match rows.iter().find_map(|row| row.encoding) {
        Some(encoding) => writeln!(
            out,
            "\ncontexts counted in {encoding}, questions estimated at 4 symbols a token"
        )?,
        None => writeln!(
            out,
            "\nestimated at 4 symbols a token; `tokens = [\"o200k_base\"]` of `chunk` counts them"
        )?,
    }
    if price.is_none() {
        writeln!(out, "`--evaluate IN,OUT` takes the prices of a million tokens read and written")?;
    }
    Ok(DONE)
}

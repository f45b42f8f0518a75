//! `storymill plan`: what a build would do, and why.

use std::{io::Write, path::Path, sync::Arc};

use storymill_pipeline::{NoModel, PlanRow, Store, Workflow, plan, store::RealDisk};

use super::json;
use crate::{
    args::{self, Format, Messages},
    exit::{DONE, Exit, Failure},
    kinds,
    progress::Progress,
    table::Table,
};

pub(crate) fn run(args: &args::Plan) -> Result<Exit, Failure> {
    show(&args.workflow, &args.store, args.format)
}

pub(crate) fn show(workflow: &Path, store: &Path, format: Format) -> Result<Exit, Failure> {
    let workflow = Workflow::read(workflow, &kinds::registry())?;
    let store = Store::look(store, Arc::new(RealDisk))?;
    let plan = plan(&workflow, &store, &NoModel, &Progress::new(Messages::Text))?;
    if format == Format::Json {
        return json(&plan);
    }
    let mut table =
        Table::new(&["stage", "kind", ">units", ">current", ">run", ">rejected", "why"]);
    for row in &plan.steps {
        table.row([
            row.step.clone(),
            row.kind.clone(),
            row.units.to_string(),
            row.current.to_string(),
            row.run.to_string(),
            row.rejected.to_string(),
            why(row),
        ]);
    }
    let mut out = std::io::stdout().lock();
    write!(out, "{table}")?;
    if plan.steps.iter().all(|row| row.run == 0) {
        writeln!(out, "nothing to build: all of it is there")?;
    }
    Ok(DONE)
}

/// The reasons in one line; of many units the first is named.
fn why(row: &PlanRow) -> String {
    let reason = |why: &storymill_pipeline::Why| match why.units {
        1 => format!("{}: {}", why.example, why.reason),
        units => format!("{} and {} more: {}", why.example, units - 1, why.reason),
    };
    let mut reasons: Vec<_> = row.why.iter().take(3).map(reason).collect();
    if row.why.len() > 3 {
        reasons.push(format!("{} more reasons", row.why.len() - 3));
    }
    reasons.join("; ")
}

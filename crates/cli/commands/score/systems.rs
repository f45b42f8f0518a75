//! `score systems`: metrics and judges against people, by how they rank systems.

use std::io::Write;

use storymill_metrics::{
    bootstrap::Plan,
    score::{self, Over, Systems},
};

use super::{number, refused, text};
use crate::{
    args::{self, Format, Resample},
    exit::{DONE, Exit, Failure},
    table::Table,
};

pub(super) fn run(args: &args::ScoreSystems) -> Result<Exit, Failure> {
    let texts = args.files.iter().map(|path| text(path)).collect::<Result<Vec<_>, _>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let over = match args.resample {
        Resample::Items => Over::Items,
        Resample::Systems => Over::Systems,
    };
    let plan = Plan { seed: args.seed, ..Plan::default() };
    let found = score::systems(&texts, over, plan)
        .map_err(|(file, error)| refused(&args.files[file], error))?;
    if args.format == Format::Json {
        return super::super::json(&found);
    }
    show(&found)?;
    Ok(DONE)
}

fn show(found: &Systems) -> std::io::Result<()> {
    let mut out = crate::screen::out();
    let metrics: Vec<&str> = found.metrics.iter().map(|metric| metric.name.as_str()).collect();
    let heads: Vec<String> = metrics.iter().map(|name| format!(">{name}")).collect();
    let heads: Vec<&str> = ["system", ">items", ">people"]
        .into_iter()
        .chain(heads.iter().map(String::as_str))
        .collect();
    let mut table = Table::new(&heads);
    for system in &found.systems {
        let scores = metrics.iter().map(|name| number(system.scores.get(*name).copied()));
        let first = [system.name.clone(), system.items.to_string(), number(Some(system.people))];
        table.row(first.into_iter().chain(scores));
    }
    writeln!(out, "{table}")?;
    let mut table = Table::new(&[
        "against people",
        ">systems",
        ">items",
        ">left out",
        ">tau-b",
        "95 % interval",
    ]);
    for metric in &found.metrics {
        let interval = match (metric.low, metric.high) {
            (Some(low), Some(high)) => format!("{low:.4} to {high:.4}"),
            _ => metric.undefined.clone().unwrap_or_default(),
        };
        table.row([
            metric.name.clone(),
            metric.systems.to_string(),
            metric.items.to_string(),
            metric.left_out.to_string(),
            number(metric.tau),
            interval,
        ]);
    }
    write!(out, "{table}")?;
    let over = match found.over {
        Over::Items => "items (clusters, where all rows name one)",
        Over::Systems => "systems",
    };
    writeln!(out, "Kendall's tau-b of the systems' mean scores; intervals by bootstrap over {over}")
}

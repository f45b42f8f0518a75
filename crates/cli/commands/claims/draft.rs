//! `claims draft`: what a published dataset's retellings offer as claims, for people to look at.

use std::io::Write;

use serde_json::Value;
use storymill_claims::{
    draft::{Retelling, proposals},
    set::lines,
};
use storymill_core::{Fault, FaultKind};
use storymill_dataset::{Query, inspect};

use super::folder::replace;
use crate::{
    args::claims::ClaimsDraft,
    exit::{DONE, Exit, Failure},
    table::plural,
};

/// The first columns of tables of retellings.
const IDS: [&str; 2] = ["distortion_id", "summary_id"];

pub(super) fn run(args: &ClaimsDraft) -> Result<Exit, Failure> {
    // Only tables of retellings are read whole; scenes may be many.
    let mut query = Query { config: args.config.clone(), ..Query::default() };
    let mut configs: Vec<String> = inspect(&args.dataset, &query)?
        .tables
        .into_iter()
        .filter(|table| {
            table.columns.first().is_some_and(|first| IDS.contains(&first.name.as_str()))
        })
        .map(|table| table.config)
        .collect();
    configs.dedup();
    let mut retellings: Vec<Retelling> = Vec::new();
    query.rows = usize::MAX;
    for config in configs {
        query.config = Some(config);
        let tables = inspect(&args.dataset, &query)?.tables;
        let rows = tables.iter().flat_map(|table| &table.sample);
        retellings.extend(rows.filter_map(|row| retelling(&row.values)));
    }
    if retellings.is_empty() {
        let message = "no summaries or distortions are published here";
        return Err(Fault::new(FaultKind::Input, message).at(&args.dataset).into());
    }
    let proposals = proposals(&retellings);
    replace(&args.out, lines(&proposals).as_bytes())?;
    writeln!(
        std::io::stdout().lock(),
        "{}: {} of {}, for people to take, change or drop",
        args.out.display(),
        plural(proposals.len() as u64, "proposal"),
        plural(retellings.len() as u64, "retelling")
    )?;
    Ok(DONE)
}

/// The retelling of a row, if it is one.
fn retelling(values: &[(String, Value)]) -> Option<Retelling> {
    let value =
        |name: &str| values.iter().find(|(column, _)| column == name).map(|(_, value)| value);
    let text = |name: &str| value(name).and_then(Value::as_str).map(str::to_owned);
    let book = text("book_id")?;
    if let Some(id) = text("distortion_id") {
        let edits = serde_json::from_value(value("edits")?.clone()).ok()?;
        return Some(Retelling { id, book, edits, ..Retelling::default() });
    }
    Some(Retelling { id: text("summary_id")?, book, text: text("text")?, ..Retelling::default() })
}

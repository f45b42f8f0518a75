//! The last screen of `build --pilot`: what became of answers, what the pilot cost, what all will cost.

use std::io::Write;

use serde_json::json;
use storymill::{Bill, End};
use storymill_core::Round;
use storymill_pipeline::StepReport;

use super::summary::{Summary, cut};
use crate::{
    args::{self, Format, Messages},
    commands::bill,
    exit::Failure,
    next::Next,
    progress::Progress,
    table::{Table, plural, share, typed},
};

/// Tells of a pilot.
pub(super) fn show(summary: &Summary<'_>, bill: &Bill, args: &args::Build) -> Result<(), Failure> {
    let (json_lines, json_text) =
        (args.message_format == Messages::Json, args.format == Format::Json);
    if json_lines || json_text {
        let mut value = summary.as_json();
        value["pilot"] = json!({ "scenes": args.pilot, "all": bill::as_json(bill) });
        if !json_lines {
            crate::commands::json(&value)?;
            return Ok(());
        }
        value["event"] = json!("finished");
        Progress::json(&value);
        return Ok(());
    }
    let mut out = crate::screen::out();
    write!(out, "{}", taken(summary))?;
    summary.rejects(&mut out)?;
    summary.costs(&mut out)?;
    writeln!(out, "\nthe whole workflow, less what the pilot has asked:")?;
    bill::show(bill, &mut out, Some(Next::of_build(args)))?;
    next(summary, args, &mut out)?;
    Ok(())
}

/// Where the pilot is, and what to type next.
fn next(summary: &Summary<'_>, args: &args::Build, out: &mut impl Write) -> std::io::Result<()> {
    if summary.built.end == End::Empty {
        writeln!(out, "\nnothing is published: the pilot came to no row")?;
        return writeln!(
            out,
            "exit code 15: the reasons above say where the rows went; a build would go the same way"
        );
    }
    // `--out` named the folder of the pilot; the whole goes elsewhere.
    let build = Next::of_build(args).with_out(None).build("");
    let Some(dataset) = &summary.built.dataset else {
        return writeln!(out, "\nnext: `{build}`");
    };
    let folder = dataset.folder();
    let rows: u64 = dataset.manifest().files.iter().map(|file| file.rows).sum();
    writeln!(out, "\nthe pilot is in {}: {}", folder.display(), plural(rows, "row"))?;
    writeln!(out, "next: `storymill inspect {}`, then `{build}`", typed(folder))
}

/// How often answers were taken, by stage.
fn taken(summary: &Summary<'_>) -> Table {
    let mut table = Table::new(&[
        "stage asked",
        ">questions",
        ">accepted at once",
        ">accepted later",
        ">given up",
        ">answers refused",
        "first given up",
    ]);
    for step in summary.built.outcome.steps.iter().filter(|step| !step.rounds.is_empty()) {
        let first = step.rounds[0];
        let mut all = Round::default();
        step.rounds.iter().for_each(|round| all += *round);
        let reject = summary.built.outcome.rejects.iter().find(|reject| reject.step == step.name);
        let reject = reject.map(|one| {
            format!("{}: {}: {}", one.reject.item, one.reject.reason.code, one.reject.reason.detail)
        });
        table.row([
            step.name.clone(),
            first.answers().to_string(),
            share(first.accepted, first.answers()),
            (all.accepted - first.accepted).to_string(),
            given_up(step, all).to_string(),
            share(all.refused, all.answers()),
            reject.map(|reject| cut(&reject)).unwrap_or_default(),
        ]);
    }
    table
}

fn given_up(step: &StepReport, all: Round) -> u64 {
    step.rounds[0].answers().saturating_sub(all.accepted)
}

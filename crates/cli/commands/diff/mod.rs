//! `storymill diff`: two versions of a dataset, what changed in them and why.

mod side;
mod told;
mod words;

use serde::Serialize;
use storymill_dataset::{
    Difference, diff,
    diff::{Finding, Step, Verdict},
    gates, write_changes,
};
use storymill_llm::forecast::Toll;
use storymill_pipeline::{LockChange, store::RealDisk};

use crate::{
    args::diff::{self as args, DiffFormat},
    exit::{BREAKING, DIFFERS, DONE, Exit, Failure, VERIFY},
    models::prices,
    report,
    table::plural,
};
use side::Side;

/// What two versions differ in, as it is told.
#[derive(Serialize)]
pub(crate) struct Report {
    old: String,
    new: String,
    verdict: Verdict,
    /// The least step by which the version should go up.
    step: Step,
    /// The version that this step leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    least_version: Option<String>,
    /// Whether the new version is at least that; none where versions are no `1.2.3`.
    version_is_enough: Option<bool>,
    /// Why, and what followed, step by step.
    #[serde(flatten)]
    locks: LockChange,
    /// What the answers take that were asked for, by model.
    tolls: Vec<Toll>,
    /// The rows, where both are folders.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Difference>,
    /// Whether the new version's folder was looked into.
    #[serde(skip)]
    looked: bool,
    /// What the new version does not hold to.
    findings: Vec<Finding>,
    /// More that it does not hold to.
    complaints: Vec<String>,
}

pub(crate) fn run(args: &args::Diff) -> Result<Exit, Failure> {
    let (old, new) = (Side::of(&args.old)?, Side::of(&args.new)?);
    let locks = LockChange::between(&old.lock, &new.lock);
    let rows = match (&old.folder, &new.folder) {
        (Some(old), Some(new)) => Some(diff(old, new, args.samples)?),
        _ => None,
    };
    let prices = args.prices.as_deref().map(prices).transpose()?.unwrap_or_default();
    let findings = new.folder.as_deref().map(gates).transpose()?.unwrap_or_default();
    let (verdict, step) =
        rows.as_ref().map_or_else(|| of_locks(&locks), |rows| (rows.verdict, rows.step));
    let (was, is) = (&old.lock.version, &new.lock.version);
    let exchanged = locks.exchanged();
    let tolls = exchanged.iter().map(|(id, counts)| Toll::of(id, counts, &prices)).collect();
    let report = Report {
        old: format!("{} {was}", old.lock.name),
        new: format!("{} {is}", new.lock.name),
        verdict,
        step,
        least_version: step.from(was),
        version_is_enough: step.is_taken(was, is),
        complaints: complaints(&old, &new),
        tolls,
        locks,
        rows,
        looked: new.folder.is_some(),
        findings,
    };
    if let Some(out) = &args.rows {
        let Some(rows) = &report.rows else {
            let message = "`--rows` needs two published folders: a lock holds no rows";
            return Err(Failure::Usage(message.to_owned()));
        };
        let rows = write_changes(rows, &RealDisk, out)?;
        report::say(format!("{} in {}", plural(rows, "changed row"), out.display()));
    }
    match args.format {
        DiffFormat::Json => _ = super::json(&report)?,
        DiffFormat::Text => told::text(&report)?,
        DiffFormat::Markdown => told::markdown(&report)?,
    }
    if !report.is_sound() {
        return Ok(VERIFY);
    }
    Ok(match verdict {
        Verdict::Same => DONE,
        Verdict::Differs => DIFFERS,
        Verdict::Breaking => BREAKING,
    })
}

impl Report {
    fn is_sound(&self) -> bool {
        self.findings.is_empty() && self.complaints.is_empty()
    }
}

/// What can be said of locks alone.
fn of_locks(locks: &LockChange) -> (Verdict, Step) {
    let sum = |of: fn(&storymill_pipeline::StepChange) -> u64| -> u64 {
        locks.configs.iter().map(of).sum()
    };
    if !locks.moved.is_empty() || sum(|step| step.removed) > 0 {
        (Verdict::Breaking, Step::Major)
    } else if sum(|step| step.changed) > 0 {
        // Answers may be among them: only rows can tell.
        (Verdict::Differs, Step::Major)
    } else if sum(|step| step.added) > 0 {
        (Verdict::Differs, Step::Minor)
    } else {
        (Verdict::Same, if locks.is_nothing() { Step::None } else { Step::Patch })
    }
}

/// What the locks say against the new version.
fn complaints(old: &Side, new: &Side) -> Vec<String> {
    let torn = new.lock.groups_across_splits();
    let mut complaints: Vec<String> = torn
        .iter()
        .map(|(group, splits, units)| {
            let units: Vec<_> = units.iter().map(ToString::to_string).collect();
            format!(
                "books of one group stand in more than one split: {group} in {} ({})",
                splits.join(", "),
                units.join(", ")
            )
        })
        .collect();
    let canary = |side: &Side| side.lock.publish.as_ref().map(|publish| publish.canary.clone());
    if let (Some(was), Some(is)) = (canary(old), canary(new))
        && was != is
        && old.lock.name == new.lock.name
    {
        complaints.push("the canary is another: it is minted once for all versions".to_owned());
    }
    let licence = new.lock.publish.as_ref().map(|publish| publish.license.trim().is_empty());
    if licence == Some(true) {
        complaints.push("no licence is named".to_owned());
    }
    complaints
}

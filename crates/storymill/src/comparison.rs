//! Two versions of a dataset: what changed in them and why.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Serialize, Serializer};
use serde_json::json;
use storymill_core::Fault;
use storymill_dataset::diff::{Difference, Finding, Step, Verdict, diff, gates};
use storymill_llm::{Cost, Prices};
use storymill_pipeline::{Lock, LockChange, StepChange};

use crate::Dataset;

/// One version of a dataset.
#[derive(Clone, Debug)]
pub struct Version {
    /// Which inputs and which rules gave which rows.
    pub lock: Lock,
    /// Where its rows are, if they are at hand.
    pub folder: Option<PathBuf>,
}

impl Version {
    /// The version in a published folder.
    ///
    /// # Errors
    ///
    /// It has no manifest or no lock that can be read.
    pub fn of(dataset: &Dataset) -> Result<Self, Fault> {
        Ok(Self { lock: dataset.lock()?, folder: Some(dataset.folder().to_owned()) })
    }
}

/// What two versions differ in.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// The name and the version of the old one.
    pub old: String,
    /// The name and the version of the new one.
    pub new: String,
    /// Whether they differ, and whether that breaks what is built on the old one.
    pub verdict: Verdict,
    /// The least step by which the version should go up.
    pub step: Step,
    /// The version that this step leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_version: Option<String>,
    /// Whether the new version is at least that; none where versions are no `1.2.3`.
    pub version_is_enough: Option<bool>,
    /// Why, and what followed, step by step.
    #[serde(flatten)]
    pub locks: LockChange,
    /// About what the answers took that were asked for, by the id of the model.
    #[serde(serialize_with = "listed")]
    pub tolls: BTreeMap<String, Cost>,
    /// The rows, where both are folders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<Difference>,
    /// Whether the new version's folder was looked into.
    #[serde(skip)]
    pub looked: bool,
    /// What the new version does not hold to.
    pub findings: Vec<Finding>,
    /// More that it does not hold to.
    pub complaints: Vec<String>,
}

impl Comparison {
    /// Compares two versions; the prices say what new answers took.
    ///
    /// # Errors
    ///
    /// A folder cannot be read.
    pub fn between(old: &Version, new: &Version, prices: &Prices) -> Result<Self, Fault> {
        let locks = LockChange::between(&old.lock, &new.lock);
        let rows = match (&old.folder, &new.folder) {
            (Some(old), Some(new)) => Some(diff(old, new)?),
            _ => None,
        };
        let findings = new.folder.as_deref().map(gates).transpose()?.unwrap_or_default();
        let (verdict, step) =
            rows.as_ref().map_or_else(|| of_locks(&locks), |rows| (rows.verdict, rows.step));
        let (was, is) = (&old.lock.version, &new.lock.version);
        let toll = |(id, exchanged): (&str, _)| {
            (id.to_owned(), Cost::about(&exchanged, prices.0.get(id).copied()))
        };
        let tolls = locks.exchanged().into_iter().map(toll).collect();
        Ok(Self {
            old: format!("{} {was}", old.lock.name),
            new: format!("{} {is}", new.lock.name),
            verdict,
            step,
            least_version: step.from(was),
            version_is_enough: step.is_taken(was, is),
            complaints: complaints(&old.lock, &new.lock),
            tolls,
            locks,
            rows,
            looked: new.folder.is_some(),
            findings,
        })
    }

    /// Whether the new version holds to all that it has to.
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty() && self.complaints.is_empty()
    }
}

fn listed<S: Serializer>(tolls: &BTreeMap<String, Cost>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(tolls.iter().map(|(id, cost)| {
        json!({
            "model_id": id, "answers": cost.answers, "prompt_tokens": cost.usage.prompt,
            "completion_tokens": cost.usage.completion, "micro_usd": cost.known_usd(),
        })
    }))
}

/// What can be said of locks alone.
fn of_locks(locks: &LockChange) -> (Verdict, Step) {
    let sum = |of: fn(&StepChange) -> u64| -> u64 { locks.configs.iter().map(of).sum() };
    if !locks.moved.is_empty() || sum(|step| step.removed) > 0 {
        (Verdict::Breaking, Step::Major)
    } else if sum(|step| step.changed) > 0 {
        // Answers may be among them: only rows can tell.
        (Verdict::Unsure, Step::Major)
    } else if sum(|step| step.added) > 0 {
        (Verdict::Differs, Step::Minor)
    } else {
        (Verdict::Same, if locks.is_nothing() { Step::None } else { Step::Patch })
    }
}

/// What the locks say against the new version.
fn complaints(old: &Lock, new: &Lock) -> Vec<String> {
    let torn = new.groups_across_splits();
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
    let canary = |lock: &Lock| lock.publish.as_ref().map(|publish| publish.canary.clone());
    if let (Some(was), Some(is)) = (canary(old), canary(new))
        && was != is
        && old.name == new.name
    {
        complaints.push("the canary differs: all versions of a dataset have one".to_owned());
    }
    let licence = new.publish.as_ref().map(|publish| publish.license.trim().is_empty());
    if licence == Some(true) {
        complaints.push("no licence is named".to_owned());
    }
    complaints
}

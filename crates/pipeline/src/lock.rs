//! The lock: which inputs and which rules gave which rows. It holds no clock and no path.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use storymill_core::{AskTotals, Changes, Digest, Fault, FaultKind, PartRef, UnitId};
use storymill_disk::most;

use crate::{Publish, Step, StepKind, decided::Lapsed, engine::Engine, outcome::StepReject};

/// The format of locks that this version writes.
pub(crate) const FORMAT: u32 = 1;

/// A lock, written as JSON with sorted keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// `FORMAT` of the version that wrote it.
    pub format: u32,
    /// The dataset's name.
    pub name: String,
    /// The dataset's version.
    pub version: String,
    /// The root seed.
    pub seed: u64,
    /// The digest of the lock that this version grows from.
    #[serde(default)]
    pub base: Option<Digest>,
    /// Every step by its name in the workflow.
    pub steps: BTreeMap<String, LockedStep>,
    /// Every unit.
    pub units: BTreeMap<UnitId, LockedUnit>,
    /// What corpus stages ruled on each unit, by step.
    #[serde(rename = "rulings")]
    pub ruled: BTreeMap<String, BTreeMap<UnitId, Value>>,
    /// The decisions of people that found no item, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lapsed: Vec<Lapsed>,
    /// The published configs, and the step whose rows each holds.
    #[serde(default)]
    pub configs: BTreeMap<String, String>,
    /// What is said about the dataset as a whole.
    #[serde(default)]
    pub publish: Option<Publish>,
}

/// A step of a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedStep {
    /// Its kind.
    pub kind: String,
    /// The kind's version.
    pub version: u32,
    /// The record that it makes.
    pub record: String,
    /// The steps it reads from.
    pub reads: Vec<String>,
    /// The steps whose rows of other units it reads, by the corpus stage that says of which units.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub partners: BTreeMap<String, Vec<String>>,
    /// Its options; files appear as digests.
    pub options: Value,
    /// The digest of the rows of each unit.
    pub rows: BTreeMap<UnitId, Digest>,
    /// The texts that come with it, such as prompts, and the files that its options name.
    #[serde(default)]
    pub texts: Vec<Digest>,
    /// The models that it asks.
    #[serde(default)]
    pub models: BTreeMap<String, LockedModel>,
    /// A digest over the answers that the rows of each unit were made from; units that asked only.
    pub answers: BTreeMap<UnitId, Digest>,
    /// A digest over what people decided for each unit; units with decisions only.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub decisions: BTreeMap<UnitId, Digest>,
    /// How many answers these are.
    #[serde(default)]
    pub asked: BTreeMap<UnitId, u64>,
    /// How much of that was asked of each model, by its name, for each unit.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub exchanged: BTreeMap<String, BTreeMap<UnitId, AskTotals>>,
    /// How many items and units were rejected, by reason.
    pub rejects: BTreeMap<String, u64>,
    /// How many items and units were left out on purpose, by reason.
    #[serde(default)]
    pub left_out: BTreeMap<String, u64>,
}

/// A model of a lock. Where it is and who may ask it stay out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedModel {
    /// Its id: `model_id` of the workflow, else `model`.
    pub id: String,
    /// A digest over all that a request to it holds beside the stage's own words.
    pub digest: Digest,
    /// What of that the endpoint refused, of any request: the name that it was sent under instead; none: it was left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: Changes,
}

/// A unit of a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedUnit {
    /// The source.
    pub source: String,
    /// The digest of what its rows are made from.
    pub digest: Digest,
    /// The dataset version in which it first appeared.
    pub joined: String,
}

impl Lock {
    /// The lock of a run that is whole.
    pub(crate) fn of(
        engine: &Engine<'_>,
        rejects: &[StepReject],
        left_out: &[StepReject],
        lapsed: &[Lapsed],
    ) -> Result<Self, Fault> {
        let workflow = engine.workflow;
        let (mut steps, mut ruled) = (BTreeMap::new(), BTreeMap::new());
        for step in &workflow.steps {
            let parts = engine.state.parts(&step.name);
            if let StepKind::Corpus(corpus_stage) = &step.kind {
                let rows = parts
                    .iter()
                    .map(|part| {
                        Ok((part.unit.clone(), engine.ruled_json(corpus_stage.as_ref(), part)?))
                    })
                    .collect::<Result<BTreeMap<_, _>, Fault>>()?;
                ruled.insert(step.name.clone(), rows);
            }
            steps
                .insert(step.name.clone(), LockedStep::of(engine, step, parts, rejects, left_out)?);
        }
        let units = engine.units.iter().flat_map(|(source, units)| {
            units.iter().map(|(unit, listed)| {
                let joined = engine
                    .base
                    .as_ref()
                    .and_then(|base| base.units.get(unit))
                    .map(|unit| unit.joined.clone());
                let joined = joined.unwrap_or_else(|| workflow.version.clone());
                (unit.clone(), LockedUnit { source: source.clone(), digest: listed.digest, joined })
            })
        });
        Ok(Self {
            format: FORMAT,
            name: workflow.name.clone(),
            version: workflow.version.clone(),
            seed: workflow.seed,
            base: engine.base.as_ref().map(|base| Digest::of(base.to_text().as_bytes())),
            steps,
            units: units.collect(),
            ruled,
            lapsed: lapsed.to_vec(),
            configs: workflow.configs.iter().map(|c| (c.name.clone(), c.from.clone())).collect(),
            publish: Some(workflow.publish.clone()),
        })
    }

    /// The lock as it is written to a file.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a lock is plain data");
        text.push('\n');
        text
    }

    /// Reads a lock.
    ///
    /// # Errors
    ///
    /// No such file, not a lock, or a lock by a newer version.
    pub fn read(path: &Path) -> Result<Self, Fault> {
        let bytes = storymill_disk::read(path, most::RECORD)
            .map_err(|error| Fault::io("cannot read the lock", path, error).input())?;
        Self::parse(&bytes).map_err(|fault| fault.at(path))
    }

    /// Reads a lock from its bytes.
    ///
    /// # Errors
    ///
    /// Not a lock, or a lock by a newer version.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
        }
        let head: Result<Head, _> = serde_json::from_slice(bytes);
        if let Ok(Head { format }) = head
            && format > FORMAT
        {
            let message = format!(
                "this lock was written by a newer storymill (format {format}; this one knows {FORMAT})"
            );
            return Err(Fault::new(FaultKind::Lock, message).hint("use the newer storymill"));
        }
        serde_json::from_slice(bytes).map_err(|error| {
            let message = format!("not a lock, at line {} column {}", error.line(), error.column());
            Fault::new(FaultKind::Lock, message).because(error)
        })
    }

    /// The models that were asked for records of some kinds which a published config was made from, by the names that
    /// providers have for them, sorted.
    pub fn models_behind(&self, config: &str, records: &[&str]) -> Vec<String> {
        let steps = self.steps_behind(config).into_iter().filter_map(|name| self.steps.get(name));
        let asked = steps.filter(|step| {
            records.contains(&step.record.as_str()) && step.asked.values().any(|count| *count > 0)
        });
        let models: BTreeSet<String> =
            asked.flat_map(|step| step.models.values()).map(|model| model.id.clone()).collect();
        models.into_iter().filter(|id| !id.is_empty()).collect()
    }

    /// The steps that a published config was made by, with those of other units, the nearest first.
    pub fn steps_behind(&self, config: &str) -> Vec<&str> {
        let mut steps: Vec<&str> =
            self.configs.get(config).map(String::as_str).into_iter().collect();
        let mut seen = 0;
        while let Some(name) = steps.get(seen) {
            if let Some(step) = self.steps.get(*name) {
                for name in step.reads.iter().chain(step.partners.values().flatten()) {
                    if !steps.contains(&name.as_str()) {
                        steps.push(name);
                    }
                }
            }
            seen += 1;
        }
        steps
    }

    /// The published configs that the rows of one were made from, itself among them, the nearest first.
    pub fn configs_behind(&self, config: &str) -> Vec<String> {
        let mut steps: Vec<&str> =
            self.configs.get(config).map(String::as_str).into_iter().collect();
        let mut seen = 0;
        while let Some(step) = steps.get(seen).and_then(|name| self.steps.get(*name)) {
            for name in &step.reads {
                if !steps.contains(&name.as_str()) {
                    steps.push(name);
                }
            }
            seen += 1;
        }
        let published = steps.into_iter().flat_map(|step| {
            self.configs.iter().filter(move |(_, from)| *from == step).map(|(name, _)| name.clone())
        });
        published.collect()
    }

    /// Groups of units that belong together, books of one author say, and stand in more than one
    /// split: the group, its splits, its units. Only what was ruled by group says so.
    pub fn groups_across_splits(&self) -> Vec<(String, Vec<String>, Vec<UnitId>)> {
        let corpus_stage = self.publish.as_ref().and_then(|publish| publish.split.as_ref());
        let ruled = corpus_stage.and_then(|name| self.ruled.get(name)).into_iter().flatten();
        let mut groups: BTreeMap<&str, (BTreeSet<&str>, Vec<UnitId>)> = BTreeMap::new();
        for (unit, said) in ruled {
            if let (Some(group), Some(split)) = (said["group"].as_str(), said["split"].as_str()) {
                let (splits, units) = groups.entry(group).or_default();
                splits.insert(split);
                units.push(unit.clone());
            }
        }
        let torn = groups.into_iter().filter(|(_, (splits, _))| splits.len() > 1);
        torn.map(|(group, (splits, units))| {
            (group.to_owned(), splits.into_iter().map(str::to_owned).collect(), units)
        })
        .collect()
    }

    /// Whether any corpus stage of this kind ruled.
    pub(crate) fn has_ruled(&self, kind: &str) -> bool {
        self.ruled.keys().any(|name| self.steps.get(name).is_some_and(|step| step.kind == kind))
    }

    /// What a corpus stage ruled, by its name, else what was ruled by that of the only step of its kind.
    pub(crate) fn ruled_by(&self, name: &str, kind: &str) -> Option<&BTreeMap<UnitId, Value>> {
        let same_kind = |name: &String| self.steps.get(name).is_some_and(|step| step.kind == kind);
        if let Some(ruled) = self.ruled.get(name)
            && same_kind(&name.to_owned())
        {
            return Some(ruled);
        }
        let mut others = self.ruled.iter().filter(|(name, _)| same_kind(name));
        match (others.next(), others.next()) {
            (Some((_, ruled)), None) => Some(ruled),
            _ => None,
        }
    }
}

impl LockedStep {
    fn of(
        engine: &Engine<'_>,
        step: &Step,
        parts: Vec<PartRef>,
        rejects: &[StepReject],
        left_out: &[StepReject],
    ) -> Result<Self, Fault> {
        let counts = |of: &[StepReject]| {
            let mut counts = BTreeMap::new();
            for one in of.iter().filter(|one| one.step == step.name) {
                *counts.entry(one.reject.reason.code.to_string()).or_default() += 1;
            }
            counts
        };
        let answers = engine.state.answers(&step.name);
        let asked = answers.iter().map(|(unit, one)| (unit.clone(), one.read)).collect();
        let mut exchanged: BTreeMap<String, BTreeMap<UnitId, AskTotals>> = BTreeMap::new();
        for (unit, one) in &answers {
            for (model, counts) in &one.exchanged {
                exchanged.entry(model.clone()).or_default().insert(unit.clone(), *counts);
            }
        }
        let models = engine.family(step)?.models().iter().map(|(name, digest)| {
            let said = |key: &str| engine.workflow.models.get(name)?[key].as_str();
            let id = said("model_id").or_else(|| said("model")).unwrap_or_default().to_owned();
            let changes = answers.values().filter_map(|one| one.changes.get(name));
            let changes = changes.flatten().map(|(field, name)| (field.clone(), name.clone()));
            (name.clone(), LockedModel { id, digest: *digest, changes: changes.collect() })
        });
        let (own, near): (Vec<_>, Vec<_>) =
            step.edges().into_iter().partition(|edge| edge.by.is_none());
        let mut partners: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for edge in near {
            partners.entry(edge.by.unwrap_or_default()).or_default().push(edge.step);
        }
        Ok(Self {
            kind: step.kind().to_owned(),
            version: step.version(),
            record: step.record().to_owned(),
            reads: own.into_iter().map(|edge| edge.step).collect(),
            partners,
            options: serde_json::from_str(&step.options()).unwrap_or(Value::Null),
            rows: parts.into_iter().map(|part| (part.unit, part.digest)).collect(),
            texts: step.text_digests(),
            models: models.collect(),
            answers: answers.into_iter().map(|(unit, one)| (unit, one.digest)).collect(),
            decisions: engine.state.decisions(&step.name),
            asked,
            exchanged,
            rejects: counts(rejects),
            left_out: counts(left_out),
        })
    }
}

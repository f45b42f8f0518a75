//! A workflow as jobs, for whatever runs them on many machines: what one command does, in which order, with how
//! many shards, and what it needs.

use std::collections::BTreeSet;

use serde::Serialize;
use storymill_core::UnitId;

use crate::{Shard, Step, Workflow, engine::Engine};

/// Neighbouring steps that one command does: unit by unit in shards, or a corpus stage once.
///
/// A job begins when those before it are done. Its shards need nothing of each other.
#[derive(Clone, Debug, Serialize)]
pub struct Job {
    /// Counted from 1.
    pub number: usize,
    /// Its steps, by name.
    pub steps: Vec<String>,
    /// Whether it is done shard by shard or all at once.
    pub of: Of,
    /// How many units it works on.
    pub units: usize,
    /// How many of them have something left to be made.
    pub run: usize,
    /// The shards, if it is done in shards.
    pub shards: Vec<JobShard>,
    /// What it needs.
    pub wants: Wants,
}

/// How a job is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Of {
    /// Unit by unit, in shards.
    Units,
    /// All units at once: a corpus stage rules.
    Corpus,
}

/// A shard of a job.
#[derive(Clone, Debug, Serialize)]
pub struct JobShard {
    /// `2/5`.
    pub shard: String,
    /// How many units it holds.
    pub units: usize,
    /// How many of them have something left to be made.
    pub run: usize,
}

/// What a job needs, for a shard of it. Advice for a scheduler, and no limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wants {
    /// CPU cores. What waits for models needs a quarter of one.
    pub cpus: f64,
    /// MiB of memory.
    pub memory_mib: u64,
    /// The models of the workflow that are asked, by name.
    pub models: Vec<String>,
    /// The models that come with the program and answer where it runs: taggers.
    pub taggers: Vec<String>,
}

/// Units of a shard that a plan takes where nobody says how many shards there are.
const UNITS_OF_A_SHARD: usize = 20;
/// The most elements of one array job, as Slurm comes.
const MOST_SHARDS: usize = 1000;

/// The jobs of a workflow in order, with what is left of each. The engine knows what is there.
pub(crate) fn jobs(engine: &Engine<'_>, shards: Option<u32>) -> Vec<Job> {
    let groups = groups(engine.workflow);
    groups.into_iter().zip(1..).map(|(steps, number)| job(engine, &steps, number, shards)).collect()
}

/// Neighbours that need the same, up to a corpus stage or to what reads rows of other units.
fn groups(workflow: &Workflow) -> Vec<Vec<&Step>> {
    let mut groups: Vec<Vec<&Step>> = Vec::new();
    for step in &workflow.steps {
        let joins = |group: &Vec<&Step>| {
            let first = group[0];
            !first.is_corpus_stage() && first.models() == step.models()
        };
        let alone = step.is_corpus_stage() || step.reads_partners();
        match groups.last_mut() {
            Some(group) if !alone && joins(group) => group.push(step),
            _ => groups.push(vec![step]),
        }
    }
    groups
}

fn job(engine: &Engine<'_>, steps: &[&Step], number: usize, shards: Option<u32>) -> Job {
    let names = steps.iter().map(|step| step.name.clone()).collect();
    let units: BTreeSet<&UnitId> = steps.iter().flat_map(|step| engine.units_of(step)).collect();
    let left: BTreeSet<UnitId> =
        steps.iter().flat_map(|step| engine.state.waiting(&step.name)).collect();
    let (mut of, mut rows) = (Of::Units, Vec::new());
    if steps[0].is_corpus_stage() {
        of = Of::Corpus;
    } else {
        let some = units.len().div_ceil(UNITS_OF_A_SHARD).clamp(1, MOST_SHARDS);
        let count = shards.unwrap_or(u32::try_from(some).unwrap_or(1));
        rows = shard_rows(count, &units, &left);
    }
    let wants = wants(engine.workflow, steps, units.len());
    Job { number, steps: names, of, units: units.len(), run: left.len(), shards: rows, wants }
}

/// The shards of a job, with what each has of the units.
fn shard_rows(count: u32, units: &BTreeSet<&UnitId>, left: &BTreeSet<UnitId>) -> Vec<JobShard> {
    let row = |at| JobShard { shard: Shard::new(at, count).to_string(), units: 0, run: 0 };
    let mut rows: Vec<_> = (1..=count).map(row).collect();
    for unit in units {
        let row = &mut rows[Shard::of(unit, count).index() as usize - 1];
        row.units += 1;
        row.run += usize::from(left.contains(*unit));
    }
    rows
}

fn wants(workflow: &Workflow, steps: &[&Step], units: usize) -> Wants {
    let asked: BTreeSet<String> = steps.iter().flat_map(|step| step.models()).collect();
    let (models, taggers): (Vec<_>, Vec<_>) =
        asked.into_iter().partition(|model| workflow.models.contains_key(model));
    let cpus = if models.is_empty() { 1.0 } else { 0.25 };
    // A wave of requests is 64 MiB; a corpus stage has a fact of at most 4 kB of each unit, and rows of it.
    let more = match () {
        () if steps[0].is_corpus_stage() => units as u64 / 64,
        () if !models.is_empty() || !taggers.is_empty() => 512,
        () => 0,
    };
    Wants { cpus, memory_mib: 512 + more, models, taggers }
}

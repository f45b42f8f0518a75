//! Plans: what is there, what will run, and why. Nothing is made and nothing is written, unless a
//! [`Visitor`] wants to hear what models would be asked.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;
use storymill_core::{
    Asked, Asker, Digest, Fault, Judged, PartRef, Reason, SourceUnit, Trace, UnitId,
};

use crate::{
    Events, Job, Step, StepKind, Store, Workflow,
    decided::{Lapsed, Outlook, Undecided},
    engine::{CorpusStep, Engine, FactOf, Look, Work},
    jobs::jobs,
    reckon::{Estimate, Reckoner},
    run_state::Cell,
    store::{KeyParts, Made},
};

/// What a run would do now.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// One row for each step, in the order of the workflow.
    pub steps: Vec<PlanRow>,
    /// The decisions of people that will find no item: what they were made on has changed.
    pub lapsed: Vec<Lapsed>,
    /// Those of which this shows only when their units are made.
    pub unsure: Vec<Lapsed>,
    /// How many of the items that are known are open, and how many disputed.
    pub undecided: Undecided,
    /// What is asked in all, where a [`Visitor`] hears of requests: of each step that asks.
    pub estimates: Vec<Estimate>,
}

/// What a run would do about one step.
#[derive(Clone, Debug, Serialize)]
pub struct PlanRow {
    /// The step's name.
    pub step: String,
    /// Its kind.
    pub kind: String,
    /// Its units.
    pub units: usize,
    /// Units whose rows are there.
    pub current: usize,
    /// Units that will be made. Where an input is still to be made this is an upper bound: if the
    /// input turns out the same, the unit is not made again.
    pub run: usize,
    /// Units without rows, because they were rejected here or before.
    pub rejected: usize,
    /// Why units will be made: each reason with how many units and one of them.
    pub why: Vec<Why>,
}

/// A reason, for some units.
#[derive(Clone, Debug, Serialize)]
pub struct Why {
    /// The reason.
    pub reason: String,
    /// How many units it holds for.
    pub units: usize,
    /// The first of them.
    pub example: UnitId,
}

/// Hears of what a plan comes across, beside its rows.
pub trait Visitor {
    /// Whether stages that ask shall be run as far as they get without asking, to hear what they
    /// would ask. Whatever can be made without asking is then made and kept, as a run would, so the
    /// store must be open for a run.
    const ASKS: bool = false;

    /// What a stage would ask next for a unit. Later questions may depend on these answers.
    fn asks(&mut self, _step: &Step, _wave: Vec<Asked>) {}

    /// What is there of a step for a unit: its part, none if the unit was rejected or left out, and
    /// the trace of making it.
    fn found(&mut self, _step: &Step, _unit: &UnitId, _part: Option<PartRef>, _trace: &Trace) {}

    /// A unit that a source lists.
    fn listed(&mut self, _unit: &SourceUnit) {}

    /// Why a step made nothing of a unit, and whether that is on purpose.
    fn stopped(&mut self, _step: &Step, _unit: &UnitId, _reason: &Reason, _on_purpose: bool) {}
}

/// Nobody hears.
impl Visitor for () {}

/// Looks at what a run would do.
pub fn plan<V: Visitor>(
    workflow: &Workflow,
    store: &Store,
    asker: &dyn Asker,
    events: &dyn Events,
    visitor: &mut V,
) -> Result<Plan, Fault> {
    let engine = Engine::new(workflow, store, asker, events)?;
    rows(&engine, visitor)
}

/// The same, with what is left as jobs of so many shards each; without a number, of a few units a shard.
///
/// # Errors
///
/// As of [`plan`].
pub fn plan_jobs(
    workflow: &Workflow,
    store: &Store,
    asker: &dyn Asker,
    events: &dyn Events,
    shards: Option<u32>,
) -> Result<(Plan, Vec<Job>), Fault> {
    let engine = Engine::new(workflow, store, asker, events)?;
    let plan = rows(&engine, &mut ())?;
    Ok((plan, jobs(&engine, shards)))
}

fn rows<V: Visitor>(engine: &Engine<'_>, visitor: &mut V) -> Result<Plan, Fault> {
    let mut expected = Expected::default();
    let mut steps = Vec::new();
    for step in &engine.workflow.steps {
        steps.push(row(engine, step, visitor, &mut expected)?);
    }
    let (lapsed, unsure) = expected.outlook.told(engine.decisions());
    let undecided = expected.outlook.undecided(engine.decisions());
    Ok(Plan { steps, lapsed, unsure, undecided, estimates: expected.reckoner.estimates() })
}

/// The answers that a step held against its checks for a unit, found by running it again on what is there; nothing
/// is kept, and what is not in the log is not asked. None where the step cannot be run on what is there.
///
/// # Errors
///
/// As of [`plan`].
pub fn judged(
    workflow: &Workflow,
    store: &Store,
    asker: &dyn Asker,
    step: &str,
    unit: &UnitId,
) -> Result<Vec<Judged>, Fault> {
    let engine = Engine::new(workflow, store, asker, &())?;
    let mut expected = Expected::default();
    for one in &workflow.steps {
        if one.name == step {
            return engine.judged(one, unit);
        }
        row(&engine, one, &mut (), &mut expected)?;
    }
    Ok(Vec::new())
}

/// What a plan tells beside its rows: of people's decisions, and of requests.
#[derive(Default)]
struct Expected {
    outlook: Outlook,
    reckoner: Reckoner,
}

fn row<V: Visitor>(
    engine: &Engine<'_>,
    step: &Step,
    visitor: &mut V,
    expected: &mut Expected,
) -> Result<PlanRow, Fault> {
    let mut row = Draft::default();
    expected.reckoner.step(engine, step);
    match &step.kind {
        StepKind::Corpus(_) => row.corpus_stage(engine, step, visitor)?,
        kind => {
            for unit in engine.units_of(step) {
                if let (StepKind::Source(_), Some(listed)) =
                    (kind, engine.units[&step.source].get(unit))
                {
                    visitor.listed(listed);
                }
                row.unit(engine, step, unit, visitor, expected)?;
            }
        }
    }
    let mut why: Vec<Why> = row
        .why
        .into_iter()
        .map(|(reason, (units, example))| Why { reason, units, example })
        .collect();
    why.sort_by(|a, b| b.units.cmp(&a.units).then(a.reason.cmp(&b.reason)));
    Ok(PlanRow {
        step: step.name.clone(),
        kind: step.kind().to_owned(),
        units: engine.units_of(step).count(),
        current: row.current,
        run: row.run,
        rejected: row.rejected,
        why,
    })
}

#[derive(Default)]
struct Draft {
    current: usize,
    run: usize,
    rejected: usize,
    why: BTreeMap<String, (usize, UnitId)>,
}

impl Draft {
    fn unit<V: Visitor>(
        &mut self,
        engine: &Engine<'_>,
        step: &Step,
        unit: &UnitId,
        visitor: &mut V,
        expected: &mut Expected,
    ) -> Result<(), Fault> {
        match engine.look(step, unit)? {
            Look::Current(marker) => {
                expected.outlook.found(&marker.trace);
                visitor.found(step, unit, marker.part(unit), &marker.trace);
                match &marker.made {
                    Made::Rejected(reason) => visitor.stopped(step, unit, reason, false),
                    Made::LeftOut(reason) => visitor.stopped(step, unit, reason, true),
                    Made::Rows(..) | Made::Unkept(..) => {}
                }
                expected.reckoner.found(&marker.trace);
                if matches!(marker.made, Made::Rejected(_) | Made::LeftOut(_)) {
                    self.rejected += 1;
                } else {
                    self.current += 1;
                }
                engine.note(step, unit, &marker);
            }
            Look::Blocked => {
                self.rejected += 1;
                engine.state.set(&step.name, unit, Cell::Rejected);
            }
            Look::Pending(input) => {
                expected.outlook.due(engine.followed(step.kind(), unit)?, None);
                self.stale(engine, step, unit, format!("`{input}` runs"));
                if V::ASKS {
                    expected.reckoner.pends(engine, step, unit)?;
                }
            }
            Look::Stale(from, found) => {
                let reason = reason(engine, step, unit, &from)?;
                self.stale(engine, step, unit, reason);
                let followed = engine.followed(step.kind(), unit)?;
                let items = (!followed.is_empty()).then(|| engine.items(step, unit, &found));
                expected.outlook.due(followed, items.flatten());
                if V::ASKS {
                    match engine.make(step, unit, *from, &found)? {
                        Work::Made(marker, _) => {
                            expected.reckoner.found(&marker.trace);
                            engine.note(step, unit, &marker);
                        }
                        Work::Waiting { asked, trace, .. } => {
                            expected.reckoner.waits(engine, step, unit, (&asked, &trace))?;
                            visitor.asks(step, asked);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn stale(&mut self, engine: &Engine<'_>, step: &Step, unit: &UnitId, reason: String) {
        self.run += 1;
        self.why.entry(reason).or_insert((0, unit.clone())).0 += 1;
        engine.state.set(&step.name, unit, Cell::Pending);
    }

    fn corpus_stage<V: Visitor>(
        &mut self,
        engine: &Engine<'_>,
        step: &Step,
        visitor: &mut V,
    ) -> Result<(), Fault> {
        let corpus = CorpusStep::of(step).expect("the caller looked");
        let (mut known, mut pending) = (BTreeMap::<UnitId, Digest>::new(), false);
        for unit in engine.units_of(step) {
            match engine.fact(corpus, unit, V::ASKS)? {
                FactOf::Some(fact) => {
                    known.insert(unit.clone(), fact);
                }
                FactOf::Pending => pending = true,
                fact => {
                    if let FactOf::Rejected(reason) = fact {
                        visitor.stopped(step, unit, &reason, false);
                    }
                    self.rejected += 1;
                    engine.state.set(&step.name, unit, Cell::Rejected);
                }
            }
        }
        let before = engine.before(corpus)?;
        let from = engine.corpus_key(corpus, &known, &before)?;
        let found = if pending { None } else { engine.look_corpus(corpus, &from, known.keys())? };
        if let Some(markers) = found {
            self.current += markers.len();
            for (unit, marker) in &markers {
                engine.note(step, unit, marker);
            }
            return Ok(());
        }
        let units: Vec<_> = engine
            .units_of(step)
            .filter(|unit| engine.state.get(&step.name, unit).is_none())
            .collect();
        for unit in units {
            let reason = if pending {
                "metadata of a book will be rebuilt".to_owned()
            } else {
                reason(engine, step, unit, &from)?
            };
            self.stale(engine, step, unit, reason);
        }
        if V::ASKS && !pending {
            let ruled = engine.rule(corpus, &from, &known, &before)?;
            for (unit, marker) in &ruled {
                engine.note(step, unit, marker);
            }
        }
        Ok(())
    }
}

/// What differs from the most similar thing that was made before, by this step and no other of its kind.
fn reason(
    engine: &Engine<'_>,
    step: &Step,
    unit: &UnitId,
    from: &KeyParts,
) -> Result<String, Fault> {
    let others = engine.workflow.steps.iter().filter(|other| other.kind() == step.kind());
    let others: BTreeSet<String> =
        others.map(Step::options).filter(|options| *options != from.options).collect();
    let before = engine.store.markers(&from.kind, unit)?;
    let model = model_of(&from.options);
    let nearest = before
        .iter()
        .filter(|marker| !others.contains(&marker.from.options))
        .map(|marker| {
            (model_of(&marker.from.options) != model, differences(step, &marker.from, from))
        })
        .min_by_key(|(asks_another, differences)| (*asks_another, differences.len()));
    Ok(match nearest {
        None => "new".to_owned(),
        // All else that differs from what another model was asked tells nothing.
        Some((true, _)) => match model.as_ref().and_then(Value::as_str) {
            Some(model) => format!("model `{model}` was not asked before"),
            None => "it asks no model any more".to_owned(),
        },
        Some((false, differences)) if differences.is_empty() => {
            "its rows or an answer it read are gone or changed".to_owned()
        }
        Some((false, differences)) => differences.join(", "),
    })
}

fn differences(step: &Step, was: &KeyParts, is: &KeyParts) -> Vec<String> {
    let mut differences = Vec::new();
    if was.version != is.version {
        differences
            .push(format!("`{}` is now version {} (was {})", is.kind, is.version, was.version));
    }
    if was.record != is.record {
        differences
            .push(format!("the form of its rows is now `{}` (was `{}`)", is.record, was.record));
    }
    if was.options != is.options {
        differences.extend(options_differ(&was.options, &is.options));
    }
    if was.embedded != is.embedded {
        differences.push(format!("a text that comes with `{}` changed", is.kind));
    }
    for (model, digest) in &is.models {
        if was.models.get(model) != Some(digest) {
            differences.push(format!("what model `{model}` is sent changed"));
        }
    }
    if was.pilot.is_some() && is.pilot.is_none() {
        differences.push("a pilot made some of it".to_owned());
    }
    if was.seed != is.seed {
        differences.push(format!("seed is now {} (was {})", is.seed, was.seed));
    }
    if was.inputs.len() != is.inputs.len() {
        differences.push("it reads from other steps".to_owned());
    }
    let edges = step.edges();
    for (at, (was, is)) in was.inputs.iter().zip(&is.inputs).enumerate() {
        if was != is {
            differences.push(match (&step.kind, edges.get(at)) {
                (StepKind::Corpus(_), _) if at == 1 => "the base lock changed".to_owned(),
                (StepKind::Corpus(_), _) => "books were added, removed or changed".to_owned(),
                (_, Some(edge)) => format!("input `{}` changed", edge.step),
                (_, None) => {
                    "its file, its row in the catalog or what was chosen of it changed".to_owned()
                }
            });
        }
    }
    differences
}

fn parsed(options: &str) -> serde_json::Map<String, Value> {
    serde_json::from_str(options).unwrap_or_default()
}

/// The model that a stage with these options asks.
fn model_of(options: &str) -> Option<Value> {
    parsed(options).remove("model").filter(Value::is_string)
}

fn options_differ(was: &str, is: &str) -> Vec<String> {
    let (was, is) = (parsed(was), parsed(is));
    let mut keys: Vec<_> = was.keys().chain(is.keys()).collect();
    keys.sort();
    keys.dedup();
    let show = |value: Option<&Value>| value.map_or("absent".to_owned(), Value::to_string);
    keys.into_iter()
        .filter(|key| was.get(*key) != is.get(*key))
        .map(|key| {
            format!("option `{key}` is now {} (was {})", show(is.get(key)), show(was.get(key)))
        })
        .collect()
}

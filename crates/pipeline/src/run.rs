//! Running a workflow: unit by unit between corpus stages, wave by wave where a model is asked.
//!
//! Memory is bounded by the units in flight (one for each thread) and by the size of a wave.
//! Nothing here depends on the order in which units finish.

mod ruling;
mod waves;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use storymill_core::{Answer, Asked, Asker, Fault, FaultKind, RequestKey, Round, UnitId, plural};

use crate::{
    Event, Events, Lock, Missing, Shard, Step, Store, Workflow,
    decided::{Undecided, lapsed},
    engine::Engine,
    judging::Judging,
    meter::Meter,
    only::{Only, Role},
    outcome::{Finished, Outcome, StepReject, StepReport, StepReview},
    pilot,
    run_state::Cell,
};

/// How to run.
#[derive(Debug)]
pub struct RunOptions<'a> {
    /// Threads for CPU work; 0 for as many as there are cores.
    pub threads: usize,
    /// The shard to work on; none for all units.
    pub shard: Option<Shard>,
    /// Set by somebody else to stop the run after what is being written.
    pub stop: &'a AtomicBool,
}

/// An asker for workflows that ask nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoModel;

impl Asker for NoModel {
    fn get(&self, _: &RequestKey) -> Result<Option<Answer>, Fault> {
        Ok(None)
    }

    fn ask(&self, wave: &[Asked]) -> Result<(), Fault> {
        let message = format!(
            "{} for a model, and the workflow names none",
            plural(wave.len() as u64, "request")
        );
        Err(Fault::new(FaultKind::Model, message))
    }
}

/// Runs a workflow as far as it goes.
///
/// # Errors
///
/// The first fault; what was made before it is kept. A stop that was asked for is a fault of kind
/// `Interrupted`.
pub fn run<'a>(
    workflow: &'a Workflow,
    store: &'a Store,
    asker: &'a dyn Asker,
    events: &dyn Events,
    options: &RunOptions<'_>,
) -> Result<Finished<'a>, Fault> {
    start(workflow, store, asker, events, options, &What::All)
}

/// Runs some steps only, or none, to see whether all of it is there. What they read has to be there: where
/// something of it is not, nothing is made, and the outcome names it. Of a shard only its units count, unless rows
/// of others are read.
///
/// # Errors
///
/// As of [`run`].
pub fn run_steps<'a>(
    workflow: &'a Workflow,
    store: &'a Store,
    asker: &'a dyn Asker,
    events: &dyn Events,
    options: &RunOptions<'_>,
    steps: &BTreeSet<String>,
) -> Result<Finished<'a>, Fault> {
    start(workflow, store, asker, events, options, &What::Steps(steps))
}

/// Runs a workflow over so many scenes, chosen by its seed and spread over the units of all sources whose
/// scenes a model is asked about. What it asks about a scene is what a run over all would ask; a stage that
/// retells retellings gets those of the chosen scenes alone, so what it asks, and what is asked about what it
/// makes, is the pilot's own. What needs no model is made of every unit.
///
/// # Errors
///
/// As of [`run`]; or no model is asked about scenes.
pub fn run_pilot<'a>(
    workflow: &'a Workflow,
    store: &'a Store,
    asker: &'a dyn Asker,
    events: &dyn Events,
    options: &RunOptions<'_>,
    scenes: u32,
) -> Result<Finished<'a>, Fault> {
    start(workflow, store, asker, events, options, &What::Scenes(scenes))
}

/// What of a workflow is run.
enum What<'s> {
    All,
    /// A pilot of so many scenes.
    Scenes(u32),
    /// These steps; none to look at all of them.
    Steps(&'s BTreeSet<String>),
}

fn start<'a>(
    workflow: &'a Workflow,
    store: &'a Store,
    asker: &'a dyn Asker,
    events: &dyn Events,
    options: &RunOptions<'_>,
    what: &What<'_>,
) -> Result<Finished<'a>, Fault> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| Fault::new(FaultKind::Internal, "cannot start threads").because(error))?;
    pool.install(|| {
        events.emit(Event::RunStarted {
            version: crate::events::VERSION,
            workflow: workflow.name.clone(),
            dataset_version: workflow.version.clone(),
        });
        let mut engine = Engine::new(workflow, store, asker, events)?;
        // A pilot's keys are its own, and a shard knows too little.
        engine.keeps_indexes = options.shard.is_none() && !matches!(what, What::Scenes(_));
        let tallies =
            workflow.steps.iter().map(|step| (step.name.clone(), Tally::default())).collect();
        let judging = Judging::new(workflow);
        let only = match what {
            What::Steps(steps) if steps.is_empty() => Some(Only::looking(workflow)),
            What::Steps(steps) => Some(Only::new(workflow, steps)),
            _ => None,
        };
        let (looks, missing) = (false, Mutex::default());
        let meter = Meter::default();
        let mut run =
            Run { engine, tallies, meter, judging, events, options, only, looks, missing };
        match what {
            What::Scenes(scenes) => run.pilot(*scenes)?,
            _ => run.all()?,
        }
        run.outcome()
    })
}

/// What is counted while a step runs.
#[derive(Default)]
struct Tally {
    current: AtomicU64,
    made: AtomicU64,
    answers: AtomicU64,
    rounds: Mutex<Vec<Round>>,
    /// Nanoseconds that its requests were waited for.
    asking: AtomicU64,
    asides: Mutex<Asides>,
}

/// What is told of a step beside its rows.
#[derive(Default)]
struct Asides {
    rejects: Vec<StepReject>,
    left_out: Vec<StepReject>,
    reviews: Vec<StepReview>,
}

impl Tally {
    fn asides(&self) -> MutexGuard<'_, Asides> {
        self.asides.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Run<'a, 'r> {
    engine: Engine<'a>,
    tallies: BTreeMap<String, Tally>,
    meter: Meter,
    judging: Judging<'a>,
    events: &'r dyn Events,
    options: &'r RunOptions<'r>,
    /// The steps that are run, where that is not all of them.
    only: Option<Only>,
    /// Whether nothing is made yet: it is looked whether all is there that these steps read.
    looks: bool,
    missing: Mutex<BTreeSet<Missing>>,
}

/// What a run does that does all steps.
const ALL: Role = Role { makes: true, all: true };

impl<'a> Run<'a, '_> {
    /// All steps, or those that are wanted if all is there that they read.
    fn all(&mut self) -> Result<(), Fault> {
        let steps: Vec<&Step> = self.engine.workflow.steps.iter().collect();
        if self.only.is_some() {
            self.looks = true;
            self.steps(&steps)?;
            self.looks = false;
            if !self.missing().is_empty() {
                return Ok(());
            }
        }
        self.steps(&steps)
    }

    /// First the steps that need no model, by whose rows a pilot chooses; then the others.
    fn pilot(&mut self, scenes: u32) -> Result<(), Fault> {
        let workflow = self.engine.workflow;
        let of = pilot::scenes(workflow)?;
        let (first, rest) = pilot::parted(workflow);
        self.steps(&first)?;
        let chosen = pilot::choose(&self.engine, &of, scenes)?;
        let (scenes, units) = chosen.counts();
        self.events.emit(Event::Chosen { scenes, units });
        self.engine.pilot = Some(chosen);
        self.steps(&rest)
    }

    fn steps(&self, steps: &[&'a Step]) -> Result<(), Fault> {
        let mut group: Vec<&Step> = Vec::new();
        for step in steps.iter().copied().filter(|step| self.role(step).is_some()) {
            if step.is_corpus_stage() || step.reads_partners() {
                self.units(&std::mem::take(&mut group))?;
            }
            if step.is_corpus_stage() {
                self.corpus(step)?;
            } else {
                group.push(step);
            }
        }
        self.units(&group)
    }

    /// What is done about a step now; none if nothing is.
    fn role(&self, step: &Step) -> Option<Role> {
        let Some(only) = &self.only else { return Some(ALL) };
        only.role(step).filter(|role| !(self.looks && role.makes && !role.all)).map(|role| {
            // What is made for the units of this shard is only looked at for the others.
            Role { makes: role.makes && !self.looks, ..role }
        })
    }

    fn missing(&self) -> MutexGuard<'_, BTreeSet<Missing>> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn holds(&self, unit: &UnitId) -> bool {
        self.options.shard.is_none_or(|shard| shard.holds(unit.as_str()))
    }

    /// Notes that somebody else has to make a step for a unit.
    fn misses(&self, step: &Step, unit: &UnitId) {
        self.engine.state.set(&step.name, unit, Cell::Pending);
        if self.only.is_some() {
            let missing = Missing { step: step.name.clone(), unit: Some(unit.clone()) };
            self.missing().insert(missing);
        }
    }

    /// Whether this run makes a step for its units.
    fn will_make(&self, step: &Step) -> bool {
        let Some(only) = &self.only else { return true };
        only.role(step).is_some_and(|role| role.makes)
    }

    fn outcome(self) -> Result<Finished<'a>, Fault> {
        self.engine.keep_indexes();
        let (mut steps, mut parts) = (Vec::new(), BTreeMap::new());
        let mut all = Asides::default();
        let is_whole = self.only.as_ref().is_none_or(Only::is_whole);
        for step in &self.engine.workflow.steps {
            if !is_whole && !self.will_make(step) {
                continue;
            }
            let tally = &self.tallies[&step.name];
            let made = self.engine.state.parts(&step.name);
            let pending = self.engine.state.pending(&step.name);
            steps.push(StepReport {
                name: step.name.clone(),
                kind: step.kind().to_owned(),
                units: made.len() as u64,
                rows: made.iter().map(|part| u64::from(part.rows)).sum(),
                current: tally.current.load(Ordering::Relaxed),
                made: tally.made.load(Ordering::Relaxed),
                pending: pending as u64,
                answers: tally.answers.load(Ordering::Relaxed),
                rounds: std::mem::take(
                    &mut tally.rounds.lock().unwrap_or_else(PoisonError::into_inner),
                ),
                time: self.meter.spent(&step.name),
                asking: Duration::from_nanos(tally.asking.load(Ordering::Relaxed)),
            });
            parts.insert(step.name.clone(), made);
            let mut own = std::mem::take(&mut *tally.asides());
            // Units finish in any order; the items of one unit are in order already.
            own.rejects.sort_by(|a, b| a.unit.cmp(&b.unit));
            own.left_out.sort_by(|a, b| a.unit.cmp(&b.unit));
            own.reviews.sort_by(|a, b| a.unit.cmp(&b.unit));
            all.rejects.extend(own.rejects);
            all.left_out.extend(own.left_out);
            all.reviews.extend(own.reviews);
        }
        let missing: Vec<Missing> = std::mem::take(&mut *self.missing()).into_iter().collect();
        let whole = is_whole && missing.is_empty() && steps.iter().all(|step| step.pending == 0);
        let Asides { rejects, left_out, reviews } = all;
        let items = reviews.iter().map(|one| &one.review);
        let undecided = Undecided::of(items.clone(), self.engine.decisions());
        let all_made = whole && self.engine.pilot.is_none();
        let lapsed = if all_made { lapsed(self.engine.decisions(), items) } else { Vec::new() };
        let lock = || Lock::of(&self.engine, &rejects, &left_out, &lapsed);
        let lock = whole.then(lock).transpose()?;
        let outcome =
            Outcome { steps, rejects, left_out, reviews, lapsed, undecided, parts, lock, missing };
        Ok(Finished { outcome, engine: self.engine })
    }
}

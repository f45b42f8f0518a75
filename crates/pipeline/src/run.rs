//! Running a workflow: unit by unit between corpus stages, wave by wave where a model is asked.
//!
//! Memory is bounded by the units in flight (one for each thread) and by the size of a wave.
//! Nothing here depends on the order in which units finish.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use rayon::prelude::*;
use storymill_core::{
    Answer, Asked, Asker, Fault, FaultKind, Reason, Reject, RequestKey, Review, Round, UnitId,
    plural,
};

use crate::{
    Event, Events, Lock, Missing, Shard, Step, Store, Workflow,
    decided::{Undecided, lapsed},
    engine::{CorpusStep, Engine, FactOf, Look, Work},
    judging::Judging,
    only::{Only, Role},
    outcome::{Finished, Outcome, StepReject, StepReport, StepReview},
    pilot,
    run_state::Cell,
    store::{Made, Marker},
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
        let mut run = Run { engine, tallies, judging, events, options, only, looks, missing };
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
    nanos: AtomicU64,
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

/// Requests that wait for answers, each with the step that asks.
type Wave<'s> = Vec<(&'s Step, Asked)>;

/// How many bytes of requests are gathered before they are asked.
const WAVE_BYTES: usize = 64 << 20;

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
        self.options.shard.is_none_or(|shard| shard.holds(unit))
    }

    /// Notes that somebody else has to make a step for a unit.
    fn misses(&self, step: &Step, unit: &UnitId) {
        self.engine.state.set(&step.name, unit, Cell::Pending);
        if self.only.is_some() {
            let missing = Missing { step: step.name.clone(), unit: Some(unit.clone()) };
            self.missing().insert(missing);
        }
    }

    /// Takes every unit through some steps, source by source.
    fn units(&self, steps: &[&Step]) -> Result<(), Fault> {
        for (source, units) in &self.engine.units {
            let steps: Vec<&Step> =
                steps.iter().copied().filter(|step| step.source == *source).collect();
            if steps.is_empty() {
                continue;
            }
            let names = steps.iter().map(|step| step.name.clone()).collect();
            let pilot = self.engine.pilot.as_ref();
            let (units, others): (Vec<&UnitId>, Vec<&UnitId>) =
                units.keys().partition(|unit| pilot.is_none_or(|one| one.takes(unit)));
            for (step, unit) in
                steps.iter().flat_map(|step| others.iter().map(|unit| (*step, *unit)))
            {
                self.engine.state.set(&step.name, unit, Cell::Rejected);
            }
            let all = steps.iter().any(|step| self.role(step).is_some_and(|role| role.all));
            let units: Vec<&UnitId> =
                units.into_iter().filter(|unit| all || self.holds(unit)).collect();
            if !self.looks {
                self.events.emit(Event::UnitsStarted { steps: names, units: units.len() });
            }
            self.waves(&steps, units)?;
        }
        Ok(())
    }

    /// Runs units until none waits for an answer.
    fn waves(&self, steps: &[&Step], mut pending: Vec<&UnitId>) -> Result<(), Fault> {
        let mut asked = false;
        while !pending.is_empty() {
            let gathered = AtomicUsize::new(0);
            let results: Vec<Option<Wave<'_>>> = pending
                .par_iter()
                .map(|unit| {
                    if gathered.load(Ordering::Relaxed) > WAVE_BYTES {
                        return Ok(Some(Vec::new()));
                    }
                    let asked = self.unit(steps, unit)?;
                    if let Some(asked) = &asked {
                        let bytes = asked.iter().map(|(_, asked)| asked.request.bytes());
                        let bytes = bytes.sum();
                        gathered.fetch_add(bytes, Ordering::Relaxed);
                    }
                    Ok(asked)
                })
                .collect::<Result<_, Fault>>()?;
            let waits = results.iter().map(Option::is_some);
            pending = pending
                .into_iter()
                .zip(waits)
                .filter_map(|(unit, waits)| waits.then_some(unit))
                .collect();
            // Of answers that all were in the log there is nothing to tell.
            if std::mem::replace(&mut asked, true) {
                self.judging.tell(self.events);
            }
            self.ask(results.into_iter().flatten().flatten().collect())?;
        }
        Ok(())
    }

    /// Asks one wave, or as much of it as is wise, and sees to it that the answers are there.
    fn ask(&self, wave: Wave<'_>) -> Result<(), Fault> {
        if wave.is_empty() {
            return Ok(());
        }
        let (wave, steps) = self.judging.take(wave, self.engine.asker)?;
        self.events.emit(Event::Wave { requests: wave.len(), steps });
        self.engine.asker.ask(&wave)?;
        for asked in &wave {
            if self.engine.asker.get(&asked.key)?.is_none() {
                let message =
                    format!("a wave was asked, and an answer for unit {} is missing", asked.unit);
                return Err(Fault::new(FaultKind::Internal, message));
            }
        }
        Ok(())
    }

    fn go_on(&self) -> Result<(), Fault> {
        if self.options.stop.load(Ordering::SeqCst) {
            let hint = "what is done is kept; run the same command again to go on";
            return Err(Fault::new(FaultKind::Interrupted, "stopped").hint(hint));
        }
        Ok(())
    }

    /// Takes one unit through some steps; what it waits for, if it waits.
    fn unit<'s>(&self, steps: &[&'s Step], unit: &UnitId) -> Result<Option<Wave<'s>>, Fault> {
        let ours = self.holds(unit);
        let mut made = 0;
        let mut waiting = Wave::new();
        for step in steps.iter().copied() {
            self.go_on()?;
            if self.engine.state.get(&step.name, unit).is_some() {
                continue; // An earlier wave got this far.
            }
            let Some(role) = self.role(step).filter(|role| ours || role.all) else { continue };
            let makes = ours && role.makes;
            let tally = &self.tallies[&step.name];
            match self.engine.look(step, unit)? {
                Look::Current(marker) => {
                    tally.current.fetch_add(1, Ordering::Relaxed);
                    self.note(step, unit, &marker);
                }
                Look::Blocked => self.engine.state.set(&step.name, unit, Cell::Rejected),
                // Its input waits for an answer: the next wave comes back here.
                Look::Pending(_) if makes && !waiting.is_empty() => {}
                // This run makes its input, a little later.
                Look::Pending(input)
                    if self.looks && self.engine.state.get(&input, unit).is_none() => {}
                Look::Pending(_) => self.engine.state.set(&step.name, unit, Cell::Pending),
                // What this run makes is no lack, if it is found before that.
                Look::Stale(..) if self.looks && ours && self.will_make(step) => {}
                Look::Stale(..) if !makes => self.misses(step, unit),
                Look::Stale(from, found) => {
                    let start = Instant::now();
                    let work = self.engine.make(step, unit, *from, &found);
                    let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
                    tally.nanos.fetch_add(nanos, Ordering::Relaxed);
                    match work? {
                        Work::Made(marker, judged) => {
                            made += 1;
                            tally.made.fetch_add(1, Ordering::Relaxed);
                            self.judging.note(step, unit, &judged, false);
                            self.note(step, unit, &marker);
                        }
                        Work::Waiting { asked, judged, .. } => {
                            self.judging.note(step, unit, &judged, true);
                            waiting.extend(asked.into_iter().map(|asked| (step, asked)));
                        }
                    }
                }
            }
        }
        if waiting.is_empty() {
            if ours && !self.looks {
                self.events.emit(Event::UnitDone { unit: unit.clone(), made });
            }
            return Ok(None);
        }
        Ok(Some(waiting))
    }

    /// Notes what came of a step, and its rejects.
    fn note(&self, step: &Step, unit: &UnitId, marker: &Marker) {
        self.engine.note(step, unit, marker);
        let whole =
            |reason: &Reason| Reject { item: unit.to_string(), reason: reason.clone(), span: None };
        let (rejected, left_out) = match &marker.made {
            Made::Rows(..) | Made::Unkept(..) => (None, None),
            Made::Rejected(reason) => {
                self.tell_rejected(step, unit, reason);
                (Some(whole(reason)), None)
            }
            Made::LeftOut(reason) => (None, Some(whole(reason))),
        };
        let (step, unit) = (&step.name, unit);
        let of = |reject| StepReject::new(step, unit, reject);
        let trace = &marker.trace;
        // Keys hold the unit, so that no two units read the same answer.
        let answers: BTreeSet<_> = trace.reads.iter().map(|(key, _)| key).collect();
        self.tallies[step].answers.fetch_add(answers.len() as u64, Ordering::Relaxed);
        let mut rounds = self.tallies[step].rounds.lock().unwrap_or_else(PoisonError::into_inner);
        for (at, round) in trace.rounds.iter().enumerate() {
            *Round::of(&mut rounds, at) += *round;
        }
        drop(rounds);
        let mut asides = self.tallies[step].asides();
        asides.rejects.extend(trace.rejects.iter().cloned().chain(rejected).map(of));
        asides.left_out.extend(trace.left_out.iter().cloned().chain(left_out).map(of));
        let review = |review: &Review| StepReview {
            step: step.clone(),
            unit: unit.clone(),
            review: review.clone(),
        };
        asides.reviews.extend(trace.reviews.iter().map(review));
    }

    fn tell_rejected(&self, step: &Step, unit: &UnitId, reason: &Reason) {
        let event = Event::UnitRejected {
            step: step.name.clone(),
            unit: unit.clone(),
            reason: reason.clone(),
        };
        self.events.emit(event);
    }

    /// Rules over all units, or notes that some are still missing.
    fn corpus(&self, step: &Step) -> Result<(), Fault> {
        let corpus = CorpusStep::of(step).expect("the caller looked");
        let engine = &self.engine;
        let start = Instant::now();
        let units: Vec<&UnitId> = engine.units_of(step).collect();
        let makes = self.role(step).is_some_and(|role| role.makes);
        if self.looks && self.will_make(step) {
            return Ok(());
        }
        if self.only.is_some() && !self.is_due(step, &units, makes) {
            return Ok(());
        }
        let facts: Vec<FactOf> = units
            .par_iter()
            .map(|unit| {
                self.go_on()?;
                engine.fact(corpus, unit, makes)
            })
            .collect::<Result<_, Fault>>()?;
        if !makes && facts.iter().any(|fact| matches!(fact, FactOf::Pending)) {
            self.not_ruled(step);
        }
        if facts.iter().any(|fact| matches!(fact, FactOf::Pending)) {
            for unit in units {
                engine.state.set(&step.name, unit, Cell::Pending);
            }
            return Ok(());
        }
        let mut known = BTreeMap::new();
        for (unit, fact) in units.into_iter().zip(facts) {
            match fact {
                FactOf::Some(digest) => {
                    known.insert(unit.clone(), digest);
                }
                FactOf::Rejected(reason) => {
                    engine.state.set(&step.name, unit, Cell::Rejected);
                    self.tell_rejected(step, unit, &reason);
                    let reject = Reject { item: unit.to_string(), reason, span: None };
                    let reject = StepReject::new(&step.name, unit, reject);
                    self.tallies[&step.name].asides().rejects.push(reject);
                }
                FactOf::None | FactOf::Pending => {
                    engine.state.set(&step.name, unit, Cell::Rejected);
                }
            }
        }
        // A shard that only looks at what was ruled does not read all facts for it.
        if makes || self.only.as_ref().is_none_or(Only::is_whole) {
            for message in engine.notes(corpus, &known)? {
                self.events.emit(Event::Note { step: step.name.clone(), message });
            }
        }
        let before = engine.before(corpus)?;
        let from = engine.corpus_key(corpus, &known, &before)?;
        let found = engine.look_corpus(corpus, &from, known.keys())?;
        let current = found.is_some();
        if !makes && !current {
            self.not_ruled(step);
            return Ok(());
        }
        let markers = match found {
            Some(markers) => markers,
            None => engine.rule(corpus, &from, &known, &before)?,
        };
        let tally = &self.tallies[&step.name];
        let count = if current { &tally.current } else { &tally.made };
        count.fetch_add(markers.len() as u64, Ordering::Relaxed);
        for (unit, marker) in &markers {
            engine.note(step, unit, marker);
        }
        if !current {
            tally.nanos.fetch_add(
                u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX),
                Ordering::Relaxed,
            );
        }
        self.events.emit(Event::Ruled { step: step.name.clone(), current });
        Ok(())
    }

    /// Whether a corpus stage can be looked at or rule: all is there that it reads, and it was not looked at before.
    fn is_due(&self, step: &Step, units: &[&UnitId], makes: bool) -> bool {
        let state = &self.engine.state;
        if !makes && units.first().is_some_and(|unit| state.get(&step.name, unit).is_some()) {
            return false;
        }
        let reads: Vec<_> = step.edges().into_iter().map(|edge| edge.step).collect();
        let cells = || reads.iter().flat_map(|read| units.iter().map(|unit| state.get(read, unit)));
        if cells().any(|cell| matches!(cell, Some(Cell::Pending))) {
            for unit in units {
                state.set(&step.name, unit, Cell::Pending);
            }
            return false;
        }
        // What this run itself makes is not there yet.
        cells().all(|cell| cell.is_some())
    }

    /// Notes that a corpus stage has not ruled.
    fn not_ruled(&self, step: &Step) {
        for unit in self.engine.units_of(step) {
            self.engine.state.set(&step.name, unit, Cell::Pending);
        }
        self.missing().insert(Missing { step: step.name.clone(), unit: None });
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
                time: Duration::from_nanos(tally.nanos.load(Ordering::Relaxed)),
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

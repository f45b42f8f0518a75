//! Units through the steps of one stretch, wave by wave where a model is asked.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use rayon::prelude::*;
use storymill_core::{Asked, Fault, FaultKind, Reason, Reject, Request, Review, Round, UnitId};

use super::Run;
use crate::{
    Event, Step,
    engine::{Look, Work},
    outcome::{StepReject, StepReview},
    run_state::Cell,
    store::{Made, Marker},
};

/// Requests that wait for answers, each with the step that asks.
type Wave<'s> = Vec<(&'s Step, Asked)>;

/// How many bytes of requests are gathered before they are asked.
const WAVE_BYTES: usize = 64 << 20;

/// About how many bytes a request takes: those of its texts, where it is a conversation.
fn bytes(request: &Request) -> usize {
    request.chat().map_or_else(|| request.bytes(), |chat| chat.texts().map(str::len).sum())
}

impl Run<'_, '_> {
    /// Takes every unit through some steps, source by source.
    pub(super) fn units(&self, steps: &[&Step]) -> Result<(), Fault> {
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
                        let bytes = asked.iter().map(|(_, asked)| bytes(&asked.request)).sum();
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
        let mut keys = BTreeMap::new();
        for (step, _) in &wave {
            if !keys.contains_key(step.name.as_str()) {
                keys.insert(step.name.as_str(), self.engine.family(step)?.from(Vec::new()).key());
            }
        }
        let store = self.engine.store;
        for (step, key) in &keys {
            self.judging.know(step, store.found_fit(key));
        }
        let taken = self.judging.take(wave, self.engine.asker);
        for (step, key) in keys {
            if let Some(fit) = self.judging.verdict(step) {
                store.remember_fit(key, fit);
            }
        }
        let (wave, steps) = taken?;
        let of_steps: Vec<_> =
            steps.iter().map(|(name, own)| (name.clone(), own.requests)).collect();
        self.events.emit(Event::Wave { requests: wave.len(), steps });
        let start = Instant::now();
        self.engine.asker.ask(&wave)?;
        // All wait for the whole wave: each step is told its share by its requests.
        let took = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        for (step, requests) in of_steps {
            let own = took / wave.len() as u64 * requests as u64;
            self.tallies[&step].asking.fetch_add(own, Ordering::Relaxed);
        }
        for asked in &wave {
            if self.engine.asker.get(&asked.key)?.is_none() {
                let message =
                    format!("a wave was asked, and an answer for unit {} is missing", asked.unit);
                return Err(Fault::new(FaultKind::Internal, message));
            }
        }
        Ok(())
    }

    pub(super) fn go_on(&self) -> Result<(), Fault> {
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
            let _at_work = self.meter.work(&step.name);
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
                Look::Stale(from, found) => match self.engine.make(step, unit, *from, &found)? {
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
                },
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

    pub(super) fn tell_rejected(&self, step: &Step, unit: &UnitId, reason: &Reason) {
        let event = Event::UnitRejected {
            step: step.name.clone(),
            unit: unit.clone(),
            reason: reason.clone(),
        };
        self.events.emit(event);
    }
}

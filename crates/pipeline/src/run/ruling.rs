//! A corpus stage: it rules once all is there that it reads.

use std::{collections::BTreeMap, sync::atomic::Ordering};

use rayon::prelude::*;
use storymill_core::{Fault, Reject, UnitId};

use super::Run;
use crate::{
    Event, Missing, Step,
    engine::{CorpusStep, FactOf},
    only::Only,
    outcome::StepReject,
    run_state::Cell,
};

impl Run<'_, '_> {
    /// Rules over all units, or notes that some are still missing.
    pub(super) fn corpus(&self, step: &Step) -> Result<(), Fault> {
        let corpus = CorpusStep::of(step).expect("the caller looked");
        let engine = &self.engine;
        let _at_work = self.meter.work(&step.name);
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
}

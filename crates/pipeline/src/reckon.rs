//! What a workflow will ask in all: the requests that are known, and an estimate of those that follow.
//!
//! How much a stage will ask of rows that are not there yet it says itself ([`Stage::reckon`]). How often it
//! will have to ask again is known from what became of its answers before: in builds, in pilots, in a
//! build that was stopped. Where nothing is known, every first answer counts as accepted.
//!
//! [`Stage::reckon`]: storymill_core::Stage::reckon

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::{
    AskTotals, Asked, Fault, Parts as _, Record as _, Round, Scene, Size, Trace, UnitId,
};

use crate::{
    Step, StepKind,
    engine::Engine,
    run_state::Cell,
    store::{KeyParts, Marker},
};

/// What a step asks of its model, known and estimated.
#[derive(Clone, Debug, Serialize)]
pub struct Estimate {
    /// The step's name.
    pub step: String,
    /// The model's name in the workflow.
    pub model: String,
    /// The next wave: its requests, and about how much is answered to them.
    pub next: AskTotals,
    /// About what is asked after that.
    pub later: AskTotals,
    /// What became of answers of this step before: on this the estimate is built.
    pub known: Round,
}

impl Estimate {
    /// What comes next, and what comes later.
    pub fn whole(&self) -> AskTotals {
        let mut all = self.next;
        all += self.later;
        all
    }
}

/// Follows a plan, and adds up.
#[derive(Default)]
pub(crate) struct Reckoner {
    /// How much there will be of a step for a unit.
    sizes: BTreeMap<(String, UnitId), Size>,
    sums: Vec<Sum>,
}

/// What is added up of one step.
#[derive(Default)]
struct Sum {
    step: String,
    model: String,
    tries: u32,
    /// Requests of the next wave by attempt, and their symbols.
    next: Vec<u64>,
    next_symbols: u64,
    /// Questions that come later, as the stage reckons them.
    later: AskTotals,
    /// What the stage reckons of all its questions, for their length.
    whole: AskTotals,
    /// What became of answers that were asked as they are asked now, and of any.
    same: Known,
    any: Known,
}

#[derive(Default)]
struct Known {
    rounds: Vec<Round>,
    exchanged: AskTotals,
}

impl Known {
    fn add(&mut self, trace: &Trace) {
        for (at, round) in trace.rounds.iter().enumerate() {
            *Round::of(&mut self.rounds, at) += *round;
        }
        trace.exchanged.values().for_each(|one| self.exchanged += *one);
    }

    /// How often a question is asked on average, from an attempt on.
    fn answers(&self, from: usize, tries: u32) -> f64 {
        let (mut all, mut open, mut refused) = (1.0, 1.0, 0.0);
        for at in 0..(tries as usize).saturating_sub(1) {
            if let Some(round) = self.rounds.get(at).filter(|round| round.answers() > 0) {
                refused = float(round.refused) / float(round.answers());
            }
            if at >= from {
                open *= refused;
                all += open;
            }
        }
        all
    }
}

impl Reckoner {
    /// Begins with a step.
    pub(crate) fn step(&mut self, engine: &Engine<'_>, step: &Step) {
        let described = |model: &String| engine.workflow.models.contains_key(model);
        let model = step.models().into_iter().find(described).unwrap_or_default();
        self.sums.push(Sum { step: step.name.clone(), model, ..Sum::default() });
    }

    fn sum(&mut self) -> &mut Sum {
        self.sums.last_mut().expect("a step was begun")
    }

    /// A unit of it is there.
    pub(crate) fn found(&mut self, trace: &Trace) {
        self.sum().same.add(trace);
    }

    /// A unit of it waits for answers; some were there, and became what the trace says.
    pub(crate) fn waits(
        &mut self,
        engine: &Engine<'_>,
        step: &Step,
        unit: &UnitId,
        (asked, trace): (&[Asked], &Trace),
    ) -> Result<(), Fault> {
        if trace.rounds.is_empty() {
            self.before(engine, step, unit)?;
        }
        let reckoned = self.reckoned(engine, step, unit)?;
        let sum = self.sum();
        sum.same.add(trace);
        for asked in asked {
            let at = asked.attempt as usize;
            if sum.next.len() <= at {
                sum.next.resize(at + 1, 0);
            }
            sum.next[at] += 1;
            sum.next_symbols += asked.request.symbols();
            sum.tries = sum.tries.max(asked.request.tries);
        }
        let first = asked.iter().filter(|asked| asked.attempt == 0).count() as u64;
        let seen = first + trace.rounds.first().map_or(0, |round| round.answers());
        let asks = reckoned.asks;
        sum.add(asks, asks.answers.saturating_sub(seen).min(reckoned.follow), reckoned.tries);
        let mut rows = reckoned.rows;
        if reckoned.follow == 0 && seen < rows.rows {
            // Whatever could be asked was asked: other rows pass as they are, and are asked nothing further.
            rows = Size { rows: seen, symbols: seen * rows.of_row() };
        }
        self.sizes.insert((step.name.clone(), unit.clone()), rows);
        Ok(())
    }

    /// A unit of it waits for other steps.
    pub(crate) fn pends(
        &mut self,
        engine: &Engine<'_>,
        step: &Step,
        unit: &UnitId,
    ) -> Result<(), Fault> {
        let piloted = self.before(engine, step, unit)?;
        let reckoned = self.reckoned(engine, step, unit)?;
        let asks = reckoned.asks;
        self.sum().add(asks, asks.answers.saturating_sub(piloted), reckoned.tries);
        self.sizes.insert((step.name.clone(), unit.clone()), reckoned.rows);
        Ok(())
    }

    /// What was made of a unit before, by a pilot or with other options, tells what answers are worth. How
    /// many questions a pilot has asked that need not be asked again: those of a stage that reads scenes.
    /// Other stages read what the pilot made, so what they are asked is not what a build asks.
    fn before(&mut self, engine: &Engine<'_>, step: &Step, unit: &UnitId) -> Result<u64, Fault> {
        if self.sum().model.is_empty() {
            return Ok(0);
        }
        let now = engine.family(step)?.from(Vec::new());
        let mut piloted = 0;
        for marker in engine.store.markers(step.kind(), unit)? {
            let Marker { from, trace, .. } = marker;
            let sum = self.sum();
            let known = if from.models == now.models { &mut sum.same } else { &mut sum.any };
            known.add(&trace);
            let is_pilot = from.pilot.is_some();
            if is_pilot && now == (KeyParts { inputs: vec![], pilot: None, ..from }) {
                piloted = piloted.max(trace.rounds.first().map_or(0, |round| round.answers()));
            }
        }
        let reads_scenes = step.edges().iter().any(|edge| edge.record == Scene::NAME);
        Ok(if reads_scenes { piloted } else { 0 })
    }

    /// What a stage says it will ask, from what it reads.
    fn reckoned(
        &mut self,
        engine: &Engine<'_>,
        step: &Step,
        unit: &UnitId,
    ) -> Result<storymill_core::Reckoned, Fault> {
        let StepKind::Stage(stage) = &step.kind else {
            return Ok(storymill_core::Reckoned::default());
        };
        let own = step.edges().into_iter().filter(|edge| edge.by.is_none());
        let input =
            own.map(|edge| self.size(engine, edge.step, unit)).collect::<Result<Vec<_>, _>>()?;
        Ok(stage.reckon(&input))
    }

    /// How much there is of a step for a unit, or will be.
    fn size(&mut self, engine: &Engine<'_>, step: String, unit: &UnitId) -> Result<Size, Fault> {
        let cell = engine.state.get(&step, unit);
        let at = (step, unit.clone());
        if let (Some(Cell::Part(part)), None) = (cell, self.sizes.get(&at)) {
            let symbols = engine.read(&part)?.len() as u64;
            self.sizes.insert(at.clone(), Size { rows: u64::from(part.rows), symbols });
        }
        Ok(self.sizes.get(&at).copied().unwrap_or_default())
    }

    /// What is asked by each step that asks a model which the workflow describes.
    pub(crate) fn estimates(self) -> Vec<Estimate> {
        let asking = self.sums.into_iter().filter(|sum| !sum.model.is_empty());
        asking.map(Sum::estimate).filter(|one| one.next.answers + one.later.answers > 0).collect()
    }
}

impl Sum {
    /// Adds so many of the questions that a stage reckons with.
    fn add(&mut self, asks: AskTotals, questions: u64, tries: u32) {
        let part = |all: u64| all / asks.answers.max(1) * questions;
        self.later += AskTotals {
            answers: questions,
            symbols_in: part(asks.symbols_in),
            symbols_out: part(asks.symbols_out),
        };
        self.whole += asks;
        self.tries = self.tries.max(tries);
    }

    fn estimate(self) -> Estimate {
        let Self { step, model, tries, next, next_symbols, later, whole, same, any } = self;
        let known = if same.exchanged.answers > 0 { same } else { any };
        let of = known.exchanged;
        // Symbols of one request and of one answer: as they were before, else as the stage reckons.
        let each = |seen: u64, reckoned: AskTotals, symbols: u64| match of.answers {
            0 => float(symbols) / float(reckoned.answers.max(1)),
            answers => float(seen) / float(answers),
        };
        let symbols_out = each(of.symbols_out, whole, whole.symbols_out);
        let symbols_in = each(of.symbols_in, later, later.symbols_in);
        let asked: u64 = next.iter().sum();
        let again: f64 = (0..)
            .zip(&next)
            .map(|(from, count)| float(*count) * (known.answers(from, tries) - 1.0))
            .sum();
        let fresh = float(later.answers) * known.answers(0, tries);
        let next_each = float(next_symbols) / float(asked.max(1));
        let mut total = Round::default();
        known.rounds.iter().for_each(|round| total += *round);
        Estimate {
            step,
            model,
            next: AskTotals {
                answers: asked,
                symbols_in: next_symbols,
                symbols_out: whole_number(float(asked) * symbols_out),
            },
            later: AskTotals {
                answers: whole_number(again + fresh),
                symbols_in: whole_number(again * next_each + fresh * symbols_in),
                symbols_out: whole_number((again + fresh) * symbols_out),
            },
            known: total,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn float(number: u64) -> f64 {
    number as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an estimate, never negative"
)]
fn whole_number(number: f64) -> u64 {
    number.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rounds: &[(u64, u64)], from: usize, tries: u32, expected: f64) {
        let rounds = rounds
            .iter()
            .map(|(accepted, refused)| Round { accepted: *accepted, refused: *refused });
        let known = Known { rounds: rounds.collect(), exchanged: AskTotals::default() };
        let found = known.answers(from, tries);
        assert!((found - expected).abs() < 1e-9, "{found}");
    }

    #[test]
    fn questions_are_asked_as_often_as_answers_were_refused() {
        check(&[], 0, 10, 1.0);
        check(&[(10, 10)], 0, 1, 1.0);
        check(&[(10, 10)], 0, 2, 1.5);
        // Half are refused, then nearly all of what is left.
        check(&[(50, 50), (5, 45)], 0, 3, 1.0 + 0.5 + 0.5 * 0.9);
        check(&[(50, 50), (5, 45)], 1, 3, 1.9);
        check(&[(0, 20)], 0, 10, 10.0);
    }
}

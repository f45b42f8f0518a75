//! Parts that turn out to be damaged when they are read: each is made anew on the spot.
//!
//! A part is the rows of a step for a unit, and follows from what its marker names. So whoever finds
//! it damaged has the step make it again, which may read parts that are damaged too. What cannot be
//! made anew now (a page has changed since, an answer is not in the log) is the fault that it was. Rows that
//! the store does not keep are read from their source again in the same way.

use std::collections::BTreeMap;

use storymill_core::{Digest, Fault, FaultKind, PartRef, Parts, Stop, UnitId};

use super::{CorpusStep, Engine, FactOf, Look, named};
use crate::{Step, run_state::Cell};

impl Parts for Engine<'_> {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        let made_it = |step: &&Step| match self.state.get(&step.name, &part.unit) {
            Some(Cell::Part(made)) => made.digest == part.digest,
            _ => false,
        };
        let mut steps = self.workflow.steps.iter();
        if let Some(step) = steps.clone().find(|step| !step.is_kept() && made_it(step)) {
            return self.read_again(step, part);
        }
        self.read_or(&part.digest, || {
            steps.find(made_it).map_or(Ok(()), |step| self.make_anew(step, &part.unit))
        })
    }
}

impl Engine<'_> {
    /// The rows of a corpus stage's fact.
    pub(super) fn read_fact(
        &self,
        corpus: CorpusStep<'_>,
        unit: &UnitId,
        digest: &Digest,
    ) -> Result<Vec<u8>, Fault> {
        self.read_or(digest, || self.fact(corpus, unit, true).map(drop))
    }

    /// The rows of a source that the store does not keep.
    fn read_again(&self, step: &Step, part: &PartRef) -> Result<Vec<u8>, Fault> {
        match self.work(step, &part.unit, &[]).result {
            Ok(rows) if Digest::of(&rows.bytes) == part.digest => Ok(rows.bytes),
            Err(Stop::Fault(fault)) => Err(named(fault, &step.name, &part.unit)),
            _ => {
                let message = format!("unit {} has changed since it was listed", part.unit);
                let fault = Fault::new(FaultKind::Again, message);
                Err(fault.hint("run the same command again"))
            }
        }
    }

    /// Reads a part, and again after it was made anew if it has to be.
    fn read_or(
        &self,
        digest: &Digest,
        make_anew: impl FnOnce() -> Result<(), Fault>,
    ) -> Result<Vec<u8>, Fault> {
        match self.store.get_part(digest) {
            Err(fault) if fault.kind == FaultKind::Again && !self.store.is_looked_at() => {
                make_anew()?;
                if self.store.has_part(digest)? { self.store.get_part(digest) } else { Err(fault) }
            }
            read => read,
        }
    }

    fn make_anew(&self, step: &Step, unit: &UnitId) -> Result<(), Fault> {
        let Some(corpus) = CorpusStep::of(step) else {
            return match self.look(step, unit)? {
                // Where an answer is missing, nothing is made.
                Look::Stale(from, found) => self.make(step, unit, *from, &found).map(drop),
                _ => Ok(()),
            };
        };
        let mut known = BTreeMap::new();
        for unit in self.units_of(step) {
            if let FactOf::Some(digest) = self.fact(corpus, unit, true)? {
                known.insert(unit.clone(), digest);
            }
        }
        let before = self.before(corpus)?;
        let from = self.corpus_key(corpus, &known, &before)?;
        self.rule(corpus, &from, &known, &before).map(drop)
    }
}

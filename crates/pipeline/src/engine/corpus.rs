//! Corpus stages: the fact of each unit, what is ruled over all facts, and its rows unit by unit.

use std::collections::BTreeMap;

use storymill_core::{Digest, Fault, FaultKind, PartRef, Parts as _, Seed, Stop, Trace, UnitId};

use super::{Engine, Look, inputs};
use crate::{
    Step, StepKind,
    erased::{AnyCorpusStage, Encoded, Facts, digest_before},
    store::{KeyParts, Made, Marker},
};

/// What became of a unit's fact.
pub(crate) enum FactOf {
    Some(Digest),
    None,
    Rejected(storymill_core::Reason),
    Pending,
}

/// A step that is a corpus stage.
#[derive(Clone, Copy)]
pub(crate) struct CorpusStep<'s> {
    pub(crate) step: &'s Step,
    pub(crate) stage: &'s dyn AnyCorpusStage,
}

impl<'s> CorpusStep<'s> {
    pub(crate) fn of(step: &'s Step) -> Option<Self> {
        match &step.kind {
            StepKind::Corpus(stage) => Some(Self { step, stage: stage.as_ref() }),
            StepKind::Source(_) | StepKind::Stage(_) => None,
        }
    }
}

impl Engine<'_> {
    /// Looks at the fact that a corpus stage takes from a unit.
    fn look_fact(&self, corpus: CorpusStep<'_>, unit: &UnitId) -> Result<Look, Fault> {
        let (family, edges) = (self.family_of_facts(corpus), corpus.step.edges());
        let found = match self.find(&edges, unit)? {
            Ok(found) => found,
            Err(look) => return Ok(look),
        };
        let from = family.from(inputs(&edges, &found));
        self.look_by_key(family, unit, from, found)
    }

    /// The fact of a unit: looked up, or made where `make` allows it.
    pub(crate) fn fact(
        &self,
        corpus: CorpusStep<'_>,
        unit: &UnitId,
        make: bool,
    ) -> Result<FactOf, Fault> {
        let marker = match self.look_fact(corpus, unit)? {
            Look::Current(marker) => *marker,
            Look::Blocked => return Ok(FactOf::None),
            Look::Stale(from, found) if make => {
                let result = corpus.stage.fact(unit, &found, self);
                let family = self.family_of_facts(corpus);
                self.keep(family, unit, *from, (result, Trace::default()), true)?
            }
            Look::Stale(..) | Look::Pending(_) => return Ok(FactOf::Pending),
        };
        Ok(match marker.made {
            Made::Rows(digest, _) | Made::Unkept(digest, _) => FactOf::Some(digest),
            Made::Rejected(reason) => FactOf::Rejected(reason),
            Made::LeftOut(_) => FactOf::None,
        })
    }

    /// What the base lock says that a corpus stage ruled: by the step's name, else by its kind.
    pub(crate) fn before(
        &self,
        CorpusStep { step, stage }: CorpusStep<'_>,
    ) -> Result<Facts, Fault> {
        let Some(base) = &self.base else { return Ok(Facts::new()) };
        let Some(ruled) = base.ruled_by(&step.name, stage.kind()) else {
            if !base.has_ruled(stage.kind()) {
                return Ok(Facts::new());
            }
            let message = format!(
                "the base lock has several corpus stages of kind `{}` and none is called `{}`",
                stage.kind(),
                step.name
            );
            let hint = "call the step as it was called, so that what was ruled stays";
            return Err(Fault::new(FaultKind::Lock, message).hint(hint));
        };
        stage.before(ruled).map_err(|unit| {
            let message = format!(
                "what the base lock's corpus stage `{}` ruled on unit {unit} is not of a form this version knows",
                step.name
            );
            let fault = Fault::new(FaultKind::Lock, message);
            match &self.workflow.base {
                Some(path) => fault.at(path),
                None => fault,
            }
        })
    }

    /// The key of a corpus stage over these facts.
    pub(crate) fn corpus_key(
        &self,
        corpus: CorpusStep<'_>,
        facts: &BTreeMap<UnitId, Digest>,
        before: &Facts,
    ) -> Result<KeyParts, Fault> {
        let parts =
            facts.iter().flat_map(|(unit, fact)| [unit.as_str().as_bytes(), &fact.as_bytes()[..]]);
        let facts = Digest::of_parts("storymill 2026 facts v1", parts);
        Ok(self.family(corpus.step)?.from(vec![facts, digest_before(before)]))
    }

    /// The markers of a corpus stage for all units, if every one is there.
    pub(crate) fn look_corpus<'u>(
        &self,
        corpus: CorpusStep<'_>,
        from: &KeyParts,
        units: impl Iterator<Item = &'u UnitId>,
    ) -> Result<Option<BTreeMap<UnitId, Marker>>, Fault> {
        let family = self.family(corpus.step)?;
        let (mut markers, mut all) = (BTreeMap::new(), true);
        for unit in units {
            match self.current(family, unit, from)? {
                Some(marker) => _ = markers.insert(unit.clone(), marker),
                None => all = false,
            }
        }
        if all {
            return Ok(Some(markers));
        }
        // The corpus stage will be written anew: a damaged marker that an index stood for is set aside before that.
        let key = from.key();
        for unit in markers.keys() {
            self.store.marker(&from.kind, unit, &key)?;
        }
        Ok(None)
    }

    /// Rules, and keeps what was ruled unit by unit.
    pub(crate) fn rule(
        &self,
        corpus: CorpusStep<'_>,
        from: &KeyParts,
        facts: &BTreeMap<UnitId, Digest>,
        before: &Facts,
    ) -> Result<BTreeMap<UnitId, Marker>, Fault> {
        let CorpusStep { step, stage } = corpus;
        let (facts, family) = (self.facts(corpus, facts)?, self.family(step)?);
        let ruled = match stage.run(&facts, before, Seed::new(self.workflow.seed)) {
            Ok(ruled) => ruled,
            Err(Stop::Fault(fault)) => return Err(fault),
            Err(Stop::Reject(reason) | Stop::LeftOut(reason)) => {
                let message =
                    format!("the corpus stage `{}` failed: {}", stage.kind(), reason.detail);
                return Err(Fault::new(FaultKind::Input, message));
            }
            Err(Stop::Waiting) => {
                return Err(Fault::new(
                    FaultKind::Internal,
                    format!("the corpus stage `{}` cannot ask", stage.kind()),
                ));
            }
        };
        let keep = |(unit, row): (UnitId, Encoded)| {
            let made = (Ok(row), Trace::default());
            let marker = self.keep(family, &unit, from.clone(), made, true)?;
            Ok((unit, marker))
        };
        ruled.into_iter().map(keep).collect()
    }

    /// What the user should be told of the facts.
    pub(crate) fn notes(
        &self,
        corpus: CorpusStep<'_>,
        facts: &BTreeMap<UnitId, Digest>,
    ) -> Result<Vec<String>, Fault> {
        if corpus.stage.has_notes() {
            corpus.stage.notes(&self.facts(corpus, facts)?)
        } else {
            Ok(Vec::new())
        }
    }

    fn facts(
        &self,
        corpus: CorpusStep<'_>,
        digests: &BTreeMap<UnitId, Digest>,
    ) -> Result<Facts, Fault> {
        let row = |(unit, digest): (&UnitId, &Digest)| {
            Ok((unit.clone(), self.read_fact(corpus, unit, digest)?))
        };
        digests.iter().map(row).collect()
    }

    /// What was ruled on a unit as JSON.
    pub(crate) fn ruled_json(
        &self,
        corpus_stage: &dyn AnyCorpusStage,
        part: &PartRef,
    ) -> Result<serde_json::Value, Fault> {
        corpus_stage.to_json(&self.read(part)?)
    }
}

//! Rulings: the fact of each unit, the ruling over all facts, and its rows unit by unit.

use std::collections::BTreeMap;

use storymill_core::{Digest, Fault, FaultKind, PartRef, Parts as _, Seed, Stop, Trace, UnitId};

use super::{Engine, Look, inputs};
use crate::{
    Step,
    erased::{AnyRuling, Encoded, Facts, digest_before},
    store::{KeyParts, Made, Marker},
};

/// What became of a unit's fact.
pub(crate) enum FactOf {
    Some(Digest),
    None,
    Rejected(storymill_core::Reason),
    Pending,
}

impl Engine<'_> {
    /// Looks at the fact that a ruling takes from a unit.
    fn look_fact(&self, ruling: &dyn AnyRuling, unit: &UnitId) -> Result<Look, Fault> {
        let edges = ruling.edges();
        let found = match self.find(&edges, unit)? {
            Ok(found) => found,
            Err(look) => return Ok(look),
        };
        let (record, version) = ruling.fact_record();
        let inputs = inputs(&edges, &found);
        let from = KeyParts {
            kind: format!("{}.fact", ruling.kind()),
            version: ruling.version(),
            record: format!("{record} {version}"),
            options: ruling.options(),
            inputs,
            seed: 0,
            models: BTreeMap::new(),
            embedded: ruling.embedded(),
            pilot: None,
        };
        self.look_by_key(unit, from, found)
    }

    /// The fact of a unit: looked up, or made where `make` allows it.
    pub(crate) fn fact(
        &self,
        ruling: &dyn AnyRuling,
        unit: &UnitId,
        make: bool,
    ) -> Result<FactOf, Fault> {
        let marker = match self.look_fact(ruling, unit)? {
            Look::Current(marker) => *marker,
            Look::Blocked => return Ok(FactOf::None),
            Look::Stale(from, found) if make => {
                let result = ruling.fact(unit, &found, self);
                self.keep(unit, *from, result, Trace::default(), true)?
            }
            Look::Stale(..) | Look::Pending(_) => return Ok(FactOf::Pending),
        };
        Ok(match marker.made {
            Made::Rows(digest, _) | Made::Unkept(digest, _) => FactOf::Some(digest),
            Made::Rejected(reason) => FactOf::Rejected(reason),
            Made::LeftOut(_) => FactOf::None,
        })
    }

    /// What the base lock holds of a ruling: by the step's name, else by its kind.
    pub(crate) fn before(&self, step: &Step, ruling: &dyn AnyRuling) -> Result<Facts, Fault> {
        let Some(base) = &self.base else { return Ok(Facts::new()) };
        let Some(rulings) = base.rulings_of(&step.name, ruling.kind()) else {
            if !base.has_rulings_of(ruling.kind()) {
                return Ok(Facts::new());
            }
            let message = format!(
                "the base lock has several rulings of kind `{}` and none is called `{}`",
                ruling.kind(),
                step.name
            );
            let hint = "call the step as it was called, so that what was ruled stays";
            return Err(Fault::new(FaultKind::Lock, message).hint(hint));
        };
        ruling.before(rulings).map_err(|unit| {
            let message = format!(
                "the base lock's ruling `{}` on unit {unit} is not of a form this version knows",
                step.name
            );
            let fault = Fault::new(FaultKind::Lock, message);
            match &self.workflow.base {
                Some(path) => fault.at(path),
                None => fault,
            }
        })
    }

    /// The key of a ruling over these facts.
    pub(crate) fn ruling_key(
        &self,
        ruling: &dyn AnyRuling,
        facts: &BTreeMap<UnitId, Digest>,
        before: &Facts,
    ) -> KeyParts {
        let parts =
            facts.iter().flat_map(|(unit, fact)| [unit.as_str().as_bytes(), &fact.as_bytes()[..]]);
        let facts = Digest::of_parts("storymill 2026 facts v1", parts);
        self.key_parts(ruling, vec![facts, digest_before(before)])
    }

    /// The markers of a ruling for all units, if every one is there.
    pub(crate) fn look_ruling<'u>(
        &self,
        from: &KeyParts,
        units: impl Iterator<Item = &'u UnitId>,
    ) -> Result<Option<BTreeMap<UnitId, Marker>>, Fault> {
        let key = from.key();
        let (mut markers, mut all) = (BTreeMap::new(), true);
        // Where one is missing the others are looked at all the same: a damaged one is set aside by that,
        // before the ruling is written anew.
        for unit in units {
            match self.store.marker(&from.kind, unit, &key)? {
                Some(marker) if self.is_current(&marker)? => {
                    _ = markers.insert(unit.clone(), marker);
                }
                _ => all = false,
            }
        }
        Ok(all.then_some(markers))
    }

    /// Makes a ruling and keeps it unit by unit.
    pub(crate) fn rule(
        &self,
        ruling: &dyn AnyRuling,
        from: &KeyParts,
        facts: &BTreeMap<UnitId, Digest>,
        before: &Facts,
    ) -> Result<BTreeMap<UnitId, Marker>, Fault> {
        let facts = self.facts(ruling, facts)?;
        let ruled = match ruling.run(&facts, before, Seed::new(self.workflow.seed)) {
            Ok(ruled) => ruled,
            Err(Stop::Fault(fault)) => return Err(fault),
            Err(Stop::Reject(reason) | Stop::LeftOut(reason)) => {
                let message = format!("the ruling `{}` failed: {}", ruling.kind(), reason.detail);
                return Err(Fault::new(FaultKind::Input, message));
            }
            Err(Stop::Waiting) => {
                return Err(Fault::new(
                    FaultKind::Internal,
                    format!("the ruling `{}` cannot ask", ruling.kind()),
                ));
            }
        };
        let keep = |(unit, row): (UnitId, Encoded)| {
            let marker = self.keep(&unit, from.clone(), Ok(row), Trace::default(), true)?;
            Ok((unit, marker))
        };
        ruled.into_iter().map(keep).collect()
    }

    /// What the user should be told of the facts.
    pub(crate) fn notes(
        &self,
        ruling: &dyn AnyRuling,
        facts: &BTreeMap<UnitId, Digest>,
    ) -> Result<Vec<String>, Fault> {
        if ruling.has_notes() { ruling.notes(&self.facts(ruling, facts)?) } else { Ok(Vec::new()) }
    }

    fn facts(
        &self,
        ruling: &dyn AnyRuling,
        digests: &BTreeMap<UnitId, Digest>,
    ) -> Result<Facts, Fault> {
        let row = |(unit, digest): (&UnitId, &Digest)| {
            Ok((unit.clone(), self.read_fact(ruling, unit, digest)?))
        };
        digests.iter().map(row).collect()
    }

    /// The row of a unit's ruling as JSON.
    pub(crate) fn ruling_json(
        &self,
        ruling: &dyn AnyRuling,
        part: &PartRef,
    ) -> Result<serde_json::Value, Fault> {
        ruling.to_json(&self.read(part)?)
    }
}

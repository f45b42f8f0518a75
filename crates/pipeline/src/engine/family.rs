//! What the static keys of a step's units have in common: taken once, and not for every unit.

use std::collections::BTreeMap;

use storymill_core::{Digest, Fault};

use super::Engine;
use crate::{
    Step, StepKind,
    erased::AnyCorpusStage,
    store::{Index, KeyParts},
};

/// A step, or the facts of a corpus stage.
#[derive(Debug)]
pub(crate) struct Family {
    common: KeyParts,
    pub(super) index: Index,
}

impl Family {
    fn new(common: KeyParts) -> Self {
        Self { index: Index::of(&common), common }
    }

    /// What the key of a unit is taken over that has these inputs.
    pub(crate) fn from(&self, inputs: Vec<Digest>) -> KeyParts {
        KeyParts { inputs, ..self.common.clone() }
    }
}

/// All families: of the steps, and of the facts of those that are corpus stages.
#[derive(Debug, Default)]
pub(crate) struct Families {
    steps: BTreeMap<String, Family>,
    facts: BTreeMap<String, Family>,
}

impl Engine<'_> {
    pub(super) fn families(&self) -> Result<Families, Fault> {
        let mut families = Families::default();
        for step in &self.workflow.steps {
            let options = step.kind.options();
            let mut common = self.key_parts(options, Vec::new());
            common.models = self.models(options)?;
            if let StepKind::Source(_) = &step.kind {
                // A source draws nothing: another seed gives the same rows.
                common.seed = 0;
            }
            if let StepKind::Corpus(corpus_stage) = &step.kind {
                let facts = self.common_of_facts(corpus_stage.as_ref());
                families.facts.insert(step.name.clone(), Family::new(facts));
            }
            families.steps.insert(step.name.clone(), Family::new(common));
        }
        Ok(families)
    }

    fn common_of_facts(&self, corpus_stage: &dyn AnyCorpusStage) -> KeyParts {
        let (record, version) = corpus_stage.fact_record();
        KeyParts {
            kind: format!("{}.fact", corpus_stage.kind()),
            record: format!("{record} {version}"),
            seed: 0,
            ..self.key_parts(corpus_stage, Vec::new())
        }
    }

    /// What a step's units have in common.
    pub(crate) fn family(&self, step: &Step) -> &Family {
        &self.families.steps[&step.name]
    }

    /// What the facts have in common that a corpus stage takes.
    pub(super) fn family_of_facts(&self, step: &Step) -> &Family {
        &self.families.facts[&step.name]
    }

    /// Writes down what this run found out of markers. It serves those who look next: where it fails, nothing is lost.
    pub(crate) fn keep_indexes(&self) {
        if !self.keeps_indexes || self.store.is_looked_at() {
            return;
        }
        for step in &self.workflow.steps {
            let families =
                [self.families.steps.get(&step.name), self.families.facts.get(&step.name)];
            for family in families.into_iter().flatten() {
                let _ = family.index.keep(self.store, self.units[&step.source].keys());
            }
        }
    }
}

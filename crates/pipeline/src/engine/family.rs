//! What the static keys of a step's units have in common: taken once, and not for every unit.

use std::{collections::BTreeMap, sync::OnceLock};

use storymill_core::{Chat, Content, Digest, Fault, Request, Schema, UnitId};

use super::{CorpusStep, Engine};
use crate::{
    Step, StepKind,
    erased::AnyOptions,
    store::{Index, KeyParts},
};

/// The keys of a step's units, or of the facts that a corpus stage takes from them.
#[derive(Debug)]
pub(crate) struct Family {
    common: KeyParts,
    pub(super) index: Index,
}

/// The families of a step, once they are asked for.
#[derive(Debug, Default)]
pub(super) struct Families {
    own: OnceLock<Family>,
    facts: OnceLock<Family>,
}

impl Family {
    /// What the key of a unit is taken over that has these inputs.
    pub(crate) fn from(&self, inputs: Vec<Digest>) -> KeyParts {
        KeyParts { inputs, ..self.common.clone() }
    }

    /// What each of its models is told beside the stage's own words.
    pub(crate) fn models(&self) -> &BTreeMap<String, Digest> {
        &self.common.models
    }
}

impl Engine<'_> {
    /// What the keys of a step's units have in common.
    pub(crate) fn family(&self, step: &Step) -> Result<&Family, Fault> {
        let family = &self.families[&step.name].own;
        if let Some(family) = family.get() {
            return Ok(family);
        }
        let options = step.kind.options();
        let mut common = self.common(options);
        common.models = self.models(options)?;
        if let StepKind::Source(_) = &step.kind {
            // A source draws nothing: another seed gives the same rows.
            common.seed = 0;
        }
        Ok(family.get_or_init(|| self.family_of(&step.name, common)))
    }

    /// What the keys of the facts have in common that a corpus stage takes.
    pub(super) fn family_of_facts(&self, CorpusStep { step, stage }: CorpusStep<'_>) -> &Family {
        self.families[&step.name].facts.get_or_init(|| {
            let (record, version) = stage.fact_record();
            let common = KeyParts {
                kind: format!("{}.fact", stage.kind()),
                record: format!("{record} {version}"),
                seed: 0,
                ..self.common(stage)
            };
            self.family_of(&format!("{}.fact", step.name), common)
        })
    }

    fn family_of(&self, name: &str, common: KeyParts) -> Family {
        Family { index: Index::new(&self.workflow.name, name, &common.kind), common }
    }

    fn common(&self, options: &dyn AnyOptions) -> KeyParts {
        let (record, version) = options.record();
        KeyParts {
            kind: options.kind().to_owned(),
            version: options.version(),
            record: format!("{record} {version}"),
            options: options.options(),
            inputs: Vec::new(),
            seed: self.workflow.seed,
            models: BTreeMap::new(),
            embedded: options.embedded(),
            pilot: None,
        }
    }

    /// The key of a request that says nothing, for each model of a stage: the asker takes it over the whole body.
    fn models(&self, options: &dyn AnyOptions) -> Result<BTreeMap<String, Digest>, Fault> {
        let probe = |model: String| {
            let unit: UnitId = "probe".parse().expect("a plain word");
            // With everything that a model's description may drop or change.
            let chat = Chat { schema: Some(Schema::default()), ..Chat::default() };
            let content = Content::Chat(chat);
            let request = Request { model: model.clone(), content, tries: 1 };
            Ok((model, self.asker.key(&unit, &request, 0, 0)?.0))
        };
        options.models().into_iter().map(probe).collect()
    }

    /// Writes down what this run found out of markers. It serves those who look next: where it fails, nothing is lost.
    pub(crate) fn keep_indexes(&self) {
        if !self.keeps_indexes || self.store.is_looked_at() {
            return;
        }
        for step in &self.workflow.steps {
            let Families { own, facts } = &self.families[&step.name];
            for family in [own, facts].into_iter().filter_map(OnceLock::get) {
                let _ = family.index.keep(self.store, self.units[&step.source].keys());
            }
        }
    }
}

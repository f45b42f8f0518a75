//! What a workflow may name: kinds of sources, stages and corpus stages, and tables that can be published.

use std::collections::{BTreeMap, BTreeSet};

use schemars::{Schema, SchemaGenerator};
use storymill_core::{CorpusStage, Options, Record, Register, Source, Stage};
use toml::de::{Error, ValueDeserializer};

use crate::{
    erased::{AnyCorpusStage, AnySource, AnyStage, CorpusStageBox, SourceBox, StageBox},
    workflow::StepKind,
};

type Constructor = fn(ValueDeserializer<'_>) -> Result<StepKind, Error>;

/// A kind that a workflow may name.
pub(crate) struct Kind {
    pub(crate) make: Constructor,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
}

/// The kinds of sources, stages and corpus stages that workflows may name.
///
/// A crate of one's own adds its stages to those of storymill and then runs workflows that use
/// them: `integrations/own-stage` does it.
#[derive(Default)]
pub struct Registry {
    pub(crate) sources: BTreeMap<&'static str, Kind>,
    pub(crate) stages: BTreeMap<&'static str, Kind>,
    pub(crate) tables: BTreeSet<String>,
    pub(crate) model: Option<ModelKind>,
    /// Models that no workflow has to describe.
    pub(crate) locals: BTreeSet<String>,
}

/// How the table `[model.NAME]` of a workflow is read: its options as JSON, and their mistakes.
pub(crate) struct ModelKind {
    pub(crate) read: ReadsModel,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
}

type ReadsModel = Box<dyn Fn(ValueDeserializer<'_>) -> Result<ReadModel, Error> + Send + Sync>;

/// A model as it was read: its options as JSON, and what is wrong with them.
pub(crate) type ReadModel = (serde_json::Value, Vec<(&'static str, String)>);

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (sources, stages) = (self.sources.keys(), self.stages.keys());
        f.debug_struct("Registry")
            .field("sources", &sources)
            .field("stages", &stages)
            .finish_non_exhaustive()
    }
}

impl Registry {
    /// A registry without any kinds.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds all kinds that a crate shows: `.with_all(storymill_transforms::register)`.
    pub fn with_all(mut self, show: impl FnOnce(&mut Self)) -> Self {
        show(&mut self);
        self
    }

    /// Adds a kind of source.
    pub fn with_source<S: Source>(mut self) -> Self {
        let make: Constructor = |table| {
            Ok(StepKind::Source(Box::new(SourceBox(S::deserialize(table)?)) as Box<dyn AnySource>))
        };
        self.sources.insert(S::KIND, Kind { make, schema: SchemaGenerator::subschema_for::<S> });
        self
    }

    /// Adds a kind of stage.
    pub fn with_stage<S: Stage>(mut self) -> Self {
        let make: Constructor = |table| {
            Ok(StepKind::Stage(Box::new(StageBox(S::deserialize(table)?)) as Box<dyn AnyStage>))
        };
        self.stages.insert(S::KIND, Kind { make, schema: SchemaGenerator::subschema_for::<S> });
        self
    }

    /// Adds a kind of corpus stage. In a workflow it stands among the stages.
    pub fn with_corpus_stage<S: CorpusStage>(mut self) -> Self {
        let make: Constructor = |table| {
            Ok(StepKind::Corpus(
                Box::new(CorpusStageBox(S::deserialize(table)?)) as Box<dyn AnyCorpusStage>
            ))
        };
        self.stages.insert(S::KIND, Kind { make, schema: SchemaGenerator::subschema_for::<S> });
        self
    }

    /// Says what stands in the table `[model.NAME]` of a workflow, and what is wrong with one beside what its options say
    /// themselves. Without this, workflows have no models.
    pub fn with_model<M: Options>(
        mut self,
        wrong: impl Fn(&M) -> Vec<(&'static str, String)> + Send + Sync + 'static,
    ) -> Self {
        let read = move |table: ValueDeserializer<'_>| {
            let model = M::deserialize(table)?;
            let value = serde_json::to_value(&model).map_err(serde::de::Error::custom)?;
            Ok((value, [model.check(), wrong(&model)].concat()))
        };
        self.model =
            Some(ModelKind { read: Box::new(read), schema: SchemaGenerator::subschema_for::<M> });
        self
    }

    /// Says that stages may ask a model of this name without a table `[model.NAME]`: it comes with the
    /// program.
    pub fn with_local_model(mut self, name: impl Into<String>) -> Self {
        self.locals.insert(name.into());
        self
    }

    /// Says that rows of a record can be published as a table.
    pub fn with_table<R: Record>(self) -> Self {
        self.with_table_named(R::NAME)
    }

    /// Says that rows of the record of this name can be published as a table.
    pub fn with_table_named(mut self, record: impl Into<String>) -> Self {
        self.tables.insert(record.into());
        self
    }

    /// The kinds of sources.
    pub fn source_kinds(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.sources.keys().copied()
    }

    /// The kinds of stages and corpus stages.
    pub fn stage_kinds(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.stages.keys().copied()
    }
}

impl Register for Registry {
    fn source<S: Source>(&mut self) {
        *self = std::mem::take(self).with_source::<S>();
    }

    fn stage<S: Stage>(&mut self) {
        *self = std::mem::take(self).with_stage::<S>();
    }

    fn corpus_stage<S: CorpusStage>(&mut self) {
        *self = std::mem::take(self).with_corpus_stage::<S>();
    }
}

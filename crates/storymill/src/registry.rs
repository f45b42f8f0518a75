//! What workflows may name: everything that comes with storymill, and what users add.

use storymill_core::{CorpusStage, Source, Stage, reader::READER};
use storymill_dataset::{Table, Tables};
use storymill_llm::{
    ModelConfig,
    wire::{Wire, Wires},
};
use storymill_pipeline::Registry as Kinds;

/// The kinds of sources and stages that workflows may name, the wire formats that their models may speak, and the tables
/// that may be published.
///
/// A crate of one's own adds its own to them, and builds datasets with both:
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use storymill::Registry;
/// use storymill_core::{Cx, Edge, Options, Rows, Scene, Stage, Stop};
///
/// /// Keeps every second scene.
/// #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct Halve {
///     /// The scenes.
///     from: Edge<Scene>,
/// }
///
/// impl Options for Halve {}
///
/// impl Stage for Halve {
///     const KIND: &'static str = "halve";
///     const VERSION: u32 = 1;
///     type In = Rows<Scene>;
///     type Out = Scene;
///
///     fn edges(&self) -> Edge<Scene> {
///         self.from.clone()
///     }
///
///     fn run(&self, scenes: Rows<Scene>, _: &mut Cx<'_>) -> Result<Vec<Scene>, Stop> {
///         Ok(scenes.iter().step_by(2).cloned().collect())
///     }
/// }
///
/// let registry = Registry::standard().with_stage::<Halve>();
/// assert!(registry.kinds().stage_kinds().any(|kind| kind == "halve"));
/// ```
#[derive(Debug)]
pub struct Registry {
    kinds: Kinds,
    tables: Tables,
    wires: Wires,
}

impl Default for Registry {
    fn default() -> Self {
        Self::standard()
    }
}

impl Registry {
    /// Everything that comes with storymill.
    pub fn standard() -> Self {
        let kinds = Kinds::new()
            .with_source::<storymill_sources::Folder>()
            .with_source::<storymill_sources::NarrativeQa>()
            .with_source::<storymill_sources::NarrativeXl>()
            .with_source::<storymill_sources::QuestionSets>()
            .with_source::<storymill_sources::StorySumm>()
            .with_source::<storymill_shelf::ShelfBooks>()
            .with_source::<crate::Published>()
            .with_source::<crate::ClaimSet>()
            .with_stage::<crate::ClaimTable>()
            .with_all(storymill_transforms::register);
        let kinds = storymill_names::answers::MODELS
            .iter()
            .map(|(name, _)| *name)
            .chain([crate::rust_bert::NAME, READER])
            .fold(kinds, Kinds::with_local_model);
        let tables = Tables::standard();
        let wires = Wires::default();
        let kinds = speaking(tables.names().fold(kinds, Kinds::with_table_named), &wires);
        Self { kinds, tables, wires }
    }

    /// The same with a kind of source.
    pub fn with_source<S: Source>(self) -> Self {
        Self { kinds: self.kinds.with_source::<S>(), ..self }
    }

    /// The same with a kind of stage.
    pub fn with_stage<S: Stage>(self) -> Self {
        Self { kinds: self.kinds.with_stage::<S>(), ..self }
    }

    /// The same with a kind of corpus stage.
    pub fn with_corpus_stage<S: CorpusStage>(self) -> Self {
        Self { kinds: self.kinds.with_corpus_stage::<S>(), ..self }
    }

    /// The same with a table: rows of this record may be published.
    pub fn with_table<T: Table>(self) -> Self {
        Self { kinds: self.kinds.with_table::<T>(), tables: self.tables.with::<T>(), ..self }
    }

    /// The same with a wire format: `[model.NAME]` may say `wire = "its-name"`.
    pub fn with_wire(self, wire: &'static dyn Wire) -> Self {
        let wires = self.wires.with(wire);
        Self { kinds: speaking(self.kinds, &wires), wires, ..self }
    }

    /// The kinds.
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// The wire formats.
    pub fn wires(&self) -> &Wires {
        &self.wires
    }

    /// The tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }
}

/// These kinds, with models that speak one of these wire formats.
fn speaking(kinds: Kinds, wires: &Wires) -> Kinds {
    let wires = wires.clone();
    kinds.with_model(move |model: &ModelConfig| {
        wires.of_model(model).err().map(|why| ModelConfig::line_of(&why)).into_iter().collect()
    })
}

//! Everything that this program knows: sources, stages, rulings, models, tables.

use storymill_dataset::Tables;
use storymill_pipeline::Registry;

/// The kinds that a workflow may name.
pub(crate) fn registry() -> Registry {
    let registry = Registry::new()
        .with_model::<storymill_llm::ModelConfig>()
        .with_source::<storymill_sources::Folder>()
        .with_source::<storymill_sources::NarrativeXl>()
        .with_source::<storymill_sources::QuestionSets>()
        .with_source::<storymill_shelf::ShelfBooks>()
        .with_all(storymill_transforms::register);
    let registry = storymill_names::answers::MODELS
        .iter()
        .map(|(name, _)| *name)
        .chain([crate::rust_bert::NAME])
        .fold(registry, Registry::with_local_model);
    tables().names().fold(registry, Registry::with_table_named)
}

/// The tables that can be published.
pub(crate) fn tables() -> Tables {
    Tables::standard()
}

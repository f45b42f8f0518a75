//! Everything that this program knows: sources, stages, rulings, tables.

use storymill_core::{CorpusStage, Stage};
use storymill_dataset::Tables;
use storymill_pipeline::Registry;

/// The kinds that a workflow may name.
pub(crate) fn registry() -> Registry {
    struct Into(Registry);

    impl storymill_transforms::Visit for Into {
        fn stage<S: Stage>(&mut self) {
            self.0 = std::mem::take(&mut self.0).with_stage::<S>();
        }

        fn ruling<S: CorpusStage>(&mut self) {
            self.0 = std::mem::take(&mut self.0).with_ruling::<S>();
        }
    }

    let registry = Registry::new().with_model::<storymill_llm::ModelConfig>();
    let mut into = Into(registry.with_source::<storymill_sources::Folder>());
    storymill_transforms::visit(&mut into);
    tables().names().fold(into.0, Registry::with_table_named)
}

/// The tables that can be published.
pub(crate) fn tables() -> Tables {
    Tables::standard()
}

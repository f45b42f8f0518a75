//! `passages`: the documents of a set as passages, each text once and by number, as recipes name them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Cx, Edge, Options, Passage, Rows, SetQuestion, Stage, Stop};
use storymill_mixing::Pool;

use super::language;

/// Lists the passages of a set. Publish them beside the contexts, which are made of them.
///
/// ```
/// use storymill_transforms::Passages;
/// assert!(toml::from_str::<Passages>("from = 'sets'").is_ok());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Passages {
    /// The source of question sets, or a step that makes its rows.
    pub from: Edge<SetQuestion>,
}

impl Options for Passages {}

impl Stage for Passages {
    const KIND: &'static str = "passages";
    const VERSION: u32 = 2;
    type In = Rows<SetQuestion>;
    type Out = Passage;

    fn edges(&self) -> Edge<SetQuestion> {
        self.from.clone()
    }

    fn run(&self, rows: Rows<SetQuestion>, cx: &mut Cx<'_>) -> Result<Vec<Passage>, Stop> {
        Ok(Pool::new(cx.unit(), &rows, language(&rows), |_| true).into_passages())
    }
}

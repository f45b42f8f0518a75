//! `passages`: the documents of a set as passages, each text once and by number, as recipes name them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Cx, Edge, Options, Passage, Rows, SetQuestion, Stage, Stop, stage};
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
    stage!("passages", 2, Rows<SetQuestion> => Passage, from);

    fn run(&self, rows: Rows<SetQuestion>, cx: &mut Cx<'_>) -> Result<Vec<Passage>, Stop> {
        Ok(Pool::new(cx.unit(), &rows, language(&rows), |_| true).into_passages())
    }
}

//! `ledger`: every change of a document and its questions as a row of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{AskedDocument, Cx, Edge, Options, Revision, Rows, Stage, Stop, stage};

/// Lists what was changed or left out, and what was taken back.
///
/// ```
/// use storymill_transforms::Ledger;
/// let stage: Ledger = toml::from_str("from = 'refined'").unwrap();
/// assert_eq!(stage.from.step(), "refined");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    /// The last step that changes documents: `join`, `distinct-questions` or `refine`.
    pub from: Edge<AskedDocument>,
}

impl Options for Ledger {}

impl Stage for Ledger {
    stage!("ledger", 1, Rows<AskedDocument> => Revision, from);

    fn run(&self, documents: Rows<AskedDocument>, _: &mut Cx<'_>) -> Result<Vec<Revision>, Stop> {
        Ok(documents.iter().flat_map(|document| document.revisions.clone()).collect())
    }
}

//! `released-split`: the split that a released file gives each document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{AskedDocument, Cx, Edge, Options, Rows, Split, Stage, Stop, stage};

/// Keeps the splits of the released files.
///
/// ```
/// use storymill_transforms::ReleasedSplit;
/// let stage: ReleasedSplit = toml::from_str("from = 'documents'").unwrap();
/// assert_eq!(stage.from.step(), "documents");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleasedSplit {
    /// The source of the documents: `narrativeqa`.
    pub from: Edge<AskedDocument>,
}

impl Options for ReleasedSplit {}

impl Stage for ReleasedSplit {
    stage!("released-split", 1, Rows<AskedDocument> => Split, from);

    fn run(&self, documents: Rows<AskedDocument>, cx: &mut Cx<'_>) -> Result<Vec<Split>, Stop> {
        let Some(first) = documents.first() else {
            return Err(Stop::reject("no-document", "nothing is asked about the book"));
        };
        if let Some(other) = documents.iter().find(|other| other.split != first.split) {
            let detail =
                format!("{} is of {}, {} of {}", first.id, first.split, other.id, other.split);
            return Err(Stop::reject("two-splits", detail));
        }
        let unit = cx.unit().clone();
        Ok(vec![Split { group: unit.clone(), unit, split: first.split.clone() }])
    }
}

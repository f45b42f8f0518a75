//! `take`: the questions that a corpus stage has chosen, ready to be asked and scored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Edge, EvalItem, Options, ReadAlongQuestion, Reconstruction, Rows, Stage, Stop, stage,
};

use super::{
    all,
    choose::{Chosen, lot},
};

/// Takes the questions that `choose` has chosen, of both tasks in one table.
///
/// ```
/// use storymill_transforms::Take;
/// let stage = "questions = 'q'\nreconstructions = 'r'\nchosen = 'c'\nset = 'small'";
/// assert!(toml::from_str::<Take>(stage).is_ok());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Take {
    /// The step that asks while reading.
    pub questions: Edge<ReadAlongQuestion>,
    /// The step that asks for retellings to be put right.
    pub reconstructions: Edge<Reconstruction>,
    /// The corpus stage that chooses.
    pub chosen: Edge<Chosen>,
    /// Which set: `all` that was chosen, or the `small` one inside. Default: `all`.
    #[serde(default)]
    pub set: Set,
}

/// Which set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// Everything that was chosen.
    #[default]
    All,
    /// The small set inside.
    Small,
}

impl Options for Take {}

impl Stage for Take {
    stage!("take", 4, (Rows<ReadAlongQuestion>, Rows<Reconstruction>, Rows<Chosen>) => EvalItem,
        questions, reconstructions, chosen);

    fn run(
        &self,
        (questions, reconstructions, chosen): Self::In,
        _: &mut Cx<'_>,
    ) -> Result<Vec<EvalItem>, Stop> {
        let chosen = chosen.iter().flat_map(|chosen| match self.set {
            Set::All => &chosen.all,
            Set::Small => &chosen.small,
        });
        let lots: std::collections::BTreeSet<u64> = chosen.copied().collect();
        let taken = all(&questions, &reconstructions).filter(|one| lots.contains(&lot(&one.id)));
        Ok(taken.cloned().map(EvalItem).collect())
    }
}

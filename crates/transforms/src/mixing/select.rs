//! `select`: which questions of a set are asked. The documents of the others distract.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Cx, Digest, Edge, Options, Rows, SetQuestion, Stage, Stop, stage};

use super::asks;

use crate::asking::at_least;

/// Chooses so many questions of a set; the others lose their question and keep their documents.
///
/// ```
/// use storymill_transforms::Select;
/// let stage: Select = toml::from_str("from = 'sets'\nquestions = 200").unwrap();
/// assert_eq!(stage.questions, 200);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// The source of question sets.
    pub from: Edge<SetQuestion>,
    /// How many questions are asked; all of them if the set has no more.
    pub questions: u32,
}

impl Options for Select {
    fn check(&self) -> Vec<(&'static str, String)> {
        at_least(&[("questions", self.questions, 1)])
    }
}

impl Stage for Select {
    stage!("select", 2, Rows<SetQuestion> => SetQuestion, from);

    fn run(&self, rows: Rows<SetQuestion>, cx: &mut Cx<'_>) -> Result<Vec<SetQuestion>, Stop> {
        let seed = cx.seed().root().to_le_bytes();
        let set = cx.unit().as_str().to_owned();
        // A lot by the question's own id, so that a question more moves one place.
        let lot = |row: &SetQuestion| {
            let parts = [&seed[..], set.as_bytes(), row.id.as_bytes()];
            Digest::of_parts("storymill 2026 select", parts)
        };
        let mut lots: Vec<Digest> = rows.iter().filter(|row| asks(row)).map(lot).collect();
        lots.sort_unstable();
        let last = lots.get((self.questions as usize).min(lots.len()).saturating_sub(1)).copied();
        let select = |row: &SetQuestion| {
            let mut row = row.clone();
            if last.is_none_or(|last| lot(&row) > last) {
                row.question.clear();
            }
            row
        };
        Ok(rows.iter().map(select).collect())
    }
}

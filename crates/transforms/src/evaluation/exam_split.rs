//! `exam-split`: the split that a unit has in its dataset, so that results lie in the same one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Cx, Edge, Exam, Options, Rows, Split, Stage, Stop, stage};

/// Gives each unit the split of its questions.
///
/// ```
/// use storymill_transforms::ExamSplit;
/// let stage: ExamSplit = toml::from_str("from = 'exam'").unwrap();
/// assert_eq!(stage.from.step(), "exam");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExamSplit {
    /// The source of the questions: `published`.
    pub from: Edge<Exam>,
}

impl Options for ExamSplit {}

impl Stage for ExamSplit {
    stage!("exam-split", 1, Rows<Exam> => Split, from);

    fn run(&self, exams: Rows<Exam>, cx: &mut Cx<'_>) -> Result<Vec<Split>, Stop> {
        let first = exams.iter().find_map(|exam| exam.questions.first());
        let split = first.map_or_else(|| "test".to_owned(), |asked| asked.split.clone());
        Ok(vec![Split { unit: cx.unit().clone(), split, group: cx.unit().clone() }])
    }
}

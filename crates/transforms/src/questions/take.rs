//! `take`: the questions that a ruling has chosen, ready to be asked and scored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Cx, Edge, EvalItem, Options, Question, Reconstruction, Rows, Stage, Stop};

use super::choose::{Chosen, lot};

/// Takes the questions that `choose` has chosen, of both tasks in one form.
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
    pub questions: Edge<Question>,
    /// The step that asks for retellings to be put right.
    pub reconstructions: Edge<Reconstruction>,
    /// The ruling that chooses.
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
    const KIND: &'static str = "take";
    const VERSION: u32 = 1;
    type In = (Rows<Question>, Rows<Reconstruction>, Rows<Chosen>);
    type Out = EvalItem;

    fn edges(&self) -> (Edge<Question>, Edge<Reconstruction>, Edge<Chosen>) {
        (self.questions.clone(), self.reconstructions.clone(), self.chosen.clone())
    }

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
        let is_chosen = |id: &str| lots.contains(&lot(id));
        let while_reading = questions.iter().filter(|q| is_chosen(&q.id)).map(of_question);
        let at_the_end = reconstructions.iter().filter(|q| is_chosen(&q.id)).map(of_reconstruction);
        Ok(while_reading.chain(at_the_end).collect())
    }
}

fn of_question(question: &Question) -> EvalItem {
    let options: Vec<String> = question.options.iter().map(|option| option.text.clone()).collect();
    EvalItem {
        id: question.id.clone(),
        book: question.book.clone(),
        of: question.of.name().to_owned(),
        level: 0,
        asked_at: question.asked_at,
        question: question.question.clone(),
        answer: Some(question.answer),
        reference: options[question.answer as usize].clone(),
        options,
        evidence: question.evidence.clone(),
        demand: question.demand.clone(),
        context: question.context.clone(),
    }
}

fn of_reconstruction(question: &Reconstruction) -> EvalItem {
    EvalItem {
        id: question.id.clone(),
        book: question.book.clone(),
        of: "reconstruction".to_owned(),
        level: question.level,
        asked_at: question.context.scenes.saturating_sub(1),
        question: format!("{}\n\n{}", question.question, question.distorted),
        options: Vec::new(),
        answer: None,
        reference: question.answer.clone(),
        evidence: question.evidence.clone(),
        demand: question.demand.clone(),
        context: question.context.clone(),
    }
}

//! `baseline`: what is right without any model, as the answers of models of that name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Edge, Exam, ExamQuestion, Form, ModelAnswer, Options, Rows, Setting, Spent, Stage, Status,
    Stop, stage,
};

/// A way to answer without reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// The first option; that a claim is true.
    First,
    /// The longest option.
    Longest,
    /// An option, or a verdict, drawn by the seed.
    Random,
    /// The text that is to be put right, as it is.
    Copy,
}

impl Baseline {
    const ALL: [Self; 4] = [Self::First, Self::Longest, Self::Random, Self::Copy];

    fn name(self) -> &'static str {
        match self {
            Self::First => "baseline:first",
            Self::Longest => "baseline:longest",
            Self::Random => "baseline:random",
            Self::Copy => "baseline:copy",
        }
    }
}

/// Answers what can be answered without a model. A question that a baseline has no answer to has no row of it.
///
/// ```
/// use storymill_transforms::BaselineStage;
/// let stage: BaselineStage = toml::from_str("from = 'exam'").unwrap();
/// assert_eq!(stage.ways.len(), 4);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaselineStage {
    /// The source of the questions: `published`.
    pub from: Edge<Exam>,
    /// The ways. Default: `first`, `longest`, `random`, `copy`.
    #[serde(default = "all")]
    pub ways: Vec<Baseline>,
}

fn all() -> Vec<Baseline> {
    Baseline::ALL.to_vec()
}

impl Options for BaselineStage {
    fn check(&self) -> Vec<(&'static str, String)> {
        let twice = (1..self.ways.len()).any(|at| self.ways[..at].contains(&self.ways[at]));
        match (self.ways.is_empty(), twice) {
            (true, _) => vec![("ways", "must name at least one".to_owned())],
            (_, true) => vec![("ways", "names one twice".to_owned())],
            _ => Vec::new(),
        }
    }
}

impl Stage for BaselineStage {
    stage!("baseline", 1, Rows<Exam> => ModelAnswer, from);

    fn run(&self, exams: Rows<Exam>, cx: &mut Cx<'_>) -> Result<Vec<ModelAnswer>, Stop> {
        let mut rows = Vec::new();
        for way in &self.ways {
            for exam in exams.iter() {
                for asked in &exam.questions {
                    let Some(answer) = answer(*way, asked, cx) else { continue };
                    rows.push(ModelAnswer {
                        question: asked.question.id.clone(),
                        config: asked.config.clone(),
                        of: exam.of.clone(),
                        model: way.name().to_owned(),
                        setting: Setting::Nothing.to_string(),
                        status: Status::Answered,
                        said: answer.clone(),
                        answer,
                        spent: Spent::default(),
                    });
                }
            }
        }
        Ok(rows)
    }
}

fn answer(way: Baseline, asked: &ExamQuestion, cx: &Cx<'_>) -> Option<String> {
    use storymill_core::Item;

    let question = &asked.question;
    let draw = || cx.stream(&asked.item_id(), "baseline");
    match (way, &question.form) {
        (Baseline::First, Form::Options { options, .. }) if !options.is_empty() => Some(0),
        // Of equals the first.
        (Baseline::Longest, Form::Options { options, .. }) => {
            let long = |at: &usize| options[*at].text.chars().count();
            (0..options.len()).rev().max_by_key(long)
        }
        (Baseline::Random, Form::Options { options, .. }) => draw().index(options.len()),
        (Baseline::First, Form::Verdict { .. }) => return Some("true".to_owned()),
        (Baseline::Random, Form::Verdict { .. }) => {
            return Some(if draw().below(2) == 0 { "true" } else { "false" }.to_owned());
        }
        (Baseline::Copy, Form::FreeText { given: Some(given), .. }) => {
            return Some(given.text.clone());
        }
        _ => None,
    }
    .map(|at| at.to_string())
}

//! `responses`: answers to claims that somebody has already, as the answers of the models that gave them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_claims::{
    answers,
    mistake::{Mistake, Mistakes},
    pair::Half,
    read::{self, Format, Response},
};
use storymill_core::{
    Answer, Cx, Edge, Exam, ExamQuestion, Fault, FaultKind, ModelAnswer, Options, Resource, Rows,
    Setting, Spent, Stage, Stop, stage,
};

use super::parse;

/// Takes answers from a file: lines of `system`, `pair`, `claim` and `answer`, or claims with fields `response-NAME` as NoCha's file
/// has them (CSV, JSON). Each system is a model of its own.
///
/// ```
/// use storymill_transforms::Responses;
/// let stage: Responses = serde_json::from_str(r#"{ "from": "exam", "file": "said.jsonl" }"#).unwrap();
/// assert!(stage.systems.is_empty());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Responses {
    /// The source of the claims: `claim-set` or `published`.
    pub from: Edge<Exam>,
    /// The file with the answers.
    pub file: Resource,
    /// Only those of these systems. Default: all.
    #[serde(default)]
    pub systems: Vec<String>,
}

impl Options for Responses {
    fn resources(&mut self) -> Vec<&mut Resource> {
        vec![&mut self.file]
    }
}

impl Stage for Responses {
    stage!("responses", 1, Rows<Exam> => ModelAnswer, from);

    fn run(&self, exams: Rows<Exam>, _: &mut Cx<'_>) -> Result<Vec<ModelAnswer>, Stop> {
        let said = self.read()?;
        let mut rows = Vec::new();
        for exam in exams.iter() {
            for asked in &exam.questions {
                let Some(pair) = asked.question.pair() else { continue };
                let holds = asked.question.reference() == Half::True.name();
                let own = said.get(&(pair.to_owned(), Half::of(holds))).into_iter().flatten();
                rows.extend(own.map(|(system, answer)| row(exam, asked, system, answer)));
            }
        }
        Ok(rows)
    }
}

/// Answers by claim: each system's.
type Said = BTreeMap<(String, Half), BTreeMap<String, String>>;

impl Responses {
    /// The answers of the file.
    ///
    /// # Errors
    ///
    /// A line is no answer, or a system has two to one claim. No message quotes an answer.
    pub fn read(&self) -> Result<Said, Fault> {
        let path = self.file.path();
        let refuse = |mistakes: Mistakes| {
            let why = mistakes.first().map(ToString::to_string).unwrap_or_default();
            let more = if mistakes.len() > 1 { " (and more)" } else { "" };
            let message = format!("the answers cannot be read: {why}{more}");
            Fault::new(FaultKind::Input, message).at(path)
        };
        let bytes = self.file.content();
        let responses: Vec<Response> = match Format::of_name(&path.to_string_lossy()) {
            Some(format @ (Format::Csv | Format::Json)) => {
                read::claims(bytes, format).map_err(refuse)?.responses
            }
            _ => answers::read(bytes).map_err(refuse)?,
        };
        let mut said = Said::new();
        for one in responses {
            let system = one.named();
            let Some(answer) = one.answer else { continue };
            if !self.systems.is_empty() && !self.systems.contains(&system) {
                continue;
            }
            let pair = one.pair.clone();
            let known = said.entry((one.pair, one.claim)).or_default();
            if known.get(&system).is_some_and(|known| *known != answer) {
                let reason = format!("two answers of one system to the {} claim", one.claim);
                return Err(refuse(vec![Mistake::new(reason).pair(&pair)]));
            }
            known.insert(system, answer);
        }
        Ok(said)
    }
}

fn row(exam: &Exam, asked: &ExamQuestion, system: &str, answer: &str) -> ModelAnswer {
    let given = Answer { text: answer.to_owned(), finish_reason: "stop".to_owned() };
    let (status, read) = parse::read(&asked.question, &given, None, u32::MAX);
    ModelAnswer {
        question: asked.question.id.clone(),
        config: asked.config.clone(),
        of: exam.of.clone(),
        model: system.to_owned(),
        setting: Setting::Full.to_string(),
        status,
        said: answer.to_owned(),
        answer: read,
        spent: Spent::default(),
    }
}

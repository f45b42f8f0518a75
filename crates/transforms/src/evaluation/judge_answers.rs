//! `judge-answers`: what a judge says answers in free words are worth, from 1 to 5, with and without a summary of the book.

use std::collections::BTreeMap;

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storymill_core::{
    Answer, AnswerScore, Cx, Edge, Exam, ExamQuestion, Fault, FaultKind, Form, Item, ModelAnswer,
    Reason, Reckoned, Resource, Rows, Schema, Size, Stage, Status, Stop, stage,
};
use storymill_text::one_line;

use crate::{
    asking::{Asks, asking},
    retelling::{
        answer::{not_withheld, object},
        prompt::{AGAIN, Ask},
    },
};

/// Asks a judge for a score of each answer in free words. No model judges itself.
///
/// ```
/// use storymill_core::Options;
/// use storymill_transforms::{JudgeAnswers, ShownToJudge};
/// let stage: JudgeAnswers = toml::from_str("from = 'exam'\nanswers = 'answers'").unwrap();
/// assert_eq!(stage.shown, [ShownToJudge::References, ShownToJudge::Summary]);
/// assert_eq!(stage.models(), ["default"]);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeAnswers {
    /// The source of the questions: `published`.
    pub from: Edge<Exam>,
    /// The step that makes the answers: `answer`.
    pub answers: Edge<ModelAnswer>,
    /// What the judge is shown beside question and answer, each in turn. Default: both.
    #[serde(default = "both")]
    pub shown: Vec<ShownToJudge>,
    /// The judge's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// What rows call the judge. Default: its name in the workflow.
    #[serde(default)]
    pub called: String,
    /// How often to ask at most until a score can be read. Default: 3.
    #[serde(default = "crate::defaults::count::<3>")]
    pub tries: u32,
    /// A template to use instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

/// What a judge is shown beside question and answer.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ShownToJudge {
    /// The right answers.
    References,
    /// The right answers and a summary of the book.
    Summary,
}

impl ShownToJudge {
    fn name(self) -> &'static str {
        storymill_core::word(&self)
    }
}

fn both() -> Vec<ShownToJudge> {
    vec![ShownToJudge::References, ShownToJudge::Summary]
}

asking!(
    JudgeAnswers,
    ["judge-answer.jinja"],
    [AGAIN],
    [prompt],
    check = |stage, mut faults| {
        let mut shown = stage.shown.clone();
        shown.sort_unstable();
        shown.dedup();
        if shown.len() != stage.shown.len() || shown.is_empty() {
            faults.push(("shown", "must name one or both, each once".to_owned()));
        }
        faults
    }
);

/// An answer, and what the judge is shown beside it.
struct Put<'a> {
    exam: &'a Exam,
    asked: &'a ExamQuestion,
    answer: &'a ModelAnswer,
    shown: ShownToJudge,
}

impl Item for Put<'_> {
    fn item_id(&self) -> String {
        format!("{}/{}", self.answer.item_id(), self.shown.name())
    }
}

/// About how many symbols question, answers and rubric have, and what a judge says.
const SIZES: (u64, u64) = (1_500, 200);

impl Stage for JudgeAnswers {
    stage!("judge-answers", 1, (Rows<Exam>, Rows<ModelAnswer>) => AnswerScore, from, answers);

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let answers = input.get(1).copied().unwrap_or_default();
        let asks = answers.rows.saturating_mul(self.shown.len() as u64);
        let rows = Size { rows: asks, symbols: asks * SIZES.1 };
        Reckoned::questions(rows, (&self.model, self.tries), asks, SIZES)
    }

    fn run(
        &self,
        (exams, answers): (Rows<Exam>, Rows<ModelAnswer>),
        cx: &mut Cx<'_>,
    ) -> Result<Vec<AnswerScore>, Stop> {
        let asked: BTreeMap<(&str, &str), (&Exam, &ExamQuestion)> = exams
            .iter()
            .flat_map(|exam| exam.questions.iter().map(move |asked| (exam, asked)))
            .map(|(exam, asked)| ((&*asked.config, &*asked.question.id), (exam, asked)))
            .collect();
        let mut puts = Vec::new();
        for answer in answers.iter() {
            let of = asked.get(&(&*answer.config, &*answer.question)).ok_or_else(|| {
                let message = format!("`{}` was answered and never asked", answer.question);
                Fault::new(FaultKind::Internal, message)
            })?;
            // Options and verdicts are right or wrong; nobody has to judge that.
            let (exam, asked) = *of;
            if matches!(asked.question.form, Form::FreeText { .. }) {
                let put = |shown: &ShownToJudge| Put { exam, asked, answer, shown: *shown };
                puts.extend(self.shown.iter().map(put));
            }
        }
        cx.each(&puts, |cx, put| self.judge(put, cx))
    }
}

impl JudgeAnswers {
    fn judge(&self, put: &Put<'_>, cx: &mut Cx<'_>) -> Result<AnswerScore, Stop> {
        let Put { exam, asked, answer, .. } = put;
        let judge = if self.called.is_empty() { &self.model } else { &self.called };
        if *judge == answer.model {
            let detail = format!("`{judge}` gave the answer that it would judge");
            return Err(Stop::reject("judges-itself", detail));
        }
        let mut row = AnswerScore {
            question: answer.question.clone(),
            config: answer.config.clone(),
            of: answer.of.clone(),
            split: asked.split.clone(),
            system: answer.model.clone(),
            setting: answer.setting.clone(),
            judge: judge.clone(),
            shown: put.shown.name().to_owned(),
            status: answer.status,
            score: Some(1),
            reason: "nothing was answered".to_owned(),
            answer: None,
        };
        if answer.status != Status::Answered {
            return Ok(row);
        }
        let summary: Vec<&str> = exam.retellings.iter().map(|one| one.text.as_str()).collect();
        let summary = match put.shown {
            ShownToJudge::References => String::new(),
            ShownToJudge::Summary if summary.is_empty() => {
                let detail = "the dataset has neither a summary of the book nor retellings";
                return Err(Stop::left_out("no-summary", detail));
            }
            ShownToJudge::Summary => summary.join("\n\n"),
        };
        let Form::FreeText { references, .. } = &asked.question.form else {
            return Err(Stop::left_out("not-free-text", "it is right or wrong"));
        };
        let variables = context! {
            summary,
            question => &asked.question.task,
            given => asked.question.given(),
            references => references.clone(),
            answer => &answer.answer,
        };
        let asking = self.asking(&[&self.prompt])?;
        let schema = schema();
        let ask = Ask { schema: Some(&schema), ..asking.with(0) };
        match ask.first(cx, 0, &variables, read) {
            Ok(taken) => {
                row.answer = Some(taken.digest());
                row.score = Some(taken.value.0);
                row.reason = taken.value.1;
            }
            Err(Stop::Reject(why)) => {
                row.status = Status::Unparsed;
                row.score = None;
                row.reason = why.detail;
            }
            Err(other) => return Err(other),
        }
        Ok(row)
    }
}

/// The schema that an answer must follow.
fn schema() -> Schema {
    let schema = json!({
        "type": "object",
        "properties": {
            "reason": { "type": "string", "maxLength": 300 },
            "score": { "type": "integer", "minimum": 1, "maximum": 5 },
        },
        "required": ["reason", "score"],
        "additionalProperties": false,
    });
    Schema { name: "score".to_owned(), schema }
}

/// The score in an answer, and why.
fn read(answer: &Answer) -> Result<(u8, String), Reason> {
    not_withheld(answer)?;
    let object = object(answer)?;
    let score = match &object["score"] {
        Value::Number(number) => number.as_f64().filter(|score| score.fract() == 0.0),
        Value::String(text) => text.trim().trim_end_matches("/5").trim().parse().ok(),
        _ => None,
    };
    let whole = |score: f64| (1..=5).find(|one| (f64::from(*one) - score).abs() < 1e-9);
    let score = score.and_then(whole).ok_or_else(|| {
        Reason::new("no-score", "the object has no `score` that is a whole number from 1 to 5")
    })?;
    Ok((score, one_line(object["reason"].as_str().unwrap_or_default())))
}

#[cfg(test)]
mod tests;

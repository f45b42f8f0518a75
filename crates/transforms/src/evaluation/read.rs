//! `read`: lets programs read the books of a published dataset scene by scene, and takes what they answer on the way.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use storymill_core::{
    Answer, Content, Cx, Edge, Exam, ExamQuestion, Fault, FaultKind, Form, ModelAnswer, Options,
    Question, Reckoned, Request, Rows, Setting, Size, Spent, Stage, Status, Stop,
    reader::{Answered, READER, Replies, Who},
    stage,
};

use super::{parse, script::Plan};
use crate::asking::all;

/// Lets readers answer every question when exactly its context was read. Whatever comes of it is a row, with how it ended.
///
/// ```
/// use storymill_core::Options;
/// use storymill_transforms::Read;
/// let stage: Read = toml::from_str(
///     "from = 'exam'\nreaders = [{ called = 'mine', command = 'python my_memory.py' }]",
/// )
/// .unwrap();
/// assert!(stage.check().is_empty());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// The source of the questions: `published` or `claim-set`.
    pub from: Edge<Exam>,
    /// Who reads.
    pub readers: Vec<NamedReader>,
}

/// A reader, and what rows call it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedReader {
    /// What rows call it.
    pub called: String,
    /// The command that starts it. It is run where `storymill evaluate --reader` names it too, and nowhere else.
    pub command: String,
    /// What it calls itself. Default: nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The version that it says it has. Default: none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
}

impl NamedReader {
    /// Which reader it is, whatever rows call it.
    pub fn who(&self) -> Who {
        let Self { command, name, version, .. } = self.clone();
        Who { command, name, version }
    }
}

impl Options for Read {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if self.readers.is_empty() {
            faults.push(("readers", "must name at least one".to_owned()));
        }
        for (at, reader) in self.readers.iter().enumerate() {
            if reader.called.is_empty() || reader.command.is_empty() {
                faults.push(("readers", "each must have a name and a command".to_owned()));
            }
            if self.readers[..at].iter().any(|other| other.called == reader.called) {
                faults.push(("readers", format!("has two that are called `{}`", reader.called)));
            }
        }
        faults
    }

    fn models(&self) -> Vec<&str> {
        vec![READER]
    }
}

impl Stage for Read {
    stage!("read", 1, Rows<Exam> => ModelAnswer, from);

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let exams = input.first().copied().unwrap_or_default();
        let readers = self.readers.len() as u64;
        let rows = Size { rows: exams.rows * readers, symbols: exams.symbols };
        Reckoned::questions(rows, (READER, 1), exams.rows * readers, (exams.of_row(), 0))
    }

    fn run(&self, exams: Rows<Exam>, cx: &mut Cx<'_>) -> Result<Vec<ModelAnswer>, Stop> {
        let plans: Vec<(&Exam, Plan)> = exams.iter().map(|exam| (exam, Plan::of(exam))).collect();
        let both = plans.iter().flat_map(|of| self.readers.iter().map(move |reader| (of, reader)));
        let rows = all(both, |((exam, plan), reader)| {
            let raw = serde_json::to_value(plan.script(reader.who())).map_err(|error| {
                Fault::new(FaultKind::Internal, "a script is no JSON").because(error)
            })?;
            let request = |_: Option<&_>| Request {
                model: READER.to_owned(),
                content: Content::Raw(raw.clone()),
                tries: 1,
            };
            let answer: Answer = cx.ask(0, request, |answer| Ok(answer.clone()))?;
            let replies = Replies::of(&answer.text)?;
            let asked = exam.questions.iter().zip(&plan.answers);
            let row = |(asked, at): (_, &usize)| {
                row(exam, asked, reader, replies.answers.get(*at), &replies)
            };
            Ok(asked.map(row).collect::<Vec<_>>())
        })?;
        Ok(rows.into_iter().flatten().collect())
    }
}

fn row(
    exam: &Exam,
    asked: &ExamQuestion,
    reader: &NamedReader,
    answered: Option<&Answered>,
    replies: &Replies,
) -> ModelAnswer {
    let said = match answered {
        Some(answered) => said(&answered.answer),
        None => replies.failed.clone().unwrap_or_default(),
    };
    let (status, answer) = match answered {
        Some(_) => read(&asked.question, &said),
        None => (Status::Failed, String::new()),
    };
    ModelAnswer {
        question: asked.question.id.clone(),
        config: asked.config.clone(),
        of: exam.of.clone(),
        model: reader.called.clone(),
        // It was shown what a model is shown in this setting, piece by piece; what of it was used is what it says.
        setting: Setting::Full.to_string(),
        status,
        said,
        answer,
        spent: Spent {
            shown: answered.and_then(|answered| answered.tokens),
            output: answered.and_then(|answered| answered.written),
            ..Spent::default()
        },
    }
}

/// An answer as a text.
fn said(answer: &Value) -> String {
    match answer {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// How an answer ended and what is read from it: a text that is one of the options is that option, all else is read as what a
/// model writes is.
fn read(question: &Question, said: &str) -> (Status, String) {
    let is_whole = |option: &str| option.trim() == said.trim();
    let option = question.options().iter().position(|option| is_whole(&option.text));
    if let Some(at) = option.filter(|_| !said.trim().is_empty()) {
        return (Status::Answered, at.to_string());
    }
    let said = match (&question.form, said.trim()) {
        // The options of a claim are these two.
        (Form::Verdict { .. }, "1") => "true",
        (Form::Verdict { .. }, "2") => "false",
        _ => said,
    };
    let answer = Answer { text: said.to_owned(), finish_reason: "stop".to_owned() };
    parse::read(question, &answer, None, u32::MAX)
}

#[cfg(test)]
mod tests;

//! Files of predictions and of records, in LV-Eval's form: one file for each set and level.

use serde::Deserialize;

use super::{Item, name::Name};
use crate::score::{FileError, row::Texts};

/// A prediction, and what its line says of the question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prediction {
    /// Which of the files it is of, from 0.
    pub file: usize,
    /// Its line, from 1.
    pub line: usize,
    /// The id of its context; LV-Eval's program writes none.
    pub id: Option<String>,
    /// What the file's name says.
    pub(super) name: Name,
    /// The question that was asked.
    pub question: Option<String>,
    /// What was answered.
    pub text: String,
    answers: Vec<String>,
    keywords: Option<String>,
    chinese: Option<bool>,
}

/// A line of a file of predictions. Other fields are not looked at.
#[derive(Deserialize)]
struct Said {
    #[serde(alias = "_id", alias = "context_id")]
    id: Option<String>,
    #[serde(alias = "pred")]
    prediction: Option<String>,
    #[serde(alias = "question")]
    input: Option<String>,
    #[serde(alias = "answer")]
    answers: Option<Texts>,
    #[serde(alias = "answer_keywords", alias = "keywords")]
    gold_ans: Option<Texts>,
    #[serde(alias = "lang")]
    language: Option<String>,
}

/// Reads a file of predictions; `file` is its number, `name` what it is called.
///
/// # Errors
///
/// No JSON on a line, or a line without a prediction.
pub fn predictions(jsonl: &str, file: usize, name: &str) -> Result<Vec<Prediction>, FileError> {
    let mut all = Vec::new();
    for (line, text) in (1..).zip(jsonl.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let said: Said =
            serde_json::from_str(text).map_err(|source| FileError::json(source, text, line))?;
        let text = said.prediction;
        all.push(Prediction {
            file,
            line,
            id: said.id,
            name: Name::of(name),
            question: said.input,
            text: text.ok_or(FileError::Missing { line, field: "pred` or `prediction" })?,
            answers: said.answers.map(|answers| answers.0).unwrap_or_default(),
            keywords: said.gold_ans.map(|keywords| keywords.0.join(" ")),
            chinese: said.language.map(|language| language == "zh"),
        });
    }
    if all.is_empty() { Err(FileError::Empty) } else { Ok(all) }
}

impl Prediction {
    /// What was asked, as the prediction's own line has it, and LV-Eval's program scores it.
    ///
    /// From then on the prediction has that id.
    ///
    /// # Errors
    ///
    /// The line has no answers.
    pub fn item(&mut self) -> Result<Item, FileError> {
        if self.answers.is_empty() {
            return Err(FileError::Missing { line: self.line, field: "answers" });
        }
        let question = self.question.clone().unwrap_or_default();
        let chinese = self.chinese.unwrap_or_else(|| self.name.is_chinese(&self.answers));
        let id = self.id.get_or_insert_with(|| self.name.id(self.line));
        Ok(Item {
            id: id.clone(),
            set: self.name.set.clone(),
            level: self.name.level,
            chinese,
            question,
            answers: self.answers.clone(),
            keywords: self.keywords.clone().unwrap_or_default(),
            ..Item::default()
        })
    }
}

/// A line of a file of records; its context, which may be long, is not looked at.
#[derive(Deserialize)]
struct Record {
    #[serde(rename = "_id")]
    id: Option<String>,
    input: Option<String>,
    answers: Option<Texts>,
    dataset: Option<String>,
    language: Option<String>,
    answer_keywords: Option<Texts>,
    confusing_facts: Option<Texts>,
}

/// Reads one line of a file of records, as LV-Eval published them and `storymill export` writes
/// them; `name` is what the file is called.
///
/// # Errors
///
/// No JSON, or no question with answers in it.
pub fn record(text: &str, line: usize, name: &str) -> Result<Item, FileError> {
    let record: Record =
        serde_json::from_str(text).map_err(|source| FileError::json(source, text, line))?;
    let answers = record.answers.ok_or(FileError::Missing { line, field: "answers" })?.0;
    if answers.is_empty() {
        return Err(FileError::Row { line, what: "`answers` is empty".into() });
    }
    let mut name = Name::of(name);
    if let Some(dataset) = record.dataset.as_deref().filter(|_| name.level == 0) {
        name = Name::of(dataset);
    }
    let chinese = match record.language.as_deref() {
        Some(language) => language == "zh",
        None => name.is_chinese(&answers),
    };
    Ok(Item {
        id: record.id.unwrap_or_else(|| name.id(line)),
        set: name.set,
        level: name.level,
        chinese,
        question: record.input.ok_or(FileError::Missing { line, field: "input" })?,
        answers,
        keywords: record.answer_keywords.map(|words| words.0.join(" ")).unwrap_or_default(),
        confusing: record.confusing_facts.map(|facts| facts.0).unwrap_or_default(),
        ..Item::default()
    })
}

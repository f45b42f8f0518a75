//! What LV-Eval's other sets were built from, in the forms they are released in: CMRC 2018, DuReader
//! and LooGLE. A line of these may hold several questions about one text.

use serde::Deserialize;
use serde_json::Value;
use storymill_core::{Document, SetQuestion};

use super::{line::Wrong, literal};

/// A question about one text.
fn about(document: &Document, id: String, question: &str, mut answers: Vec<String>) -> SetQuestion {
    answers.retain(|answer| !answer.trim().is_empty());
    let mut seen = std::collections::BTreeSet::new();
    answers.retain(|answer| seen.insert(answer.clone()));
    // What has no answer is not asked: its text still distracts.
    let asks = !answers.is_empty();
    SetQuestion {
        id,
        question: if asks { question.trim().to_owned() } else { String::new() },
        supporting: if asks { vec![0] } else { Vec::new() },
        answers,
        documents: vec![document.clone()],
        ..SetQuestion::default()
    }
}

/// An id that is a number in some files and a text in others.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Id {
    Number(u64),
    Text(String),
    #[default]
    None,
}

impl Id {
    fn text(self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text,
            Self::None => String::new(),
        }
    }
}

/// An answer as text, or with its place.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Said {
    Text(String),
    Placed { text: String },
}

impl From<Said> for String {
    fn from(said: Said) -> Self {
        match said {
            Said::Text(text) | Said::Placed { text } => text,
        }
    }
}

/// CMRC 2018: a text with its questions, in its own form.
#[derive(Debug, Deserialize)]
pub(super) struct Cmrc {
    context_text: String,
    #[serde(default)]
    title: String,
    qas: Vec<Query>,
}

/// A question of a text; the other names are those of the SQuAD form.
#[derive(Debug, Deserialize)]
struct Query {
    #[serde(rename = "query_id", alias = "id", default)]
    id: Id,
    #[serde(rename = "query_text", alias = "question")]
    text: String,
    #[serde(default)]
    answers: Vec<Said>,
}

fn queries(document: &Document, queries: Vec<Query>) -> Vec<SetQuestion> {
    let query = |one: Query| {
        let answers = one.answers.into_iter().map(String::from).collect();
        about(document, one.id.text(), &one.text, answers)
    };
    queries.into_iter().map(query).collect()
}

impl Cmrc {
    pub(super) fn rows(self) -> Vec<SetQuestion> {
        queries(&Document { title: self.title, text: self.context_text }, self.qas)
    }
}

/// CMRC 2018 in the form of SQuAD: an article with its paragraphs.
#[derive(Debug, Deserialize)]
pub(super) struct Article {
    #[serde(default)]
    title: String,
    paragraphs: Vec<Paragraph>,
}

#[derive(Debug, Deserialize)]
struct Paragraph {
    context: String,
    qas: Vec<Query>,
}

impl Article {
    pub(super) fn rows(self) -> Vec<SetQuestion> {
        let title = self.title;
        let paragraph = |one: Paragraph| {
            queries(&Document { title: title.clone(), text: one.context }, one.qas)
        };
        self.paragraphs.into_iter().flat_map(paragraph).collect()
    }
}

/// One question a row, as tables have CMRC (`answers` with `text`) and LooGLE (`answer`).
#[derive(Debug, Deserialize)]
pub(super) struct Flat {
    #[serde(default)]
    id: Id,
    context: String,
    question: String,
    #[serde(default)]
    title: String,
    answer: Option<String>,
    answers: Option<Texts>,
}

#[derive(Debug, Deserialize)]
struct Texts {
    text: Vec<String>,
}

impl Flat {
    pub(super) fn row(self) -> SetQuestion {
        let answers = self.answers.map_or_else(Vec::new, |answers| answers.text);
        let answers = self.answer.into_iter().chain(answers).collect();
        let document = Document { title: self.title, text: self.context };
        about(&document, self.id.text(), &self.question, answers)
    }
}

/// DuReader: what a search engine found for a question, and what people answered.
#[derive(Debug, Deserialize)]
pub(super) struct DuReader {
    #[serde(default)]
    question_id: Id,
    question: String,
    #[serde(default)]
    answers: Vec<String>,
    documents: Vec<Found>,
}

#[derive(Debug, Deserialize)]
struct Found {
    #[serde(default)]
    title: String,
    paragraphs: Vec<String>,
    #[serde(default)]
    is_selected: bool,
}

impl DuReader {
    pub(super) fn row(self) -> SetQuestion {
        let (mut documents, mut supporting) = (Vec::new(), Vec::new());
        for found in self.documents {
            let paragraphs = found.paragraphs.iter().map(|one| one.trim());
            let text = paragraphs.filter(|one| !one.is_empty()).collect::<Vec<_>>().join("\n");
            if !text.is_empty() {
                supporting.extend(found.is_selected.then_some(documents.len()));
                documents.push(Document { title: found.title, text });
            }
        }
        // People answered from the pages that they selected; without one nobody can say from which.
        let answers = if supporting.is_empty() { Vec::new() } else { self.answers };
        let row = about(&Document::default(), self.question_id.text(), &self.question, answers);
        let supporting = supporting.into_iter().filter_map(|at| u32::try_from(at).ok());
        let supporting = if row.question.is_empty() { Vec::new() } else { supporting.collect() };
        SetQuestion { documents, supporting, ..row }
    }
}

/// LooGLE: a long text with its questions, which stand in a string as Python prints them, in a list
/// of JSON, or are `none`.
#[derive(Debug, Deserialize)]
pub(super) struct LooGle {
    input: String,
    #[serde(default)]
    title: String,
    qa_pairs: Value,
}

#[derive(Debug, Deserialize)]
struct Pair {
    #[serde(rename = "Q")]
    question: String,
    #[serde(rename = "A")]
    answer: Value,
}

impl LooGle {
    pub(super) fn rows(self) -> Result<Vec<SetQuestion>, Wrong> {
        let document = Document { title: self.title, text: self.input };
        let pairs = match &self.qa_pairs {
            Value::String(text) if text.trim() == "none" => Value::Null,
            Value::String(text) => literal::read(text)
                .ok_or_else(|| ("bad-line", "`qa_pairs` is not a list of questions".to_owned()))?,
            other => other.clone(),
        };
        if pairs.is_null() {
            return Ok(vec![about(&document, String::new(), "", Vec::new())]);
        }
        let pairs: Vec<Pair> = serde_json::from_value(pairs)
            .map_err(|error| ("bad-line", format!("`qa_pairs`: {error}")))?;
        let said = |answer: Value| match answer {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let pair =
            |one: Pair| about(&document, String::new(), &one.question, vec![said(one.answer)]);
        Ok(pairs.into_iter().map(pair).collect())
    }
}

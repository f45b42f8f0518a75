//! The three forms of lines: our own, HotpotQA's, that of LongBench's MultiFieldQA.

use std::collections::BTreeSet;

use serde::Deserialize;
use storymill_core::{Document, Rule, SetQuestion};

use super::line::Wrong;

/// One text or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Many(Vec<String>),
}

impl Texts {
    fn all(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::Many(texts) => texts,
        }
    }

    fn joined(self) -> String {
        self.all().join(" ")
    }
}

/// A document, with or without a title.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Paper {
    Text(String),
    Titled(TitledPaper),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TitledPaper {
    #[serde(default)]
    title: String,
    text: String,
}

impl From<Paper> for Document {
    fn from(paper: Paper) -> Self {
        match paper {
            Paper::Text(text) => Self { title: String::new(), text },
            Paper::Titled(TitledPaper { title, text }) => Self { title, text },
        }
    }
}

/// Our own form; docs/lveval.md has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Own {
    #[serde(default)]
    id: String,
    #[serde(default)]
    language: String,
    #[serde(default)]
    question: String,
    #[serde(alias = "answer")]
    answers: Option<Texts>,
    #[serde(alias = "keywords")]
    answer_keywords: Option<Texts>,
    #[serde(default)]
    documents: Vec<Paper>,
    supporting: Option<Vec<u32>>,
    #[serde(default)]
    confusing_facts: Vec<String>,
    #[serde(default)]
    rules: Vec<Rule>,
}

impl Own {
    pub(super) fn row(self) -> SetQuestion {
        let documents: Vec<Document> = self.documents.into_iter().map(Document::from).collect();
        let all = || (0..u32::try_from(documents.len()).unwrap_or(0)).collect();
        let asks = !self.question.trim().is_empty();
        SetQuestion {
            id: self.id,
            language: self.language,
            question: self.question.trim().to_owned(),
            answers: self.answers.map(Texts::all).unwrap_or_default(),
            keywords: self.answer_keywords.map(Texts::joined).unwrap_or_default(),
            supporting: self.supporting.unwrap_or_else(|| if asks { all() } else { Vec::new() }),
            documents,
            confusing: self.confusing_facts,
            rules: self.rules,
            asked: Vec::new(),
        }
    }
}

/// HotpotQA: paragraphs of sentences, and which sentences of which titles support the answer.
#[derive(Debug, Deserialize)]
pub(super) struct HotpotQa {
    #[serde(alias = "_id", default)]
    id: String,
    question: String,
    answer: String,
    context: Vec<(String, Vec<String>)>,
    supporting_facts: Vec<(String, i64)>,
}

impl HotpotQa {
    pub(super) fn row(self) -> Result<SetQuestion, Wrong> {
        let titles: Vec<&String> = self.context.iter().map(|(title, _)| title).collect();
        let mut supporting = BTreeSet::new();
        for (title, _) in &self.supporting_facts {
            let at = titles.iter().position(|one| *one == title).ok_or_else(|| {
                (
                    "bad-supporting",
                    format!("`supporting_facts` names `{title}`, and no paragraph has that title"),
                )
            })?;
            supporting.insert(u32::try_from(at).unwrap_or(u32::MAX));
        }
        // Sentences begin with the blank that parts them, in the released files.
        let text = |sentences: Vec<String>| {
            let mut text = String::new();
            for sentence in sentences {
                if !text.is_empty() && !sentence.starts_with(char::is_whitespace) {
                    text.push(' ');
                }
                text.push_str(&sentence);
            }
            text
        };
        let documents = self.context.into_iter();
        // Paragraphs without a sentence are in the released files too, and hold nothing.
        let mut kept = Vec::new();
        let mut moved = Vec::new();
        for (at, (title, sentences)) in (0_u32..).zip(documents) {
            let text = text(sentences);
            if !text.trim().is_empty() {
                if supporting.contains(&at) {
                    moved.push(u32::try_from(kept.len()).unwrap_or(u32::MAX));
                }
                kept.push(Document { title, text });
            }
        }
        Ok(SetQuestion {
            id: self.id,
            language: String::new(),
            question: self.question.trim().to_owned(),
            answers: vec![self.answer],
            documents: kept,
            supporting: moved,
            ..SetQuestion::default()
        })
    }
}

/// LongBench's MultiFieldQA: one context, one question.
#[derive(Debug, Deserialize)]
pub(super) struct MultiFieldQa {
    #[serde(alias = "_id", default)]
    id: String,
    input: String,
    context: String,
    answers: Texts,
    #[serde(default)]
    language: String,
    answer_keywords: Option<Texts>,
}

impl MultiFieldQa {
    pub(super) fn row(self) -> SetQuestion {
        SetQuestion {
            id: self.id,
            language: self.language,
            question: self.input.trim().to_owned(),
            answers: self.answers.all(),
            keywords: self.answer_keywords.map(Texts::joined).unwrap_or_default(),
            documents: vec![Document { title: String::new(), text: self.context }],
            supporting: vec![0],
            ..SetQuestion::default()
        }
    }
}

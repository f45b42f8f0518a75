//! Question sets, and the long contexts that are mixed for them (LV-Eval).
//!
//! A context is never stored as text. It is a *recipe*: which passages in which order, what was put
//! between their sentences, what was replaced. `storymill-mixing` turns recipes into texts.

use serde::{Deserialize, Serialize};

use crate::{Demand, Digest, Form, Length, Question, Recipe, Span, UnitId, record};

/// One document of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its title; blank if it has none.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// One row of a question set: a question with its documents, or documents alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetQuestion {
    /// Its id in the set: `q07`.
    pub id: String,
    /// `en` or `zh`.
    pub language: String,
    /// The question; blank in a row that only brings documents to distract with.
    pub question: String,
    /// The answers, each right by itself; the first is the one that LV-Eval scores.
    pub answers: Vec<String>,
    /// The words of the answer that matter, separated by spaces; blank if nobody said.
    pub keywords: String,
    /// Its documents.
    pub documents: Vec<Document>,
    /// Which of them hold the answer, in order.
    pub supporting: Vec<u32>,
    /// Sentences that look like the evidence and are not.
    pub confusing: Vec<String>,
    /// What is replaced by what.
    pub rules: Vec<Rule>,
    /// The answers of a model that went into it.
    pub asked: Vec<Digest>,
}

record!(SetQuestion, "set-question", 1, id);

/// A word or phrase and what stands for it, wherever the question or its context says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The word or phrase.
    pub from: String,
    /// What stands for it.
    pub to: String,
    /// Where it must stand before it is replaced.
    #[serde(default = "in_evidence")]
    pub scope: Vec<Scope>,
}

fn in_evidence() -> Vec<Scope> {
    vec![Scope::Context]
}

/// Where a rule must hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// In the supporting documents.
    Context,
    /// In the question.
    Question,
    /// In the first answer.
    Answer,
}

impl Scope {
    /// Its name: `context`.
    pub fn name(self) -> &'static str {
        crate::word(&self)
    }
}

/// A passage of a set: a document as it stands in contexts, each text once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// The set.
    pub set: UnitId,
    /// Its number in the set, from 0.
    pub number: u32,
    /// Its title; blank if it has none.
    pub title: String,
    /// The text, with the title as its first line.
    pub text: String,
    /// Its length by LV-Eval's rule: words in English, characters in Chinese.
    pub length: u32,
}

impl Passage {
    /// The id: `lanterns/00012`.
    pub fn id(&self) -> String {
        format!("{}/{:05}", self.set, self.number)
    }
}

record!(Passage, "passage", 1);

/// The line above a passage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Heading {
    /// `### Passage 7`, as in LV-Eval's released English contexts.
    #[default]
    Released,
    /// `Passage 7`, as in its paper.
    Paper,
    /// `文章7`.
    Chinese,
    /// None: passages follow one another, a line break between.
    Plain,
}

impl Heading {
    /// Its name: `released`.
    pub fn name(self) -> &'static str {
        crate::word(&self)
    }

    /// The one of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Released, Self::Paper, Self::Chinese, Self::Plain]
            .into_iter()
            .find(|one| one.name() == name)
    }
}

/// A sentence put between two sentences of a passage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insertion {
    /// What it is.
    pub kind: InsertionKind,
    /// The sentence as it stands in the context, so with what is replaced.
    pub text: String,
    /// The passage, by its place in the context, from 0.
    pub place: u32,
    /// Where in that passage, in bytes of its text.
    pub at: u32,
    /// Where it stands in the context.
    pub span: Span,
}

/// What an inserted sentence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InsertionKind {
    /// A fact that is asked for.
    Fact,
    /// A confusing fact.
    Confusing,
}

impl InsertionKind {
    /// Its name: `fact`.
    pub fn name(self) -> &'static str {
        crate::word(&self)
    }
}

/// Evidence in a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Where it stands in the context.
    pub span: Span,
    /// How much of the rest of the context stands before it, per mille: 0 at the very beginning,
    /// 1,000 at the very end, however long it is itself.
    pub depth_pm: u16,
}

/// A long context and what is asked of it, as a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// The id: `lanterns_16k/q07`.
    pub id: String,
    /// The set.
    pub set: UnitId,
    /// The question in its set.
    pub item: String,
    /// The length that was wanted, by LV-Eval's rule.
    pub level: u32,
    /// What was done: `cf+kpr`, `cf`, `kpr`, `none`.
    pub ablation: String,
    /// `en` or `zh`.
    pub language: String,
    /// The question, with what is replaced.
    pub question: String,
    /// The answers, with what is replaced.
    pub answers: Vec<String>,
    /// The keywords, with what is replaced.
    pub keywords: String,
    /// The confusing facts, with what is replaced.
    pub confusing: Vec<String>,
    /// The line above each passage.
    pub heading: Heading,
    /// The passages in order, by number.
    pub passages: Vec<u32>,
    /// What is put into them, in the order of the context.
    pub insertions: Vec<Insertion>,
    /// What is replaced.
    pub rules: Vec<Rule>,
    /// Where the answer stands, in the order of the context.
    pub evidence: Vec<Evidence>,
    /// The tenth of the context, from 0, that the evidence was meant for; where it is dispersed,
    /// the first document of it.
    pub decile: u8,
    /// Passages that hold the answer and were left in, flagged.
    pub flagged: Vec<u32>,
    /// The length by LV-Eval's rule.
    pub length: u32,
    /// The length in symbols.
    pub symbols: u32,
}

impl Context {
    /// A level as names have it: `16k`, or the number where it is no whole thousand.
    pub fn level_name(level: u32) -> String {
        if level > 0 && level.is_multiple_of(1_000) {
            format!("{}k", level / 1_000)
        } else {
            level.to_string()
        }
    }
}

impl From<&Context> for Question {
    /// What is asked of it, as any question is.
    fn from(context: &Context) -> Self {
        let (start, end) = (
            context.evidence.iter().map(|one| one.span.start.symbol).min().unwrap_or(0),
            context.evidence.iter().map(|one| one.span.end.symbol).max().unwrap_or(0),
        );
        let back = |from: u32| context.symbols.saturating_sub(from);
        let to_start = Length { symbols: back(start), ..Length::default() };
        Self {
            id: context.id.clone(),
            of: context.set.clone(),
            kind: "long-context".to_owned(),
            task: context.question.clone(),
            form: Form::FreeText {
                given: None,
                references: context.answers.clone(),
                keywords: context.keywords.clone(),
            },
            about: Vec::new(),
            demands: Vec::new(),
            evidence: context.evidence.iter().map(|one| one.span).collect(),
            demand: Demand { to_start, to_end_symbols: back(end) },
            context: match context.passages[..] {
                [] => Recipe::Nothing,
                _ => Recipe::Mixed(context.symbols),
            },
            made_by: None,
        }
    }
}

record!(Context, "context", 1);

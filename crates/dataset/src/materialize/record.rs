//! A context as LV-Eval's own evaluation code reads it, and our own columns behind that.

use serde::Serialize;
use storymill_core::Context;

use crate::column::{Column, Type};

/// A record: the fields of LV-Eval, then ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Record<'c> {
    /// The question.
    pub input: &'c str,
    /// The context.
    pub context: &'c str,
    /// The answers.
    pub answers: &'c [String],
    /// The length by LV-Eval's rule.
    pub length: u32,
    /// Set and level: `lanterns_16k`.
    pub dataset: String,
    /// `en` or `zh`.
    pub language: &'c str,
    /// What LV-Eval's code reads and never uses.
    pub all_classes: Option<()>,
    /// The words of the answer that matter. Not there if nobody said: LV-Eval's gate is open then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_keywords: Option<&'c str>,
    /// The confusing facts.
    pub confusing_facts: &'c [String],
    /// The id.
    #[serde(rename = "_id")]
    pub id: &'c str,
    /// The length that was wanted.
    pub level: u32,
    /// What was done.
    pub ablation: &'c str,
    /// Where the answer stands.
    pub evidence: Vec<EvidenceSpan>,
    /// What was cut out of the middle, from and upto, in symbols of the whole context; twice 0 if it
    /// is whole.
    #[serde(rename = "cut_symbols")]
    pub cut: (u32, u32),
    /// The dataset's canary.
    pub canary: &'c str,
}

/// Where the answer stands in a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EvidenceSpan {
    /// First symbol.
    pub start_symbols: u32,
    /// The first symbol that is no longer in it.
    pub end_symbols: u32,
    /// Share of the rest that stands before it.
    pub depth_pm: u16,
}

impl<'c> Record<'c> {
    /// The record of a recipe and its text.
    pub fn new(context: &'c Context, canary: &'c str, text: &'c str) -> Self {
        let span = |one: &storymill_core::Evidence| EvidenceSpan {
            start_symbols: one.span.start.symbol,
            end_symbols: one.span.end.symbol,
            depth_pm: one.depth_pm,
        };
        Self {
            input: &context.question,
            context: text,
            answers: &context.answers,
            length: context.length,
            dataset: format!("{}_{}", context.set, Context::level_name(context.level)),
            language: &context.language,
            all_classes: None,
            answer_keywords: Some(&context.keywords[..]).filter(|keywords| !keywords.is_empty()),
            confusing_facts: &context.confusing,
            id: &context.id,
            level: context.level,
            ablation: &context.ablation,
            evidence: context.evidence.iter().map(span).collect(),
            cut: (0, 0),
            canary,
        }
    }
}

/// The columns, in the order in which a record has its fields.
pub(super) fn columns() -> Vec<Column> {
    let int = |name, about| Column::new(name, Type::Int, about);
    let evidence = Type::records(vec![
        int("start_symbols", "first symbol"),
        int("end_symbols", "the first symbol that is no longer in it"),
        int("depth_pm", "share of the rest that stands before it, of 1,000"),
    ]);
    let texts = Type::list(Type::Text);
    vec![
        Column::new("input", Type::Text, "the question"),
        Column::new("context", Type::Text, "the context"),
        Column::new("answers", texts.clone(), "the answers"),
        int("length", "the length by LV-Eval's rule"),
        Column::new("dataset", Type::Word, "set and level"),
        Column::new("language", Type::Word, "`en` or `zh`"),
        Column::new("all_classes", Type::Line, "null; LV-Eval's program wants it").or_null(),
        Column::new("answer_keywords", Type::Line, "the words that matter").or_null(),
        Column::new("confusing_facts", texts, "the confusing facts"),
        Column::new("_id", Type::Line, "the id"),
        int("level", "the length that was wanted"),
        Column::new("ablation", Type::Word, "what was done"),
        Column::new("evidence", evidence, "where the answer stands"),
        Column::new("cut_symbols", Type::list(Type::Int), "what was cut out of the middle"),
        Column::canary(),
    ]
}

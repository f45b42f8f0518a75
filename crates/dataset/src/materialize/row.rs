//! A row of contexts, read back as a recipe.

use std::path::Path;

use serde::Deserialize;
use storymill_core::{
    Context, Evidence, Fault, FaultKind, Heading, Insertion, InsertionKind, Place, Rule, Span,
    UnitId,
};

/// A row of contexts as it is read back.
#[derive(Debug, Deserialize)]
pub(super) struct Row {
    context_id: String,
    set: UnitId,
    item: String,
    level: u32,
    ablation: String,
    language: String,
    question: String,
    answers: Vec<String>,
    answer_keywords: String,
    confusing_facts: Vec<String>,
    heading: String,
    passages: Vec<u32>,
    insertions: Vec<InsertionRow>,
    rules: Vec<Rule>,
    evidence: Vec<EvidenceRow>,
    decile: u8,
    flagged: Vec<u32>,
    length: u32,
    symbols: u32,
    pub(super) canary: String,
}

#[derive(Clone, Debug, Deserialize)]
struct InsertionRow {
    kind: String,
    text: String,
    place: u32,
    at_bytes: u32,
    start_symbols: u32,
    end_symbols: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct EvidenceRow {
    start_symbols: u32,
    end_symbols: u32,
    depth_pm: u16,
}

impl Row {
    /// Whether it is of this set and level.
    pub(super) fn is_of(&self, set: &str, level: u32) -> bool {
        self.set.as_str() == set && self.level == level
    }

    /// The recipe. Spans have no bytes: those are not published.
    pub(super) fn context(&self, path: &Path) -> Result<Context, Fault> {
        let heading = Heading::of_name(&self.heading).ok_or_else(|| {
            let message = format!("{} has an unknown heading, `{}`", self.context_id, self.heading);
            Fault::new(FaultKind::Input, message).at(path)
        })?;
        let span = |start, end| {
            let at = |symbol| Place { byte: 0, symbol };
            Span { start: at(start), end: at(end) }
        };
        let insertion = |one: &InsertionRow| Insertion {
            kind: if one.kind == InsertionKind::Fact.name() {
                InsertionKind::Fact
            } else {
                InsertionKind::Confusing
            },
            text: one.text.clone(),
            place: one.place,
            at: one.at_bytes,
            span: span(one.start_symbols, one.end_symbols),
        };
        let evidence = |one: &EvidenceRow| Evidence {
            span: span(one.start_symbols, one.end_symbols),
            depth_pm: one.depth_pm,
        };
        Ok(Context {
            id: self.context_id.clone(),
            set: self.set.clone(),
            item: self.item.clone(),
            level: self.level,
            ablation: self.ablation.clone(),
            language: self.language.clone(),
            question: self.question.clone(),
            answers: self.answers.clone(),
            keywords: self.answer_keywords.clone(),
            confusing: self.confusing_facts.clone(),
            heading,
            passages: self.passages.clone(),
            insertions: self.insertions.iter().map(insertion).collect(),
            rules: self.rules.clone(),
            evidence: self.evidence.iter().map(evidence).collect(),
            decile: self.decile,
            flagged: self.flagged.clone(),
            length: self.length,
            symbols: self.symbols,
        })
    }
}

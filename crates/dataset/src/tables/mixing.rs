//! The tables of long contexts: recipes, and the passages that they are made of.

use serde::Serialize;
use storymill_core::{Context, Encoding, Evidence, Insertion, Passage, Rule, Scope, UnitId};

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table of contexts.
#[derive(Debug, Serialize)]
pub struct ContextRow {
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
    rules: Vec<RuleRow>,
    evidence: Vec<EvidenceRow>,
    decile: u8,
    flagged: Vec<u32>,
    length: u32,
    symbols: u32,
    canary: String,
}

#[derive(Debug, Serialize)]
struct InsertionRow {
    kind: String,
    text: String,
    place: u32,
    at_bytes: u32,
    start_symbols: u32,
    end_symbols: u32,
}

impl From<Insertion> for InsertionRow {
    fn from(one: Insertion) -> Self {
        Self {
            kind: one.kind.name().to_owned(),
            text: one.text,
            place: one.place,
            at_bytes: one.at,
            start_symbols: one.span.start.symbol,
            end_symbols: one.span.end.symbol,
        }
    }
}

#[derive(Debug, Serialize)]
struct RuleRow {
    from: String,
    to: String,
    scope: Vec<&'static str>,
}

impl From<Rule> for RuleRow {
    fn from(rule: Rule) -> Self {
        let scope = rule.scope.into_iter().map(Scope::name).collect();
        Self { from: rule.from, to: rule.to, scope }
    }
}

#[derive(Debug, Serialize)]
struct EvidenceRow {
    start_symbols: u32,
    end_symbols: u32,
    depth_pm: u16,
}

impl From<Evidence> for EvidenceRow {
    fn from(one: Evidence) -> Self {
        Self {
            start_symbols: one.span.start.symbol,
            end_symbols: one.span.end.symbol,
            depth_pm: one.depth_pm,
        }
    }
}

impl Table for Context {
    type Row = ContextRow;
    const ABOUT: &'static str = "a long context and its question, as a recipe";
    const EVALUATION: bool = true;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let insertions = Type::records(vec![
            Column::new("kind", Type::Word, "fact or confusing"),
            Column::new("text", Type::Text, "the sentence as it stands in the context"),
            Column::new("place", Type::Int, "the passage, by its place in `passages`"),
            Column::new("at_bytes", Type::Int, "where in that passage, in bytes of UTF-8"),
            Column::new("start_symbols", Type::Int, "first symbol in the context"),
            Column::new("end_symbols", Type::Int, "the first symbol that is no longer in it"),
        ]);
        let rules = Type::records(vec![
            Column::new("from", Type::Line, "the word or phrase"),
            Column::new("to", Type::Line, "what stands for it"),
            Column::new("scope", Type::list(Type::Word), "where it had to stand"),
        ]);
        let evidence = Type::records(vec![
            Column::new("start_symbols", Type::Int, "first symbol in the context"),
            Column::new("end_symbols", Type::Int, "the first symbol that is no longer in it"),
            Column::new("depth_pm", Type::Int, "share of the rest that stands before it"),
        ]);
        vec![
            Column::new("context_id", Type::Line, "the context: `lanterns_16k/q07`"),
            Column::new("set", Type::Word, "the question set"),
            Column::new("item", Type::Line, "the question in its set, the same at all levels"),
            Column::new("level", Type::Int, "the length that was wanted"),
            Column::new("ablation", Type::Word, "what was done: `cf+kpr`, `cf`, `kpr`, `none`"),
            Column::new("language", Type::Word, "`en` or `zh`"),
            Column::new("question", Type::Text, "the question, with what is replaced"),
            Column::new("answers", Type::list(Type::Line), "the answers, with what is replaced"),
            Column::new(
                "answer_keywords",
                Type::Line,
                "the words of the answer that matter; blank if nobody said",
            ),
            Column::new(
                "confusing_facts",
                Type::list(Type::Text),
                "the confusing facts, with what is replaced",
            ),
            Column::new(
                "heading",
                Type::Word,
                "the line above each passage: `released`, `paper`, `chinese`, `plain`",
            ),
            Column::new(
                "passages",
                Type::list(Type::Int),
                "the passages in order, by number in the set",
            ),
            Column::new("insertions", insertions, "what is put into passages"),
            Column::new("rules", rules, "what is replaced by what, everywhere at once"),
            Column::new("evidence", evidence, "where the answer stands"),
            Column::new(
                "decile",
                Type::Int,
                "the tenth of the context that the evidence was meant for",
            ),
            Column::new(
                "flagged",
                Type::list(Type::Int),
                "passages that hold the answer and were left in",
            ),
            Column::new("length", Type::Int, "words in English, characters in Chinese"),
            Column::new("symbols", Type::Int, "the length in symbols"),
            Column::canary(),
        ]
    }

    fn row(self, added: &Added<'_>) -> ContextRow {
        ContextRow {
            context_id: self.id,
            set: self.set,
            item: self.item,
            level: self.level,
            ablation: self.ablation,
            language: self.language,
            question: self.question,
            answers: self.answers,
            answer_keywords: self.keywords,
            confusing_facts: self.confusing,
            heading: self.heading.name().to_owned(),
            passages: self.passages,
            insertions: self.insertions.into_iter().map(InsertionRow::from).collect(),
            rules: self.rules.into_iter().map(RuleRow::from).collect(),
            evidence: self.evidence.into_iter().map(EvidenceRow::from).collect(),
            decile: self.decile,
            flagged: self.flagged,
            length: self.length,
            symbols: self.symbols,
            canary: added.canary.to_owned(),
        }
    }
}

/// A row of the table of passages.
#[derive(Debug, Serialize)]
pub struct PassageRow {
    passage_id: String,
    set: UnitId,
    passage: u32,
    title: String,
    text: String,
    length: u32,
}

impl Table for Passage {
    type Row = PassageRow;
    const ABOUT: &'static str = "a passage that contexts are made of";
    const EVALUATION: bool = false;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        vec![
            Column::new("passage_id", Type::Line, "the passage: `lanterns/00012`"),
            Column::new("set", Type::Word, "the question set"),
            Column::new("passage", Type::Int, "its number in the set, from 0"),
            Column::new("title", Type::Line, "its title; blank if it has none"),
            Column::new("text", Type::Text, "the text, with the title as its first line"),
            Column::new("length", Type::Int, "words in English, characters in Chinese"),
        ]
    }

    fn row(self, _: &Added<'_>) -> PassageRow {
        PassageRow {
            passage_id: self.id(),
            set: self.set,
            passage: self.number,
            title: self.title,
            text: self.text,
            length: self.length,
        }
    }
}

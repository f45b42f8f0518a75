//! The table of questions that models are evaluated on.

use storymill_core::{BookId, Encoding, EvalItem};

use super::{
    span::SpanRow,
    tokens::{Counted, TokenCells, serialize_row},
};
use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug)]
pub struct EvalRow {
    question_id: String,
    source_config: &'static str,
    book_id: BookId,
    split: String,
    r#type: String,
    level: u8,
    asked_at_scene: u32,
    question: String,
    options: Vec<String>,
    answer: i64,
    reference: String,
    evidence: Vec<SpanRow>,
    demand_scenes: u32,
    demand_words: u32,
    demand_symbols: u32,
    demand_end_symbols: u32,
    context_scenes: u32,
    context_words: u32,
    context_symbols: u32,
    tokens: TokenCells,
    canary: String,
}

serialize_row!(EvalRow {
    question_id,
    source_config,
    book_id,
    split,
    r#type,
    level,
    asked_at_scene,
    question,
    options,
    answer,
    reference,
    evidence,
    demand_scenes,
    demand_words,
    demand_symbols,
    demand_end_symbols,
    context_scenes,
    context_words,
    context_symbols,
    canary,
});

impl Table for EvalItem {
    type Row = EvalRow;
    const ABOUT: &'static str = "a question to evaluate models on";
    const EVALUATION: bool = true;

    fn columns(encodings: &[Encoding]) -> Vec<Column> {
        let end = "from the moment of asking back to the last symbol of the evidence";
        let int = |name, about| Column::new(name, Type::Int, about);
        let mut columns = vec![
            Column::new("question_id", Type::Line, "the question, as in its own config"),
            Column::new("source_config", Type::Word, "read-along or reconstruction"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("split", Type::Word, "train, validation or test"),
            Column::new("type", Type::Word, "lookahead, scene-distortion or reconstruction"),
            int("level", "level of the retelling it is about; 0 for a scene"),
            int("asked_at_scene", "the last scene that was read when it is asked"),
            Column::new("question", Type::Text, "the task, without context and options"),
            Column::new("options", Type::list(Type::Text), "the options; none for free text"),
            int("answer", "position of the right option, from 0; -1 for free text"),
            Column::new("reference", Type::Text, "the right option, or the text to be restored"),
            Column::new("evidence", Type::spans(), "where the answer stands in the book's text"),
            int("demand_scenes", "retention demand in scenes"),
            int("demand_words", "retention demand in words"),
            int("demand_symbols", "retention demand in symbols"),
            int("demand_end_symbols", end),
        ];
        columns.extend(Counted::Demand.columns(encodings));
        columns.extend([
            int("context_scenes", "the whole context in scenes"),
            int("context_words", "the whole context in words"),
            int("context_symbols", "the context is the first so many symbols of the book"),
        ]);
        columns.extend(Counted::Context.columns(encodings));
        columns.push(Column::canary());
        columns
    }

    fn row(self, added: &Added<'_>) -> EvalRow {
        let (demand, context) = (self.demand, self.context);
        let tokens = TokenCells::default()
            .with(Counted::Demand, &demand.to_start.tokens, added.encodings)
            .with(Counted::Context, &context.tokens, added.encodings);
        EvalRow {
            question_id: self.id,
            source_config: if self.answer.is_some() { "read-along" } else { "reconstruction" },
            book_id: self.book,
            split: added.split.to_owned(),
            r#type: self.of,
            level: self.level,
            asked_at_scene: self.asked_at,
            question: self.question,
            options: self.options,
            answer: self.answer.map_or(-1, i64::from),
            reference: self.reference,
            evidence: self.evidence.into_iter().map(SpanRow::from).collect(),
            demand_scenes: demand.to_start.scenes,
            demand_words: demand.to_start.words,
            demand_symbols: demand.to_start.symbols,
            demand_end_symbols: demand.to_end_symbols,
            context_scenes: context.scenes,
            context_words: context.words,
            context_symbols: context.symbols,
            tokens,
            canary: added.canary.to_owned(),
        }
    }
}

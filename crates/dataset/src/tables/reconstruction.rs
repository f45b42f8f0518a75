//! The table of reconstruction questions.

use storymill_core::{BookId, Encoding, Reconstruction};

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
pub struct ReconstructionRow {
    question_id: String,
    book_id: BookId,
    split: String,
    level: u8,
    first_scene: u32,
    last_scene: u32,
    question: String,
    distorted: String,
    answer: String,
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

serialize_row!(ReconstructionRow {
    question_id,
    book_id,
    split,
    level,
    first_scene,
    last_scene,
    question,
    distorted,
    answer,
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

impl Table for Reconstruction {
    type Row = ReconstructionRow;
    const ABOUT: &'static str = "a question: rewrite a distorted summary so that it fits the book";
    const EVALUATION: bool = true;

    fn columns(encodings: &[Encoding]) -> Vec<Column> {
        let end = "from the end of the context back to the last symbol of the evidence";
        let mut columns = vec![
            Column::new("question_id", Type::Line, "the question: `84/0012/d2/reconstruct`"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("split", Type::Word, "train, validation or test"),
            Column::new("level", Type::Int, "level of the summary"),
            Column::new("first_scene", Type::Int, "first scene covered"),
            Column::new("last_scene", Type::Int, "last scene covered"),
            Column::new("question", Type::Text, "the task in words"),
            Column::new("distorted", Type::Text, "the false retelling to be put right"),
            Column::new("answer", Type::Text, "the true twin of `distorted`: a perfect repair"),
            Column::new("evidence", Type::spans(), "where the answer stands in the book's text"),
            Column::new("demand_scenes", Type::Int, "retention demand in scenes"),
            Column::new("demand_words", Type::Int, "retention demand in words"),
            Column::new("demand_symbols", Type::Int, "retention demand in symbols"),
            Column::new("demand_end_symbols", Type::Int, end),
        ];
        columns.extend(Counted::Demand.columns(encodings));
        columns.extend([
            Column::new("context_scenes", Type::Int, "the whole context in scenes"),
            Column::new("context_words", Type::Int, "the whole context in words"),
            Column::new("context_symbols", Type::Int, "the whole context in symbols"),
        ]);
        columns.extend(Counted::Context.columns(encodings));
        columns.push(Column::canary());
        columns
    }

    fn row(self, added: &Added<'_>) -> ReconstructionRow {
        let (demand, context) = (self.demand, self.context);
        let tokens = TokenCells::default()
            .with(Counted::Demand, &demand.to_start.tokens, added.encodings)
            .with(Counted::Context, &context.tokens, added.encodings);
        ReconstructionRow {
            question_id: self.id,
            book_id: self.book,
            split: added.split.to_owned(),
            level: self.level,
            first_scene: self.first_scene,
            last_scene: self.last_scene,
            question: self.question,
            distorted: self.distorted,
            answer: self.answer,
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

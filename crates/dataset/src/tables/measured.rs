//! The lengths of a question, in columns: retention demand and context in every unit.

use serde::ser::SerializeStruct;
use storymill_core::{Demand, Encoding, Length};

use super::{
    row::MoreCells,
    tokens::{Counted, TokenCells},
};
use crate::column::{Column, Type};

/// Retention demand and context of a question.
#[derive(Debug)]
pub(super) struct Measured {
    demand: Demand,
    context: Length,
    tokens: TokenCells,
}

impl Measured {
    pub(super) fn of(demand: Demand, context: Length, encodings: &[Encoding]) -> Self {
        let tokens = TokenCells::default()
            .with(Counted::Demand, &demand.to_start.tokens, encodings)
            .with(Counted::Context, &context.tokens, encodings);
        Self { demand, context, tokens }
    }

    /// The same with the tokens of something else too.
    pub(super) fn with(mut self, add: impl FnOnce(TokenCells) -> TokenCells) -> Self {
        self.tokens = add(self.tokens);
        self
    }

    /// The columns of retention demand.
    pub(super) fn demand_columns(encodings: &[Encoding]) -> Vec<Column> {
        let end = "from the moment of asking back to the last symbol of the evidence";
        let int = |name, about| Column::new(name, Type::Int, about);
        let mut columns = vec![
            int("demand_scenes", "retention demand in scenes, the evidence's first one counted"),
            int("demand_words", "retention demand in words"),
            int("demand_symbols", "retention demand in symbols"),
            int("demand_end_symbols", end),
        ];
        columns.extend(Counted::Demand.columns(encodings));
        columns
    }

    /// The columns of the context.
    pub(super) fn context_columns(encodings: &[Encoding]) -> Vec<Column> {
        let int = |name, about| Column::new(name, Type::Int, about);
        let mut columns = vec![
            int("context_scenes", "the whole context in scenes"),
            int("context_words", "the whole context in words"),
            int("context_symbols", "the context is the first so many symbols of the book"),
        ];
        columns.extend(Counted::Context.columns(encodings));
        columns
    }

    fn numbers(&self) -> [(&'static str, u32); 7] {
        let Self { demand, context, .. } = self;
        [
            ("demand_scenes", demand.to_start.scenes),
            ("demand_words", demand.to_start.words),
            ("demand_symbols", demand.to_start.symbols),
            ("demand_end_symbols", demand.to_end_symbols),
            ("context_scenes", context.scenes),
            ("context_words", context.words),
            ("context_symbols", context.symbols),
        ]
    }
}

impl MoreCells for Measured {
    fn len(&self) -> usize {
        self.numbers().len() + self.tokens.len()
    }

    fn write<S: SerializeStruct>(&self, row: &mut S) -> Result<(), S::Error> {
        self.numbers().iter().try_for_each(|(name, number)| row.serialize_field(name, number))?;
        self.tokens.write(row)
    }
}

//! Columns that count tokens: one for each encoding that the workflow names.

use serde::{Serialize, ser::SerializeStruct};
use storymill_core::{Encoding, Tokens};

use super::row::MoreCells;
use crate::column::{Column, Type};

/// What a column of tokens counts, which is how its name begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counted {
    /// The row's own text.
    Text,
    /// Retention demand.
    Demand,
    /// Retention demand of each option.
    OptionDemands,
    /// The context.
    Context,
}

impl Counted {
    /// The name of a column: `demand_tokens_o200k_base`.
    pub(super) fn column(self, encoding: Encoding) -> &'static str {
        macro_rules! names {
            ($prefix:literal) => {
                match encoding {
                    Encoding::R50kBase => concat!($prefix, "tokens_r50k_base"),
                    Encoding::P50kBase => concat!($prefix, "tokens_p50k_base"),
                    Encoding::Cl100kBase => concat!($prefix, "tokens_cl100k_base"),
                    Encoding::O200kBase => concat!($prefix, "tokens_o200k_base"),
                }
            };
        }
        match self {
            Self::Text => names!(""),
            Self::Demand => names!("demand_"),
            Self::OptionDemands => names!("option_demand_"),
            Self::Context => names!("context_"),
        }
    }

    /// The columns for some encodings.
    pub(super) fn columns(self, encodings: &[Encoding]) -> impl Iterator<Item = Column> {
        let (kind, about) = match self {
            Self::Text => (Type::Int, "length of the text in tokens of this encoding"),
            Self::Demand => (Type::Int, "retention demand in tokens of this encoding"),
            Self::OptionDemands => {
                (Type::list(Type::Int), "the same for each option; -1 if it was not read")
            }
            Self::Context => (Type::Int, "the whole context in tokens of this encoding"),
        };
        encodings.iter().map(move |one| Column::new(self.column(*one), kind.clone(), about))
    }
}

/// Values of columns of tokens, by name.
#[derive(Debug, Default)]
pub(super) struct TokenCells(Vec<(&'static str, TokenCell)>);

/// A value of a column of tokens.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum TokenCell {
    One(i64),
    Each(Vec<i64>),
}

impl TokenCells {
    /// Adds the cells of what was counted once a row.
    pub(super) fn with(mut self, counted: Counted, tokens: &[Tokens], of: &[Encoding]) -> Self {
        let cell = |one: &Encoding| (counted.column(*one), TokenCell::One(count(tokens, *one)));
        self.0.extend(of.iter().map(cell));
        self
    }

    /// Adds the cells of what was counted for each option; none where it was not.
    pub(super) fn with_each(
        mut self,
        counted: Counted,
        tokens: &[Option<&[Tokens]>],
        of: &[Encoding],
    ) -> Self {
        let each = |one: Encoding| tokens.iter().map(move |t| t.map_or(-1, |t| count(t, one)));
        let cell = |one: &Encoding| (counted.column(*one), TokenCell::Each(each(*one).collect()));
        self.0.extend(of.iter().map(cell));
        self
    }
}

/// The tokens in an encoding; -1 where a workflow cuts scenes twice and counts them once.
fn count(tokens: &[Tokens], encoding: Encoding) -> i64 {
    let found = tokens.iter().find(|tokens| tokens.encoding == encoding);
    found.map_or(-1, |tokens| i64::from(tokens.count))
}

impl MoreCells for TokenCells {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn write<S: SerializeStruct>(&self, row: &mut S) -> Result<(), S::Error> {
        self.0.iter().try_for_each(|(name, cell)| row.serialize_field(name, cell))
    }
}

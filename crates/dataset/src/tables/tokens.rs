//! Columns that count tokens: one for each encoding that the workflow names.

use serde::ser::SerializeStruct;
use storymill_core::{Choice, Demand, Encoding, Scene, Tokens};

use super::row::lengths;
use crate::column::{Column, Type};

/// What a column of tokens counts, which is how its name begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counted {
    /// The row's own text.
    Text,
    /// Retention demand.
    Demand,
    /// Retention demand of each place.
    Demands,
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
            Self::Demands => names!("demands_"),
            Self::OptionDemands => names!("option_demand_"),
            Self::Context => names!("context_"),
        }
    }

    /// The columns for some encodings.
    pub(super) fn columns(self, encodings: &[Encoding]) -> impl Iterator<Item = Column> {
        let (kind, about) = match self {
            Self::Text => (Type::Int, "length of the text in tokens of this encoding"),
            Self::Demand => (Type::Int, "retention demand in tokens of this encoding"),
            Self::Demands => (
                Type::list(Type::Int),
                "the same for each place of the evidence, in tokens of this encoding",
            ),
            Self::OptionDemands => {
                (Type::list(Type::Int), "the same for each option; -1 if it was not read")
            }
            Self::Context => (Type::Int, "the whole context in tokens of this encoding"),
        };
        encodings.iter().map(move |one| Column::new(self.column(*one), kind.clone(), about))
    }
}

impl Counted {
    /// The cells of what was counted once a row.
    pub(super) fn cells<S: SerializeStruct>(
        self,
        tokens: &[Tokens],
        of: &[Encoding],
        row: &mut S,
    ) -> Result<(), S::Error> {
        let mut all = of.iter();
        all.try_for_each(|one| row.serialize_field(self.column(*one), &count(tokens, *one)))
    }

    /// The cells of what is a list in each row; -1 where there is no demand.
    pub(super) fn each<S: SerializeStruct>(
        self,
        demands: &[Option<&Demand>],
        of: &[Encoding],
        row: &mut S,
    ) -> Result<(), S::Error> {
        let tokens = |demand: Option<&Demand>, one| {
            demand.map_or(-1, |demand| count(&demand.to_start.tokens, one))
        };
        of.iter().try_for_each(|one| {
            let each: Vec<i64> = demands.iter().map(|demand| tokens(*demand, *one)).collect();
            row.serialize_field(self.column(*one), &each)
        })
    }
}

lengths! {
    /// The tokens of a scene.
    OwnTokens(Scene), Type::Int, Counted::Text,
    Tokens => |own, encodings, row| {
        let own = own.tokens.iter();
        let own = own.map(|one| Tokens { encoding: one.encoding, count: one.count });
        Counted::Text.cells(&own.collect::<Vec<_>>(), encodings, row)
    };
}

lengths! {
    /// The retention demand of each option in tokens.
    OptionTokens([Choice]), Type::Int, Counted::OptionDemands,
    Options => |own, encodings, row| {
        let demands: Vec<_> = own.iter().map(|option| option.demand.as_ref()).collect();
        Counted::OptionDemands.each(&demands, encodings, row)
    };
}

/// The tokens in an encoding; -1 where a workflow cuts scenes twice and counts them once.
fn count(tokens: &[Tokens], encoding: Encoding) -> i64 {
    let found = tokens.iter().find(|tokens| tokens.encoding == encoding);
    found.map_or(-1, |tokens| i64::from(tokens.count))
}

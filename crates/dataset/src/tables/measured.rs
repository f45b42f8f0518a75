//! The lengths of a question, in columns: retention demand and context in every unit.

use serde::ser::SerializeStruct;
use storymill_core::{Demand, Encoding, Length, Recipe};

use super::{
    row::{Group, Pass},
    tokens::Counted,
};
use crate::column::{Column, Type};

/// Retention demand: how far back the evidence lies.
pub(super) struct Back<'a>(pub(super) &'a Demand);

impl Group for Back<'_> {
    fn columns(encodings: &[Encoding]) -> Vec<Column> {
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

    fn cells<S: SerializeStruct>(
        &self,
        pass: Pass,
        encodings: &[Encoding],
        row: &mut S,
    ) -> Result<(), S::Error> {
        let Demand { to_start, to_end_symbols } = self.0;
        match pass {
            Pass::Plain => {
                row.serialize_field("demand_scenes", &to_start.scenes)?;
                row.serialize_field("demand_words", &to_start.words)?;
                row.serialize_field("demand_symbols", &to_start.symbols)?;
                row.serialize_field("demand_end_symbols", to_end_symbols)
            }
            Pass::Tokens => Counted::Demand.cells(&to_start.tokens, encodings, row),
            Pass::Here | Pass::Options => Ok(()),
        }
    }
}

/// How far back each place of the evidence lies.
pub(super) struct EachBack<'a>(pub(super) &'a [Demand]);

impl Group for EachBack<'_> {
    fn columns(encodings: &[Encoding]) -> Vec<Column> {
        let each = |name, about| Column::new(name, Type::list(Type::Int), about);
        let mut columns = vec![
            each("demands_scenes", "retention demand of each place of the evidence, in scenes"),
            each("demands_words", "the same in words"),
            each("demands_symbols", "the same in symbols"),
            each("demands_end_symbols", "the same to the last symbol of each"),
        ];
        columns.extend(Counted::Demands.columns(encodings));
        columns
    }

    fn cells<S: SerializeStruct>(
        &self,
        pass: Pass,
        encodings: &[Encoding],
        row: &mut S,
    ) -> Result<(), S::Error> {
        let each = |of: fn(&Demand) -> u32| self.0.iter().map(of).collect::<Vec<u32>>();
        match pass {
            Pass::Plain => {
                row.serialize_field("demands_scenes", &each(|one| one.to_start.scenes))?;
                row.serialize_field("demands_words", &each(|one| one.to_start.words))?;
                row.serialize_field("demands_symbols", &each(|one| one.to_start.symbols))?;
                row.serialize_field("demands_end_symbols", &each(|one| one.to_end_symbols))
            }
            Pass::Options => {
                let demands: Vec<_> = self.0.iter().map(Some).collect();
                Counted::Demands.each(&demands, encodings, row)
            }
            Pass::Here | Pass::Tokens => Ok(()),
        }
    }
}

/// How long the context of a recipe is.
pub(super) struct Before<'a>(pub(super) &'a Recipe);

/// How long a context is.
pub(super) struct BeforeOf<'a>(pub(super) &'a Length);

impl Group for Before<'_> {
    fn columns(encodings: &[Encoding]) -> Vec<Column> {
        BeforeOf::columns(encodings)
    }

    fn cells<S: SerializeStruct>(
        &self,
        pass: Pass,
        encodings: &[Encoding],
        row: &mut S,
    ) -> Result<(), S::Error> {
        BeforeOf(&self.0.length()).cells(pass, encodings, row)
    }
}

impl Group for BeforeOf<'_> {
    fn columns(encodings: &[Encoding]) -> Vec<Column> {
        let int = |name, about| Column::new(name, Type::Int, about);
        let mut columns = vec![
            int("context_scenes", "the whole context in scenes"),
            int("context_words", "the whole context in words"),
            int("context_symbols", "the context is the first so many symbols of the book"),
        ];
        columns.extend(Counted::Context.columns(encodings));
        columns
    }

    fn cells<S: SerializeStruct>(
        &self,
        pass: Pass,
        encodings: &[Encoding],
        row: &mut S,
    ) -> Result<(), S::Error> {
        match pass {
            Pass::Plain => {
                row.serialize_field("context_scenes", &self.0.scenes)?;
                row.serialize_field("context_words", &self.0.words)?;
                row.serialize_field("context_symbols", &self.0.symbols)
            }
            Pass::Tokens => Counted::Context.cells(&self.0.tokens, encodings, row),
            Pass::Here | Pass::Options => Ok(()),
        }
    }
}

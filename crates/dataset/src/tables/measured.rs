//! The lengths of a question, in columns: retention demand and context in every unit.

use storymill_core::{Demand, Length};

use super::{row::lengths, tokens::Counted};
use crate::column::Type;

lengths! {
    /// Retention demand: how far back the evidence lies.
    Back(Demand), Type::Int, Counted::Demand,
    Tokens => |own, encodings, row| Counted::Demand.cells(&own.to_start.tokens, encodings, row);
    "demand_scenes" => own.to_start.scenes, "retention demand in scenes, the evidence's first one counted";
    "demand_words" => own.to_start.words, "retention demand in words";
    "demand_symbols" => own.to_start.symbols, "retention demand in symbols";
    "demand_end_symbols" => own.to_end_symbols, "from the moment of asking back to the last symbol of the evidence";
}

lengths! {
    /// How far back each place of the evidence lies.
    EachBack([Demand]), Type::list(Type::Int), Counted::Demands,
    Options => |own, encodings, row| {
        Counted::Demands.each(&own.iter().map(Some).collect::<Vec<_>>(), encodings, row)
    };
    "demands_scenes" => each(own, |one| one.to_start.scenes), "retention demand of each place of the evidence, in scenes";
    "demands_words" => each(own, |one| one.to_start.words), "the same in words";
    "demands_symbols" => each(own, |one| one.to_start.symbols), "the same in symbols";
    "demands_end_symbols" => each(own, |one| one.to_end_symbols), "the same to the last symbol of each";
}

fn each(all: &[Demand], of: fn(&Demand) -> u32) -> Vec<u32> {
    all.iter().map(of).collect()
}

lengths! {
    /// How long a context is.
    Before(Length), Type::Int, Counted::Context,
    Tokens => |own, encodings, row| Counted::Context.cells(&own.tokens, encodings, row);
    "context_scenes" => own.scenes, "the whole context in scenes";
    "context_words" => own.words, "the whole context in words";
    "context_symbols" => own.symbols, "the context is the first so many symbols of the book";
}

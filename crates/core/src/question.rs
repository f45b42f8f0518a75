//! Questions, and how far back their answers lie.

use serde::{Deserialize, Serialize};

use crate::{BookId, Record, Span, UnitId};

/// A length in the units of this field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Length {
    /// Scenes.
    pub scenes: u32,
    /// Whitespace-separated words.
    pub words: u32,
    /// Unicode scalar values.
    pub symbols: u32,
}

/// Retention demand: how far back from the moment of asking the evidence lies
/// (NarrativeXL, section 5, there in scenes; here in every unit).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demand {
    /// From the moment of asking back to the first symbol of the evidence. In scenes: `t - i + 1`
    /// for evidence that begins in scene `i`, asked after scene `t`.
    pub to_start: Length,
    /// From the moment of asking back to the last symbol of the evidence, in symbols.
    pub to_end_symbols: u32,
}

/// Rewrite a distorted summary so that it fits the book. Asked when the whole book is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reconstruction {
    /// The id: `84/0012/d2/reconstruct`.
    pub id: String,
    /// The book.
    pub book: BookId,
    /// Level of the summary.
    pub level: u8,
    /// First scene covered.
    pub first_scene: u32,
    /// Last scene covered.
    pub last_scene: u32,
    /// The task in words.
    pub question: String,
    /// The false retelling to be put right.
    pub distorted: String,
    /// The true retelling.
    pub answer: String,
    /// Where the answer stands in the book.
    pub evidence: Vec<Span>,
    /// How far back that is.
    pub demand: Demand,
    /// How long the whole context is.
    pub context: Length,
}

impl Record for Reconstruction {
    const NAME: &'static str = "reconstruction";
    const VERSION: u32 = 1;
}

/// Which part of a dataset a unit belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The unit.
    pub unit: UnitId,
    /// `train`, `validation` or `test`.
    pub split: String,
    /// The units that must share its split, named by the smallest id among them.
    pub group: UnitId,
}

impl Record for Split {
    const NAME: &'static str = "split";
    const VERSION: u32 = 1;
}

//! Names in novels: who finds them, what a whole book decides, and how well that was done.
//!
//! A text is cut into [`Words`]. A [`NameTagger`] says of each word how likely it is in a name;
//! [`decide`] weighs all places of a word together; [`trim`](trim::trim) cuts titles and tails away.
//! Two taggers are here: [`Litner`] (feature `litner`), a small transformer whose bytes are handed in, and
//! [`Perceptron`], a table inside the crate.
//!
//! What is deliberately absent: files, network, the clock, threads of our own. Two taggers differ in
//! the last bit from machine to machine, so what they say is kept as an answer by whoever asks.

pub mod answers;
mod cast;
pub mod counts;
mod decision;
mod exchange;
mod gold;
mod knowledge;
mod left;
mod lists;
mod litner;
#[cfg_attr(not(feature = "litner"), path = "onnx_absent.rs")]
mod onnx;
mod perceptron;
pub mod pieces;
mod reading;
mod runs;
#[cfg(feature = "rust-bert")]
pub mod rust_bert;
mod substitute;
mod tagger;
mod titles;
pub mod trim;
mod words;

#[cfg(feature = "rust-bert")]
pub use self::rust_bert::RustBert;
pub use cast::{CastFile, Character, ChosenName, Gender, KnownPeople, Nobody, Policy, bytes_at};
pub use decision::{Found, Kind, Weights, decide};
pub use exchange::{Exchange, Exchanged, Ground, Mention, Persons, with_small_titles};
pub use gold::{Gold, Tally};
pub use knowledge::LISTS;
pub use left::{LEFT_LIST, Left, Look, NamesLeft, Sign};
pub use litner::Cutter;
pub use onnx::Litner;
pub use perceptron::{Perceptron, lessons};
pub use reading::Reading;
pub use substitute::{Pair, Replaced, Replacement, Substitutes, Sure};
pub use tagger::{NameTagger, Odds, WHOLE, Window};
pub use words::{Case, Word, Words};

//! Rulings over all units.

mod fill;
pub mod hold_out;
mod name;
mod name_words;
pub mod partners;
pub(crate) mod people;
pub(crate) mod sets;
pub mod split;
mod verdict;

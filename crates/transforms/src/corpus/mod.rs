//! Corpus stages over all units.

mod fill;
pub(crate) mod hold_out;
mod name;
pub(crate) mod partners;
pub(crate) mod people;
pub(crate) mod sets;
pub(crate) mod split;
mod verdict;

//! Rulings over all units.

mod fill;
pub mod hold_out;
pub mod partners;
pub(crate) mod people;
pub(crate) mod sets;
pub mod split;

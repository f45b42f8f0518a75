//! Rulings over all units.

pub(crate) mod people;
pub mod split;

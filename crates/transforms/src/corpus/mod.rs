//! Rulings over all units.

pub(crate) mod people;
pub(crate) mod sets;
pub mod split;

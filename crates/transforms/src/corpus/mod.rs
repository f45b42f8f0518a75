//! Rulings over all units.

pub mod split;

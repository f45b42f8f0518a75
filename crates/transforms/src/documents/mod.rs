//! Documents that a released file asks about: which of them belong to their books, which of their questions stand twice, which
//! are put right, and all of it in a ledger.

pub(crate) mod asked_book;
mod belongs;
pub(crate) mod distinct_questions;
pub(crate) mod join;
pub(crate) mod ledger;
pub(crate) mod literary;
pub(crate) mod locate;
mod proposal;
pub(crate) mod refine;
pub(crate) mod released_split;
mod revising;
mod same_book;

#[cfg(test)]
mod tests;

//! Names hidden: who is in a book, what they are called instead, and the same rows with other names.

pub(crate) mod apply;
pub(crate) mod cast;
pub(crate) mod count;
pub(crate) mod leaks;
mod looked;
mod mapped;
mod places;
pub(crate) mod recognise;
pub(crate) mod rows;
pub(crate) mod substitutes;
mod told;

#[cfg(test)]
mod tests;

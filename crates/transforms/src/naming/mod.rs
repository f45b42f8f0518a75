//! Names hidden: who is in a book, what they are called instead, and the same rows with other names.

pub mod apply;
pub mod cast;
pub mod leaks;
pub mod recognise;
pub mod rows;
pub mod substitutes;

#[cfg(test)]
mod tests;

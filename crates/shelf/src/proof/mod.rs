//! Proof without disclosure: a public statement commits to every pair of a set and tells none of them.
//!
//! A pair is a leaf, salted: claims are guessable, salts are not. Statements form a chain, and list their
//! leaves, so that anybody sees which were added, which stayed and which went. A revealed pair is checked
//! by anybody against a statement, without the shelf.

mod day;
mod ledger;
mod receipt;
mod standing;
mod statement;
mod strict;
mod tree;

#[cfg(test)]
#[cfg(feature = "age")]
mod forged_tests;
#[cfg(test)]
#[cfg(feature = "age")]
mod receipt_tests;

pub(crate) use ledger::said;
pub use ledger::{Committed, Ledger};
pub use receipt::{Receipt, Results, Score, Served};
pub use standing::{Exposed, Standing};
pub use statement::{Retired, Reveal, Statement, Verdict, verify};
pub use tree::{Salt, leaf, path, root, walk};

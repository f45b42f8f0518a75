//! Claim pairs on novels, as NoCha has them: a true and a false claim about the same event.
//!
//! Everything here is a function over values: bytes and texts in, pairs, findings and prompts
//! out. What is deliberately absent: files, network, clock, threads and Arrow. The same
//! functions serve public folders and private sets, so no mistake and no finding quotes a claim.

pub mod answers;
pub mod balance;
pub mod deciding;
pub mod draft;
pub mod export;
pub mod exposure;
pub mod facets;
pub mod habits;
pub mod import;
pub mod lint;
pub mod mistake;
pub mod pair;
pub mod prompt;
pub mod read;
pub mod repair;
pub mod set;
pub mod shortcut;
pub mod standing;

//! Claim pairs on novels, as NoCha has them: a true and a false claim about the same event.
//!
//! Everything here is a function over values: bytes and texts in, pairs, findings, requests and
//! scores out. What is deliberately absent: files, network, clock, threads and Arrow. The same
//! functions serve public folders and private sets, so no mistake and no finding quotes a claim.

pub mod agreement;
pub mod answers;
pub mod balance;
pub mod deciding;
pub mod draft;
pub mod export;
pub mod exposure;
pub mod import;
pub mod lint;
pub mod mistake;
pub mod pair;
pub mod read;
pub mod report;
pub mod request;
pub mod score;
pub mod set;
pub mod shortcut;
pub mod standing;

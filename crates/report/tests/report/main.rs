//! Reports on simulated models, whose skill is known.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    missing_docs,
    reason = "a test may fail loudly, and simulates with small numbers"
)]

mod claim_pairs;
mod coverage;
mod laws;
mod page;
mod pairs;
mod support;

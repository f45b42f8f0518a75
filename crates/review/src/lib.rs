//! What people decide: queues of items, votes, agreement, the file of decisions, and CSV.
//!
//! A [`Desk`] has the items of a build and the lines that people wrote, and tells what a person may see: nobody sees
//! the votes of others, or what a model proposes, before their own vote is saved, unless the workflow's rule says so.
//! What is deliberately absent: pages, network, clocks and threads. Names and seconds are handed in, and the one file is
//! written through a disk that is handed in.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod agree;
mod ballot;
pub mod csv;
mod desk;
pub mod file;
pub mod follows;
pub mod published;
pub mod queue;
mod sight;
#[cfg(test)]
mod tests;

pub use ballot::Ballot;
pub use desk::{Desk, Filter, Item, Progress, QueueSummary, Row, State};
pub use sight::{Shown, Sight};
pub use storymill_metrics::agreement::{Agreement, Couple, Estimate};

//! Whether retellings are true to what they tell of: files of labels, votes, agreement, corrected rates.
//!
//! Everything here is a function over values: texts of files and records in, labels and numbers out. What is
//! deliberately absent: files, network, clock, threads and models. The readings of StorySumm's and FABLES' released files
//! stand here once; the source `storysumm`, `labels check` and `score faithfulness` all take them from here.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::print_stdout
    )
)]

pub mod annotators;
pub mod check;
pub mod corrected;
pub mod dataset;
pub mod defects;
mod entries;
pub mod fables;
pub mod file;
pub mod found;
pub mod merge;
pub mod pairs;
mod places;
pub mod record;
pub mod table;
#[cfg(test)]
mod tests;
pub mod voters;
pub mod votes;

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(crate) fn count(n: usize) -> f64 {
    n as f64
}

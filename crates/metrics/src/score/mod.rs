//! Whole files scored: texts of files in, plain tables out.
//!
//! Nothing here opens a file: each function takes a file's contents and says line and column of a
//! fault; who opened the file adds its name. What a row lacks for a score is a named reject; what
//! makes a file unreadable is an error.

mod answers;
mod claims;
mod error;
pub mod lveval;
mod row;
mod systems;

pub use answers::{Column, Cutter, Reject, Resources, Row, Table, answers, pairs};
pub use claims::{BookAccuracy, Claims, Gap, System, claims};
pub use error::FileError;
pub use systems::{Metric, Over, RankedSystem, Systems, systems};

//! The published columns of the core records, one file for each kind of row.
//!
//! `docs/columns.csv` lists them; a test holds the two together.

mod adequacy;
mod answer;
mod answer_score;
mod book;
mod book_text;
mod claim;
mod document;
mod eval;
mod gated;
mod grade;
mod judgement;
mod leak;
mod located;
mod measured;
mod mixing;
mod question;
mod recognition;
mod reconstruction;
mod retelling;
mod row;
mod scene;
mod span;
mod substitution;
mod tokens;
mod vote;

pub(crate) use row::Row;
pub use row::{Group, Pass};

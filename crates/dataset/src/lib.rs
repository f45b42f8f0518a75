//! Rows to a published dataset: Parquet files, a manifest, a lock and a data card.
//!
//! A [`Table`] says how a record is published, [`publish`](publish()) writes a folder that
//! Hugging Face, Arrow, Polars and DuckDB read, [`inspect`](inspect()) looks into one. This is the
//! only crate that names Arrow types, and none of them is in its public interface.

mod card;
pub mod check;
pub mod column;
pub mod compare;
pub mod context;
pub mod diff;
mod escape;
mod facts;
mod figure;
mod folder;
mod hashed;
pub mod inspect;
pub mod manifest;
pub mod materialize;
mod measure;
mod numbers;
mod pages;
pub mod pricing;
pub mod publication;
pub mod publish;
mod reading;
mod rebuilt;
pub mod release;
mod rows;
mod sampling;
pub mod scan;
mod shape;
mod shards;
pub mod table;
mod tables;
mod writer;

pub use check::{Checked, Damage, Depth, check, check_all};
pub use column::{Column, Type};
pub use compare::{Compared, compare};
pub use diff::{Difference, diff, gates, write_changes};
pub use inspect::{Inspection, Query, Sample, inspect};
pub use manifest::{Manifest, SCHEMA_VERSION, TableEntry};
pub use materialize::materialize;
pub use numbers::Numbers;
pub use pricing::{Evaluation, evaluation};
pub use publication::{Asked, Config, Publication, RejectCount, Step};
pub use publish::{Published, may_publish, publish};
pub use rebuilt::{Differs, Rebuilt, rebuilt};
pub use release::{Before, Candidate, Examined, Objection, Released, Words, examine};
pub use table::{Added, Table, Tables};

// The made-up dataset of the integration tests serves the unit tests too.
#[cfg(test)]
extern crate self as storymill_dataset;
#[cfg(test)]
#[path = "../tests/dataset/support.rs"]
mod support;

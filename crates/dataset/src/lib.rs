//! Rows to a published dataset: Parquet files, a manifest, a lock and a data card.
//!
//! A [`Table`] says how a record is published, [`publish`](publish()) writes a folder that
//! Hugging Face, Arrow, Polars and DuckDB read, [`inspect`](inspect()) looks into one. This is the
//! only crate that names Arrow types, and none of them is in its public interface.

pub mod asked;
pub mod audit;
mod books;
mod card;
mod check;
mod column;
mod compare;
pub mod context;
pub mod diff;
mod escape;
pub mod exams;
mod facts;
mod figure;
mod file_parts;
mod filling;
mod folder;
mod folder_lock;
mod gated;
mod grades;
mod hashed;
mod inspect;
mod judged;
pub mod look;
mod looks;
mod manifest;
pub mod materialize;
mod measure;
mod named;
mod names_left;
mod numbers;
mod pages;
mod pieces;
mod pricing;
mod publication;
mod publish;
mod reading;
mod rebuilt;
pub mod release;
mod rows;
mod sampling;
pub mod scan;
mod shape;
mod site;
mod steps_left;
mod table;
mod tables;
mod told_apart;
mod voted;
mod writer;

pub use check::{Checked, Damage, Depth, Wrong, check, check_all};
pub use column::{Column, Type};
pub use compare::{Compared, NARRATIVE_XL, Original, compare};
pub use folder_lock::GoOn;
pub use grades::each_grade;
pub use inspect::{Inspection, Query, TableView, inspect};
pub use looks::looks;
pub use manifest::{Manifest, SCHEMA_VERSION, TableEntry};
pub use named::questions;
pub use names_left::{NamesLeft, NamesLeftRate};
pub use numbers::{Numbers, thousands};
pub use pricing::{Evaluation, evaluation};
pub use publication::{Asked, Config, Publication, RejectCount, Step};
pub use publish::{Published, may_publish, publish, publish_on};
pub use rebuilt::{Differs, Rebuilt, as_built, rebuilt};
pub use sampling::{Sample, SampleRow};
pub use site::Site;
pub use table::{Added, Table, Tables};

/// What [`table!`](crate::table!) is made of.
#[doc(hidden)]
pub mod macros {
    pub use serde::ser::SerializeStruct;
    pub use storymill_core::Encoding;

    pub use crate::{
        column::{
            Type::{self, Int, Line, Text, Word},
            or_null,
        },
        tables::{Group, Pass},
    };

    /// A list of values.
    pub fn list(of: Type) -> Type {
        Type::list(of)
    }
}

// The made-up dataset of the integration tests serves the unit tests too.
#[cfg(test)]
extern crate self as storymill_dataset;
#[cfg(test)]
#[path = "../tests/dataset/support.rs"]
mod support;

//! Batches: requests written into files for a provider's batch interface, and its results read back
//! into the log, as if they had been asked one by one.
//!
//! A request goes by the key of its answer, which is its custom id: results may come in any order,
//! in several files, in part. Nothing here talks to anybody: files are uploaded and fetched by hand.

mod import;
mod outstanding;
mod read;
mod write;

pub use import::{Imported, Open, import};
pub use outstanding::Outstanding;
pub use write::{Exported, ExportedFile, MANIFEST, export};

//! From bytes to books: encodings, Project Gutenberg pages, plain text, catalogs, and the sources
//! `folder`, `narrativexl`, `narrativeqa`, `question-sets` and `storysumm`.
//!
//! Knows books and pages, not stages; reads files and writes none; has no network and no clock. The cleaner
//! walks events with places in the page, so that everything it keeps or cuts can be shown where it stood.

mod asked;
pub mod catalog;
pub mod caught;
mod clean;
mod cut;
mod difference;
mod dos;
pub mod encoding;
mod epub;
mod files;
mod folder;
mod glance;
pub mod gold;
mod gutenberg;
mod input;
mod likely;
mod links;
mod listed;
mod narrativeqa;
mod narrativexl;
mod page_says;
mod piece;
mod readings;
#[cfg_attr(not(feature = "second-reading"), path = "second_absent.rs")]
mod second;
mod sets;
mod stands;
mod storysumm;
mod text;
mod twice;
pub mod unpack;
mod unsure;
mod wide;

pub use clean::{Cleaned, clean, clean_decided, sha256};
pub use cut::Why;
pub use difference::Difference;
pub use files::{FolderPath, KINDS, page_id, pages};
pub use folder::{Folder, Uncatalogued};
pub use links::links;
pub use narrativeqa::NarrativeQa;
pub use narrativexl::{ArchiveFile, NarrativeXl};
pub use page_says::PageSays;
pub use piece::{CleanParagraph, Cut, Doubt};
pub use second::second_reading;
pub use sets::QuestionSets;
pub use storysumm::StorySumm;

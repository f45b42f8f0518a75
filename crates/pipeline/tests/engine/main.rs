//! The engine's promises, held on a toy world: notes in files, words in notes, a corpus stage on all.
#![allow(missing_docs, clippy::unwrap_used, unreachable_pub)]

mod asks;
mod faults;
#[path = "../../../../tests/disks/faulty.rs"]
mod faulty;
mod indexes;
mod laws;
mod listings;
mod objects;
mod partners;
mod pilot;
mod store;
mod toy;
mod unkept;
#[path = "../../../../tests/disks/unsynced.rs"]
mod unsynced;
mod workflow;

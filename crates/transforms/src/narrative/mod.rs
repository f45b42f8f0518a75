//! Stages that work on one book: scenes, retellings, questions.

pub(crate) mod chunk;
pub(crate) mod extract;
mod facts;
mod narration;
mod orders;
pub(crate) mod reconstruct;
pub(crate) mod swap_facts;

//! Stages that work on one book: scenes, retellings, questions.

pub(crate) mod chunk;
pub(crate) mod extract;
mod lexicon;
mod names;
mod narration;
pub(crate) mod reconstruct;
mod score;
pub(crate) mod swap_facts;

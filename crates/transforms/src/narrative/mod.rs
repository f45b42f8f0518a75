//! Stages that work on one book: scenes, retellings, questions.

pub mod chunk;
pub mod extract;
mod lexicon;
mod names;
mod narration;
pub mod reconstruct;
mod score;
pub mod swap_facts;

//! Which books: of what kind they are, which of them are the same, and which of those to keep.

mod cast;
mod dates;
pub(crate) mod distinct;
pub(crate) mod duplicates;
mod duplicates_fact;
mod epistolary;
mod groups;
mod judged;
mod keepers;
pub(crate) mod kind;
mod languages;
pub(crate) mod lists;
mod mentions;
mod notice;
mod points;
mod register_words;
mod shape;
mod sketch;
pub(crate) mod sort;
mod speakers;
mod title_evidence;
mod titles;

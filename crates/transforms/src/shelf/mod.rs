//! Which books: of what kind they are, which of them are the same, and which of those to keep.

mod cast;
mod dates;
pub mod distinct;
pub mod duplicates;
mod groups;
mod keepers;
pub mod kind;
mod letters;
mod lexis;
mod mentions;
mod notice;
mod points;
mod says;
mod shape;
mod sketch;
pub mod sort;
mod speakers;
mod titles;
mod tongue;

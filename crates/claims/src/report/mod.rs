//! Scores as people read them: Markdown and HTML. JSON is what [`Scores`](crate::score::Scores)
//! serialises to.

mod html;
mod markdown;
mod tables;

pub use html::html;
pub use markdown::markdown;

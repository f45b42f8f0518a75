//! Long contexts as recipes: mixed from passages, edited, written out, taken apart again.
//!
//! LV-Eval published its data and an evaluator, never its builder; this is one, by the paper's
//! description (Yuan et al., "LV-Eval", 2024). [`Pool`] holds the passages of a set, [`mix`](mix())
//! makes the recipes of one question at all levels, [`write`](write()) turns a recipe into its text
//! and [`unmix`](unmix()) the text into its passages. [`Replacer`] replaces words and phrases in one
//! pass, [`conflicts`](conflicts()) says which rules cannot hold. What is deliberately absent: files,
//! stages, models, Arrow.

mod choice;
mod conflict;
mod forms;
mod holds;
mod language;
mod layout;
mod mix;
mod pool;
mod recall;
mod recipe;
mod replace;
mod survivor;
mod write;

pub use conflict::{Conflict, conflicts};
pub use holds::Holds;
pub use language::{Idle, Language};
pub use mix::{Mixed, Options, Unmixable, mix};
pub use pool::Pool;
pub use recall::{Recall, recall};
pub use replace::Replacer;
pub use write::{Places, Unmixed, unmix, write};

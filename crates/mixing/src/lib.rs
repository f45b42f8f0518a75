//! Long contexts as recipes: mixed from passages, edited, written out, taken apart again.
//!
//! LV-Eval published its data and an evaluator, never its builder; this is one, by the paper's
//! description (Yuan et al., "LV-Eval", 2024). [`Pool`] holds the passages of a set, [`mix`](mix())
//! makes the recipes of one question at all levels, [`write`](write()) turns a recipe into its text
//! and [`unmix`](unmix()) the text into its passages. [`Replacer`] replaces words and phrases in one
//! pass, [`conflicts`](conflicts()) says which rules cannot hold and
//! [`cover`](cover()) what they leave. What is deliberately absent: files,
//! stages, models, Arrow.

mod agreement;
mod borders;
mod choice;
mod conflict;
mod cover;
mod forms;
mod holds;
mod job;
mod language;
mod layout;
mod long;
mod mix;
mod options;
mod ordinary;
mod parts;
mod pool;
mod recall;
mod recipe;
mod replace;
mod script;
mod shown;
mod stray;
mod survivor;
mod write;

pub use conflict::{Conflict, conflicts};
pub use cover::{Cover, cover};
pub use holds::Holds;
pub use language::{Idle, length};
pub use long::LONGEST;
pub use mix::mix;
pub use options::{Mixed, Options, Unmixable};
pub use pool::{Pool, Use};
pub use recall::{Recall, recall};
pub use replace::Replacer;
pub use script::{Script, script};
pub use shown::middle;
pub use stray::common_nouns;
pub use write::{Places, Unmixed, unmix, write};

//! Stages that have a model retell: truly, falsely, and on several levels.
//!
//! [`summarize`] retells scenes, [`hierarchy`] retells retellings, [`distort`] makes false ones.
//! What they share: [`checks`] says which answers are unfit and why, [`Checks`] holds the limits;
//! `answer` takes the text out of an answer, `event` judges pairs of true and false events,
//! `prompt` renders templates and asks.

mod answer;
pub mod checks;
pub mod distort;
mod event;
pub mod hierarchy;
mod leak;
mod prompt;
pub mod summarize;
mod tokens;

pub use answer::Protocol;
pub use checks::Checks;

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod scripted;

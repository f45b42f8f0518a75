//! Stages that have a model retell: truly, falsely, and on several levels.
//!
//! [`summarize`] retells scenes, [`hierarchy`] retells retellings, [`distort`] makes false ones.
//! What they share: [`checks`] says which answers are unfit and why, [`Checks`] holds the limits;
//! `answer` takes the text out of an answer, `event` judges pairs of true and false events,
//! `prompt` renders templates and asks.

pub(crate) mod adequacy;
pub(crate) mod answer;
pub(crate) mod checks;
pub(crate) mod distort;
mod event;
pub(crate) mod hierarchy;
mod leak;
pub(crate) mod prompt;
pub(crate) mod summarize;
pub(crate) mod tokens;

pub(crate) use answer::{BEGIN, END, retelling};

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
pub(crate) mod tests;

//! Project Gutenberg pages, and all HTML that is laid out like them.
//!
//! One walk makes [`blocks`] of a page; then each room judges them in turn: [`boilerplate`] what
//! the file's makers added, [`apart`] what is printed beside the text, [`structure`] the headings,
//! [`matter`] what stands before and behind the story. [`paragraphs`] writes what is left.

pub(crate) mod apart;
pub(crate) mod blocks;
pub(crate) mod boilerplate;
pub(crate) mod events;
pub(crate) mod facts;
pub(crate) mod matter;
pub(crate) mod paragraphs;
pub(crate) mod structure;
pub(crate) mod tags;
pub(crate) mod words;

use storymill_core::Reason;

use self::blocks::{Builder, Leaves};

/// The blocks of an HTML page.
pub(crate) fn leaves(page: &str) -> Result<Leaves, Reason> {
    let mut builder = Builder::new(page);
    events::walk(page, &mut builder)?;
    Ok(builder.finish())
}

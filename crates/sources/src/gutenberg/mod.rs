//! Project Gutenberg pages, and all HTML that is laid out like them.
//!
//! One walk makes [`blocks`] of a page; then each room judges them in turn: [`boilerplate`] what
//! the file's makers added, [`apart`] what is printed beside the text, [`structure`] the headings,
//! [`matter`] what stands before and behind the story. [`paragraphs`] writes what is left.

pub(crate) mod account;
pub(crate) mod ahead;
pub(crate) mod apart;
pub(crate) mod arguments;
pub(crate) mod attributes;
pub(crate) mod back;
pub(crate) mod between;
pub(crate) mod blocks;
pub(crate) mod boilerplate;
pub(crate) mod bounds;
pub(crate) mod brackets;
pub(crate) mod builder;
pub(crate) mod documents;
pub(crate) mod emphasis;
pub(crate) mod entries;
pub(crate) mod events;
pub(crate) mod facts;
pub(crate) mod fields;
pub(crate) mod foreign;
pub(crate) mod front;
pub(crate) mod gaps;
pub(crate) mod initials;
pub(crate) mod joined;
pub(crate) mod kana_marks;
pub(crate) mod kinds;
pub(crate) mod labels;
pub(crate) mod licence;
pub(crate) mod lines;
pub(crate) mod links;
pub(crate) mod list_runs;
pub(crate) mod listed;
pub(crate) mod lists;
pub(crate) mod makers;
pub(crate) mod marks;
pub(crate) mod matter;
pub(crate) mod notes;
pub(crate) mod numbers;
pub(crate) mod openings;
pub(crate) mod paragraphs;
pub(crate) mod parted;
pub(crate) mod pictures;
pub(crate) mod prefaces;
pub(crate) mod reach;
pub(crate) mod run_in;
pub(crate) mod runs;
pub(crate) mod said;
pub(crate) mod sequence;
pub(crate) mod sink;
pub(crate) mod splitting;
pub(crate) mod structure;
pub(crate) mod styles;
pub(crate) mod subtitles;
pub(crate) mod tags;
pub(crate) mod title_page;
pub(crate) mod unfit;
pub(crate) mod vocabulary;
pub(crate) mod voice;
pub(crate) mod words;
pub(crate) mod wrapped;

use storymill_core::Reason;

use self::{blocks::Leaves, builder::Builder};

/// The blocks of an HTML page.
pub(crate) fn leaves(page: &str) -> Result<Leaves, Reason> {
    let mut builder = Builder::new(page);
    events::walk(page, &mut builder)?;
    let leaves = builder.finish();
    let parted = parted::parted(&leaves);
    if parted.is_empty() {
        return Ok(leaves);
    }
    // Anchors and links belong to the block they stand in: so the page is walked again.
    let mut builder = Builder::parting(page, parted);
    events::walk(page, &mut builder)?;
    Ok(builder.finish())
}

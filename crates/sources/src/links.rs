//! Where the links of a page lead: of pages that are lists of files.

use std::ops::Range;

use storymill_core::Reason;

use crate::gutenberg::{
    events::{Attributes, Sink, walk},
    tags::Tag,
};

/// Where the links of a page lead, in its order and as it writes them.
pub fn links(page: &str) -> Result<Vec<String>, Reason> {
    let mut links = Links::default();
    walk(page, &mut links)?;
    Ok(links.0)
}

#[derive(Default)]
struct Links(Vec<String>);

impl Sink for Links {
    fn open(&mut self, tag: Tag, with: &Attributes, _: Range<usize>) -> Result<(), Reason> {
        if tag == Tag::A && !with.href.is_empty() {
            self.0.push(with.href.clone());
        }
        Ok(())
    }

    fn close(&mut self, _: Tag) {}

    fn text(&mut self, _: &str, _: Range<usize>) {}
}

//! Stages that make books, scenes and questions of an archive in NarrativeXL's own formats, and
//! [`recorded`], which tells what the archive answers where a stage asks a model.
//!
//! Scenes are the archive's chunks, one for one, so that its scene numbers stay what they are.

pub(crate) mod book;
mod options;
mod place;
pub(crate) mod questions;
pub mod recorded;
pub(crate) mod scenes;

use std::ops::Range;

use storymill_core::{Archive, Stop};

/// The text of an archived book, and where each chunk with the blanks behind it stands in it.
///
/// Where nobody knows what stood between two chunks it is one space, as in the original.
fn joined(archive: &Archive) -> (String, Vec<Range<usize>>) {
    let mut text = String::new();
    let mut starts = Vec::with_capacity(archive.chunks.len());
    for chunk in &archive.chunks {
        if !text.is_empty() {
            text.push_str(chunk.gap.as_deref().unwrap_or(" "));
        }
        starts.push(text.len());
        text.push_str(&chunk.text);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let spans = starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
    (text, spans)
}

/// The one archive of a unit.
fn only(archives: &[Archive]) -> Result<&Archive, Stop> {
    archives.first().ok_or_else(|| Stop::reject("no-archive", "the unit has no archive"))
}

#[cfg(test)]
mod tests;

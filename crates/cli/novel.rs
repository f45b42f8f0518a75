//! A novel that was named on the command line, as one text.

use std::path::Path;

use storymill::text_of_page;
use storymill_core::{BookId, Fault, FaultKind};
use storymill_disk::most;
use storymill_sources::page_id;

/// A text, and the id that its file's name gives.
pub(crate) struct Novel {
    pub(crate) id: BookId,
    pub(crate) text: String,
}

/// Reads a plain text as it is, and a page as a build cleans it: to the byte, so that a cast made of it is one
/// of the build's text.
pub(crate) fn read(path: &Path) -> Result<Novel, Fault> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let id = page_id(&name).unwrap_or_else(|| "book".parse().expect("it is short and plain"));
    Ok(Novel { id, text: text_of_page(path)? })
}

/// Reads text that must be UTF-8.
pub(crate) fn text(path: &Path) -> Result<String, Fault> {
    let bytes = storymill_disk::read(path, most::BOOK)
        .map_err(|error| Fault::io("cannot read", path, error).input())?;
    String::from_utf8(bytes)
        .map_err(|error| Fault::new(FaultKind::Input, "not UTF-8 text").at(path).because(error))
}

//! What a file is, and how it is opened: an EPUB, an HTML page, plain text.

use storymill_core::Reason;

use crate::{
    encoding::{self, Decoded},
    epub::{self, Epub},
    gutenberg::{
        self,
        blocks::{Leaves, PARAGRAPHS, too_many},
    },
    page_says::PageSays,
    text, unpack,
};

/// An opened file.
pub(crate) struct Input {
    pub(crate) page: Decoded,
    pub(crate) leaves: Leaves,
    /// Whether it is one page of HTML.
    pub(crate) is_html: bool,
    /// What an EPUB's package says.
    pub(crate) says: PageSays,
    /// Whether that was made from a page by a program, so that a header inside knows better.
    pub(crate) converted: bool,
    /// Bytes after unpacking.
    pub(crate) size: usize,
}

impl Input {
    /// Opens a file; where two encodings are nearly as likely, people may have decided for the second.
    pub(crate) fn open(bytes: &[u8], name: &str, second: bool) -> Result<Self, Reason> {
        if epub::is_zip(bytes) {
            let Epub { page, leaves, says, converted } = epub::open(bytes)?;
            let size = page.text.len();
            return Ok(Self { page, leaves, is_html: false, says, converted, size });
        }
        let bytes = unpack::unpack(bytes)?;
        let size = bytes.len();
        let page = encoding::decode_as(&bytes, second);
        page.check("")?;
        let html = is_html(&page.text, name);
        let leaves = if html { gutenberg::leaves(&page.text)? } else { text::leaves(&page.text)? };
        if leaves.blocks.len() >= PARAGRAPHS {
            return Err(too_many());
        }
        if html && cut_in_tag(&page.text) {
            return Err(Reason::new("cut-off", "the page ends in the middle of a tag"));
        }
        Ok(Self { page, leaves, is_html: html, says: PageSays::default(), converted: false, size })
    }
}

/// Whether a page is HTML: by its name, unless its text says otherwise.
fn is_html(page: &str, name: &str) -> bool {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let tagged = || {
        let head = page.get(..page.floor_char_boundary(4096)).unwrap_or(page).to_ascii_lowercase();
        ["<html", "<!doctype", "<body", "<p>", "<p ", "<div", "<h1", "<h2", "<pre", "<br"]
            .iter()
            .any(|tag| head.contains(tag))
    };
    let plain = name.len() >= 4
        && name[name.floor_char_boundary(name.len() - 4)..].eq_ignore_ascii_case(".txt");
    !plain && tagged()
}

/// Whether the page ends inside a tag.
fn cut_in_tag(page: &str) -> bool {
    let tail = page.trim_end();
    let tail = &tail[tail.floor_char_boundary(tail.len().saturating_sub(2_000))..];
    tail.rfind('<').is_some_and(|at| {
        !tail[at..].contains('>')
            && tail[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!')
    })
}

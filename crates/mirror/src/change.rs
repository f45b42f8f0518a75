//! A page that is another than the one that was pinned: what that does to the text of the book.

use similar::{Algorithm, ChangeTag, TextDiff};
use storymill_core::BookId;
use storymill_sources::clean;

/// How a page differs from the one that was pinned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The book.
    pub id: BookId,
    /// Its file in the folder of pages.
    pub file: String,
    /// Where the other page lies, below the folder of pages; blank where it is the folder's own file
    /// that changed.
    pub aside: String,
    /// The digest that was pinned.
    pub was: String,
    /// The digest of the other page.
    pub is: String,
    /// Paragraphs of the text that are new, and that are gone; nothing where one of the pages is not there
    /// or no book.
    pub paragraphs: Option<(usize, usize)>,
    /// The difference of the cleaned texts, one paragraph a line, as `diff -u` writes it.
    pub diff: String,
}

/// Compares the cleaned texts of two pages.
pub(crate) fn texts(old: &[u8], new: &[u8], name: &str) -> Option<((usize, usize), String)> {
    let text = |bytes: &[u8]| clean(bytes, name).ok().map(|cleaned| cleaned.lines());
    let (old, new) = (text(old)?, text(new)?);
    let diff = TextDiff::configure().algorithm(Algorithm::Patience).diff_lines(&old, &new);
    let (mut added, mut gone) = (0, 0);
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Insert => added += 1,
            ChangeTag::Delete => gone += 1,
            ChangeTag::Equal => {}
        }
    }
    let mut shown = diff.unified_diff();
    let shown = shown.context_radius(1).header("pinned", "now").to_string();
    Some(((added, gone), shown))
}

//! A page that is another than the one that was pinned: what that does to the text of the book.

use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};
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
    let input = InternedInput::new(&*old, &*new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let paragraphs = (diff.count_additions() as usize, diff.count_removals() as usize);
    let mut config = UnifiedDiffConfig::default();
    config.context_len(1);
    let printer = BasicLineDiffPrinter(&input.interner);
    let mut shown = diff.unified_diff(&printer, config, &input).to_string();
    if !shown.is_empty() {
        shown.insert_str(0, "--- pinned\n+++ now\n");
    }
    Some((paragraphs, shown))
}

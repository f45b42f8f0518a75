//! The laws of a cleaned page, whatever the page was.

use storymill_core::ByteSpan;

/// Cleans a page of this name. It becomes a book, about which the laws hold, or a reason why not; a panic of the cleaner,
/// which is a reason too elsewhere, is a finding.
pub fn clean(bytes: &[u8], name: &str) {
    let cleaned = match storymill_sources::clean(bytes, name) {
        Ok(cleaned) => cleaned,
        Err(reason) => return assert_ne!(reason.code, "cleaner-failed", "{}", reason.detail),
    };
    let page = &cleaned.page.text[..];
    let inside =
        |span: ByteSpan| assert!(page.get(span.bytes()).is_some(), "{span:?} of {}", page.len());
    let mut accounted: Vec<_> =
        cleaned.kept.iter().copied().chain(cleaned.cuts.iter().map(|cut| cut.page)).collect();
    accounted.sort_by_key(|span| (span.start, span.end));
    for pair in accounted.windows(2) {
        assert!(pair[0].end <= pair[1].start, "{pair:?} overlap");
    }
    accounted.into_iter().for_each(inside);
    cleaned.doubts.iter().for_each(|doubt| inside(doubt.page));
    for paragraph in &cleaned.paragraphs {
        assert!(!paragraph.text.trim().is_empty(), "a blank paragraph at {:?}", paragraph.page);
        inside(paragraph.page);
    }
    let id: storymill_core::BookId = "b".parse().expect("an id");
    assert_eq!(cleaned.reviews(&id).len(), cleaned.doubts.len());
    let _ = (cleaned.check(50), cleaned.check_cuts());
    let book = cleaned.book(id, None);
    let texts = book.paragraphs.iter().map(|paragraph| &book.text[paragraph.text.bytes()]);
    assert!(
        texts.eq(cleaned.paragraphs.iter().map(|paragraph| &paragraph.text[..])),
        "other paragraphs in the book"
    );
}

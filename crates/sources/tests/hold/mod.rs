//! The oracle and the laws that tests of generated and of real pages share.

use scraper::{Html, Node};
use storymill_core::ByteSpan;
use storymill_sources::Cleaned;

/// All letters that a browser would show, blanks left out: the oracle.
fn shown(html: &Html) -> String {
    let unseen = [
        "style", "script", "noscript", "template", "title", "iframe", "noframes", "noembed", "svg",
        "math", "object", "textarea", "select",
    ];
    let mut text = String::new();
    for node in html.root_element().descendants() {
        let Node::Text(words) = node.value() else { continue };
        let hidden = node.ancestors().any(|around| {
            around.value().as_element().is_some_and(|element| {
                unseen.contains(&element.name())
                    || element.attr("style").is_some_and(|style| style.contains("display:none"))
            })
        });
        if !hidden {
            text.extend(words.chars().filter(|c| !blank(*c)));
        }
    }
    text
}

#[allow(dead_code, reason = "not every test crate asks")]
pub(crate) fn blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{1}' | '\u{ad}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}'
        )
}

/// What a stretch of the page shows.
fn shown_in(page: &str, span: ByteSpan) -> String {
    shown(&Html::parse_fragment(&page[span.bytes()]))
}

/// The laws that hold for every cleaned page.
pub(crate) fn hold(cleaned: &Cleaned) {
    let page = cleaned.page.text.as_str();
    let mut spans: Vec<ByteSpan> = cleaned.kept.clone();
    spans.extend(cleaned.cuts.iter().map(|cut| cut.page));
    spans.sort_by_key(|span| (span.start, span.end));
    for pair in spans.windows(2) {
        assert!(pair[0].end <= pair[1].start, "{pair:?} overlap");
    }
    let together: String = spans.iter().map(|span| shown_in(page, *span)).collect();
    assert_eq!(together, shown(&Html::parse_document(page)), "kept and cut are all that shows");
    let mut end = 0;
    for paragraph in &cleaned.paragraphs {
        assert!(!paragraph.text.trim().is_empty());
        assert!(paragraph.page.start <= paragraph.page.end);
        assert!(page.get(paragraph.page.bytes()).is_some(), "paragraph spans fall between symbols");
        assert!(
            paragraph.page.start >= end || paragraph.page.end == end,
            "paragraphs are in order"
        );
        end = paragraph.page.end;
    }
}

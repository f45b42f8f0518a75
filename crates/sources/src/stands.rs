//! Where what stands at a place of a page stands in the book's text.

use storymill_core::{ByteSpan, Place, Span};

use crate::piece::CleanParagraph;

/// The span over the kept paragraphs that begin inside a stretch of the page; where none was kept, the place between
/// what stands before it and behind it.
pub(crate) fn span(paragraphs: &[CleanParagraph], page: ByteSpan) -> Span {
    let mut span: Option<Span> = None;
    let mut before = Place::default();
    let mut at = Place::default();
    for paragraph in paragraphs {
        if at != Place::default() {
            // The blank line between two paragraphs.
            at = moved(at, "\n\n");
        }
        let end = moved(at, &paragraph.text);
        if paragraph.page.start < page.start {
            before = end;
        } else if paragraph.page.start < page.end {
            span = Some(Span { start: span.map_or(at, |span| span.start), end });
        }
        at = end;
    }
    span.unwrap_or(Span { start: before, end: before })
}

fn moved(at: Place, text: &str) -> Place {
    let add =
        |place: u32, more: usize| place.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
    Place { byte: add(at.byte, text.len()), symbol: add(at.symbol, text.chars().count()) }
}

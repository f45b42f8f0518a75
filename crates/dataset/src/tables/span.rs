//! Spans as they are published.

use serde::Serialize;
use storymill_core::Span;

/// A half-open stretch of a book's text, in symbols.
#[derive(Debug, Serialize)]
pub(super) struct SpanRow {
    start_symbols: u32,
    end_symbols: u32,
}

impl From<Span> for SpanRow {
    fn from(span: Span) -> Self {
        Self { start_symbols: span.start.symbol, end_symbols: span.end.symbol }
    }
}

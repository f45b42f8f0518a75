//! Spans as they are published.

use storymill_core::Span;

use super::row::records;

records! { SpanRow(Span), |span|
    "start_symbols": Int => span.start.symbol, "first symbol, from 0";
    "end_symbols": Int => span.end.symbol, "the first symbol that is no longer in it";
}

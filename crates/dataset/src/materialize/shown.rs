//! Contexts that are cut in the middle, as a model with a short window is shown them.

use storymill_core::{Context, Evidence, Fault, FaultKind, Place, Span, SymbolIndex};
use storymill_mixing::{length, middle};
use storymill_text::Language;

/// Where each token of a text ends, in bytes; or why that cannot be told.
pub type Ends<'c> = dyn Fn(&str) -> Result<Vec<usize>, String> + 'c;

/// How much of a context is shown: so many tokens, half of them from either end.
#[derive(Clone, Copy)]
pub struct Shown<'c> {
    /// How many tokens.
    pub tokens: usize,
    /// What tells tokens.
    pub ends: &'c Ends<'c>,
}

impl std::fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shown").field("tokens", &self.tokens).finish_non_exhaustive()
    }
}

impl Shown<'_> {
    /// What is cut out of a text, from and upto, in symbols; twice its length if nothing is.
    pub fn cut(&self, text: &str) -> Result<(u32, u32), Fault> {
        let ends = (self.ends)(text).map_err(|error| {
            Fault::new(FaultKind::Input, format!("the tokenizer fails on a context: {error}"))
        })?;
        let span = SymbolIndex::new(text).span(middle(text, &ends, self.tokens));
        Ok((span.start.symbol, span.end.symbol))
    }

    /// Cuts a text, and says so in its recipe: lengths and evidence are those of what is left.
    /// Gives back what was cut.
    pub(super) fn shorten(
        &self,
        context: &mut Context,
        text: &mut String,
    ) -> Result<(u32, u32), Fault> {
        let ends = (self.ends)(text).map_err(|error| {
            let message = format!("the tokenizer fails on {}: {error}", context.id);
            Fault::new(FaultKind::Input, message)
        })?;
        let cut = middle(text, &ends, self.tokens);
        if cut.is_empty() {
            return Ok((0, 0));
        }
        let span = SymbolIndex::new(text).span(cut.clone());
        let (from, upto) = (span.start.symbol, span.end.symbol);
        text.drain(cut);
        context.symbols -= upto - from;
        context.length = length(text, Language::of_tag(&context.language));
        let whole = context.symbols;
        context.evidence =
            context.evidence.iter().filter_map(|one| left(one.span, (from, upto), whole)).collect();
        Ok((from, upto))
    }
}

/// What is left of a piece of evidence.
fn left(span: Span, (from, upto): (u32, u32), whole: u32) -> Option<Evidence> {
    let moved = |at: u32| if at <= from { at } else { from + at.saturating_sub(upto) };
    let (start, end) = (moved(span.start.symbol), moved(span.end.symbol));
    let rest = u64::from(whole.saturating_sub(end - start));
    let depth = (u64::from(start) * 1_000).checked_div(rest).unwrap_or(0).min(1_000);
    let at = |symbol| Place { byte: 0, symbol };
    (start < end).then(|| Evidence {
        span: Span { start: at(start), end: at(end) },
        depth_pm: u16::try_from(depth).unwrap_or(1_000),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(span: (u32, u32), cut: (u32, u32), expected: Option<(u32, u32)>) {
        let at = |symbol| Place { byte: 0, symbol };
        let found = left(Span { start: at(span.0), end: at(span.1) }, cut, 100);
        let found = found.map(|one| (one.span.start.symbol, one.span.end.symbol));
        assert_eq!(found, expected, "{span:?} without {cut:?}");
    }

    #[test]
    fn evidence_moves_with_what_is_left() {
        check((2, 5), (10, 20), Some((2, 5)));
        check((30, 35), (10, 20), Some((20, 25)));
        check((12, 20), (10, 20), None);
        check((8, 12), (10, 20), Some((8, 10)));
        check((15, 25), (10, 20), Some((10, 15)));
        check((5, 25), (10, 20), Some((5, 15)));
    }
}

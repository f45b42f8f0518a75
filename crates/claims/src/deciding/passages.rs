//! Where a book tells of a claim: what is known as evidence, and excerpts that share its words.

use std::{collections::BTreeMap, ops::Range};

use storymill_core::{ReviewPassage, Span, SymbolIndex};
use storymill_metrics::bm25::{Cut, Index, Parameters};
use storymill_text::excerpt::{WORDS, excerpts};

use super::{Item, compare::WHICH};
use crate::{
    import::Set,
    pair::{Pair, Stretch},
};

/// So many excerpts are shown of a claim or a pair without evidence.
const FOUND: usize = 3;

/// What is shown around a passage at the least, in symbols: excerpts that are nearer than this would be shown twice.
const AROUND: u32 = 2_000;

/// Finds passages in the texts of books; each book is gone through once.
pub struct Finder<'t> {
    texts: &'t BTreeMap<String, &'t str>,
    books: BTreeMap<&'t str, Searched<'t>>,
}

struct Searched<'t> {
    text: &'t str,
    symbols: SymbolIndex<'t>,
    excerpts: Vec<Range<usize>>,
    index: Index,
}

impl std::fmt::Debug for Finder<'_> {
    /// Without a word of the texts.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Finder").field("books", &self.texts.len()).finish_non_exhaustive()
    }
}

impl<'t> Finder<'t> {
    /// Over the texts of books by id.
    pub fn new(texts: &'t BTreeMap<String, &'t str>) -> Self {
        Self { texts, books: BTreeMap::new() }
    }

    /// Shows with an item where its book tells of it: what readers marked, and the evidence of its claims where that is
    /// known, else the excerpts that share most words with them. Nothing where the book is not there. Who is to say which
    /// claim is true is not shown what its writer has for evidence.
    pub fn show(&mut self, set: &Set, item: &mut Item) {
        let Some(pair) = item.pair(set) else { return };
        let Some((id, text)) = self.texts.get_key_value(&pair.book) else { return };
        let book = self.books.entry(id.as_str()).or_insert_with(|| Searched::new(text));
        let shows = item.review.code != WHICH;
        let evidence = item.halves().iter().filter(|_| shows).flat_map(|half| pair.evidence(*half));
        let mut known: Vec<Stretch> = evidence.copied().collect();
        known.sort_unstable();
        known.dedup();
        let passage = |span: Span, role: &str| ReviewPassage {
            book: pair.book.clone(),
            span,
            role: role.to_owned(),
        };
        let mut found: Vec<ReviewPassage> = known
            .iter()
            .filter_map(|stretch| Some(passage(book.span(*stretch)?, "evidence")))
            .collect();
        if found.is_empty() && item.review.passages.is_empty() {
            let words: Vec<&str> = item.halves().iter().map(|half| pair.claim(*half)).collect();
            found = book.best(&words.join(" ")).map(|span| passage(span, "same words")).collect();
        }
        item.review.passages.append(&mut found);
    }
}

impl<'t> Searched<'t> {
    fn new(text: &'t str) -> Self {
        let excerpts = excerpts(text, WORDS);
        let texts: Vec<&str> = excerpts.iter().map(|range| &text[range.clone()]).collect();
        let index = Index::new(&texts, Cut::Words, Parameters::default())
            .expect("the usual parameters are in range");
        Self { text, symbols: SymbolIndex::new(text), excerpts, index }
    }

    /// A stretch of the book as a span; none if it ends behind the book's end.
    fn span(&self, stretch: Stretch) -> Option<Span> {
        let mut starts = self.text.char_indices().map(|(at, _)| at).chain([self.text.len()]);
        let start = starts.nth(stretch.start as usize)?;
        let end = starts.nth(stretch.end.checked_sub(stretch.start)?.checked_sub(1)? as usize)?;
        Some(self.symbols.span(start..end))
    }

    /// The excerpts that share most words with a claim, the best first.
    fn best(&self, words: &str) -> impl Iterator<Item = Span> {
        let mut spans: Vec<Span> = Vec::new();
        for hit in self.index.top(words, 4 * FOUND) {
            let span = self.symbols.span(self.excerpts[hit.passage].clone());
            let is_near = |other: &Span| {
                span.start.symbol < other.end.symbol.saturating_add(AROUND)
                    && other.start.symbol < span.end.symbol.saturating_add(AROUND)
            };
            if hit.score > 0.0 && spans.len() < FOUND && !spans.iter().any(is_near) {
                spans.push(span);
            }
        }
        spans.into_iter()
    }
}

/// The evidence of a pair as symbols of its book.
pub(super) fn stretches(pair: &Pair, spans: &[ReviewPassage]) -> Vec<Stretch> {
    let own = spans.iter().filter(|one| one.book == pair.book);
    let mut all: Vec<Stretch> =
        own.map(|one| Stretch { start: one.span.start.symbol, end: one.span.end.symbol }).collect();
    all.sort_unstable();
    all.dedup();
    all
}

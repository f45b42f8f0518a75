//! The questions of a set that the costly measures look at.

use std::collections::BTreeMap;

use storymill_metrics::shortcut::mark;

use super::{
    placed::Order,
    row::{Form, Row},
};

/// At most so many questions of a set.
const MOST: usize = 8_000;
/// And at most so many bytes of their options.
const MOST_BYTES: usize = 24_000_000;
/// Symbols of an option that are looked at.
pub(super) const LOOKED_AT: usize = 2_000;

/// A question that is kept.
#[derive(Debug, Default)]
pub(super) struct Sampled {
    /// A hash of its id.
    pub(super) mark: u64,
    /// The place of its book among those of its set.
    pub(super) book: usize,
    /// Its options; those of free text are what is given and what is right.
    pub(super) options: Vec<Box<str>>,
    /// Retellings that stand in the question.
    pub(super) given: Vec<Box<str>>,
    /// What it asks of places, if it does.
    pub(super) order: Option<Order>,
    pub(super) right: usize,
    pub(super) none: Option<usize>,
    pub(super) context_symbols: u32,
    pub(super) context_words: u32,
    pub(super) demand_symbols: u32,
    pub(super) demand_words: u32,
}

/// Those with the smallest hashes of their ids: the same ones in whatever order rows come, and most of them again in
/// the next version of a dataset.
#[derive(Debug, Default)]
pub(super) struct Sample {
    kept: BTreeMap<u64, Sampled>,
    bytes: usize,
    /// The smallest hash that was dropped.
    dropped: Option<u64>,
}

impl Sample {
    /// Takes a question, if it is drawn.
    pub(super) fn offer(&mut self, row: &Row<'_>, book: usize) {
        let mark = mark(row.id.as_bytes());
        if self.dropped.is_some_and(|dropped| mark >= dropped) {
            return;
        }
        let (options, right, none) = match &row.form {
            Form::Options { options, right, none } => (options.clone(), *right, *none),
            Form::FreeText { given: Some(given), reference } => (vec![*given, *reference], 1, None),
            Form::FreeText { given: None, .. } | Form::Broken => return,
        };
        let options = options.into_iter().map(Box::from).collect();
        let (context_symbols, context_words) = (row.context_symbols, row.context_words);
        let (demand_symbols, demand_words) = (row.demand_symbols, row.demand_words);
        let question = Sampled {
            mark,
            book,
            options,
            given: row.given.iter().map(|text| Box::from(*text)).collect(),
            order: Order::of(row.kind),
            right,
            none,
            context_symbols,
            context_words,
            demand_symbols,
            demand_words,
        };
        self.bytes += question.bytes();
        // Of two questions with one id the later one counts.
        if let Some(before) = self.kept.insert(mark, question) {
            self.bytes -= before.bytes();
        }
        while self.kept.len() > MOST || (self.bytes > MOST_BYTES && self.kept.len() > 1) {
            let Some((mark, question)) = self.kept.pop_last() else { break };
            self.bytes -= question.bytes();
            self.dropped = Some(mark);
        }
    }

    /// The questions, by their hashes.
    pub(super) fn finish(self) -> Vec<Sampled> {
        self.kept.into_values().collect()
    }
}

impl Sampled {
    fn bytes(&self) -> usize {
        self.options.iter().chain(&self.given).map(|text| text.len() + 16).sum()
    }

    /// The beginning of an option, as far as it is looked at.
    pub(super) fn looked_at(&self, option: usize) -> &str {
        let text = &self.options[option];
        text.char_indices().nth(LOOKED_AT).map_or(text, |(end, _)| &text[..end])
    }
}

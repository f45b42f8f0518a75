//! The questions of a set that the costly measures look at.

use std::collections::BTreeMap;

use storymill_metrics::shortcut::mark;

use super::{
    placed::Order,
    row::{Form, Row},
};

/// At most so many questions of a config, unless more are asked for.
pub const MOST: usize = 2_000;
/// And at most so many bytes of the options of a set.
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
    /// Takes a question, if it is among the first so many.
    pub(super) fn offer(&mut self, row: &Row<'_>, book: usize, most: usize) {
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
        while self.kept.len() > most || (self.bytes > MOST_BYTES && self.kept.len() > 1) {
            let Some((mark, question)) = self.kept.pop_last() else { break };
            self.bytes -= question.bytes();
            self.dropped = Some(mark);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// The first so many questions, by their hashes.
    pub(super) fn finish(self, most: usize) -> Vec<Sampled> {
        self.kept.into_values().take(most).collect()
    }
}

/// How many questions of each set are looked at, so that all sets of a config have at most so many: small sets are looked
/// at whole, the others have equal shares of what is left.
pub(super) fn share(sizes: impl IntoIterator<Item = usize>, most: usize) -> usize {
    let mut sizes: Vec<usize> = sizes.into_iter().collect();
    sizes.sort_unstable();
    let (mut left, sets) = (most, sizes.len());
    for (at, size) in sizes.into_iter().enumerate() {
        let share = left / (sets - at);
        if size > share {
            return share;
        }
        left -= size;
    }
    most
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// No more than asked for, all of it where there is enough, and no set loses to a larger one.
        #[test]
        fn shares_are_equal(sizes in prop::collection::vec(0_usize..40, 1..9), most in 0_usize..90) {
            let share = share(sizes.iter().copied(), most);
            let taken: usize = sizes.iter().map(|size| *size.min(&share)).sum();
            prop_assert!(taken <= most);
            let larger = sizes.iter().filter(|size| **size > share).count();
            prop_assert!(larger == 0 || taken + larger > most, "{} of {:?}", share, sizes);
        }
    }
}

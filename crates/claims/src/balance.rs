//! How a set is made up: counts by book, scope, genre and writer, lengths of true and false claims.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_text::word::words;

use crate::{
    import::Set,
    pair::{Half, Pair},
    shortcut::{self, Shortcut},
};

/// What a set is made up of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Balance {
    /// Pairs.
    pub pairs: usize,
    /// Pairs by book, genre, year, length, scope, writer and so on, in this order.
    pub parts: Vec<Part>,
    /// Words of claims of either kind.
    pub words: [Lengths; 2],
    /// Pairs whose true claim has more words than the false one, fewer, and as many.
    pub longer: [usize; 3],
    /// How far claims give themselves away without the book.
    pub shortcut: Option<Shortcut>,
}

/// How many pairs are of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What is told apart: `genre`.
    pub by: &'static str,
    /// Which: `historical`; none where the set does not say.
    pub value: Option<String>,
    /// How many pairs.
    pub pairs: usize,
}

/// Words of the claims of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Lengths {
    /// Which claims.
    pub claim: Half,
    /// All words.
    pub sum: usize,
    /// The fewest in a claim.
    pub least: usize,
    /// In the middle claim by length; the lower one of two.
    pub median: usize,
    /// The most in a claim.
    pub most: usize,
}

/// Describes a set. Law: the order of pairs changes nothing.
pub fn balance(set: &Set) -> Balance {
    let count = |pair: &Pair, half| words(pair.claim(half)).count();
    let mut longer = [0; 3];
    for pair in &set.pairs {
        let place = match count(pair, Half::True).cmp(&count(pair, Half::False)) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => 2,
        };
        longer[place] += 1;
    }
    let words = Half::BOTH.map(|claim| {
        let mut counts: Vec<usize> = set.pairs.iter().map(|pair| count(pair, claim)).collect();
        counts.sort_unstable();
        Lengths {
            claim,
            sum: counts.iter().sum(),
            least: counts.first().copied().unwrap_or(0),
            median: counts.get(counts.len().saturating_sub(1) / 2).copied().unwrap_or(0),
            most: counts.last().copied().unwrap_or(0),
        }
    });
    Balance {
        pairs: set.pairs.len(),
        parts: parts(set),
        words,
        longer,
        shortcut: shortcut::score(&set.pairs),
    }
}

/// What is told apart, and what it is of a pair.
type Key<'k> = (&'static str, &'k dyn Fn(&Pair) -> Option<String>);

fn parts(set: &Set) -> Vec<Part> {
    let truth =
        |value: Option<bool>| value.map(|value| if value { "yes" } else { "no" }.to_owned());
    let book = |pair: &Pair| set.book(&pair.book);
    let keys: [Key<'_>; 11] = [
        ("book", &|pair| Some(pair.book.clone())),
        ("genre", &|pair| book(pair)?.genre.clone()),
        ("year", &|pair| book(pair)?.publication_year.clone()),
        ("length", &|pair| book(pair)?.length_group()),
        ("scope", &|pair| pair.scope().map(|scope| scope.name().to_owned())),
        ("written by", &|pair| pair.written_by.clone()),
        ("model written", &|pair| truth(pair.model_written)),
        ("writer has read", &|pair| truth(pair.writer_has_read)),
        ("consent", &|pair| truth(pair.consent)),
        ("added in", &|pair| pair.added_in.clone()),
        ("explained", &|pair| truth(Some(!pair.explanation.trim().is_empty()))),
    ];
    let mut parts = Vec::new();
    for (by, key) in keys {
        let mut counts: BTreeMap<Option<String>, usize> = BTreeMap::new();
        for pair in &set.pairs {
            *counts.entry(key(pair)).or_default() += 1;
        }
        parts.extend(counts.into_iter().map(|(value, pairs)| Part { by, value, pairs }));
    }
    parts
}

//! How well names were found, against names that people marked (LitBank's).
//!
//! The measure that counts for substitution is the **name word**: of the words that are in gold
//! names, how many were found, whatever was said of their kind and of where the name ends.

use std::{collections::BTreeSet, ops::Range};

use serde::Deserialize;
use storymill_core::{Fault, FaultKind};
use storymill_metrics::Prf;

use crate::{
    decision::{Found, Kind},
    trim::trim,
    words::Words,
};

/// A gold name: its bytes, and its kind unless it counts for nothing.
pub(crate) type Marked = (Range<usize>, Option<Kind>);

/// A text with its gold names: one line of LitBank's file.
#[derive(Clone, Debug, Deserialize)]
pub struct Gold {
    /// The text.
    pub text: String,
    /// The names in order: the first symbol, the first behind it, the type, the name itself.
    pub spans: Vec<(usize, usize, String, String)>,
    /// Which book it is from; for messages.
    #[serde(default)]
    pub book: Option<u64>,
    /// `train` or `dev`.
    #[serde(default)]
    pub split: Option<String>,
}

/// What is counted over texts before shares are made of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Name words on both sides.
    pub same: usize,
    /// Name words found.
    pub found: usize,
    /// Name words in gold names.
    pub gold: usize,
}

impl Tally {
    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: Self) {
        self.same += other.same;
        self.found += other.found;
        self.gold += other.gold;
    }

    /// Precision, recall and F1.
    pub fn prf(self) -> Prf {
        Prf::from_counts(self.same, self.found, self.gold)
    }
}

/// Words that count in no name: particles, and the s of a possessive.
const UNCOUNTED: &[&str] =
    &["of", "the", "de", "la", "von", "van", "der", "and", "du", "le", "des"];

impl Gold {
    /// The gold names in bytes, with their kind; organisations and ships have none and count for nothing.
    pub fn names(&self) -> Result<Vec<Marked>, Fault> {
        let mut places: Vec<usize> = self.text.char_indices().map(|(at, _)| at).collect();
        places.push(self.text.len());
        let byte = |symbol: usize| places.get(symbol).copied();
        let name = |(start, end, kind, surface): &(usize, usize, String, String)| {
            let range = byte(*start).zip(byte(*end)).filter(|(start, end)| start < end);
            let range = range.filter(|(start, end)| self.text[*start..*end] == **surface);
            let Some((start, end)) = range else {
                let message = format!("the span {start}..{end} is not `{surface}`");
                return Err(Fault::new(FaultKind::Input, message)
                    .hint("spans count symbols (code points) of `text`"));
            };
            let kind = match kind.as_str() {
                "PER" => Some(Kind::Person),
                "GPE" | "LOC" | "FAC" => Some(Kind::Place),
                _ => None,
            };
            Ok((start..end, kind))
        };
        self.spans.iter().map(name).collect()
    }

    /// Compares what was found in this text.
    pub fn score(&self, words: &Words<'_>, found: &[Found]) -> Result<Tally, Fault> {
        let gold = self.names()?;
        let (neutral, gold): (Vec<_>, Vec<_>) =
            gold.into_iter().partition(|(_, kind)| kind.is_none());
        let bytes = |name: &Range<usize>| {
            words.all()[name.start].start as usize..words.all()[name.end - 1].end as usize
        };
        let trimmed = found.iter().filter_map(|found| trim(words, found.words.clone(), found.kind));
        let trimmed = trimmed.map(|name| bytes(&name));
        let trimmed: Vec<_> = trimmed
            .filter(|name| {
                !neutral.iter().any(|(other, _)| name.start < other.end && other.start < name.end)
            })
            .collect();
        let gold = counted(words, gold.iter().map(|(range, _)| range));
        let found = counted(words, trimmed.iter());
        Ok(Tally { same: gold.intersection(&found).count(), found: found.len(), gold: gold.len() })
    }
}

/// The words in these ranges of bytes that count.
fn counted<'r>(
    words: &Words<'_>,
    ranges: impl Iterator<Item = &'r Range<usize>>,
) -> BTreeSet<usize> {
    let mut counted = BTreeSet::new();
    for range in ranges {
        let from = words.all().partition_point(|word| (word.end as usize) <= range.start);
        let inside =
            words.all()[from..].iter().take_while(|word| (word.start as usize) < range.end);
        for (at, _) in (from..).zip(inside) {
            let low = words.low(Some(at));
            let letters = low.starts_with(char::is_alphanumeric);
            if letters && !UNCOUNTED.contains(&low) && words.surface(at) != "s" {
                counted.insert(at);
            }
        }
    }
    counted
}

//! Who are two by what the book says: the one calls the other, as in “Jack,” said old John.

use std::collections::BTreeMap;

use super::{people::Told, signs::is_called};
use crate::{lists::SPEECH, words::Words};

/// How far who speaks is from who is called at most, in words.
const FAR: usize = 12;

/// How often the bearer of one first name calls that of another one.
pub(super) fn apart(words: &Words<'_>, known: &[Told<'_>]) -> BTreeMap<[usize; 2], usize> {
    let calls = |pair: &&[Told<'_>]| {
        let [from, to] = [pair[0].mention.words.end, pair[1].mention.words.start];
        is_called(words, pair[0].mention.words.start)
            && to - from <= FAR
            && (from..to).any(|at| SPEECH.contains(&words.low(Some(at))))
    };
    let first = |told: &Told<'_>| told.shape.given.first().copied();
    let mut apart = BTreeMap::new();
    for pair in known.windows(2).filter(calls) {
        if let (Some(one), Some(other)) = (first(&pair[0]), first(&pair[1])) {
            *apart.entry([one.min(other), one.max(other)]).or_default() += 1;
        }
    }
    apart
}

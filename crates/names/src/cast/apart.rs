//! Who are two by what the book says: the one calls the other, as in “Jack,” said old John, or both are named in one
//! sentence.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::{nobody::KIN, people::Told, signs::is_called};
use crate::{
    lists::SPEECH,
    words::{Case, Words},
};

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

/// Whether so many of these mentions stand in one sentence with one of those that they are of two people. Where somebody
/// speaks or the one explains the other they may be one: “Well, Harry,” said Mr. Hawk; my Harry, Mr. Hawk.
pub(super) fn together(
    words: &Words<'_>,
    sentences: &[Range<usize>],
    ones: &BTreeSet<usize>,
    others: &BTreeSet<usize>,
) -> bool {
    let few = ones.len().min(others.len());
    let weight = |one: usize, other: usize| {
        let (first, last) = (one.min(other), one.max(other));
        let between = || first + 1..last;
        let marks = between().filter(|at| "“”\"()—‘".contains(words.surface(*at))).count();
        let speaks = || between().any(|at| SPEECH.contains(&words.low(Some(at))));
        if marks > 0 {
            let calls = marks == 1 && is_called(words, first) && last - first <= FAR;
            return usize::from(calls && speaks());
        }
        let small = |at: &usize| words.all()[*at].letter && words.all()[*at].case == Case::Low;
        let mut small = between().filter(small).map(|at| words.low(Some(at)));
        match small.next() {
            // Margaret was Peggy to her father.
            None | Some("was" | "is" | "to") => 0,
            Some("and") => 2,
            Some(_) => 1 + usize::from(small.next_back().is_some_and(|low| KIN.contains(&low))),
        }
    };
    let beside = |at: &usize| {
        let sentence = sentences.partition_point(|one| one.end <= *at);
        let there = sentences.get(sentence).into_iter().flat_map(|one| others.range(one.clone()));
        there.map(|other| weight(*at, *other)).max().unwrap_or(0)
    };
    let both: usize = ones.iter().map(beside).sum();
    few > 4 && both > 1 && (if both > 2 { 16 } else { 10 }) * both >= few
}

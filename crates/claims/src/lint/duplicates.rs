//! Pairs that say what another pair of the set says.

use std::collections::{BTreeMap, BTreeSet};

use storymill_text::{lists::is_small, stem::stem, word};

use super::{Code, Findings};
use crate::pair::{Half, Pair};

/// The first other pair that says the same, by pair: its id, and whether it does so word for word.
pub(super) type Duplicates = BTreeMap<String, (String, bool)>;

/// How much of the content words of two claims must be shared, in percent.
const NEAR: usize = 75;

/// Finds pairs that repeat another one of their book.
pub(super) fn find(pairs: &[Pair]) -> Duplicates {
    let mut found = Duplicates::new();
    let mut of_book: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
    for pair in pairs {
        of_book.entry(&pair.book).or_default().push(pair);
    }
    for pairs in of_book.values() {
        let claims: Vec<[Claim; 2]> =
            pairs.iter().map(|pair| Half::BOTH.map(|half| Claim::new(pair.claim(half)))).collect();
        for later in 1..claims.len() {
            for earlier in 0..later {
                let Some(exact) = repeats(&claims[earlier], &claims[later]) else { continue };
                for (one, other) in [(later, earlier), (earlier, later)] {
                    let entry = found
                        .entry(pairs[one].id.clone())
                        .or_insert_with(|| (pairs[other].id.clone(), exact));
                    if exact && !entry.1 {
                        *entry = (pairs[other].id.clone(), true);
                    }
                }
            }
        }
    }
    found
}

/// A claim by its words, and by the roots of those that carry meaning.
struct Claim {
    plain: Vec<String>,
    roots: BTreeSet<String>,
}

impl Claim {
    fn new(text: &str) -> Self {
        let plain = word::plain(text);
        let roots = plain.iter().filter(|word| !is_small(word)).map(|word| stem(word));
        Self { roots: roots.collect(), plain }
    }
}

/// Whether two pairs share a claim; none if not, else whether word for word.
fn repeats(one: &[Claim; 2], two: &[Claim; 2]) -> Option<bool> {
    let both = || one.iter().flat_map(|a| two.iter().map(move |b| (a, b)));
    if both().any(|(a, b)| a.plain == b.plain) {
        return Some(true);
    }
    let near = |a: &Claim, b: &Claim| {
        let shared = a.roots.intersection(&b.roots).count();
        let all = a.roots.len() + b.roots.len() - shared;
        all > 3 && 100 * shared >= NEAR * all
    };
    both().any(|(a, b)| near(a, b)).then_some(false)
}

/// Tells of a pair that repeats another one.
pub(super) fn tell(findings: &mut Findings<'_>, duplicates: &Duplicates) {
    let Some((other, exact)) = duplicates.get(&findings.pair.id) else { return };
    if *exact {
        findings.error(
            None,
            Code::Duplicate,
            format!("pair {other} has a claim of the same words"),
        );
    } else {
        findings.warn(
            None,
            Code::Duplicate,
            format!("pair {other} has a claim of nearly the same words"),
        );
    }
}

//! The part of a set that gives itself away no more than it may.
//!
//! Pairs that a small model tells apart without the book ([`crate::shortcut`]) are taken out, the
//! plainest first, until few enough are left; the model learns anew from what is left each time, as
//! in adversarial filtering (Le Bras et al. 2020, AFLite). Then all that can go back goes back.

use std::collections::BTreeMap;

use crate::{
    pair::Pair,
    shortcut::{Seen, can_learn, points},
};

/// The largest part found of which at most a share is told apart without the book, as places in the
/// list, in order; none if ten pairs cannot be kept. `most` is at least chance, one half. Every book gives the same share of its
/// pairs, as far as it has such that are told apart.
///
/// Laws: [`crate::shortcut::score`] of the part is at most `most`. Of up to 256 pairs that are left out
/// none can go back alone. The order of the list changes nothing.
pub fn repair(pairs: &[Pair], most: f64) -> Option<Vec<usize>> {
    let seen = Seen::new(pairs);
    let mut kept: Vec<usize> = (0..pairs.len()).collect();
    kept.sort_by_key(|pair| &pairs[*pair].id);
    let mut out = Vec::new();
    while can_learn(&kept) && !holds(&seen, &kept, most) {
        let worst = plainest(&seen, pairs, &kept, most);
        if worst.is_empty() {
            return None;
        }
        kept.retain(|pair| !worst.contains(pair));
        out.extend(worst);
    }
    if !can_learn(&kept) {
        return None;
    }
    // What went last is the least plain.
    out.reverse();
    let grain = (out.len() / 256).max(1);
    while put_back(&seen, &mut kept, &mut out, grain, most) && out.len() <= 256 {}
    kept.sort_unstable();
    Some(kept)
}

/// Whether at most a share of the chosen pairs is told apart; one that is not decided counts one half.
fn holds(seen: &Seen<'_>, chosen: &[usize], most: f64) -> bool {
    let halves: usize = seen.odds(chosen).into_iter().map(points).sum();
    number(halves) <= 2.0 * most * number(chosen.len())
}

/// Some of the pairs that are told apart: a quarter of what would have to go if the model stayed as it is.
fn plainest(seen: &Seen<'_>, pairs: &[Pair], kept: &[usize], most: f64) -> Vec<usize> {
    let odds = seen.odds(kept);
    let halves: usize = odds.iter().copied().map(points).sum();
    let beyond = number(halves) / 2.0 - most * number(kept.len());
    let share = (beyond / (1.0 - most).max(0.01) / 4.0).max(1.0);
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for &pair in kept {
        *all.entry(&pairs[pair].book).or_default() += 1;
    }
    let mut told: Vec<(usize, [f64; 2])> =
        kept.iter().copied().zip(odds).filter(|(_, odds)| points(*odds) == 2).collect();
    told.sort_by(|(_, one), (_, two)| (two[0] - two[1]).total_cmp(&(one[0] - one[1])));
    // The plainest of a book first; beside other books' by the share of the book that is gone with it.
    let mut gone: BTreeMap<&str, usize> = BTreeMap::new();
    let rank = |(pair, _): (usize, [f64; 2])| {
        let book = pairs[pair].book.as_str();
        let gone = gone.entry(book).or_default();
        *gone += 1;
        ((number(*gone) - 0.5) / number(all[book]), pair)
    };
    let mut order: Vec<(f64, usize)> = told.into_iter().map(rank).collect();
    order.sort_by(|(one, _), (two, _)| one.total_cmp(two));
    let some = order.into_iter().zip(0_u32..).take_while(|(_, at)| f64::from(*at) < share);
    some.map(|((_, pair), _)| pair).collect()
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Puts back what can go back, in pieces of down to a grain; whether anything could.
fn put_back(
    seen: &Seen<'_>,
    kept: &mut Vec<usize>,
    out: &mut Vec<usize>,
    grain: usize,
    most: f64,
) -> bool {
    let before = kept.len();
    let mut pieces = vec![std::mem::take(out)];
    while let Some(mut piece) = pieces.pop() {
        let all = [&kept[..], &piece].concat();
        if holds(seen, &all, most) {
            *kept = all;
        } else if piece.len() > grain {
            let rest = piece.split_off(piece.len() / 2);
            pieces.extend([rest, piece]);
        } else {
            out.append(&mut piece);
        }
    }
    kept.len() > before
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::shortcut::score;

    /// Pairs on books, of which some have `never` in the false claim.
    fn pairs() -> impl Strategy<Value = Vec<Pair>> {
        let one = (0_usize..5, any::<bool>(), "[a-f]{1} [a-f]{1}", "[a-f]{1} [a-f]{1}");
        prop::collection::vec(one, 8..50).prop_map(|rows| {
            let pair =
                |(at, (book, plain, yes, no)): (usize, (usize, bool, String, String))| Pair {
                    id: format!("b{book}/{at:04}"),
                    book: format!("b{book}"),
                    true_claim: format!("Person{at} saw {yes}."),
                    false_claim: format!(
                        "Person{at} {}saw {no}.",
                        if plain { "never " } else { "" }
                    ),
                    ..Pair::default()
                };
            rows.into_iter().enumerate().map(pair).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_part_keeps_no_more_than_it_may(pairs in pairs(), most in 0.5_f64..0.8) {
            let told = |places: &[usize]| {
                let part: Vec<Pair> = places.iter().map(|at| pairs[*at].clone()).collect();
                score(&part).map(|score| number(score.told_apart) / number(part.len()))
            };
            let Some(kept) = repair(&pairs, most) else {
                let all: Vec<usize> = (0..pairs.len()).collect();
                prop_assert!(told(&all).is_none_or(|share| share > most));
                return Ok(());
            };
            prop_assert!(kept.is_sorted() && told(&kept).unwrap() <= most);
            let seen = Seen::new(&pairs);
            for at in (0..pairs.len()).filter(|at| !kept.contains(at)) {
                prop_assert!(!holds(&seen, &[&kept[..], &[at]].concat(), most));
            }
            let turned: Vec<Pair> = pairs.iter().rev().cloned().collect();
            let again = repair(&turned, most).unwrap();
            let again: Vec<usize> = again.iter().rev().map(|at| pairs.len() - 1 - at).collect();
            prop_assert_eq!(again, kept);
        }
    }
}

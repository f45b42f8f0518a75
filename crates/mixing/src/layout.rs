//! Where passages go: which side of the evidence, in which order, for all levels at once.
//!
//! Distractors come in one order for all levels, and each is given its side of the evidence as it
//! comes: always the one that lacks most. So the first so many of them keep the evidence where it
//! was wanted, whatever the level, and a shorter context is a longer one with passages left out.

/// Per ten thousand: where evidence is wanted.
pub(crate) type Target = u64;

pub(crate) const WHOLE: u64 = 10_000;

/// What stands at a place of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Which document of the evidence.
    Evidence(usize),
    /// Which distractor, in the order of choice.
    Distractor(usize),
}

/// A distractor: its length in symbols, and a number that decides its order within its side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) symbols: u64,
    pub(crate) rank: u64,
}

/// The side of each distractor: before the first piece of evidence (0), behind it (1), and so on.
/// `evidence` are the lengths of its pieces in order, `targets` where they are wanted, ascending.
pub(crate) fn sides(evidence: &[u64], targets: &[Target], pieces: &[Piece]) -> Vec<usize> {
    let fixed: u64 = evidence.iter().sum();
    let mut have = vec![0_u64; evidence.len() + 1];
    let mut distractors = 0;
    let mut sides = Vec::with_capacity(pieces.len());
    for piece in pieces {
        distractors += piece.symbols;
        let wanted = wanted(evidence, targets, fixed + distractors, distractors);
        let lack =
            |side: &usize| (i128::from(wanted[*side]) - i128::from(have[*side]), usize::MAX - side);
        let side = (0..have.len()).max_by_key(lack).unwrap_or(0);
        have[side] += piece.symbols;
        sides.push(side);
    }
    sides
}

/// How much of the distractors is wanted on each side, in symbols.
fn wanted(evidence: &[u64], targets: &[Target], total: u64, distractors: u64) -> Vec<u64> {
    let (mut before, mut placed) = (0_u64, 0_u64);
    let mut wanted = Vec::with_capacity(evidence.len() + 1);
    for (own, target) in evidence.iter().zip(targets) {
        // Depth is the share of the rest that stands before: `before / (total - own)`.
        let start = (total - own) * target / WHOLE;
        let upto = start.saturating_sub(placed).clamp(before, distractors);
        wanted.push(upto - before);
        before = upto;
        placed += own;
    }
    wanted.push(distractors - before);
    wanted
}

/// The context of the first so many distractors.
pub(crate) fn order(evidence: usize, sides: &[usize], pieces: &[Piece]) -> Vec<Slot> {
    let mut by_side: Vec<Vec<usize>> = vec![Vec::new(); evidence + 1];
    for (at, side) in sides.iter().enumerate() {
        by_side[*side].push(at);
    }
    let mut slots = Vec::with_capacity(evidence + sides.len());
    for (side, mut all) in by_side.into_iter().enumerate() {
        all.sort_by_key(|at| (pieces[*at].rank, *at));
        slots.extend(all.into_iter().map(Slot::Distractor));
        if side < evidence {
            slots.push(Slot::Evidence(side));
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A shorter context is a longer one with distractors left out, and the evidence is off by
        /// one passage at most.
        #[test]
        fn shorter_ones_are_nested(
            lengths in prop::collection::vec(1_u64..100, 1..60),
            own in 1_u64..50,
            target in 0..=WHOLE,
            cut in 1_usize..60,
        ) {
            let pieces: Vec<_> =
                lengths.iter().enumerate().map(|(at, symbols)| Piece { symbols: *symbols, rank: at as u64 * 7 % 13 }).collect();
            let sides = sides(&[own], &[target], &pieces);
            let cut = cut.min(pieces.len());
            let long = order(1, &sides, &pieces);
            let short = order(1, &sides[..cut], &pieces[..cut]);
            let kept: Vec<_> = long.into_iter().filter(|slot| !matches!(slot, Slot::Distractor(at) if *at >= cut)).collect();
            prop_assert_eq!(&kept, &short);
            let before: u64 = short.iter().take_while(|slot| **slot != Slot::Evidence(0)).map(|slot| match slot {
                Slot::Distractor(at) => pieces[*at].symbols,
                Slot::Evidence(_) => 0,
            }).sum();
            let all: u64 = lengths[..cut].iter().sum();
            let longest = lengths[..cut].iter().max().copied().unwrap_or(0);
            prop_assert!(before.abs_diff(all * target / WHOLE) <= longest, "{before} of {all} at {target}");
        }
    }
}

//! The length of the longest common subsequence, 64 columns at a time.
//!
//! Bit-parallel after Hyyrö, "Bit-Parallel LCS-length Computation Revisited" (2004): a bit of
//! the state is 0 where the row of the usual table steps up.

/// The length of the longest common subsequence of two rows of word numbers.
///
/// The numbers must be small: memory grows with the largest one of `left`.
pub(crate) fn length(left: &[u32], right: &[u32]) -> usize {
    let front = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[front..], &right[front..]);
    let back = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[..left.len() - back], &right[..right.len() - back]);
    if left.is_empty() || right.is_empty() {
        return front + back;
    }
    let blocks = left.len().div_ceil(64);
    front
        + back
        + if blocks == 1 { one_block(left, right) } else { many_blocks(left, right, blocks) }
}

fn one_block(left: &[u32], right: &[u32]) -> usize {
    let mut state = u64::MAX;
    // Short answers: looking the few words over again beats building a table.
    for word in right {
        let hits =
            left.iter().enumerate().fold(0, |bits, (at, w)| bits | (u64::from(w == word) << at));
        let up = state & hits;
        state = state.wrapping_add(up) | (state & !hits);
    }
    let used = u64::MAX >> (64 - left.len());
    (!state & used).count_ones() as usize
}

fn many_blocks(left: &[u32], right: &[u32], blocks: usize) -> usize {
    let words = left.iter().max().map_or(0, |&max| max as usize + 1);
    let mut places = vec![0_u64; words * blocks];
    for (at, &word) in left.iter().enumerate() {
        places[word as usize * blocks + at / 64] |= 1 << (at % 64);
    }
    let mut state = vec![u64::MAX; blocks];
    for &word in right {
        let at = word as usize * blocks;
        if let Some(hits) = places.get(at..at + blocks) {
            step(&mut state, hits);
        }
    }
    let steps: u32 = state.iter().map(|state| state.count_zeros()).sum();
    steps as usize
}

/// One row after another: `hits` are the columns that have its word. A bit of the state is 0 where the row steps up.
pub(crate) fn step(state: &mut [u64], hits: &[u64]) {
    let mut carry = false;
    for (state, hits) in state.iter_mut().zip(hits) {
        let up = *state & hits;
        let (sum, over) = state.overflowing_add(up);
        let (sum, again) = sum.overflowing_add(u64::from(carry));
        carry = over | again;
        *state = sum | (*state & !hits);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::length;

    fn by_table(left: &[u32], right: &[u32]) -> usize {
        let mut row = vec![0; right.len() + 1];
        for a in left {
            let mut corner = 0;
            for (at, b) in right.iter().enumerate() {
                let up = row[at + 1];
                row[at + 1] = if a == b { corner + 1 } else { up.max(row[at]) };
                corner = up;
            }
        }
        row[right.len()]
    }

    proptest! {
        #[test]
        fn equals_the_table(
            left in prop::collection::vec(0_u32..6, 0..200),
            right in prop::collection::vec(0_u32..6, 0..200),
        ) {
            prop_assert_eq!(length(&left, &right), by_table(&left, &right));
            prop_assert_eq!(length(&left, &right), length(&right, &left));
            prop_assert_eq!(length(&left, &left), left.len());
        }

        #[test]
        fn equals_the_table_with_many_words(
            left in prop::collection::vec(0_u32..90, 0..150),
            right in prop::collection::vec(0_u32..90, 0..150),
        ) {
            prop_assert_eq!(length(&left, &right), by_table(&left, &right));
        }
    }
}

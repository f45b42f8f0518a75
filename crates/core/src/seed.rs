//! Seeds: every random choice has a stream of its own, derived from what the choice is about.
//!
//! A stream depends on the root seed, the kind of the stage, the unit, the item and the purpose,
//! and on nothing else: not on threads, shards, order, resume or which other books are there.

use rand::{Rng, SeedableRng, rngs::ChaCha8Rng};

use crate::{Digest, UnitId};

/// The root of all random choices of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(u64);

impl Seed {
    /// The seed that the workflow names.
    pub fn new(root: u64) -> Self {
        Self(root)
    }

    /// The number that the workflow names.
    pub fn root(self) -> u64 {
        self.0
    }

    /// The stream of choices for one purpose of one item of one unit in one kind of stage.
    ///
    /// ```
    /// use storymill_core::Seed;
    /// let unit = "84".parse().unwrap();
    /// let draw = |item: &str| Seed::new(2023).derive("swap-facts", &unit, item, "edit").below(1_000_000);
    /// assert_eq!(draw("84/0001"), draw("84/0001"));
    /// assert_ne!(draw("84/0001"), draw("84/0002"));
    /// ```
    pub fn derive(self, kind: &str, unit: &UnitId, item: &str, purpose: &str) -> Stream {
        let root = self.0.to_le_bytes();
        let parts = [
            &root[..],
            kind.as_bytes(),
            unit.as_str().as_bytes(),
            item.as_bytes(),
            purpose.as_bytes(),
        ];
        let digest = Digest::of_parts("storymill 2026 seed v1", parts);
        Stream(ChaCha8Rng::from_seed(*digest.as_bytes()))
    }
}

/// A stream of random choices (ChaCha8). Its choices are our own code, so that no release of a
/// library changes them.
#[derive(Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// A number in `0..bound`, each as likely as any other.
    ///
    /// # Panics
    ///
    /// If `bound` is 0: nothing can be drawn from nothing.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "cannot draw from nothing");
        // Lemire's multiplication with rejection of the uneven rest.
        let rest = bound.wrapping_neg() % bound;
        loop {
            let wide = u64::from(self.0.next_u32()) * u64::from(bound);
            let low = u32::try_from(wide & u64::from(u32::MAX)).expect("masked to 32 bits");
            if low >= rest {
                return u32::try_from(wide >> 32).expect("a 64-bit product shifted by 32");
            }
        }
    }

    /// An index into a slice of this length, or none if it is empty.
    pub fn index(&mut self, length: usize) -> Option<usize> {
        let length = u32::try_from(length).expect("slices here are shorter than u32::MAX");
        (length > 0).then(|| self.below(length) as usize)
    }

    /// One of the items, or none if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        self.index(items.len()).map(|at| &items[at])
    }

    /// Puts the items in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            let at = self.index(end + 1).expect("at least two items");
            items.swap(end, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_pinned() {
        let mut stream =
            Seed::new(2023).derive("kind", &"unit".parse().unwrap(), "item", "purpose");
        let mut order: Vec<u32> = (0..8).collect();
        stream.shuffle(&mut order);
        let draws: Vec<u32> = (0..4).map(|_| stream.below(1000)).collect();
        assert_eq!(order, [3, 5, 0, 7, 2, 6, 4, 1]);
        assert_eq!(draws, [614, 784, 141, 820]);
    }

    #[test]
    fn every_number_below_the_bound_is_drawn() {
        let mut stream = Seed::new(1).derive("k", &"u".parse().unwrap(), "i", "p");
        let mut seen = [0_u32; 6];
        (0..6000).for_each(|_| seen[stream.below(6) as usize] += 1);
        assert!(seen.iter().all(|count| (850..1150).contains(count)), "{seen:?}");
    }
}

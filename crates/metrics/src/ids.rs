//! Numbers for words: two words get the same number exactly if they are equal.
//!
//! A table of our own, because a pair of answers needs a new one each time: two allocations, the
//! size known beforehand, and a hash of a few instructions. Its order reaches no output.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Words and their numbers, counted from 0 in order of first sight.
#[derive(Clone, Debug)]
pub(crate) struct Ids<K> {
    /// Where to look: a tag from the hash, and the number plus one; 0 is a free place.
    slots: Vec<(u32, u32)>,
    words: Vec<K>,
}

impl<K: AsRef<str>> Ids<K> {
    /// A table that need not grow for this many words.
    pub(crate) fn with_capacity(words: usize) -> Self {
        let slots = (words.max(4) * 2).next_power_of_two();
        Self { slots: vec![(0, 0); slots], words: Vec::with_capacity(words) }
    }

    /// The number of a word, a new one if need be; `own` makes what is kept.
    pub(crate) fn id_with<'w>(&mut self, word: &'w str, own: impl FnOnce(&'w str) -> K) -> u32 {
        let hash = hash(word);
        let at = match self.find(word, hash) {
            Ok(id) => return id,
            Err(at) => at,
        };
        self.words.push(own(word));
        let id = u32::try_from(self.words.len()).expect("fewer than 2^32 different words");
        self.slots[at] = (tag(hash), id);
        if self.words.len() * 2 > self.slots.len() {
            self.grow();
        }
        id - 1
    }

    /// The number of a word that is there.
    pub(crate) fn get(&self, word: &str) -> Option<u32> {
        self.find(word, hash(word)).ok()
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The words by their numbers.
    pub(crate) fn words(&self) -> &[K] {
        &self.words
    }

    /// The number of the word, or the free place where it belongs.
    fn find(&self, word: &str, hash: u64) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        #[expect(clippy::cast_possible_truncation, reason = "any bits will do")]
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at] {
                (_, 0) => return Err(at),
                (found, id)
                    if found == tag(hash) && self.words[id as usize - 1].as_ref() == word =>
                {
                    return Ok(id - 1);
                }
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        self.slots = vec![(0, 0); self.slots.len() * 2];
        for (at, word) in self.words.iter().enumerate() {
            let hash = hash(word.as_ref());
            let free = self.find(word.as_ref(), hash).expect_err("each word is there once");
            self.slots[free] = (tag(hash), u32::try_from(at + 1).expect("counted before"));
        }
    }
}

impl<'w> Ids<&'w str> {
    /// The number of a word.
    pub(crate) fn id(&mut self, word: &'w str) -> u32 {
        self.id_with(word, |word| word)
    }
}

fn tag(hash: u64) -> u32 {
    u32::try_from(hash >> 32).expect("half of the bits")
}

/// A map with a fixed hash, so that running times do not change from run to run.
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<Fold>>;
/// A set with the same hash.
pub type Set<K> = HashSet<K, BuildHasherDefault<Fold>>;

/// Multiply and fold, eight bytes at a time. A text made to collide costs time, never a number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fold(u64);

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

fn hash(word: &str) -> u64 {
    let mut fold = Fold::default();
    fold.write(word.as_bytes());
    fold.0
}

impl Fold {
    fn mix(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word ^ ODD) * u128::from(ODD.rotate_left(17));
        #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
        {
            self.0 = (wide as u64) ^ ((wide >> 64) as u64);
        }
    }
}

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.mix(u64::from_le_bytes(chunk.try_into().expect("eight bytes")));
        }
        let rest = chunks
            .remainder()
            .iter()
            .fold(bytes.len() as u64, |rest, byte| rest << 8 | u64::from(*byte));
        self.mix(rest);
    }

    fn write_u8(&mut self, byte: u8) {
        self.0 = self.0.rotate_left(5) ^ u64::from(byte);
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Ids;

    proptest! {
        #[test]
        fn numbers_are_places_of_first_sight(words in prop::collection::vec("[a-c]{0,10}", 0..60)) {
            let mut ids = Ids::with_capacity(0);
            let mut seen: Vec<&str> = Vec::new();
            for word in &words {
                let place = seen.iter().position(|w| w == word).unwrap_or_else(|| { seen.push(word); seen.len() - 1 });
                prop_assert_eq!(ids.id(word) as usize, place);
            }
            prop_assert_eq!((ids.len(), ids.get("d")), (seen.len(), None));
            prop_assert!(seen.iter().enumerate().all(|(at, word)| ids.get(word).map(|id| id as usize) == Some(at)));
        }
    }
}

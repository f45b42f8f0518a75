//! Numbers for words: two words get the same number exactly if they are equal.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// A map whose hash is fixed: no order that it could have ever reaches an output, but a fixed
/// hash also keeps running times the same from run to run.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Fold>>;

/// Words and their numbers, counted from 0 in order of first sight.
#[derive(Debug, Default)]
pub(crate) struct Ids<'a> {
    known: Map<&'a str, u32>,
}

impl<'a> Ids<'a> {
    pub(crate) fn id(&mut self, word: &'a str) -> u32 {
        let next = u32::try_from(self.known.len()).expect("fewer than 2^32 distinct words");
        *self.known.entry(word).or_insert(next)
    }

    pub(crate) fn get(&self, word: &str) -> Option<u32> {
        self.known.get(word).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }
}

/// Multiply and fold, eight bytes at a time. Words are short, so this beats a keyed hash by far;
/// a text made to collide costs time, never a wrong number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fold(u64);

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

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
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.mix(u64::from_le_bytes(last) ^ ((rest.len() as u64) << 56));
        }
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

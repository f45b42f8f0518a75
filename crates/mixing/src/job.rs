//! What all contexts of one question are made from.

use storymill_core::{Heading, Rule, Seed, SetQuestion, Stream, UnitId};
use storymill_text::Language;

use crate::{Options, Pool, Replacer, pool::hash};

/// A question, the passages of its set, and how they are mixed.
pub(crate) struct Job<'a> {
    pub(crate) set: &'a UnitId,
    pub(crate) question: &'a SetQuestion,
    pub(crate) pool: &'a Pool,
    pub(crate) options: &'a Options,
    pub(crate) language: Language,
    pub(crate) heading: Heading,
    pub(crate) rules: &'a [Rule],
    pub(crate) replacer: Replacer,
    pub(crate) seed: Seed,
}

impl Job<'_> {
    /// The length of a passage.
    pub(crate) fn length(&self, number: u32) -> u32 {
        self.pool.passages[number as usize].length
    }

    /// The random choices for a purpose.
    pub(crate) fn stream(&self, purpose: &str) -> Stream {
        self.seed.derive("mix", self.set, &self.question.id, purpose)
    }

    /// What is mixed into hashes for a purpose.
    pub(crate) fn salt(&self, purpose: &str) -> u64 {
        let root = self.seed.root().to_le_bytes();
        let parts = [
            &root[..],
            self.set.as_str().as_bytes(),
            self.question.id.as_bytes(),
            purpose.as_bytes(),
        ];
        hash(&parts.join(&0))
    }
}

/// A number that hangs on every bit of another (the last step of SplitMix64).
pub(crate) fn mix64(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

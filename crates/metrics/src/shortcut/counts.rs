//! Hashed counts of words or of runs of characters.

use crate::unicode::{is_word, lower};

/// What is counted of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grams {
    /// Words in lower case, and every two that stand side by side.
    Words,
    /// Runs of one to four characters as they are: case, spaces and marks count.
    Characters,
}

/// How often each word or run stands in a text, under a hash of 18 bits.
///
/// A count and its hash share 32 bits, so that the options of thousands of questions fit in memory. Two grams
/// share a hash now and then, which is the price of features that need no dictionary (Weinberger and others 2009).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GramCounts {
    /// Hash and count, by rising hash, each hash once.
    entries: Box<[u32]>,
    /// The sum of all counts.
    sum: u32,
}

/// Bits of a hash.
const HASH_BITS: u32 = 18;
/// Bits of a count. A higher one counts as the highest.
const COUNT_BITS: u32 = 32 - HASH_BITS;
const MOST: u32 = (1 << COUNT_BITS) - 1;
/// Runs are at most so long, in characters.
const LONGEST: usize = 4;

impl GramCounts {
    /// How many hashes there are.
    pub const BUCKETS: usize = 1 << HASH_BITS;

    /// Counts a text.
    ///
    /// ```
    /// use storymill_metrics::shortcut::{GramCounts, Grams};
    /// let text = GramCounts::of(Grams::Characters, "the old gate");
    /// assert!(text.cosine(&text) > 0.999);
    /// assert_eq!(text.cosine(&GramCounts::of(Grams::Characters, "")), 0.0);
    /// ```
    pub fn of(grams: Grams, text: &str) -> Self {
        let mut hashes = Vec::with_capacity(text.len() * 2);
        match grams {
            Grams::Words => {
                let mut before = None;
                let text = lower(text);
                for word in text.split(|c| !is_word(c)).filter(|word| !word.is_empty()) {
                    let word = mark(word.as_bytes());
                    hashes.push(bucket(word));
                    if let Some(before) = before.replace(word) {
                        hashes.push(bucket(mixed(before ^ mixed(word))));
                    }
                }
            }
            Grams::Characters => {
                let symbols: Vec<u32> = text.chars().map(u32::from).collect();
                for at in 0..symbols.len() {
                    let mut hash = START;
                    for symbol in symbols[at..].iter().take(LONGEST) {
                        hash = mixed(hash ^ u64::from(*symbol));
                        hashes.push(bucket(hash));
                    }
                }
            }
        }
        hashes.sort_unstable();
        let mut entries: Vec<u32> = Vec::with_capacity(hashes.len());
        let mut sum = 0;
        for same in hashes.chunk_by(|one, other| one == other) {
            let count = u32::try_from(same.len()).unwrap_or(MOST).min(MOST);
            sum += count;
            entries.push((same[0] << COUNT_BITS) | count);
        }
        Self { entries: entries.into_boxed_slice(), sum }
    }

    /// The cosine of both vectors of counts, from 0 to 1; 0 if one text is empty.
    pub fn cosine(&self, other: &Self) -> f64 {
        let (mut left, mut right) = (self.counts().peekable(), other.counts().peekable());
        let mut product = 0.0;
        while let (Some(&(one, times)), Some(&(two, others))) = (left.peek(), right.peek()) {
            if one == two {
                product += f64::from(times) * f64::from(others);
            }
            if one <= two {
                left.next();
            }
            if two <= one {
                right.next();
            }
        }
        let norms = self.norm() * other.norm();
        if norms == 0.0 { 0.0 } else { product / norms }
    }

    /// The length of the vector of counts.
    fn norm(&self) -> f64 {
        self.counts().map(|(_, count)| f64::from(count).powi(2)).sum::<f64>().sqrt()
    }

    fn counts(&self) -> impl Iterator<Item = (usize, u32)> {
        self.entries.iter().map(|entry| ((entry >> COUNT_BITS) as usize, entry & MOST))
    }

    /// The sum of the weights of hashes, each times its own of these. It is added up in eight lanes, which wait for
    /// one another less than one sum would; their order is the same everywhere.
    #[expect(clippy::cast_precision_loss, reason = "counts of a text of a page")]
    pub(super) fn dot(&self, weights: &[f32]) -> f32 {
        let mut lanes = [0.0_f32; 8];
        let add = |lane: &mut f32, entry: u32| {
            let (at, count) = ((entry >> COUNT_BITS) as usize, entry & MOST);
            let root = if count == 1 { 1.0 } else { (count as f32).sqrt() };
            *lane += weights[at] * root;
        };
        let mut whole = self.entries.chunks_exact(8);
        for eight in &mut whole {
            lanes.iter_mut().zip(eight).for_each(|(lane, entry)| add(lane, *entry));
        }
        lanes.iter_mut().zip(whole.remainder()).for_each(|(lane, entry)| add(lane, *entry));
        lanes.iter().sum::<f32>() / (self.sum.max(1) as f32).sqrt()
    }

    /// Hash and weight: the square root of the count, scaled so that the vector has length 1.
    #[expect(clippy::cast_precision_loss, reason = "counts of a text of a page")]
    pub(super) fn weights(&self) -> impl Iterator<Item = (usize, f32)> {
        let scale = 1.0 / (self.sum.max(1) as f32).sqrt();
        self.counts().map(move |(at, count)| {
            // Nearly all are 1.
            let root = if count == 1 { 1.0 } else { (count as f32).sqrt() };
            (at, root * scale)
        })
    }
}

const START: u64 = 0xcbf2_9ce4_8422_2325;

/// A hash of bytes, the same everywhere and always: for samples and for telling texts apart, not for secrets.
pub fn mark(bytes: &[u8]) -> u64 {
    let mut hash = START ^ (bytes.len() as u64);
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        let word = word.try_into().expect("chunks of eight");
        hash = mixed(hash ^ u64::from_le_bytes(word));
    }
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    mixed(hash ^ u64::from_le_bytes(last))
}

/// Mixes all bits (the last step of SplitMix64).
fn mixed(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn bucket(hash: u64) -> u32 {
    u32::try_from(hash >> (64 - HASH_BITS)).expect("18 bits")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grams::CharGrams;

    #[test]
    fn words_and_pairs() {
        let counts = GramCounts::of(Grams::Words, "The gate, the gate.");
        // the, gate (twice each); the gate (twice), gate the.
        assert_eq!((counts.entries.len(), counts.sum), (4, 7));
        assert_eq!(mark(b"gate"), mark(b"gate"));
        assert_ne!(mark(b"gate\0"), mark(b"gate"));
    }

    proptest! {
        /// Hashing costs little: the cosine is that of the counts under their own names. In texts of a few letters two
        /// that share a hash would count for much.
        #[test]
        fn near_the_cosine_without_hashes(one in "[a-fA-C .é]{80,300}", two in "[a-fA-C .é]{80,300}") {
            let hashed = |text: &str| GramCounts::of(Grams::Characters, text);
            let exact = CharGrams::of(&one).cosine(&CharGrams::of(&two));
            prop_assert!((hashed(&one).cosine(&hashed(&two)) - exact).abs() < 0.05);
        }

        #[test]
        fn weights_have_length_one(text in "[a-d ]{1,60}") {
            let counts = GramCounts::of(Grams::Characters, &text);
            let length: f32 = counts.weights().map(|(_, weight)| weight * weight).sum();
            prop_assert!((length - 1.0).abs() < 1e-4);
        }
    }
}

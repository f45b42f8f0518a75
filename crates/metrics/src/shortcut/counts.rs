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
    /// The sum of their squares.
    squares: u64,
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
        Self::of_hashes(&sorted(hashes))
    }

    fn of_hashes(sorted: &[u32]) -> Self {
        let mut entries: Vec<u32> = Vec::with_capacity(sorted.len());
        let (mut sum, mut squares) = (0, 0);
        for same in sorted.chunk_by(|one, other| one == other) {
            let count = u32::try_from(same.len()).unwrap_or(MOST).min(MOST);
            sum += count;
            squares += u64::from(count).pow(2);
            entries.push((same[0] << COUNT_BITS) | count);
        }
        Self { entries: entries.into_boxed_slice(), sum, squares }
    }

    /// The cosine of both vectors of counts, from 0 to 1; 0 if one text is empty. Who holds a text against many asks
    /// a [`Spread`].
    pub fn cosine(&self, other: &Self) -> f64 {
        Spread::default().cosines(self, [other])[0]
    }

    /// The length of the vector of counts.
    #[expect(
        clippy::cast_precision_loss,
        reason = "squares of counts of a text are far below 2^53"
    )]
    fn norm(&self) -> f64 {
        (self.squares as f64).sqrt()
    }

    /// Hash and count, by rising hash.
    pub(super) fn counts(&self) -> impl ExactSizeIterator<Item = (usize, u32)> {
        self.entries.iter().map(|entry| ((entry >> COUNT_BITS) as usize, entry & MOST))
    }

    /// The sum of all counts.
    pub(super) fn sum(&self) -> u32 {
        self.sum
    }
}

/// Room to lay the counts of one text out by their hashes, so that others are held against it without a search.
#[derive(Clone, Debug, Default)]
pub struct Spread(Vec<u16>);

impl Spread {
    /// The cosine of a text with each of others.
    ///
    /// ```
    /// use storymill_metrics::shortcut::{GramCounts, Grams, Spread};
    /// let [one, other] = ["the gate", "a gate"].map(|text| GramCounts::of(Grams::Words, text));
    /// assert_eq!(Spread::default().cosines(&one, [&other]), [one.cosine(&other)]);
    /// ```
    pub fn cosines<'t>(
        &mut self,
        one: &GramCounts,
        others: impl IntoIterator<Item = &'t GramCounts>,
    ) -> Vec<f64> {
        self.0.resize(GramCounts::BUCKETS, 0);
        for (at, count) in one.counts() {
            self.0[at] = u16::try_from(count).expect("14 bits");
        }
        let cosine = |other: &GramCounts| {
            let product =
                other.counts().map(|(at, count)| u64::from(self.0[at]) * u64::from(count));
            cosine(product.sum(), one.norm() * other.norm())
        };
        let cosines = others.into_iter().map(cosine).collect();
        one.counts().for_each(|(at, _)| self.0[at] = 0);
        cosines
    }
}

#[expect(clippy::cast_precision_loss, reason = "products of counts of texts are far below 2^53")]
fn cosine(product: u64, norms: f64) -> f64 {
    if norms == 0.0 { 0.0 } else { product as f64 / norms }
}

/// Hashes in order, by two rounds over half of their bits each.
fn sorted(mut hashes: Vec<u32>) -> Vec<u32> {
    const HALF: u32 = HASH_BITS / 2;
    let mut other = vec![0; hashes.len()];
    for shift in [0, HALF] {
        let digit = |hash: u32| (hash >> shift) as usize & ((1 << HALF) - 1);
        let mut ends = [0_u32; 1 << HALF];
        for hash in &hashes {
            ends[digit(*hash)] += 1;
        }
        let mut from = 0;
        for end in &mut ends {
            from += std::mem::replace(end, from);
        }
        for hash in &hashes {
            let place = &mut ends[digit(*hash)];
            other[*place as usize] = *hash;
            *place += 1;
        }
        std::mem::swap(&mut hashes, &mut other);
    }
    hashes
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
    use std::collections::BTreeMap;

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
        fn hashes_are_in_order(hashes in prop::collection::vec(0_u32..1 << HASH_BITS, 0..200)) {
            let mut expected = hashes.clone();
            expected.sort_unstable();
            prop_assert_eq!(sorted(hashes), expected);
        }

        /// A spread is left as it was, and gives what walking both texts gives.
        #[test]
        fn cosines_are_those_of_both_texts(texts in prop::collection::vec("[a-d é]{0,60}", 2..5)) {
            let texts: Vec<_> = texts.iter().map(|text| GramCounts::of(Grams::Characters, text)).collect();
            let mut spread = Spread::default();
            for one in &texts {
                let counts: BTreeMap<usize, u32> = one.counts().collect();
                let expected: Vec<f64> = texts.iter().map(|other| {
                    let both = other.counts().map(|(at, n)| f64::from(counts.get(&at).map_or(0, |m| m * n)));
                    let norm = |text: &GramCounts| text.counts().map(|(_, n)| f64::from(n).powi(2)).sum::<f64>().sqrt();
                    let norms = norm(one) * norm(other);
                    if norms == 0.0 { 0.0 } else { both.sum::<f64>() / norms }
                }).collect();
                prop_assert_eq!(spread.cosines(one, &texts), expected);
            }
        }
    }
}

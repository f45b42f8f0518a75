//! Texts as a [`Logit`](super::Logit) reads them: laid out once, for all rounds and all folds.

use std::cmp::Reverse;

use super::GramCounts;

/// Some texts as features.
///
/// Hashes are numbered anew, those of many texts first: what is read all the time then lies together in memory. The
/// order within a text stays that of the hashes, since sums of weights are taken in it.
#[derive(Clone, Debug, Default)]
pub struct Features {
    texts: Vec<Text>,
}

/// One text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    /// Number of the hash, and the square root of its count.
    roots: Box<[(u32, f32)]>,
    /// The square root of the sum of all counts: the length of the vector of these roots.
    length: f32,
}

impl Features {
    /// Lays out texts.
    #[expect(clippy::cast_precision_loss, reason = "counts of a text of a page")]
    pub fn of(texts: impl AsRef<[GramCounts]>) -> Self {
        let texts = texts.as_ref();
        let mut spread = vec![0_u32; GramCounts::BUCKETS];
        let mut order = Vec::new();
        for (at, _) in texts.iter().flat_map(GramCounts::counts) {
            if spread[at] == 0 {
                order.push(at);
            }
            spread[at] += 1;
        }
        order.sort_unstable_by_key(|at| (Reverse(spread[*at]), *at));
        let mut numbers = spread;
        for (number, at) in (0..).zip(&order) {
            numbers[*at] = number;
        }
        let root = |(at, count): (usize, u32)| (numbers[at], (count as f32).sqrt());
        let text = |text: &GramCounts| Text {
            roots: text.counts().map(root).collect(),
            length: (text.sum().max(1) as f32).sqrt(),
        };
        Self { texts: texts.iter().map(text).collect() }
    }

    pub(super) fn text(&self, at: usize) -> &Text {
        &self.texts[at]
    }
}

/// A weight for each number of a hash, and room for all: so no number is looked at before it is a place.
#[derive(Clone, Debug)]
pub(super) struct Weights(Box<[f32; GramCounts::BUCKETS]>);

impl Weights {
    pub(super) fn new() -> Self {
        let none = vec![0.0; GramCounts::BUCKETS].into_boxed_slice();
        Self(none.try_into().expect("as many as there are hashes"))
    }

    /// Multiplies all of them.
    pub(super) fn scale(&mut self, factor: f32) {
        self.0.iter_mut().for_each(|weight| *weight *= factor);
    }

    /// The sum of the weights of a text's hashes, each times its own of these. It is added up in eight lanes, which wait for
    /// one another less than one sum would; their order is the same everywhere.
    pub(super) fn dot(&self, text: &Text) -> f32 {
        let mut lanes = [0.0_f32; 8];
        let (whole, rest) = text.roots.as_chunks::<8>();
        for eight in whole {
            // By place: zipped, this loop is not unrolled.
            for at in 0..8 {
                let (number, root) = eight[at];
                lanes[at] += self.0[place(number)] * root;
            }
        }
        for (lane, (number, root)) in lanes.iter_mut().zip(rest) {
            *lane += self.0[place(*number)] * root;
        }
        lanes.iter().sum::<f32>() / text.length
    }

    /// Adds a text's vector, scaled to length 1, times a change.
    pub(super) fn add(&mut self, change: f32, text: &Text) {
        let scale = 1.0 / text.length;
        let (whole, rest) = text.roots.as_chunks::<8>();
        let mut put = |(number, root): (u32, f32)| self.0[place(number)] += change * (root * scale);
        for eight in whole {
            for one in eight {
                put(*one);
            }
        }
        for one in rest {
            put(*one);
        }
    }
}

/// Numbers are below that of all hashes, which only the compiler does not know.
fn place(number: u32) -> usize {
    number as usize % GramCounts::BUCKETS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::shortcut::Grams;

    proptest! {
        #[test]
        fn a_text_has_length_one(text in "[a-d ]{1,60}") {
            let features = Features::of(&[GramCounts::of(Grams::Characters, &text)]);
            let mut weights = Weights::new();
            weights.add(1.0, features.text(0));
            prop_assert!((weights.dot(features.text(0)) - 1.0).abs() < 1e-4);
        }

        /// Sums are those over the hashes in their order, whatever their numbers.
        #[test]
        fn sums_go_by_hashes(texts in prop::collection::vec("[a-e ]{0,40}", 1..4)) {
            let counts: Vec<_> = texts.iter().map(|text| GramCounts::of(Grams::Characters, text)).collect();
            let features = Features::of(&counts);
            let (mut weights, mut plain) = (Weights::new(), vec![0.0_f32; GramCounts::BUCKETS]);
            for (at, text) in counts.iter().enumerate() {
                let root = |count: u32| f32::from(u16::try_from(count).unwrap()).sqrt();
                let length = root(text.sum().max(1));
                let mut lanes = [0.0_f32; 8];
                for (lane, (hash, count)) in text.counts().enumerate() {
                    lanes[lane % 8] += plain[hash] * root(count);
                }
                prop_assert_eq!(weights.dot(features.text(at)), lanes.iter().sum::<f32>() / length);
                weights.add(0.7, features.text(at));
                for (hash, count) in text.counts() {
                    plain[hash] += 0.7 * (root(count) * (1.0 / length));
                }
            }
        }
    }
}

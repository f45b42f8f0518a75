//! Words in passages, where words are numbers.

use super::Parameters;
use crate::{Undefined, bm25::Weight, prf::count};

/// What each word weighs in each passage that has it. Words are numbers from 0 on.
#[derive(Clone, Debug)]
pub struct Postings {
    /// Where the entries of each word start.
    starts: Vec<usize>,
    passages: Vec<u32>,
    weights: Vec<f64>,
    common: Common,
    /// The weight of each word, and of one that no passage has.
    rarity: Vec<f64>,
    strange: f64,
    /// Words of a passage, on average.
    mean: f64,
    pub(super) len: usize,
    pub(super) parameters: Parameters,
}

impl Postings {
    /// Indexes passages that overlap: each is two pieces that stand side by side, and the last piece is one by itself.
    ///
    /// ```
    /// use storymill_metrics::bm25::{Parameters, Postings};
    /// let index = Postings::of_overlapping([&[0, 1][..], &[2], &[0, 3]], Parameters::default())?;
    /// assert_eq!(index.scores(&[1], 3).iter().filter(|score| **score > 0.0).count(), 1);
    /// assert_eq!(index.scores(&[0], 2).iter().filter(|score| **score > 0.0).count(), 2);
    /// # Ok::<(), storymill_metrics::Undefined>(())
    /// ```
    pub fn of_overlapping<'n>(
        pieces: impl IntoIterator<Item = &'n [u32]>,
        parameters: Parameters,
    ) -> Result<Self, Undefined> {
        let (mut builder, mut before) = (Builder::default(), None);
        for piece in pieces {
            if let Some(before) = before.replace(piece) {
                before.iter().chain(piece).for_each(|word| builder.add(*word));
                builder.end();
            }
        }
        before.unwrap_or_default().iter().for_each(|word| builder.add(*word));
        builder.end();
        builder.finish(parameters)
    }

    /// The scores of the first so many passages for a question; a word that it says twice counts twice.
    pub fn scores(&self, question: &[u32], passages: usize) -> Vec<f64> {
        let mut scores = vec![0.0; passages];
        for word in self.known(question) {
            match self.common.row(word) {
                Some(row) => add(&mut scores, row),
                None => self.add_entries(word, &mut scores),
            }
        }
        scores
    }

    /// Those of the first so many passages that score higher than all before them, up to the first that has `enough`.
    ///
    /// Common words are added last, and only where a passage could be one of these with all that they ever weigh
    /// (Turtle and Flood 1995): so a score may differ from that of [`scores`](Self::scores) in its last digits.
    pub fn rising(&self, question: &[u32], passages: usize, enough: f64) -> Vec<(usize, f64)> {
        let (mut scores, mut rows, mut most) = (vec![0.0; passages], Vec::new(), 0.0);
        for word in self.known(question) {
            match self.common.row(word) {
                Some(row) => {
                    rows.push(row);
                    most += self.common.most(word);
                }
                None => self.add_entries(word, &mut scores),
            }
        }
        // Sums in another order may be higher by a rounding.
        most += most * 1e-9;
        let (mut best, mut rising) = (0.0, Vec::new());
        for (start, block) in (0..).step_by(BLOCK).zip(scores.chunks_mut(BLOCK)) {
            if highest(block) + most <= best {
                continue;
            }
            for row in &rows {
                add(block, &row[start..]);
            }
            for (passage, score) in (start..).zip(block) {
                if *score > best {
                    best = *score;
                    rising.push((passage, best));
                    if best >= enough {
                        return rising;
                    }
                }
            }
        }
        rising
    }

    /// The words of a question that any passage may have.
    fn known(&self, question: &[u32]) -> impl Iterator<Item = usize> {
        let known = question.iter().map(|word| *word as usize);
        known.filter(|word| *word < self.rarity.len())
    }

    fn add_entries(&self, word: usize, scores: &mut [f64]) {
        let entries = self.starts[word]..self.starts[word + 1];
        for (passage, weight) in self.passages[entries.clone()].iter().zip(&self.weights[entries]) {
            // The others come behind it.
            let Some(score) = scores.get_mut(*passage as usize) else { break };
            *score += weight;
        }
    }

    /// The score that a question would have for a passage of the same words, were it there.
    pub fn score_of_itself(&self, question: &[u32]) -> f64 {
        let mut words = question.to_vec();
        words.sort_unstable();
        let length = count(words.len()) / self.mean;
        // As a question it says each word as often as it has it as a passage.
        let adds = |same: &[u32]| {
            let times = count(same.len());
            let rarity = self.rarity.get(same[0] as usize).copied().unwrap_or(self.strange);
            times * self.parameters.of_word(rarity, times, length)
        };
        words.chunk_by(|one, other| one == other).map(adds).sum()
    }
}

/// Passages that are looked at together.
const BLOCK: usize = 16;

/// The highest of some scores, in lanes that do not wait for one another.
fn highest(block: &[f64]) -> f64 {
    let higher = |a: f64, b: f64| if b > a { b } else { a };
    let mut lanes = [f64::NEG_INFINITY; 4];
    let (fours, rest) = block.as_chunks::<4>();
    for four in fours {
        for at in 0..4 {
            lanes[at] = higher(lanes[at], four[at]);
        }
    }
    lanes.iter().chain(rest).copied().fold(f64::NEG_INFINITY, higher)
}

fn add(scores: &mut [f64], row: &[f64]) {
    scores.iter_mut().zip(row).for_each(|(score, weight)| *score += weight);
}

/// Words that so many passages have that a weight for each passage, mostly not 0, is added up sooner.
#[derive(Clone, Debug, Default)]
struct Common {
    /// The row of each word, counted from 1; 0 of others.
    row_of: Vec<u32>,
    rows: Vec<f64>,
    /// The highest weight of each row.
    most: Vec<f64>,
    passages: usize,
}

impl Common {
    /// A common word is in one of so many passages.
    const ONE_IN: usize = 5;
    /// With fewer passages there are no common words.
    const FEWEST: usize = 4 * BLOCK;

    /// `entries` gives the passages and weights of a word.
    fn of<'e>(
        spread: &[usize],
        passages: usize,
        entries: impl Fn(usize) -> (&'e [u32], &'e [f64]),
    ) -> Self {
        let mut it = Self { passages, ..Self::default() };
        if passages < Self::FEWEST {
            return it;
        }
        it.row_of = vec![0; spread.len()];
        for (word, spread) in spread.iter().enumerate() {
            if spread * Self::ONE_IN < passages {
                continue;
            }
            let from = it.rows.len();
            it.rows.resize(from + passages, 0.0);
            let (there, weights) = entries(word);
            for (passage, weight) in there.iter().zip(weights) {
                it.rows[from + *passage as usize] = *weight;
            }
            it.most.push(weights.iter().copied().fold(0.0, f64::max));
            it.row_of[word] = u32::try_from(it.most.len()).expect("few words are common");
        }
        it
    }

    fn number(&self, word: usize) -> Option<usize> {
        (*self.row_of.get(word)? as usize).checked_sub(1)
    }

    fn row(&self, word: usize) -> Option<&[f64]> {
        let from = self.number(word)? * self.passages;
        Some(&self.rows[from..from + self.passages])
    }

    fn most(&self, word: usize) -> f64 {
        self.number(word).map_or(0.0, |row| self.most[row])
    }
}

#[derive(Default)]
pub(super) struct Builder {
    /// For each word, the last passage that has it, and its entry there.
    last: Vec<(u32, usize)>,
    /// How many passages have each word.
    spread: Vec<usize>,
    /// Word and how often, passage after passage.
    entries: Vec<(u32, u32)>,
    ends: Vec<usize>,
    /// Words of each passage.
    lengths: Vec<usize>,
    length: usize,
}

impl Builder {
    pub(super) fn add(&mut self, id: u32) {
        if id as usize >= self.last.len() {
            self.last.resize(id as usize + 1, (u32::MAX, 0));
            self.spread.resize(id as usize + 1, 0);
        }
        let passage = u32::try_from(self.ends.len()).expect("fewer than 2^32 passages");
        let (seen, entry) = self.last[id as usize];
        if seen == passage {
            self.entries[entry].1 += 1;
        } else {
            self.last[id as usize] = (passage, self.entries.len());
            self.spread[id as usize] += 1;
            self.entries.push((id, 1));
        }
        self.length += 1;
    }

    pub(super) fn end(&mut self) {
        self.ends.push(self.entries.len());
        self.lengths.push(std::mem::take(&mut self.length));
    }

    pub(super) fn finish(self, parameters: Parameters) -> Result<Postings, Undefined> {
        let Parameters { k1, b, .. } = parameters;
        let out = |name, range, value: f64| {
            Err(Undefined::Range { name, range, value: value.to_string() })
        };
        if !(k1 >= 0.0 && k1.is_finite()) {
            return out("k1", "at 0 or above", k1);
        }
        if !(0.0..=1.0).contains(&b) {
            return out("b", "between 0 and 1", b);
        }
        let rarity = self.rarity(parameters.weight);
        let n = self.ends.len();
        let mean = count(self.lengths.iter().sum()) / count(n.max(1));
        let mut starts: Vec<usize> = Vec::with_capacity(self.spread.len() + 1);
        starts.push(0);
        starts.extend(self.spread.iter().scan(0, |sum, spread| {
            *sum += spread;
            Some(*sum)
        }));
        let mut free = starts.clone();
        let (mut passages, mut weights) =
            (vec![0; self.entries.len()], vec![0.0; self.entries.len()]);
        let mut from = 0;
        for (passage, &end) in self.ends.iter().enumerate() {
            let length = count(self.lengths[passage]) / mean;
            for &(word, times) in &self.entries[from..end] {
                let times = f64::from(times);
                let weight = parameters.of_word(rarity[word as usize], times, length);
                let at = &mut free[word as usize];
                passages[*at] = u32::try_from(passage).expect("counted when it was added");
                weights[*at] = weight;
                *at += 1;
            }
            from = end;
        }
        let strange = parameters.weight.of(count(n), 0.0);
        let len = n;
        let common = Common::of(&self.spread, n, |word| {
            let entries = starts[word]..starts[word + 1];
            (&passages[entries.clone()], &weights[entries])
        });
        Ok(Postings { starts, passages, weights, common, rarity, strange, mean, len, parameters })
    }

    /// The weight of each word by how many passages have it.
    fn rarity(&self, weight: Weight) -> Vec<f64> {
        let n = count(self.ends.len());
        let mut plain: Vec<f64> =
            self.spread.iter().map(|spread| weight.of(n, count(*spread))).collect();
        if let Weight::Okapi { floor } = weight {
            let low = floor * plain.iter().sum::<f64>() / count(plain.len().max(1));
            plain.iter_mut().filter(|weight| **weight < 0.0).for_each(|weight| *weight = low);
        }
        plain
    }
}

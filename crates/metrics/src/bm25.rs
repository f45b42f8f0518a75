//! BM25 over passages: which ones answer a question best, by its words.
//!
//! Rule: Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). What differs from
//! program to program is named: the two parameters, the weight of a word ([`Weight`]) and how
//! texts are cut ([`Cut`]). Weights of words in passages are worked out once, so that a question
//! costs one addition for each passage that has one of its words.

use serde::Serialize;

#[path = "bm25_above.rs"]
mod above;

pub use crate::bm25_cut::Cut;
use crate::{Undefined, Variant, ids::Ids, prf::count};

/// How rare words are weighed against common ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// `ln(1 + (N - n + ½) / (n + ½))`, as Lucene and bm25s have it: never negative. As there, the
    /// constant factor `k1 + 1` is left out, which changes no order.
    Lucene,
    /// `ln((N - n + ½) / (n + ½))`, as Robertson has it; where a word is in more than half of the
    /// passages and this is negative, `floor` times the mean weight stands in, as in rank_bm25.
    Okapi {
        /// The share of the mean weight; rank_bm25 has 0.25.
        floor: f64,
    },
}

impl Weight {
    /// The weight of a word that so many of `n` passages have, before any floor.
    fn of(self, n: f64, spread: f64) -> f64 {
        let (no, yes) = (n - spread + 0.5, spread + 0.5);
        match self {
            Self::Lucene => (1.0 + no / yes).ln(),
            Self::Okapi { .. } => no.ln() - yes.ln(),
        }
    }
}

/// The parameters of a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// How soon more of the same word stops counting.
    pub k1: f64,
    /// How much long passages are held back, from 0 to 1.
    pub b: f64,
    /// The weight of a word.
    pub weight: Weight,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { k1: 1.5, b: 0.75, weight: Weight::Lucene }
    }
}

impl Parameters {
    /// What a word adds to a score that a passage has so many times; the passage's length is
    /// relative to the mean.
    fn of_word(self, rarity: f64, times: f64, length: f64) -> f64 {
        let hold = self.k1 * (1.0 - self.b + self.b * length);
        match self.weight {
            Weight::Lucene => rarity * (times / (hold + times)),
            Weight::Okapi { .. } => rarity * (times * (self.k1 + 1.0) / (times + hold)),
        }
    }

    /// The name of a score with these parameters.
    pub fn variant(self, cut: Cut) -> Variant {
        let weight = match self.weight {
            Weight::Lucene => "lucene".to_owned(),
            Weight::Okapi { floor } => format!("okapi-floor-{floor}"),
        };
        Variant::new("bm25", 1).with(&format!(
            "{weight}-k1-{}-b-{}-{}",
            self.k1,
            self.b,
            cut.name()
        ))
    }
}

/// A passage that was found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// Its place among the passages.
    pub passage: usize,
    /// Its score.
    pub score: f64,
}

/// An index of passages.
#[derive(Clone, Debug)]
pub struct Index {
    words: Ids<Box<str>>,
    /// Where the entries of each word start.
    starts: Vec<usize>,
    passages: Vec<u32>,
    weights: Vec<f64>,
    /// The largest of the weights of each word, whatever their sign.
    tops: Vec<f64>,
    /// The weight of each word, and of one that no passage has.
    rarity: Vec<f64>,
    strange: f64,
    /// Words of a passage, on average.
    mean: f64,
    len: usize,
    cut: Cut,
    parameters: Parameters,
}

impl Index {
    /// Indexes texts.
    ///
    /// ```
    /// use storymill_metrics::bm25::{Cut, Index, Parameters};
    /// let index = Index::new(["a cat sat", "a dog ran", "the cat and the dog"], Cut::Words, Parameters::default())?;
    /// assert_eq!(index.top("cat sat", 1)[0].passage, 0);
    /// # Ok::<(), storymill_metrics::Undefined>(())
    /// ```
    pub fn new<T: AsRef<str>>(
        texts: impl IntoIterator<Item = T>,
        cut: Cut,
        parameters: Parameters,
    ) -> Result<Self, Undefined> {
        let mut builder = Builder::new();
        for text in texts {
            cut.each(text.as_ref(), |word| builder.add(word));
            builder.end();
        }
        builder.finish(cut, parameters)
    }

    /// Indexes passages that overlap: each is two pieces that stand side by side, and the last piece is one by itself.
    /// No word may go over the end of a piece.
    ///
    /// ```
    /// use storymill_metrics::bm25::{Cut, Index, Parameters};
    /// let index = Index::of_overlapping(["a cat", "sat on", "a mat"], Cut::Words, Parameters::default())?;
    /// let same = Index::new(["a cat sat on", "sat on a mat", "a mat"], Cut::Words, Parameters::default())?;
    /// assert_eq!(index.scores("the cat sat"), same.scores("the cat sat"));
    /// # Ok::<(), storymill_metrics::Undefined>(())
    /// ```
    pub fn of_overlapping<T: AsRef<str>>(
        pieces: impl IntoIterator<Item = T>,
        cut: Cut,
        parameters: Parameters,
    ) -> Result<Self, Undefined> {
        let mut builder = Builder::new();
        // The words of the piece before and of this one: each is looked up once.
        let (mut before, mut own) = (Vec::new(), Vec::new());
        for (at, piece) in pieces.into_iter().enumerate() {
            cut.each(piece.as_ref(), |word| own.push(builder.id(word)));
            if at > 0 {
                for word in before.iter().chain(&own) {
                    builder.add_id(*word);
                }
                builder.end();
            }
            std::mem::swap(&mut before, &mut own);
            own.clear();
        }
        for word in before {
            builder.add_id(word);
        }
        builder.end();
        builder.finish(cut, parameters)
    }

    /// Indexes passages that were cut into words before.
    pub fn of_words<W: AsRef<str>>(
        passages: impl IntoIterator<Item = impl IntoIterator<Item = W>>,
        parameters: Parameters,
    ) -> Result<Self, Undefined> {
        let mut builder = Builder::new();
        for passage in passages {
            passage.into_iter().for_each(|word| builder.add(word.as_ref()));
            builder.end();
        }
        builder.finish(Cut::Given, parameters)
    }

    /// How many passages there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The name of the scores.
    pub fn variant(&self) -> Variant {
        self.parameters.variant(self.cut)
    }

    /// The score of every passage for a question; a word that it says twice counts twice.
    pub fn scores(&self, question: &str) -> Vec<f64> {
        let mut scores = vec![0.0; self.len];
        self.cut.each(question, |word| self.add(word, &mut scores));
        scores
    }

    /// The same for a question that was cut into words before.
    pub fn scores_of_words(&self, question: &[impl AsRef<str>]) -> Vec<f64> {
        let mut scores = vec![0.0; self.len];
        for word in question {
            self.add(word.as_ref(), &mut scores);
        }
        scores
    }

    /// The best passages for a question, best first, earlier ones first among equals.
    ///
    /// Laws: no more than `k`; each has a word of the question; scores never rise along the list.
    pub fn top(&self, question: &str, k: usize) -> Vec<Hit> {
        best(&self.scores(question), k)
    }

    /// The score that a question would have for a passage of the same words, were it there: the mark to
    /// hold its other scores against. Words that no passage has count as the rarest.
    pub fn score_of_itself(&self, question: &str) -> f64 {
        let (mut known, mut strange): (Vec<u32>, Vec<String>) = (Vec::new(), Vec::new());
        self.cut.each(question, |word| match self.words.get(word) {
            Some(word) => known.push(word),
            None => strange.push(word.to_owned()),
        });
        known.sort_unstable();
        strange.sort_unstable();
        let length = count(known.len() + strange.len()) / self.mean;
        // As a question it says each word as often as it has it as a passage.
        let adds = |rarity: f64, times: usize| {
            let times = count(times);
            times * self.parameters.of_word(rarity, times, length)
        };
        let known = known.chunk_by(|one, other| one == other);
        let known = known.map(|same| adds(self.rarity[same[0] as usize], same.len()));
        let strange = strange.chunk_by(|one, other| one == other);
        known.chain(strange.map(|same| adds(self.strange, same.len()))).sum()
    }

    fn add(&self, word: &str, scores: &mut [f64]) {
        let Some(word) = self.words.get(word) else { return };
        let entries = self.starts[word as usize]..self.starts[word as usize + 1];
        for (passage, weight) in self.passages[entries.clone()].iter().zip(&self.weights[entries]) {
            scores[*passage as usize] += weight;
        }
    }
}

/// The best of some scores, without those that are 0.
pub fn best(scores: &[f64], k: usize) -> Vec<Hit> {
    let order = |a: &Hit, b: &Hit| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage));
    let mut kept: Vec<Hit> = Vec::with_capacity(k.min(scores.len()) * 2 + 1);
    let mut bar = f64::NEG_INFINITY;
    for (passage, &score) in scores.iter().enumerate() {
        if score > bar && score != 0.0 {
            kept.push(Hit { passage, score });
            // Twice as many as wanted: drop the worse half, and ask more of those to come.
            if kept.len() > 2 * k {
                kept.select_nth_unstable_by(k.saturating_sub(1), order);
                kept.truncate(k);
                bar = kept.last().map_or(f64::INFINITY, |hit| hit.score);
            }
        }
    }
    kept.sort_unstable_by(order);
    kept.truncate(k);
    kept
}

struct Builder {
    words: Ids<Box<str>>,
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
    fn new() -> Self {
        Self {
            words: Ids::with_capacity(1 << 8),
            last: Vec::new(),
            spread: Vec::new(),
            entries: Vec::new(),
            ends: Vec::new(),
            lengths: Vec::new(),
            length: 0,
        }
    }

    fn add(&mut self, word: &str) {
        let id = self.id(word);
        self.add_id(id);
    }

    fn id(&mut self, word: &str) -> u32 {
        let id = self.words.id_with(word, Box::from);
        if id as usize == self.last.len() {
            self.last.push((u32::MAX, 0));
            self.spread.push(0);
        }
        id
    }

    fn add_id(&mut self, id: u32) {
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

    fn end(&mut self) {
        self.ends.push(self.entries.len());
        self.lengths.push(std::mem::take(&mut self.length));
    }

    fn finish(self, cut: Cut, parameters: Parameters) -> Result<Index, Undefined> {
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
            for &(word, times) in &self.entries[from..end] {
                let times = f64::from(times);
                let length = count(self.lengths[passage]) / mean;
                let weight = parameters.of_word(rarity[word as usize], times, length);
                let at = &mut free[word as usize];
                passages[*at] = u32::try_from(passage).expect("counted when it was added");
                weights[*at] = weight;
                *at += 1;
            }
            from = end;
        }
        let top = |from_to: &[usize]| {
            weights[from_to[0]..from_to[1]]
                .iter()
                .fold(0.0, |top: f64, weight| top.max(weight.abs()))
        };
        let tops = starts.windows(2).map(top).collect();
        let strange = parameters.weight.of(count(n), 0.0);
        let words = self.words;
        Ok(Index {
            words,
            starts,
            passages,
            weights,
            tops,
            rarity,
            strange,
            mean,
            len: n,
            cut,
            parameters,
        })
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn by_hand() {
        let index = Index::new(["x y", "x z z"], Cut::Spaces, Parameters::default()).unwrap();
        // Two passages, mean length 2.5; `z` is in one of them, twice.
        let expect = (1.0 + 1.5 / 1.5_f64).ln() * 2.0 / (2.0 + 1.5 * (0.25 + 0.75 * 3.0 / 2.5));
        let scores = index.scores("z q");
        assert!(scores[0] == 0.0 && (scores[1] - expect).abs() < 1e-12, "{scores:?}");
        assert_eq!(index.variant().to_string(), "bm25+lucene-k1-1.5-b-0.75-spaces v1");
    }

    #[test]
    fn edges() {
        let none: [&str; 0] = [];
        assert_eq!(Index::new(none, Cut::Words, Parameters::default()).unwrap().top("a", 3), []);
        assert_eq!(
            Index::new(["", " "], Cut::Words, Parameters::default()).unwrap().top("a b", 3),
            []
        );
        let bad = Parameters { b: f64::NAN, ..Parameters::default() };
        assert!(matches!(
            Index::new(none, Cut::Words, bad),
            Err(Undefined::Range { name: "b", .. })
        ));
    }

    proptest! {
        #[test]
        fn laws(texts in prop::collection::vec("[a-e ]{0,12}", 0..30), question in "[a-f ]{0,10}", k in 0_usize..8) {
            for weight in [Weight::Lucene, Weight::Okapi { floor: 0.25 }] {
                let index = Index::new(&texts, Cut::Spaces, Parameters { weight, ..Parameters::default() }).unwrap();
                let scores = index.scores(&question);
                let mut all: Vec<Hit> = scores.iter().enumerate()
                    .filter(|(_, score)| **score != 0.0).map(|(passage, &score)| Hit { passage, score }).collect();
                all.sort_by(|a, b| b.score.total_cmp(&a.score));
                all.truncate(k);
                prop_assert_eq!(index.top(&question, k), all);
                for (text, score) in texts.iter().zip(0..).map(|(text, at)| (text, index.scores(text)[at])) {
                    prop_assert!((index.score_of_itself(text) - score).abs() < 1e-9);
                }
                if weight == Weight::Lucene {
                    prop_assert!(scores.iter().all(|score| *score >= 0.0));
                }
            }
        }
    }
}

//! BM25 over passages: which ones answer a question best, by its words.
//!
//! Rule: Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). What differs from
//! program to program is named: the two parameters, the weight of a word ([`Weight`]) and how
//! texts are cut ([`Cut`]). Weights of words in passages are worked out once, so that a question
//! costs one addition for each passage that has one of its words.

use serde::Serialize;

#[path = "bm25_postings.rs"]
mod postings;

use postings::Builder;

pub use self::postings::Postings;
pub use crate::bm25_cut::Cut;
use crate::{Undefined, Variant, ids::Ids};

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
    words: Vocabulary,
    postings: Postings,
}

/// Words by number: a text that is in several indexes, or asked of several, is cut once.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    words: Ids<Box<str>>,
    cut: Cut,
}

impl Vocabulary {
    /// Of no words yet.
    pub fn new(cut: Cut) -> Self {
        Self { words: Ids::with_capacity(1 << 8), cut }
    }

    /// Hands over the number of each word of a text; one that is new gets the next.
    pub fn each(&mut self, text: &str, mut take: impl FnMut(u32)) {
        self.cut.each(text, |word| take(self.words.id_with(word, Box::from)));
    }

    /// The number of each word of a question. Those that are new have numbers from the highest down.
    fn asked(&self, question: &str) -> Vec<u32> {
        let (mut numbers, mut strange) = (Vec::new(), Self::new(Cut::Given));
        self.cut.each(question, |word| {
            let new = |strange: &mut Self| u32::MAX - strange.words.id_with(word, Box::from);
            numbers.push(self.words.get(word).unwrap_or_else(|| new(&mut strange)));
        });
        numbers
    }
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
        let (mut words, mut builder) = (Vocabulary::new(cut), Builder::default());
        for text in texts {
            words.each(text.as_ref(), |word| builder.add(word));
            builder.end();
        }
        Ok(Self { words, postings: builder.finish(parameters)? })
    }

    /// Indexes passages that were cut into words before.
    pub fn of_words<W: AsRef<str>>(
        passages: impl IntoIterator<Item = impl IntoIterator<Item = W>>,
        parameters: Parameters,
    ) -> Result<Self, Undefined> {
        let (mut words, mut builder) = (Vocabulary::new(Cut::Given), Builder::default());
        for passage in passages {
            for word in passage {
                words.each(word.as_ref(), |word| builder.add(word));
            }
            builder.end();
        }
        Ok(Self { words, postings: builder.finish(parameters)? })
    }

    /// How many passages there are.
    pub fn len(&self) -> usize {
        self.postings.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of the scores.
    pub fn variant(&self) -> Variant {
        self.postings.parameters.variant(self.words.cut)
    }

    /// The score of every passage for a question; a word that it says twice counts twice.
    pub fn scores(&self, question: &str) -> Vec<f64> {
        self.postings.scores(&self.words.asked(question), self.len())
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
        self.postings.score_of_itself(&self.words.asked(question))
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
        /// Passages of pieces that lie side by side are what they are in one.
        #[test]
        fn overlapping_passages(pieces in prop::collection::vec("[a-cΣ中é ]{0,12}", 1..12), question in "[a-cé中 ]{0,8}") {
            let next = |at: usize| pieces.get(at + 1).map_or(String::new(), |next| format!(" {next}"));
            let texts: Vec<String> = (0..pieces.len()).map(|at| format!("{}{}", pieces[at], next(at))).collect();
            let plain = Index::new(&texts, Cut::HanPairs, Parameters::default()).unwrap();
            let mut words = Vocabulary::new(Cut::HanPairs);
            let mut numbers = |text: &str| { let mut all = Vec::new(); words.each(text, |word| all.push(word)); all };
            let pieces: Vec<Vec<u32>> = pieces.iter().map(|piece| numbers(piece)).collect();
            let asked = numbers(&question);
            let index = Postings::of_overlapping(pieces.iter().map(Vec::as_slice), Parameters::default()).unwrap();
            let scores = plain.scores(&question);
            for read in 0..=scores.len() {
                prop_assert_eq!(&index.scores(&asked, read)[..], &scores[..read]);
            }
            prop_assert!((index.score_of_itself(&asked) - plain.score_of_itself(&question)).abs() < 1e-12);
        }

        /// Common words change no score; what rises is what is above all before it.
        #[test]
        fn common_words(texts in prop::collection::vec("[a-p]( [a-d]){0,9}", 60..90), question in "[a-p]( [a-pq]){0,9}", enough in 0.0..9.0) {
            let mut words = Vocabulary::new(Cut::Spaces);
            let mut numbers = |text: &str| { let mut all = Vec::new(); words.each(text, |word| all.push(word)); all };
            let pieces: Vec<Vec<u32>> = texts.iter().map(|text| numbers(text)).collect();
            let asked = numbers(&question);
            for weight in [Weight::Lucene, Weight::Okapi { floor: 0.25 }] {
                let parameters = Parameters { weight, ..Parameters::default() };
                let index = Postings::of_overlapping(pieces.iter().map(Vec::as_slice), parameters).unwrap();
                let scores = index.scores(&asked, pieces.len());
                let rising = index.rising(&asked, pieces.len(), enough);
                prop_assert!(rising.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
                let mut best = 0.0_f64;
                for (at, score) in scores.iter().enumerate() {
                    if best >= enough - 1e-9 { break; }
                    best = best.max(*score);
                    let known = rising.iter().rfind(|(passage, _)| *passage <= at).map_or(0.0, |(_, score)| *score);
                    prop_assert!((known - best).abs() < 1e-9, "{} at {}", known, at);
                }
            }
        }

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

//! METEOR as nltk 3.9 computes it: words matched exactly, by stem, then by synonym.
//!
//! Rule: Lavie and Agarwal, "METEOR" (2007), with nltk's own alignment: each word of the
//! prediction, from the last to the first, takes the last free equal word of the reference. The
//! third stage looks up the *stems* that the second one left over, as nltk does. Without a WordNet
//! the third stage is left out and the variant says so. Cut texts into words with
//! [`crate::treebank`] for nltk's `word_tokenize`, or at spaces; the words are lower-cased here.

use std::borrow::Cow;

use crate::{
    Variant,
    ids::{Ids, Map},
    porter,
    prf::count,
    unicode::lower,
    wordnet::WordNet,
};

/// The variant with synonyms; the WordNet's version is added to its name.
pub const WITH_SYNONYMS: Variant = Variant::new("nltk-3.9-meteor+wordnet", 1);
/// The variant without.
pub const WITHOUT_SYNONYMS: Variant = Variant::new("nltk-3.9-meteor-without-synonyms", 1);

/// METEOR's three constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Weight of recall against precision.
    pub alpha: f64,
    /// Shape of the penalty for scattered matches.
    pub beta: f64,
    /// Weight of that penalty.
    pub gamma: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { alpha: 0.9, beta: 3.0, gamma: 0.5 }
    }
}

/// The scorer. It remembers the synonyms of words seen, which changes no score.
#[derive(Debug, Default)]
pub struct Meteor<'w> {
    wordnet: Option<&'w WordNet>,
    parameters: Parameters,
    /// A number for each synonym met so far.
    names: Map<&'w str, u32>,
    /// The synonyms of each word looked up so far.
    known: Map<String, Vec<u32>>,
}

impl<'w> Meteor<'w> {
    /// A scorer with nltk's constants.
    pub fn new(wordnet: Option<&'w WordNet>) -> Self {
        Self { wordnet, ..Self::default() }
    }

    /// The name of this score.
    pub fn variant(&self) -> Variant {
        let base = match self.wordnet {
            Some(wordnet) => {
                let name = format!("{}-{}", WITH_SYNONYMS.name, wordnet.version());
                Variant { name: name.into(), version: WITH_SYNONYMS.version }
            }
            None => WITHOUT_SYNONYMS,
        };
        let Parameters { alpha, beta, gamma } = self.parameters;
        if self.parameters == Parameters::default() {
            return base;
        }
        base.with(&format!("alpha-{alpha}-beta-{beta}-gamma-{gamma}"))
    }

    /// Scores the words of a prediction against those of a reference.
    ///
    /// Laws: from 0 to 1; 0 if no word matches; with nltk's constants `1 - 0.5 / n³` for a text
    /// of n different words against itself.
    ///
    /// ```
    /// let score = storymill_metrics::meteor::Meteor::new(None).score(&["a", "Cat"], &["a", "cat"]);
    /// assert_eq!(score, 1.0 - 0.5 / 8.0);
    /// ```
    pub fn score(&mut self, prediction: &[impl AsRef<str>], reference: &[impl AsRef<str>]) -> f64 {
        let prediction: Vec<Cow<'_, str>> =
            prediction.iter().map(|word| lower(word.as_ref())).collect();
        let reference: Vec<Cow<'_, str>> =
            reference.iter().map(|word| lower(word.as_ref())).collect();
        let pairs = self.align(&prediction, &reference);
        self.value(&pairs, prediction.len(), reference.len())
    }

    /// The best score over several references; none without any.
    pub fn best<T: AsRef<str>>(&mut self, prediction: &[T], references: &[Vec<T>]) -> Option<f64> {
        references.iter().map(|reference| self.score(prediction, reference)).reduce(f64::max)
    }

    /// For each word of the prediction, the word of the reference that it matches.
    fn align(
        &mut self,
        prediction: &[Cow<'_, str>],
        reference: &[Cow<'_, str>],
    ) -> Vec<Option<usize>> {
        let mut pairs = vec![None; prediction.len()];
        let mut taken = vec![false; reference.len()];
        match_equal(prediction, reference, &mut pairs, &mut taken);
        if self.stems_wanted(&pairs, &taken) {
            let left = stems(prediction, |at| pairs[at].is_none());
            let right = stems(reference, |at| !taken[at]);
            match_equal(&left, &right, &mut pairs, &mut taken);
            if self.wordnet.is_some() && self.stems_wanted(&pairs, &taken) {
                self.match_synonyms(&left, &right, &mut pairs, &taken);
            }
        }
        pairs
    }

    #[expect(clippy::unused_self, reason = "reads as a question to the scorer")]
    fn stems_wanted(&self, pairs: &[Option<usize>], taken: &[bool]) -> bool {
        pairs.contains(&None) && taken.contains(&false)
    }

    /// The third stage. Each word takes the last free word that is one of its synonyms.
    fn match_synonyms(
        &mut self,
        prediction: &[Cow<'_, str>],
        reference: &[Cow<'_, str>],
        pairs: &mut [Option<usize>],
        taken: &[bool],
    ) {
        for (word, _) in prediction.iter().zip(&*pairs).filter(|(_, pair)| pair.is_none()) {
            self.learn(word);
        }
        // The free places of each synonym in the reference, the last one on top.
        let mut places: Map<u32, Vec<usize>> = Map::default();
        for (at, word) in reference.iter().enumerate().filter(|(at, _)| !taken[*at]) {
            if let Some(&name) = self.names.get(word.as_ref()) {
                places.entry(name).or_default().push(at);
            }
        }
        if places.is_empty() {
            return;
        }
        for (word, pair) in prediction.iter().zip(pairs).rev().filter(|(_, pair)| pair.is_none()) {
            let synonyms = self.known.get(word.as_ref()).map_or(&[][..], Vec::as_slice);
            let last =
                synonyms.iter().filter_map(|name| Some((*places.get(name)?.last()?, *name))).max();
            if let Some((at, name)) = last {
                *pair = Some(at);
                places.entry(name).and_modify(|free| free.truncate(free.len() - 1));
            }
        }
    }

    fn learn(&mut self, word: &str) {
        let Some(wordnet) = self.wordnet.filter(|_| !self.known.contains_key(word)) else { return };
        let mut synonyms = Vec::new();
        for name in wordnet.synonyms(word) {
            let next = u32::try_from(self.names.len()).expect("fewer than 2^32 words");
            synonyms.push(*self.names.entry(name).or_insert(next));
        }
        self.known.insert(word.to_owned(), synonyms);
    }

    fn value(&self, pairs: &[Option<usize>], predicted: usize, expected: usize) -> f64 {
        let matches: Vec<(usize, usize)> =
            pairs.iter().enumerate().filter_map(|(at, pair)| pair.map(|to| (at, to))).collect();
        if matches.is_empty() {
            return 0.0;
        }
        let chunks =
            1 + matches.windows(2).filter(|w| (w[1].0, w[1].1) != (w[0].0 + 1, w[0].1 + 1)).count();
        let Parameters { alpha, beta, gamma } = self.parameters;
        let hits = count(matches.len());
        let (precision, recall) = (hits / count(predicted), hits / count(expected));
        let mean = (precision * recall) / (alpha * precision + (1.0 - alpha) * recall);
        (1.0 - gamma * (count(chunks) / hits).powf(beta)) * mean
    }
}

/// Stems of the words that are still free; the others are not looked at again.
fn stems<'a>(words: &'a [Cow<'_, str>], free: impl Fn(usize) -> bool) -> Vec<Cow<'a, str>> {
    let stem = |(at, word): (usize, &'a Cow<'_, str>)| {
        if free(at) { porter::stem(word) } else { "".into() }
    };
    words.iter().enumerate().map(stem).collect()
}

/// Each free word of the prediction, from the last on, takes the last free equal word.
fn match_equal(
    prediction: &[Cow<'_, str>],
    reference: &[Cow<'_, str>],
    pairs: &mut [Option<usize>],
    taken: &mut [bool],
) {
    let mut ids = Ids::with_capacity(reference.len());
    // For each word its last free place, and for each place the one before of the same word.
    let mut last: Vec<Option<usize>> = Vec::with_capacity(reference.len());
    let mut before = vec![None; reference.len()];
    for (at, word) in reference.iter().enumerate().filter(|(at, _)| !taken[*at]) {
        let id = ids.id(word) as usize;
        last.resize(ids.len(), None);
        before[at] = last[id].replace(at);
    }
    for (word, pair) in prediction.iter().zip(pairs).rev().filter(|(_, pair)| pair.is_none()) {
        let Some(id) = ids.get(word) else { continue };
        if let Some(at) = last[id as usize] {
            last[id as usize] = before[at];
            taken[at] = true;
            *pair = Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::wordnet;

    #[track_caller]
    fn check(prediction: &str, reference: &str, with: f64, without: f64) {
        let net = wordnet::tests::small();
        let cut = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let (prediction, reference) =
            (cut(prediction.to_owned().leak()), cut(reference.to_owned().leak()));
        for (wordnet, expect) in [(Some(&net), with), (None, without)] {
            let score = Meteor::new(wordnet).score(&prediction, &reference);
            assert!((score - expect).abs() < 1e-12, "{prediction:?} / {reference:?}: {score}");
        }
    }

    #[test]
    fn table() {
        check("cat", "cat", 0.5, 0.5);
        check("Cats run", "cat running", 0.9375, 0.9375);
        check("fellow", "man", 0.5, 0.0);
        // The stem `felin` is looked up, not the word; so nltk does.
        check("feline", "cat", 0.0, 0.0);
        check("dog", "cat", 0.0, 0.0);
        // Two matches in two chunks: both precision and recall are 1, the penalty is one half.
        check("b a", "a b", 0.5, 0.5);
        check("men", "fellow", 0.5, 0.0);
    }

    #[test]
    fn variants_are_named() {
        let net = wordnet::tests::small();
        assert_eq!(Meteor::new(Some(&net)).variant().to_string(), "nltk-3.9-meteor+wordnet-3.0 v1");
        assert_eq!(Meteor::new(None).variant(), WITHOUT_SYNONYMS);
    }

    proptest! {
        #[test]
        fn laws(a in prop::collection::vec("[a-d]{1,2}", 0..20), b in prop::collection::vec("[a-d]{1,2}", 0..20)) {
            let mut meteor = Meteor::new(None);
            prop_assert!((0.0..=1.0).contains(&meteor.score(&a, &b)));
            let mut once = a.clone();
            once.sort();
            once.dedup();
            if !once.is_empty() {
                let n = count(once.len());
                prop_assert!((meteor.score(&once, &once) - (1.0 - 0.5 / n.powi(3))).abs() < 1e-12);
            }
        }
    }
}

//! The passages above a bar, without scoring those that cannot reach it.
//!
//! What a word adds to a score at most is known. Passages that have only words which together stay below the bar are
//! never looked at: in a long text that is most of them, for most words of a question are common ones (Turtle and Flood
//! 1995, MaxScore). Scores are those of [`Index::scores`], added up in the same order.

use std::ops::ControlFlow;

use super::{Hit, Index};

/// By so much of all that a question could reach bounds are wider than they are, for they are added up in another order
/// than scores.
const SLACK: f64 = 1e-9;

/// A word of a question.
struct Word {
    /// How often the question says it.
    times: f64,
    /// What it adds to a score at most.
    most: f64,
    /// Its entries that are still ahead.
    at: usize,
    end: usize,
    /// The passage of the next entry; past all where there is none.
    next: u32,
    /// What it adds to the passage at hand, each time that it is said.
    weight: Option<f64>,
}

impl Word {
    /// Goes on to a passage or behind it, in steps twice as long each time.
    fn seek(&mut self, passage: u32, passages: &[u32]) {
        if self.next < passage {
            let ahead = &passages[self.at..self.end];
            let mut step = 1;
            while step < ahead.len() && ahead[step] < passage {
                step *= 2;
            }
            let within = &ahead[step / 2..ahead.len().min(step + 1)];
            self.at += step / 2 + within.partition_point(|one| *one < passage);
            self.next = next(self.at, self.end, passages);
        }
    }

    /// What it adds to a passage that it has come to, and the entry behind.
    #[inline]
    fn take(&mut self, passage: u32, index: &Index) -> f64 {
        self.weight = (self.next == passage).then(|| index.weights[self.at]);
        if self.weight.is_some() {
            self.at += 1;
            self.next = next(self.at, self.end, &index.passages);
        }
        self.weight.map_or(0.0, |weight| self.times * weight)
    }
}

fn next(at: usize, end: usize, passages: &[u32]) -> u32 {
    if at < end { passages[at] } else { u32::MAX }
}

impl Index {
    /// Hands over the passages that have a word of the question and score at least as high as a bar, in their order;
    /// `take` says how high the bar is from there on.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use storymill_metrics::bm25::{Cut, Index, Parameters};
    /// let index = Index::new(["a cat", "a cat sat", "a cat"], Cut::Words, Parameters::default())?;
    /// let mut rising = Vec::new();
    /// index.each_above("the cat sat", 0.0, |hit| {
    ///     rising.push(hit.passage);
    ///     ControlFlow::Continue(hit.score)
    /// });
    /// assert_eq!(rising, [0, 1]);
    /// # Ok::<(), storymill_metrics::Undefined>(())
    /// ```
    pub fn each_above(
        &self,
        question: &str,
        mut bar: f64,
        mut take: impl FnMut(Hit) -> ControlFlow<(), f64>,
    ) {
        let (mut words, said) = self.said(question);
        // What the words from each on add at most, all together.
        let mut most = vec![0.0; words.len() + 1];
        for (at, word) in words.iter().enumerate().rev() {
            most[at] = most[at + 1] + word.most;
        }
        let slack = SLACK * most[0];
        // The words behind this many cannot reach the bar by themselves.
        let mut needed = words.len();
        loop {
            while needed > 0 && most[needed - 1] + slack < bar {
                needed -= 1;
            }
            // Shorter code than that of `min`, which shows here.
            let ahead = |least: u32, word: &Word| least.min(word.next);
            let passage = words[..needed].iter().fold(u32::MAX, ahead);
            if passage == u32::MAX {
                return;
            }
            let mut bound: f64 =
                words[..needed].iter_mut().map(|word| word.take(passage, self)).sum();
            let reaches = |bound: f64, at: usize| bound + most[at] + slack >= bar;
            let within = (needed..words.len()).all(|at| {
                reaches(bound, at) && {
                    words[at].seek(passage, &self.passages);
                    bound += words[at].take(passage, self);
                    true
                }
            });
            if !within || !reaches(bound, words.len()) {
                continue;
            }
            let score =
                said.iter().filter_map(|at| words[*at].weight).fold(0.0, |sum, one| sum + one);
            if score >= bar {
                match take(Hit { passage: passage as usize, score }) {
                    ControlFlow::Continue(next) => bar = next,
                    ControlFlow::Break(()) => return,
                }
            }
        }
    }

    /// The score of one passage for a question, as [`Index::scores`] has it.
    pub fn score(&self, question: &str, passage: usize) -> f64 {
        let mut score = 0.0;
        self.cut.each(question, |word| {
            let Some(word) = self.words.get(word) else { return };
            let entries = self.starts[word as usize]..self.starts[word as usize + 1];
            let found =
                self.passages[entries.clone()].binary_search_by_key(&passage, |one| *one as usize);
            score += found.map_or(0.0, |at| self.weights[entries.start + at]);
        });
        score
    }

    /// The words of a question that passages have, each once, those that may add most first; and the place among them of
    /// each that it says, in its order.
    fn said(&self, question: &str) -> (Vec<Word>, Vec<usize>) {
        let mut said: Vec<u32> = Vec::new();
        self.cut.each(question, |word| said.extend(self.words.get(word)));
        let mut known = said.clone();
        known.sort_unstable();
        let mut words: Vec<(u32, Word)> = Vec::new();
        for same in known.chunk_by(|one, other| one == other) {
            let (at, end) = (self.starts[same[0] as usize], self.starts[same[0] as usize + 1]);
            let times = crate::prf::count(same.len());
            let (most, next) = (times * self.tops[same[0] as usize], next(at, end, &self.passages));
            words.push((same[0], Word { times, most, at, end, next, weight: None }));
        }
        words.sort_by(|one, other| other.1.most.total_cmp(&one.1.most));
        let place = |id: &u32| words.iter().position(|(one, _)| one == id);
        let said = said.iter().filter_map(place).collect();
        (words.into_iter().map(|(_, word)| word).collect(), said)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bm25::{Cut, Parameters, Weight};

    proptest! {
        /// Bit for bit what all scores say, for a bar that stays and for one that rises with what is found.
        #[test]
        fn as_if_all_were_scored(texts in prop::collection::vec("[a-gé ]{0,16}", 0..40), question in "[a-hé ]{0,14}", bar in -1.0_f64..3.0) {
            for weight in [Weight::Lucene, Weight::Okapi { floor: 0.25 }, Weight::Okapi { floor: -1.0 }] {
                let index = Index::new(&texts, Cut::Spaces, Parameters { weight, ..Parameters::default() }).unwrap();
                let scores = index.scores(&question);
                for (at, score) in scores.iter().enumerate() {
                    prop_assert_eq!(index.score(&question, at).to_bits(), score.to_bits());
                }
                let has = |at: &usize| texts[*at].split(' ').any(|word| !word.is_empty() && question.split(' ').any(|said| said == word));
                let (mut expected, mut best) = (Vec::new(), 0.0);
                for at in (0..texts.len()).filter(has) {
                    if scores[at] >= best {
                        best = scores[at];
                        expected.push((at, scores[at].to_bits()));
                    }
                }
                let mut rising = Vec::new();
                index.each_above(&question, 0.0, |hit| {
                    rising.push((hit.passage, hit.score.to_bits()));
                    ControlFlow::Continue(hit.score)
                });
                prop_assert_eq!(rising, expected);
                let mut above = Vec::new();
                index.each_above(&question, bar, |hit| {
                    above.push(hit.passage);
                    ControlFlow::Continue(bar)
                });
                prop_assert_eq!(above, (0..texts.len()).filter(has).filter(|at| scores[*at] >= bar).collect::<Vec<_>>());
            }
        }

        /// Words are cut alike whether a text is one or lies in pieces.
        #[test]
        fn overlapping_passages(pieces in prop::collection::vec("[a-cΣ中é ]{0,12}", 1..12), question in "[a-cé中 ]{0,8}") {
            let next = |at: usize| pieces.get(at + 1).map_or(String::new(), |next| format!(" {next}"));
            let texts: Vec<String> = (0..pieces.len()).map(|at| format!("{}{}", pieces[at], next(at))).collect();
            let plain = Index::new(&texts, Cut::HanPairs, Parameters::default()).unwrap();
            let index = Index::of_overlapping(&pieces, Cut::HanPairs, Parameters::default()).unwrap();
            prop_assert_eq!(index.scores(&question), plain.scores(&question));
            prop_assert_eq!(index.score_of_itself(&question).to_bits(), plain.score_of_itself(&question).to_bits());
        }
    }
}

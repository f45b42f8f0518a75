//! A conditional logit over the options of a question: which one is right, by its words alone.
//!
//! Rule: McFadden (1974). The chance of an option is the softmax of a linear score over the options of *its*
//! question, because that is what is asked: what all options of a question share says nothing and drops out, and
//! there is no imbalance between one right and many wrong ones. With two options it is the logistic regression of
//! their difference. It is fitted by stochastic gradient descent with an L2 penalty, with the steps of Bottou (2010)
//! that scikit-learn calls `optimal`; all of it is plain arithmetic, so that the same rows give the same weights on
//! every machine.

use super::{
    Features, credit,
    features::{Text, Weights},
};
use crate::{Variant, prf::count, random::Stream};

/// The variant of what this learns.
pub const VARIANT: Variant = Variant::new("option-logit-sgd", 5);

/// A chance that is so near to what is wanted is left as it is.
const SETTLED: f64 = 1e-3;

/// Where a round found each right option likelier than this, the next one would move nothing that decides.
const LEARNED: f64 = 0.5;

/// A question: its options, and which one is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The options, by their places among texts that were laid out: questions have many in common.
    pub options: Vec<usize>,
    /// The place of the right one.
    pub right: usize,
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The weight of the penalty: half the squared length of the weights is added so many times to the mean loss of a
    /// question. scikit-learn's `C` over so many rows is `1 / (C * rows)`.
    pub penalty: f64,
    /// How often every question is looked at, at most.
    pub rounds: usize,
    /// Seed of the order.
    pub seed: u64,
}

impl Plan {
    /// The plan for so many questions: scikit-learn's penalty at `C = 10`, and rounds enough to get near.
    pub fn of(questions: usize) -> Self {
        let questions = questions.max(1);
        let rounds = (1_000 / questions).clamp(4, 20);
        Self { penalty: 0.1 / count(questions), rounds, seed: 0 }
    }
}

/// Weights that were learned.
#[derive(Clone, Debug)]
pub struct Logit<'f> {
    texts: &'f Features,
    /// Weights, less a common factor: the penalty shrinks all of them at once.
    weights: Weights,
    factor: f64,
}

impl<'f> Logit<'f> {
    /// Learns from questions about these texts.
    pub fn train<'q>(
        texts: &'f Features,
        questions: impl IntoIterator<Item = &'q Labelled>,
        plan: Plan,
    ) -> Self {
        let questions: Vec<&Labelled> = questions.into_iter().collect();
        let mut it = Self { texts, weights: Weights::new(), factor: 1.0 };
        let mut order: Vec<usize> = (0..questions.len()).collect();
        let mut stream = Stream::new(plan.seed);
        // Bottou's first step: such that weights of a usual size would be reached in one.
        let first = (1.0 / plan.penalty.sqrt()).sqrt();
        let offset = 1.0 / (first * plan.penalty);
        let mut time = 0.0;
        for _ in 0..plan.rounds {
            for end in (1..order.len()).rev() {
                order.swap(end, stream.below(end + 1));
            }
            let mut least = 1.0_f64;
            for at in &order {
                let step = 1.0 / (plan.penalty * (offset + time));
                time += 1.0;
                least = least.min(it.learn(questions[*at], step, plan.penalty));
            }
            if least > LEARNED {
                break;
            }
        }
        it
    }

    /// Takes a step; the chance of the right option was so much before.
    #[expect(clippy::cast_possible_truncation, reason = "weights have single precision")]
    fn learn(&mut self, question: &Labelled, step: f64, penalty: f64) -> f64 {
        let chances = self.chances(&question.options);
        // A step longer than the penalty allows would turn the weights around.
        self.factor *= (1.0 - step * penalty).max(1e-3);
        if self.factor < 1e-6 {
            self.weights.scale(self.factor as f32);
            self.factor = 1.0;
        }
        for (at, (option, chance)) in question.options.iter().zip(&chances).enumerate() {
            let wanted = f64::from(u8::from(at == question.right));
            // What is told right already moves nothing, and soon that is most of what is looked at.
            if (wanted - chance).abs() < SETTLED {
                continue;
            }
            let change = ((wanted - chance) * step / self.factor) as f32;
            self.weights.add(change, self.texts.text(*option));
        }
        chances[question.right]
    }

    /// The score of an option.
    fn score(&self, option: &Text) -> f64 {
        f64::from(self.weights.dot(option)) * self.factor
    }

    /// The chance of each option; they add up to 1.
    pub fn chances(&self, options: &[usize]) -> Vec<f64> {
        let scores: Vec<f64> = options.iter().map(|at| self.score(self.texts.text(*at))).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = scores.iter().map(|score| exp(score - best)).collect();
        let sum: f64 = shares.iter().sum();
        shares.into_iter().map(|share| share / sum).collect()
    }

    /// What the likeliest option earns ([`credit`]).
    pub fn credit(&self, question: &Labelled) -> f64 {
        let score = |option: &usize| Some(self.score(self.texts.text(*option)));
        let scores: Vec<_> = question.options.iter().map(score).collect();
        credit(&scores, question.right)
    }
}

/// The exponential of a number at 0 or below, by additions and products alone: that of a system's library may differ
/// in the last bit.
fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let halvings = (x / std::f64::consts::LN_2).round();
    let rest = x - halvings * std::f64::consts::LN_2;
    let (mut term, mut sum, mut n) = (1.0, 1.0, 0.0);
    while n < 14.0 {
        n += 1.0;
        term *= rest / n;
        sum += term;
    }
    let mut power = 1.0;
    let mut left = -halvings;
    while left >= 1.0 {
        power *= 0.5;
        left -= 1.0;
    }
    sum * power
}

#[cfg(test)]
#[path = "logit_tests.rs"]
mod tests;

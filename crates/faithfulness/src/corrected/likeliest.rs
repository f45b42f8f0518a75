//! The score test of one rate: the likeliest sensitivity and specificity under it, and the statistic.

use super::Counts;

/// Rounds after which the likeliest values move no more.
const ROUNDS: usize = 200;
/// A move that is none.
const STILL: f64 = 1e-9;

/// The test of counts; `shares` are those of the raw rate, the sensitivity and the specificity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    sample: f64,
    said: f64,
    faithful: f64,
    hits: f64,
    unfaithful: f64,
    found: f64,
}

impl Test {
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    pub(super) fn of(counts: Counts) -> Self {
        let Counts { sample, said, faithful, hits, unfaithful, found } = counts;
        let [sample, said, faithful] = [sample, said, faithful].map(|count| count as f64);
        let [hits, unfaithful, found] = [hits, unfaithful, found].map(|count| count as f64);
        Self { sample, said, faithful, hits, unfaithful, found }
    }

    /// The raw rate, the sensitivity, the specificity.
    pub(super) fn shares(&self) -> [f64; 3] {
        [self.said / self.sample, self.hits / self.faithful, self.found / self.unfaithful]
    }

    /// The squared distance of the raw rate from what this rate would give, in its variance.
    pub(super) fn statistic(&self, rate: f64) -> f64 {
        let [q, se, sp] = self.shares();
        let apart = q - rate * se - (1.0 - rate) * (1.0 - sp);
        let (se, sp) = self.likeliest(rate);
        let q = rate * se + (1.0 - rate) * (1.0 - sp);
        let variance = q * (1.0 - q) / self.sample
            + rate * rate * se * (1.0 - se) / self.faithful
            + (1.0 - rate).powi(2) * sp * (1.0 - sp) / self.unfaithful;
        if variance > 0.0 {
            apart * apart / variance
        } else if apart.abs() < STILL {
            0.0
        } else {
            f64::INFINITY
        }
    }

    /// The likeliest sensitivity and specificity where this is the rate, by expectation and maximisation: the sample's
    /// retellings are shared out to the faithful and the unfaithful ones, then both shares are counted anew.
    fn likeliest(&self, rate: f64) -> (f64, f64) {
        // Half a count more on either side, so that no share begins at 0 or 1, where it would stay.
        let mut se = (self.hits + 0.5) / (self.faithful + 1.0);
        let mut sp = (self.found + 0.5) / (self.unfaithful + 1.0);
        let part =
            |of: f64, share: f64, whole: f64| if whole > 0.0 { of * share / whole } else { 0.0 };
        for _ in 0..ROUNDS {
            let q = rate * se + (1.0 - rate) * (1.0 - sp);
            let silent = self.sample - self.said;
            let hit = part(self.said, rate * se, q);
            let missed = part(silent, rate * (1.0 - se), 1.0 - q);
            let wrong = part(self.said, (1.0 - rate) * (1.0 - sp), q);
            let right = part(silent, (1.0 - rate) * sp, 1.0 - q);
            let next_se = (self.hits + hit) / (self.faithful + hit + missed);
            let next_sp = (self.found + right) / (self.unfaithful + wrong + right);
            let moved = (next_se - se).abs() + (next_sp - sp).abs();
            (se, sp) = (next_se, next_sp);
            if moved < STILL {
                break;
            }
        }
        (se, sp)
    }
}

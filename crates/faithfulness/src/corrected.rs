//! A rate that a judge counted, corrected by what is known of the judge (Rogan and Gladen 1978).
//!
//! A judge with sensitivity `se` and specificity `sp` says "faithful" of a share `q = p·se + (1 − p)(1 − sp)` where a share
//! `p` is faithful, so `p = (q + sp − 1) / (se + sp − 1)`. The interval inverts a score test: all `p` at which
//! `q̂ − p·se − (1 − p)(1 − sp)` lies within so many standard errors, and these are taken at the sensitivity and
//! specificity that are likeliest under that `p`. So it takes in that all three are estimates, as that of Lang and
//! Reiczigel (2014) does, and it stays near its level with a weak judge and few gold labels, where theirs is too wide.

mod likeliest;

use serde::Serialize;
use storymill_metrics::{
    Variant,
    binomial::{normal_quantile, wilson},
    bootstrap::Interval,
};

/// The variant of the corrected rate and its interval.
pub const VARIANT: Variant = Variant::new("rogan-gladen-score", 1);

/// What a judge said: of retellings that nobody labelled, and of those that people did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Retellings of the sample with a verdict.
    pub sample: u64,
    /// Those that the judge calls faithful.
    pub said: u64,
    /// Retellings that people call faithful, with a verdict.
    pub faithful: u64,
    /// Those of them that the judge calls faithful too.
    pub hits: u64,
    /// Retellings that people call unfaithful, with a verdict.
    pub unfaithful: u64,
    /// Those of them that the judge calls unfaithful too.
    pub found: u64,
}

impl Counts {
    /// Adds a verdict on a retelling of the sample.
    pub fn sampled(&mut self, said: bool) {
        self.sample += 1;
        self.said += u64::from(said);
    }

    /// Adds a verdict on a retelling that people judged.
    pub fn known(&mut self, gold: bool, said: bool) {
        if gold {
            self.faithful += 1;
            self.hits += u64::from(said);
        } else {
            self.unfaithful += 1;
            self.found += u64::from(!said);
        }
    }
}

/// A rate as a judge counted it, what is known of the judge, and the corrected rate. All at one level.
#[derive(Clone, Debug, PartialEq)]
pub struct Rates {
    /// The share that the judge calls faithful, with Wilson's interval; none of no sample.
    pub raw: Option<Interval>,
    /// The share of faithful retellings that the judge calls so; none without such gold labels.
    pub sensitivity: Option<Interval>,
    /// The share of unfaithful retellings that the judge calls so; none without such gold labels.
    pub specificity: Option<Interval>,
    /// The corrected rate, or why there is none.
    pub corrected: Result<Interval, NotCorrected>,
}

/// Why a rate cannot be corrected.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotCorrected {
    /// Nothing was judged.
    #[error("undefined: the judge said nothing of the sample")]
    NoSample,
    /// The sensitivity is not known.
    #[error(
        "undefined: no faithful retelling among the gold labels, so the sensitivity is unknown"
    )]
    NoFaithful,
    /// The specificity is not known.
    #[error(
        "undefined: no unfaithful retelling among the gold labels, so the specificity is unknown"
    )]
    NoUnfaithful,
    /// The judge is no better than chance.
    #[error(
        "undefined: sensitivity {sensitivity:.2} and specificity {specificity:.2} sum to 1 or less, so the judge tells nothing"
    )]
    Chance {
        /// Its sensitivity.
        sensitivity: f64,
        /// Its specificity.
        specificity: f64,
    },
    /// The sample and the gold labels contradict each other: no rate explains both.
    #[error(
        "undefined: the judge calls {raw:.2} of the sample faithful, which no rate explains at its sensitivity and specificity; the sample is unlike the gold labels"
    )]
    Beyond {
        /// The raw rate.
        raw: f64,
    },
    /// More of a part than of the whole, or a level out of its range.
    #[error("undefined: the counts or the level make no sense")]
    Senseless,
}

/// The rates of these counts, with intervals of this level (0.95).
///
/// The verdicts are taken as independent: retellings of one story are not quite.
///
/// ```
/// use storymill_faithfulness::corrected::{Counts, rates};
///
/// let counts = Counts { sample: 200, said: 120, faithful: 50, hits: 40, unfaithful: 50, found: 40 };
/// let found = rates(counts, 0.95);
/// let corrected = found.corrected?;
/// assert!((corrected.value - 2.0 / 3.0).abs() < 1e-12);
/// assert!(corrected.low > 0.45 && corrected.low < 0.55 && corrected.high > 0.80 && corrected.high < 0.95);
/// # Ok::<(), storymill_faithfulness::corrected::NotCorrected>(())
/// ```
pub fn rates(counts: Counts, level: f64) -> Rates {
    let share = |part, whole| wilson(part, whole, level).ok();
    Rates {
        raw: share(counts.said, counts.sample),
        sensitivity: share(counts.hits, counts.faithful),
        specificity: share(counts.found, counts.unfaithful),
        corrected: corrected(counts, level),
    }
}

/// The corrected rate of faithful retellings. It is cut to 0 and 1, as is its interval.
///
/// Laws: it holds its value; calling faithful what is unfaithful, in sample and gold alike, turns it around one half.
pub fn corrected(counts: Counts, level: f64) -> Result<Interval, NotCorrected> {
    let Counts { sample, said, faithful, hits, unfaithful, found } = counts;
    let fits = said <= sample && hits <= faithful && found <= unfaithful;
    if !(fits && level > 0.0 && level < 1.0) {
        return Err(NotCorrected::Senseless);
    }
    for (count, why) in [
        (sample, NotCorrected::NoSample),
        (faithful, NotCorrected::NoFaithful),
        (unfaithful, NotCorrected::NoUnfaithful),
    ] {
        if count == 0 {
            return Err(why);
        }
    }
    // In whole numbers: se + sp <= 1 must not hang on rounding.
    let [hits_wide, found_wide] =
        [u128::from(hits) * u128::from(unfaithful), u128::from(found) * u128::from(faithful)];
    let test = likeliest::Test::of(counts);
    let [q, se, sp] = test.shares();
    if hits_wide + found_wide <= u128::from(faithful) * u128::from(unfaithful) {
        return Err(NotCorrected::Chance { sensitivity: se, specificity: sp });
    }
    let value = ((q + sp - 1.0) / (se + sp - 1.0)).clamp(0.0, 1.0);
    let z = normal_quantile(f64::midpoint(1.0, level));
    let within = |rate: f64| test.statistic(rate) <= z * z;
    let (low, high) = ends(value, within).ok_or(NotCorrected::Beyond { raw: q })?;
    Ok(Interval { value, low, high })
}

/// Steps in which the rates from 0 to 1 are looked through before each end is narrowed down.
const STEPS: u32 = 64;

/// The lowest and the highest rate that pass; none where none does.
fn ends(value: f64, within: impl Fn(f64) -> bool) -> Option<(f64, f64)> {
    let place = |step: u32| f64::from(step) / f64::from(STEPS);
    let mut passing: Vec<f64> = (0..=STEPS).map(place).filter(|rate| within(*rate)).collect();
    // A narrow interval may lie between two steps.
    if within(value) {
        passing.push(value);
    }
    let least = passing.iter().copied().reduce(f64::min)?;
    let most = passing.iter().copied().reduce(f64::max)?;
    let step = 1.0 / f64::from(STEPS);
    let narrowed = |mut inside: f64, mut outside: f64| {
        if within(outside) {
            return outside;
        }
        for _ in 0..40 {
            let middle = f64::midpoint(inside, outside);
            if within(middle) { inside = middle } else { outside = middle }
        }
        inside
    };
    Some((
        narrowed(least, (least - step).max(0.0)).min(value),
        narrowed(most, (most + step).min(1.0)).max(value),
    ))
}

#[cfg(test)]
mod tests;

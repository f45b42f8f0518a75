//! Intervals of a mean by resampling whole clusters, with a seed.
//!
//! Rows of one book, or of books that share an author, stand or fall together, so single rows must
//! not be drawn as if they were independent: each round draws as many *clusters* as there are,
//! with replacement, and takes the mean over all their rows (Efron and Tibshirani 1993, percentile
//! interval). Draws of few clusters look surer than they are (of three, intervals of 95 % hold 54 in 100 times), so fewer than
//! [`FEWEST`] are refused.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Undefined, Variant, prf::count, random::Stream};

/// The variant of these intervals.
pub const VARIANT: Variant = Variant::new("cluster-bootstrap-percentile", 1);

/// The fewest clusters that an interval is drawn of.
pub const FEWEST: usize = 5;

/// Why there is no interval, in the words of all tables.
pub const TOO_FEW: &str = "none: fewer than 5 books";

/// How to resample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Seed of the draws.
    pub seed: u64,
    /// How many rounds.
    pub rounds: usize,
    /// Confidence level, such as 0.95.
    pub level: f64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { seed: 0, rounds: 2000, level: 0.95 }
    }
}

/// A number with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The number itself.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A paired difference with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Mean of left minus right.
    pub interval: Interval,
    /// Two-sided: twice the smaller share of rounds on either side of 0, at most 1.
    pub p: f64,
}

/// The mean of rows in clusters.
///
/// Laws: the same seed gives the same interval, whatever the order in which clusters first come;
/// neither end lies outside the clusters' own means.
///
/// ```
/// use storymill_metrics::bootstrap::{Plan, mean};
/// let rows = [("84", 1.0), ("84", 0.0), ("1342", 1.0), ("345", 0.0), ("11", 1.0), ("46", 0.0)];
/// let found = mean(&rows, Plan::default())?;
/// assert!(found.value == 0.5 && found.low <= 0.5 && 0.5 <= found.high);
/// # Ok::<(), storymill_metrics::Undefined>(())
/// ```
pub fn mean<C: Ord>(rows: &[(C, f64)], plan: Plan) -> Result<Interval, Undefined> {
    let (value, means) = resample(rows.iter().map(|(cluster, value)| (cluster, *value)), plan)?;
    Ok(interval(value, &means, plan.level))
}

/// The mean difference of two systems on the same rows: cluster, left, right.
///
/// Law: swapping the systems turns the interval around 0.
pub fn paired<C: Ord>(rows: &[(C, f64, f64)], plan: Plan) -> Result<Difference, Undefined> {
    let differences = rows.iter().map(|(cluster, left, right)| (cluster, left - right));
    let (value, means) = resample(differences, plan)?;
    let share = |side: fn(&f64) -> bool| {
        count(means.iter().filter(|mean| side(mean)).count()) / count(means.len())
    };
    let p = 2.0 * share(|mean| *mean <= 0.0).min(share(|mean| *mean >= 0.0));
    Ok(Difference { interval: interval(value, &means, plan.level), p: p.min(1.0) })
}

/// The mean of all rows, and the sorted means of all rounds.
fn resample<'c, C: Ord + 'c>(
    rows: impl Iterator<Item = (&'c C, f64)>,
    plan: Plan,
) -> Result<(f64, Vec<f64>), Undefined> {
    checked(plan)?;
    let mut clusters: BTreeMap<&C, (f64, usize)> = BTreeMap::new();
    let (mut sum, mut n) = (0.0, 0);
    for (at, (cluster, value)) in rows.enumerate() {
        if !value.is_finite() {
            return Err(Undefined::NotANumber(at));
        }
        let entry = clusters.entry(cluster).or_default();
        *entry = (entry.0 + value, entry.1 + 1);
        (sum, n) = (sum + value, n + 1);
    }
    let clusters: Vec<(f64, usize)> = clusters.into_values().collect();
    let means = draw(&clusters, plan)?;
    Ok((sum / count(n), means))
}

/// The same as [`mean`] where the rows of each cluster are added up already: sum and number of rows, in a fixed
/// order of clusters. For millions of rows.
///
/// ```
/// use storymill_metrics::bootstrap::{Plan, mean, mean_of_sums};
/// let rows = [("84", 1.0), ("84", 0.0), ("1342", 1.0), ("345", 0.0), ("11", 1.0), ("46", 0.0)];
/// let sums = [(1.0, 1), (1.0, 1), (0.0, 1), (0.0, 1), (1.0, 2)]; // 11, 1342, 345, 46, 84
/// assert_eq!(mean_of_sums(&sums, Plan::default())?, mean(&rows, Plan::default())?);
/// # Ok::<(), storymill_metrics::Undefined>(())
/// ```
pub fn mean_of_sums(clusters: &[(f64, usize)], plan: Plan) -> Result<Interval, Undefined> {
    checked(plan)?;
    if let Some(at) = clusters.iter().position(|(sum, _)| !sum.is_finite()) {
        return Err(Undefined::NotANumber(at));
    }
    let clusters: Vec<_> = clusters.iter().copied().filter(|(_, rows)| *rows > 0).collect();
    let means = draw(&clusters, plan)?;
    let (sum, n) = clusters.iter().fold((0.0, 0), |(sum, n), (more, rows)| (sum + more, n + rows));
    Ok(interval(sum / count(n), &means, plan.level))
}

/// An interval of a statistic that is no mean, with the rounds in which it had no value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Drawn {
    /// The statistic of all clusters, with its interval.
    pub interval: Interval,
    /// Rounds in which it had no value; they count for neither end.
    pub without: usize,
}

/// Any statistic of so many clusters: `of` gets the places of those that were drawn, and gives none where the statistic
/// has no value. Where it has none in more than half of the rounds there is no interval.
///
/// Law: the same seed gives the same interval.
///
/// ```
/// use storymill_metrics::bootstrap::{Plan, statistic};
/// let heights = [1.0, 4.0, 2.0, 3.0, 8.0];
/// let largest = |drawn: &[usize]| drawn.iter().map(|at| heights[*at]).reduce(f64::max);
/// let found = statistic(heights.len(), Plan::default(), largest)?;
/// assert!(found.interval.value == 8.0 && found.interval.low < 8.0 && found.without == 0);
/// # Ok::<(), storymill_metrics::Undefined>(())
/// ```
pub fn statistic(
    clusters: usize,
    plan: Plan,
    mut of: impl FnMut(&[usize]) -> Option<f64>,
) -> Result<Drawn, Undefined> {
    checked(plan)?;
    if clusters == 0 || plan.rounds == 0 {
        return Err(Undefined::Empty);
    }
    if clusters < FEWEST {
        return Err(Undefined::FewClusters { clusters, fewest: FEWEST });
    }
    let mut drawn: Vec<usize> = (0..clusters).collect();
    let value = of(&drawn).ok_or(Undefined::Constant)?;
    let mut stream = Stream::new(plan.seed);
    let mut values = Vec::with_capacity(plan.rounds);
    for _ in 0..plan.rounds {
        drawn.fill_with(|| stream.below(clusters));
        values.extend(of(&drawn));
    }
    let without = plan.rounds - values.len();
    if 2 * without > plan.rounds {
        return Err(Undefined::Rounds { without, rounds: plan.rounds });
    }
    values.sort_by(f64::total_cmp);
    Ok(Drawn { interval: interval(value, &values, plan.level), without })
}

fn checked(plan: Plan) -> Result<(), Undefined> {
    if plan.level > 0.0 && plan.level < 1.0 {
        return Ok(());
    }
    Err(Undefined::Range {
        name: "the confidence level",
        range: "between 0 and 1",
        value: plan.level.to_string(),
    })
}

/// The sorted means of all rounds.
fn draw(clusters: &[(f64, usize)], plan: Plan) -> Result<Vec<f64>, Undefined> {
    match clusters.len() {
        0 => return Err(Undefined::Empty),
        clusters if clusters < FEWEST => {
            return Err(Undefined::FewClusters { clusters, fewest: FEWEST });
        }
        _ if plan.rounds == 0 => return Err(Undefined::Empty),
        _ => {}
    }
    let mut stream = Stream::new(plan.seed);
    let mut means: Vec<f64> = (0..plan.rounds)
        .map(|_| {
            let (sum, n) = (0..clusters.len()).fold((0.0, 0), |(sum, n), _| {
                let (more, rows) = clusters[stream.below(clusters.len())];
                (sum + more, n + rows)
            });
            sum / count(n)
        })
        .collect();
    means.sort_by(f64::total_cmp);
    Ok(means)
}

fn interval(value: f64, means: &[f64], level: f64) -> Interval {
    let tail = (1.0 - level) / 2.0;
    Interval { value, low: quantile(means, tail), high: quantile(means, 1.0 - tail) }
}

/// The quantile of sorted values, linear between neighbours.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a list")]
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * count(sorted.len() - 1);
    let low = place.floor() as usize;
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + (sorted[high] - sorted[low]) * (place - place.floor())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn undefined() {
        let none: [(u8, f64); 0] = [];
        assert_eq!(mean(&none, Plan::default()), Err(Undefined::Empty));
        for few in 1..FEWEST {
            let rows: Vec<(usize, f64)> = (0..20).map(|at| (at % few, 0.5)).collect();
            let refused = Undefined::FewClusters { clusters: few, fewest: FEWEST };
            assert_eq!(mean(&rows, Plan::default()), Err(refused));
        }
        assert_eq!(
            mean(&[(1, 0.5), (2, f64::NAN)], Plan::default()),
            Err(Undefined::NotANumber(1))
        );
        let level = Plan { level: 1.0, ..Plan::default() };
        let rows: Vec<(u8, f64)> = (0..9).map(|at| (at, 0.5)).collect();
        assert!(matches!(mean(&rows, level), Err(Undefined::Range { .. })));
    }

    #[test]
    fn a_statistic_may_have_no_value() {
        let plan = Plan { rounds: 100, ..Plan::default() };
        assert_eq!(statistic(0, plan, |_| Some(1.0)), Err(Undefined::Empty));
        assert!(matches!(statistic(4, plan, |_| Some(1.0)), Err(Undefined::FewClusters { .. })));
        assert_eq!(statistic(5, plan, |_| None), Err(Undefined::Constant));
        let odd = |drawn: &[usize]| (drawn == [0, 1, 2, 3, 4] || drawn[0] > 1).then_some(1.0);
        let found = statistic(5, plan, odd).unwrap();
        assert!(found.without > 25 && found.without < 75, "{found:?}");
        let rarely = |drawn: &[usize]| (0..9).all(|at| drawn.contains(&at)).then_some(1.0);
        assert!(matches!(statistic(9, plan, rarely), Err(Undefined::Rounds { .. })));
    }

    /// How often an interval of 95 % holds the true mean, over books whose own means differ: from the fewest books on it is off by
    /// what is known of percentile intervals, and no more.
    #[test]
    fn intervals_hold_about_as_often_as_they_say() {
        const TRIALS: usize = 400;
        let mut stream = Stream::new(7);
        for (books, least) in [(FEWEST, 0.76), (10, 0.86), (40, 0.91)] {
            let mut holds = 0;
            for trial in 0..TRIALS {
                let mut rows = Vec::new();
                for book in 0..books {
                    // Of 20 questions on a book so many are right in a hundred: 30 to 90.
                    let ease = 30 + stream.below(61);
                    rows.extend(
                        (0..20).map(|_| (book, f64::from(u8::from(stream.below(100) < ease)))),
                    );
                }
                let plan = Plan { seed: trial as u64, rounds: 300, level: 0.95 };
                let found = mean(&rows, plan).unwrap();
                holds += usize::from(found.low <= 0.6 && 0.6 <= found.high);
            }
            let share = count(holds) / count(TRIALS);
            assert!((least..=0.99).contains(&share), "{books} books: {share}");
        }
    }

    /// Over clusters of one row each the interval is near that of the normal approximation.
    #[test]
    fn width_is_right() {
        let rows: Vec<(usize, f64)> =
            (0..400).map(|at| (at, f64::from(u8::from(at % 4 == 0)))).collect();
        let found = mean(&rows, Plan { rounds: 4000, ..Plan::default() }).unwrap();
        let half = 1.96 * (0.25_f64 * 0.75 / 400.0).sqrt();
        assert!(
            (found.low - (0.25 - half)).abs() < 0.005 && (found.high - (0.25 + half)).abs() < 0.005,
            "{found:?}"
        );
    }

    proptest! {
        #[test]
        fn laws(rows in prop::collection::vec((0_u8..5, 0_u8..10, 0_u8..10), 2..40), seed in any::<u64>()) {
            let plan = Plan { seed, rounds: 50, ..Plan::default() };
            let rows: Vec<(u8, f64, f64)> = rows.iter().map(|(c, a, b)| (*c, f64::from(*a), f64::from(*b))).collect();
            let turned: Vec<(u8, f64, f64)> = rows.iter().map(|(c, a, b)| (*c, *b, *a)).collect();
            match (paired(&rows, plan), paired(&turned, plan)) {
                (Ok(ab), Ok(ba)) => {
                    prop_assert!((ab.interval.low + ba.interval.high).abs() < 1e-9);
                    prop_assert!((ab.p - ba.p).abs() < 1e-12 && (0.0..=1.0).contains(&ab.p));
                    prop_assert!(ab.interval.low <= ab.interval.high);
                }
                (a, b) => prop_assert_eq!(a, b),
            }
        }
    }
}

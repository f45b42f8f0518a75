//! Intervals of a mean of rows that come in clusters, by their variance between clusters.
//!
//! The percentile bootstrap over clusters is too narrow where there are few of them. Here the variance is the
//! cluster-robust one with the correction CR2 (Bell and McCaffrey 2002), the degrees of freedom are theirs under a model
//! with an effect for each cluster whose size is estimated (Imbens and Kolesár 2016), and a share gets the interval that
//! Wilson's becomes when the rows are as many as would be worth as much if they were independent.

use crate::{Undefined, Variant, binomial::beta_quantile, bootstrap::Interval, prf::count};

/// The variant of the interval of a share.
pub const SHARE: Variant = Variant::new("cluster-wilson-t", 1);
/// The variant of the interval of a difference.
pub const DIFFERENCE: Variant = Variant::new("cluster-t", 1);

/// So many times as much as independent rows, rows may at most be worth: clusters that agree by chance say little.
const MOST_WORTH: f64 = 4.0;

/// The rows of one cluster, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// How many rows.
    pub rows: usize,
    /// The sum of their values.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl Sums {
    /// Adds a row.
    pub fn add(&mut self, value: f64) {
        self.join(Self { rows: 1, sum: value, squares: value * value });
    }

    /// Adds the rows of another.
    pub fn join(&mut self, other: Self) {
        self.rows += other.rows;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// The mean of values from 0 to 1, with an interval within 0 and 1.
///
/// Laws: it holds the mean; turning every value into 1 minus it turns the interval around one half.
///
/// ```
/// use storymill_metrics::clustered::{Sums, share};
///
/// let book = |rows, sum| Sums { rows, sum, squares: sum };
/// let found = share(&[book(10, 8.0), book(12, 9.0), book(9, 8.0)], 0.95)?;
/// assert!(found.low < 0.7 && found.high > 0.9);
/// # Ok::<(), storymill_metrics::Undefined>(())
/// ```
pub fn share(clusters: &[Sums], level: f64) -> Result<Interval, Undefined> {
    let spread = Spread::of(clusters, level)?;
    let Spread { mean, variance, rows, t } = spread;
    let inner = (mean * (1.0 - mean)).max(0.0);
    let worth = if variance > 0.0 { (inner / variance).min(MOST_WORTH * rows) } else { rows };
    let worth = if worth > 0.0 { worth } else { rows };
    let whole = 1.0 + t * t / worth;
    let middle = (mean + t * t / (2.0 * worth)) / whole;
    let half = t / whole * (inner / worth + t * t / (4.0 * worth * worth)).sqrt();
    let (mean, middle) = (mean.clamp(0.0, 1.0), middle.clamp(0.0, 1.0));
    Ok(Interval {
        value: mean,
        low: (middle - half).clamp(0.0, mean),
        high: (middle + half).clamp(mean, 1.0),
    })
}

/// The mean of differences from -1 to 1, with an interval.
///
/// Law: swapping the sides turns the interval around 0.
pub fn difference(clusters: &[Sums], level: f64) -> Result<Interval, Undefined> {
    let Spread { mean, variance, t, .. } = Spread::of(clusters, level)?;
    let half = t * variance.sqrt();
    Ok(Interval { value: mean, low: (mean - half).max(-1.0), high: (mean + half).min(1.0) })
}

struct Spread {
    mean: f64,
    /// Of the mean.
    variance: f64,
    rows: f64,
    /// The quantile of Student's distribution.
    t: f64,
}

impl Spread {
    fn of(clusters: &[Sums], level: f64) -> Result<Self, Undefined> {
        if !(level > 0.0 && level < 1.0) {
            return Err(Undefined::Range {
                name: "the confidence level",
                range: "between 0 and 1",
                value: level.to_string(),
            });
        }
        if let Some(at) = clusters.iter().position(|one| !one.sum.is_finite()) {
            return Err(Undefined::NotANumber(at));
        }
        let clusters: Vec<&Sums> = clusters.iter().filter(|one| one.rows > 0).collect();
        match clusters.len() {
            0 => return Err(Undefined::Empty),
            1 => return Err(Undefined::OneCluster),
            _ => {}
        }
        let rows = count(clusters.iter().map(|one| one.rows).sum());
        let mean = clusters.iter().map(|one| one.sum).sum::<f64>() / rows;
        let squares = clusters.iter().map(|one| one.squares).sum::<f64>() / rows;
        // The variance of a row by itself, of the mean if rows were independent.
        let alone = (squares - mean * mean).max(0.0) / rows;
        let share = |one: &Sums| count(one.rows) / rows;
        let variance = clusters
            .iter()
            .map(|one| (one.sum - count(one.rows) * mean).powi(2) / (1.0 - share(one)))
            .sum::<f64>()
            / (rows * rows);

        // Degrees of freedom (tr M)² / tr M², where M is a sum of what rows and what clusters add to the variance. All
        // pairs of clusters come to sums over clusters, for an entry is a product but for `c - b (q + p)`.
        let q: Vec<f64> = clusters.iter().map(|one| share(one)).collect();
        let sum = |f: &dyn Fn(f64) -> f64| q.iter().map(|q| f(*q)).sum::<f64>();
        let all = sum(&|q| q * q);
        let of_clusters = |q: f64| q * q * (1.0 - 2.0 * q + all) / (1.0 - q);
        let b = ((variance - alone) / sum(&of_clusters)).max(0.0);
        let c = b * all - alone;
        let u = |q: f64| q * q / (1.0 - q);
        let [u0, u1, u2] = [sum(&u), sum(&|q| u(q) * q), sum(&|q| u(q) * q * q)];
        let pairs = c * c * u0 * u0 - 4.0 * c * b * u0 * u1 + 2.0 * b * b * (u0 * u2 + u1 * u1);
        let same = sum(&|q| (u(q) * (c - 2.0 * b * q)).powi(2));
        let own = |q: f64| alone * q + b * of_clusters(q);
        let trace = sum(&own);
        let squared = sum(&|q| own(q).powi(2)) + pairs - same;
        let most = count(clusters.len() - 1);
        let freedom = if trace > 0.0 && squared > 0.0 {
            (trace * trace / squared).clamp(1.0, most)
        } else {
            most
        };
        Ok(Self { mean, variance, rows, t: student(level, freedom) })
    }
}

/// Between minus and plus this lies that share of Student's distribution.
pub(crate) fn student(level: f64, freedom: f64) -> f64 {
    let x = beta_quantile(1.0 - level, freedom / 2.0, 0.5);
    (freedom * (1.0 - x) / x).sqrt()
}

#[cfg(test)]
#[path = "clustered_tests.rs"]
mod tests;

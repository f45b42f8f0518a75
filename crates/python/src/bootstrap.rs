//! Means with intervals by resampling whole clusters.

use pyo3::prelude::*;
use storymill_metrics::bootstrap::{self, Plan};

/// The mean; none of nothing.
#[pyfunction]
pub(crate) fn mean(values: Vec<f64>) -> Option<f64> {
    storymill_metrics::mean(values)
}

/// The mean over rows of cluster and value, with both ends of its 95 % interval; none for fewer than five clusters.
#[pyfunction]
pub(crate) fn interval(rows: Vec<(String, f64)>, seed: u64) -> Option<(f64, f64, f64)> {
    let found = bootstrap::mean(&rows, Plan { seed, ..Plan::default() });
    found.ok().map(|interval| (interval.value, interval.low, interval.high))
}

//! Coefficients of agreement beyond chance, over counts of pairs of votes.

use std::collections::BTreeSet;

use crate::{Undefined, Variant, prf::count};

/// The variant of Cohen's kappa.
pub const COHEN: Variant = Variant::new("cohen-kappa", 1);
/// The variant of Fleiss' kappa.
pub const FLEISS: Variant = Variant::new("fleiss-kappa", 1);
/// The variant of Krippendorff's alpha.
pub const ALPHA: Variant = Variant::new("krippendorff-alpha", 1);

/// How far apart two votes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal or not.
    #[default]
    Nominal,
    /// By how many votes lie between them in rank.
    Ordinal,
    /// By their difference.
    Interval,
    /// By their difference relative to their sum.
    Ratio,
}

/// Counts of pairs of votes, by the places of their choices. The table of several clusters is the sum of theirs, so that no vote is
/// looked at again when clusters are drawn.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    size: usize,
    counts: Vec<f64>,
}

impl Table {
    /// A table of pairs; each place is below `size`.
    pub(crate) fn of(size: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut table = Self { size, counts: vec![0.0; size * size] };
        pairs.into_iter().for_each(|(one, other)| table.counts[one * size + other] += 1.0);
        table
    }

    /// How often choices stand together on one item. Every pair of votes weighs `1 / (votes - 1)`, so an item with one vote adds
    /// nothing.
    pub(crate) fn together<V: AsRef<[usize]>>(
        size: usize,
        items: impl IntoIterator<Item = V>,
    ) -> Self {
        let mut table = Self::of(size, []);
        for item in items {
            let votes = item.as_ref();
            let weight = 1.0 / count(votes.len().saturating_sub(1));
            for (at, one) in votes.iter().enumerate() {
                for (_, other) in votes.iter().enumerate().filter(|(other, _)| *other != at) {
                    table.counts[one * size + other] += weight;
                }
            }
        }
        table
    }

    /// The sum of tables of the same choices as this one.
    pub(crate) fn sum<'t>(&self, tables: impl IntoIterator<Item = &'t Self>) -> Self {
        let mut sum = Self::of(self.size, []);
        for table in tables {
            sum.counts.iter_mut().zip(&table.counts).for_each(|(sum, own)| *sum += own);
        }
        sum
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.counts.iter().all(|count| *count == 0.0)
    }

    /// How often each choice stands first, and second.
    fn totals(&self) -> [Vec<f64>; 2] {
        let of = |at: &dyn Fn(usize, usize) -> usize| -> Vec<f64> {
            let sum = |one| (0..self.size).map(|other| self.counts[at(one, other)]).sum();
            (0..self.size).map(sum).collect()
        };
        [of(&|one, other| one * self.size + other), of(&|one, other| other * self.size + one)]
    }

    /// Cohen's kappa of two people, of whom each pair has the choices.
    pub(crate) fn kappa(&self) -> Result<f64, Undefined> {
        let [left, right] = self.totals();
        let n: f64 = left.iter().sum();
        if n == 0.0 {
            return Err(Undefined::Empty);
        }
        let habits = || left.iter().zip(&right);
        if habits().filter(|(a, b)| **a + **b > 0.0).count() == 1 {
            return Err(Undefined::Constant);
        }
        // Whole numbers up to the division: the order of choices changes no bit.
        let agreed: f64 = (0..self.size).map(|at| self.counts[at * self.size + at]).sum();
        let chance: f64 = habits().map(|(a, b)| a * b).sum();
        Ok((n * agreed - chance) / (n * n - chance))
    }

    /// Krippendorff's alpha of choices with these values, in order.
    pub(crate) fn alpha(&self, values: &[f64], scale: Scale) -> Result<f64, Undefined> {
        let [totals, _] = self.totals();
        match totals.iter().filter(|total| **total > 0.0).count() {
            0 => return Err(Undefined::NoPairs),
            1 => return Err(Undefined::Constant),
            _ => {}
        }
        let apart = distances(values, &totals, scale);
        let n: f64 = totals.iter().sum();
        let (mut observed, mut expected) = (0.0, 0.0);
        for a in 0..self.size {
            for b in 0..self.size {
                observed += self.counts[a * self.size + b] * apart[a * self.size + b];
                expected += totals[a] * totals[b] * apart[a * self.size + b];
            }
        }
        Ok(1.0 - (n - 1.0) * observed / expected)
    }
}

/// The squared distance of every two values.
fn distances(values: &[f64], totals: &[f64], scale: Scale) -> Vec<f64> {
    let size = values.len();
    let between = |a: usize, b: usize| {
        let (low, high) = (a.min(b), a.max(b));
        totals[low..=high].iter().sum::<f64>() - f64::midpoint(totals[low], totals[high])
    };
    let distance = |a: usize, b: usize| match scale {
        _ if a == b => 0.0,
        Scale::Nominal => 1.0,
        Scale::Ordinal => between(a, b).powi(2),
        Scale::Interval => (values[a] - values[b]).powi(2),
        Scale::Ratio if values[a] + values[b] == 0.0 => 0.0,
        Scale::Ratio => ((values[a] - values[b]) / (values[a] + values[b])).powi(2),
    };
    (0..size * size).map(|at| distance(at / size, at % size)).collect()
}

/// Cohen's kappa of two annotators (Cohen 1960): agreement beyond what their own habits give.
///
/// Laws: symmetric; 1 for equal rows; at most 1.
///
/// ```
/// let kappa = storymill_metrics::agreement::cohen(&[1, 1, 0, 0], &[1, 0, 0, 0])?;
/// assert!((kappa - 0.5).abs() < 1e-12);
/// # Ok::<(), storymill_metrics::Undefined>(())
/// ```
pub fn cohen<L: Ord>(left: &[L], right: &[L]) -> Result<f64, Undefined> {
    if left.len() != right.len() {
        return Err(Undefined::Lengths { left: left.len(), right: right.len() });
    }
    let labels: BTreeSet<&L> = left.iter().chain(right).collect();
    let place = |label: &L| labels.iter().take_while(|other| **other < label).count();
    Table::of(labels.len(), left.iter().zip(right).map(|(a, b)| (place(a), place(b)))).kappa()
}

/// Fleiss' kappa (Fleiss 1971): for each item, how many annotators chose each category.
///
/// Every item needs the same number of votes, at least two; where votes are missing, use
/// [`alpha`]. Law: 1 if all votes of each item agree.
pub fn fleiss(items: &[Vec<usize>]) -> Result<f64, Undefined> {
    let first = items.first().ok_or(Undefined::Empty)?;
    let votes: usize = first.iter().sum();
    if votes < 2 {
        return Err(Undefined::Raters(votes));
    }
    let mut totals = vec![0; first.len()];
    let mut agreed = 0.0;
    for (item, row) in items.iter().enumerate() {
        let found: usize = row.iter().sum();
        if found != votes || row.len() != totals.len() {
            return Err(Undefined::Votes { item, votes: found, expected: votes });
        }
        totals.iter_mut().zip(row).for_each(|(total, n)| *total += n);
        let pairs: usize = row.iter().map(|n| n * n.saturating_sub(1)).sum();
        agreed += count(pairs) / count(votes * (votes - 1));
    }
    if totals.iter().filter(|total| **total > 0).count() == 1 {
        return Err(Undefined::Constant);
    }
    let agreed = agreed / count(items.len());
    let all = count(votes * items.len());
    let chance: f64 = totals.iter().map(|total| (count(*total) / all).powi(2)).sum();
    Ok((agreed - chance) / (1.0 - chance))
}

/// Krippendorff's alpha ("Computing Krippendorff's Alpha-Reliability", 2011) over units; each holds the votes of all annotators, none
/// where one is missing.
///
/// Laws: 1 if all votes of each unit agree; neither the order of units nor that of annotators
/// matters; a unit with one vote changes nothing.
///
/// ```
/// use storymill_metrics::agreement::{Scale, alpha};
/// let units = [vec![Some(1.0), Some(1.0), None], vec![Some(0.0), None, Some(0.0)], vec![Some(1.0), None, None]];
/// assert_eq!(alpha(&units, Scale::Nominal)?, 1.0);
/// # Ok::<(), storymill_metrics::Undefined>(())
/// ```
pub fn alpha(units: &[Vec<Option<f64>>], scale: Scale) -> Result<f64, Undefined> {
    let raters = units.iter().map(Vec::len).max().ok_or(Undefined::Empty)?;
    if raters < 2 {
        return Err(Undefined::Raters(raters));
    }
    if let Some(unit) =
        units.iter().position(|unit| unit.iter().flatten().any(|vote| !vote.is_finite()))
    {
        return Err(Undefined::NotANumber(unit));
    }
    let mut values: Vec<f64> = units.iter().flatten().flatten().copied().collect();
    values.sort_by(f64::total_cmp);
    values.dedup_by(|a, b| a.partial_cmp(&b) == Some(std::cmp::Ordering::Equal));
    let place = |vote: &f64| values.partition_point(|value| value < vote);
    let items = units.iter().map(|unit| unit.iter().flatten().map(place).collect::<Vec<_>>());
    Table::together(values.len(), items).alpha(&values, scale)
}

#[cfg(test)]
#[path = "coefficients_tests.rs"]
mod tests;

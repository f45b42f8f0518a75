//! How the kinds and lengths of rows shifted from one version to the next.

use std::{collections::BTreeMap, path::Path};

use arrow_array::{RecordBatch, cast::AsArray, types::Int32Type};
use parquet::arrow::ProjectionMask;
use serde::Serialize;
use storymill_core::Fault;

use crate::{
    facts::measured,
    reading::{each_batch, open_here},
};

/// A figure that is another one now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// The column.
    pub column: String,
    /// The value that is counted; none where the mean is told.
    pub value: Option<String>,
    /// Rows with that value, or ten times the mean.
    pub old: u64,
    /// The same now.
    pub new: u64,
}

/// Columns whose values are counted: the types of questions, the positions of right options.
const COUNTED: [&str; 5] = ["type", "level", "answer", "none_of_the_above", "protocol"];

/// What was counted of some files.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: BTreeMap<(String, String), u64>,
    /// Sum and number of rows.
    lengths: BTreeMap<String, (u64, u64)>,
}

impl Tally {
    pub(super) fn of(path: &Path) -> Result<Self, Fault> {
        let reader = open_here(path)?;
        let roots = reader.schema().fields().iter().map(|field| field.name().as_str());
        let wanted: Vec<_> =
            roots.filter(|name| COUNTED.contains(name) || measured(name).is_some()).collect();
        if wanted.is_empty() {
            return Ok(Self::default());
        }
        let mask = ProjectionMask::columns(reader.parquet_schema(), wanted);
        let mut tally = Self::default();
        each_batch(reader.with_projection(mask), path, |batch| {
            tally.add(batch);
            Ok(())
        })?;
        Ok(tally)
    }

    fn add(&mut self, batch: &RecordBatch) {
        for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            let name = field.name();
            if let Some(numbers) = column.as_primitive_opt::<Int32Type>() {
                if measured(name).is_some() {
                    let (sum, rows) = self.lengths.entry(name.clone()).or_default();
                    // -1 is what does not apply.
                    for number in numbers.iter().flatten().filter_map(|n| u64::try_from(n).ok()) {
                        *sum += number;
                        *rows += 1;
                    }
                } else {
                    let mut own: BTreeMap<i32, u64> = BTreeMap::new();
                    numbers.iter().flatten().for_each(|n| *own.entry(n).or_default() += 1);
                    for (number, rows) in own {
                        self.count(name, number.to_string(), rows);
                    }
                }
            } else if let Some(texts) = column.as_string_opt::<i32>() {
                // An answer in words is told elsewhere.
                if name == "answer" {
                    continue;
                }
                let mut own: BTreeMap<&str, u64> = BTreeMap::new();
                texts.iter().flatten().for_each(|text| *own.entry(text).or_default() += 1);
                for (text, rows) in own {
                    self.count(name, text.to_owned(), rows);
                }
            }
        }
    }

    fn count(&mut self, column: &str, value: String, rows: u64) {
        *self.counts.entry((column.to_owned(), value)).or_default() += rows;
    }

    pub(super) fn with(mut self, other: Self) -> Self {
        for (key, rows) in other.counts {
            *self.counts.entry(key).or_default() += rows;
        }
        for (name, (sum, rows)) in other.lengths {
            let own = self.lengths.entry(name).or_default();
            own.0 += sum;
            own.1 += rows;
        }
        self
    }

    fn means(&self) -> BTreeMap<&str, u64> {
        let told = self.lengths.iter().filter(|(_, (_, rows))| *rows > 0);
        told.map(|(name, (sum, rows))| (name.as_str(), (20 * sum + rows) / (2 * rows))).collect()
    }
}

/// The figures that are others now, in the order of their names.
pub(super) fn drift(old: &Tally, new: &Tally) -> Vec<Drift> {
    let both = || old.counts.keys().chain(new.counts.keys());
    let mut keys: Vec<_> = both().collect();
    keys.sort_unstable();
    keys.dedup();
    let counts = keys.into_iter().map(|key| {
        let rows = |tally: &Tally| tally.counts.get(key).copied().unwrap_or(0);
        let (column, value) = key.clone();
        Drift { column, value: Some(value), old: rows(old), new: rows(new) }
    });
    let now = new.means();
    let means = old.means().into_iter().filter_map(|(name, old)| {
        let new = *now.get(name)?;
        Some(Drift { column: name.to_owned(), value: None, old, new })
    });
    counts.chain(means).filter(|drift| drift.old != drift.new).collect()
}

//! Sample rows: which ones, and reading only those.

use std::collections::BTreeSet;

use parquet::arrow::arrow_reader::RowSelection;
use serde_json::Value;
use storymill_core::{Fault, FaultKind, Seed, UnitId};

use crate::{
    reading::{each_row, open},
    site::Site,
};

/// Which rows are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sample {
    /// The first ones.
    #[default]
    First,
    /// Any, chosen by a seed, in their order.
    Seeded(u64),
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleRow {
    /// Its position in the split, from 0.
    pub at: u64,
    /// Columns and their values, in the order of columns.
    pub values: Vec<(String, Value)>,
}

/// The positions of so many sample rows of a table and split, sorted.
pub(crate) fn choose(
    rows: u64,
    wanted: usize,
    which: Sample,
    (config, split): (&str, &str),
) -> Result<Vec<u64>, Fault> {
    let wanted = rows.min(wanted as u64);
    let Sample::Seeded(seed) = which else { return Ok((0..wanted).collect()) };
    let unit = "inspect".parse::<UnitId>().map_err(|error| {
        Fault::new(FaultKind::Internal, "a fixed word is not an id").because(error)
    })?;
    let mut stream = Seed::new(seed).derive("inspect", &unit, config, split);
    // Floyd's way: as many draws as rows wanted, none twice.
    let mut chosen = BTreeSet::new();
    for last in rows - wanted..rows {
        let bound = u32::try_from(last + 1).unwrap_or(u32::MAX);
        let draw = u64::from(stream.below(bound));
        if !chosen.insert(draw) {
            chosen.insert(last);
        }
    }
    Ok(chosen.into_iter().collect())
}

/// Reads the rows at these positions of some files, each with the number of its rows.
pub(crate) fn sample<'f>(
    files: impl IntoIterator<Item = (&'f Site, u64)>,
    at: &[u64],
) -> Result<Vec<SampleRow>, Fault> {
    let mut rows = Vec::new();
    let mut before = 0;
    for (path, count) in files {
        let here: Vec<u64> =
            at.iter().filter(|at| (before..before + count).contains(at)).copied().collect();
        if !here.is_empty() {
            let ranges = here.iter().filter_map(|at| usize::try_from(at - before).ok());
            let total = usize::try_from(count).unwrap_or(usize::MAX);
            let selection =
                RowSelection::from_consecutive_ranges(ranges.map(|at| at..at + 1), total);
            let reader = open(path)?.with_row_selection(selection);
            let names: Vec<_> =
                reader.schema().fields().iter().map(|field| field.name().clone()).collect();
            let mut positions = here.into_iter();
            each_row(reader, path, |mut row: Value| {
                let values = names.iter().map(|name| (name.clone(), row[name].take())).collect();
                rows.extend(positions.next().map(|at| SampleRow { at, values }));
                Ok(())
            })?;
        }
        before += count;
    }
    Ok(rows)
}

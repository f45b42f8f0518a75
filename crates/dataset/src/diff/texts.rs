//! The words of changed rows: answers in full, some rows as samples.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
};

use parquet::arrow::arrow_reader::RowSelection;
use serde_json::Value;
use storymill_core::Fault;

use super::{
    ANSWERS, AnswerChange, Sample,
    index::{Change, Place},
};
use crate::reading::{each_row, only, open_here};

/// The columns of some rows of one file.
type Wanted = (BTreeSet<u32>, BTreeSet<String>);

/// Rows by their places.
#[derive(Debug, Default)]
pub(super) struct Read(BTreeMap<(Arc<PathBuf>, u32), Value>);

impl Read {
    /// Reads these columns of these rows, each file once.
    pub(super) fn of<'p>(
        places: impl Iterator<Item = (&'p Place, Vec<String>)>,
    ) -> Result<Self, Fault> {
        let mut files: BTreeMap<Arc<PathBuf>, Wanted> = BTreeMap::new();
        for (place, columns) in places {
            let (rows, names) = files.entry(Arc::clone(&place.file)).or_default();
            rows.insert(place.row);
            names.extend(columns);
        }
        let mut all = BTreeMap::new();
        for (path, (rows, columns)) in files {
            let reader = open_here(&path)?;
            let total = usize::try_from(reader.metadata().file_metadata().num_rows()).unwrap_or(0);
            let ranges = rows.iter().map(|row| *row as usize..*row as usize + 1);
            let selection = RowSelection::from_consecutive_ranges(ranges, total);
            let names = columns.iter().map(String::as_str);
            let mut at = rows.iter();
            each_row(only(reader, names).with_row_selection(selection), &path, |value| {
                all.extend(at.next().map(|row| ((Arc::clone(&path), *row), value)));
                Ok(())
            })?;
        }
        Ok(Self(all))
    }

    /// A cell of a row that was read.
    pub(super) fn cell(&self, place: &Place, column: &str) -> Value {
        let row = self.0.get(&(Arc::clone(&place.file), place.row));
        row.map(|row| row[column].clone()).unwrap_or_default()
    }
}

impl Change {
    /// The new place of a row whose cells differ.
    fn changed(&self) -> Option<(&Self, &Place)> {
        self.new.as_ref().filter(|_| self.differing().next().is_some()).map(|new| (self, new))
    }

    /// The names of the columns that differ.
    pub(super) fn differing(&self) -> impl Iterator<Item = &String> {
        self.columns.iter().enumerate().filter(|(at, _)| self.differing.has(*at)).map(|(_, c)| c)
    }

    fn id(&self) -> String {
        self.columns.first().cloned().unwrap_or_default()
    }
}

/// Every changed answer: another one in its own column, or another text in the place that is right.
pub(super) fn answers(changes: &[Change]) -> Result<Vec<AnswerChange>, Fault> {
    let is_answer = |column: &&String| ANSWERS.contains(&column.as_str()) || *column == OPTIONS;
    let answered: Vec<_> = changes
        .iter()
        .filter_map(Change::changed)
        .filter_map(|(change, new)| {
            let columns: Vec<_> = change.differing().filter(is_answer).cloned().collect();
            (!columns.is_empty()).then_some((change, new, columns))
        })
        .collect();
    let places = answered.iter().flat_map(|(change, new, columns)| {
        // Which option is right is told by another column.
        let answer = change.columns.iter().filter(|name| *name == ANSWERS[0]).cloned();
        let columns: Vec<_> = columns.iter().cloned().chain(answer).collect();
        let wanted = [vec![change.id()], columns.clone()].concat();
        [(&change.old, columns), (*new, wanted)]
    });
    let read = Read::of(places)?;
    let told = answered.iter().flat_map(|(change, new, columns)| {
        let read = &read;
        let value = move |place: &Place, column: &str| match column {
            OPTIONS => right_option(read, place),
            column => read.cell(place, column),
        };
        columns.iter().map(move |column| AnswerChange {
            config: change.config.to_string(),
            id: plain(&read.cell(new, &change.id())),
            column: column.clone(),
            old: value(&change.old, column),
            new: value(new, column),
        })
    });
    // Other options than the right one may have changed.
    Ok(told.filter(|change| change.old != change.new).collect())
}

/// The column of options.
const OPTIONS: &str = "options";

/// The option that a row calls right; null for free text.
fn right_option(read: &Read, place: &Place) -> Value {
    let at = read.cell(place, ANSWERS[0]).as_u64().and_then(|at| usize::try_from(at).ok());
    at.map(|at| read.cell(place, OPTIONS)[at].clone()).unwrap_or_default()
}

/// Some changed rows: those whose ids have the smallest digests, which is the same choice
/// wherever it is made.
pub(super) fn samples(changes: &[Change]) -> Result<Vec<Sample>, Fault> {
    const MOST: usize = 5;
    let mut chosen: Vec<_> = changes.iter().filter_map(Change::changed).collect();
    chosen.sort_by_key(|(change, _)| change.key);
    chosen.truncate(MOST);
    let places = chosen.iter().flat_map(|(change, new)| {
        let columns: Vec<_> = change.differing().cloned().chain([change.id()]).collect();
        [(&change.old, columns.clone()), (*new, columns)]
    });
    let read = Read::of(places)?;
    let samples = chosen.iter().map(|(change, new)| Sample {
        config: change.config.to_string(),
        id: plain(&read.cell(new, &change.id())),
        cells: change
            .differing()
            .map(|column| {
                let told = |place| plain(&read.cell(place, column));
                (column.clone(), told(&change.old), told(new))
            })
            .collect(),
    });
    Ok(samples.collect())
}

/// A value as people read it: a text as it is, a list one value a line.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    }
}

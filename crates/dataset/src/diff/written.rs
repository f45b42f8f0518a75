//! The changed rows as a Parquet file, for programs.

use std::path::Path;

use serde::Serialize;
use storymill_core::{Disk, Fault, FaultKind};

use super::{
    Difference,
    index::Change,
    texts::{Read, plain},
};
use crate::{
    column::{Column, Type},
    facts::Facts,
    folder::change,
    measure::measure,
    shape::{properties, schema},
    writer::{Limits, TableFile, WriteError},
};

#[derive(Serialize)]
struct Row<'d> {
    config: &'d str,
    id: String,
    change: &'static str,
    columns: Vec<&'d str>,
    old: Vec<String>,
    new: Vec<String>,
}

/// How many rows are held at once.
const AT_ONCE: usize = 4_096;

/// Writes every changed row into one Parquet file: config, id, what became of it (`added`,
/// `removed`, `changed`, `moved`), the columns that differ, and their old and new values as
/// texts. Returns how many rows it has.
///
/// # Errors
///
/// A file of either version cannot be read any more, or the new one not be written.
pub fn write_changes(difference: &Difference, disk: &dyn Disk, out: &Path) -> Result<u64, Fault> {
    let columns = [
        Column::new("config", Type::Word, "the config"),
        Column::new("id", Type::Line, "the row"),
        Column::new("change", Type::Word, "added, removed, changed, moved"),
        Column::new("columns", Type::list(Type::Word), "the columns that differ"),
        Column::new("old", Type::list(Type::Text), "what stood there"),
        Column::new("new", Type::list(Type::Text), "what stands there"),
    ];
    let schema = schema(&columns);
    let failed = |error: WriteError| match error {
        WriteError::Disk(error) => Fault::io("cannot write the changes", out, error),
        WriteError::Shape(error) => {
            Fault::new(FaultKind::Internal, format!("changes are not rows: {error}"))
        }
    };
    let mut facts = Facts::default();
    let file = change(out, |path| disk.create(path))?;
    let mut table = TableFile::new(file, &schema, properties(&columns, &[])?, Limits::STANDARD)
        .map_err(failed)?;
    for some in difference.changes.chunks(AT_ONCE) {
        let read = Read::of(some.iter().flat_map(|change| {
            let id = change.columns.first().cloned();
            let columns: Vec<_> = change.differing().cloned().chain(id).collect();
            let places = change.old.iter().chain(&change.new);
            places.map(move |place| (place, columns.clone()))
        }))?;
        for change in some {
            let row = row(change, &read);
            let measured = measure(&row)?;
            table.push(&row, measured, &mut facts).map_err(failed)?;
        }
    }
    let mut written = table.finish(&mut facts).map_err(failed)?;
    written.inner.sync().map_err(|error| Fault::io("cannot write the changes", out, error))?;
    Ok(written.size.rows)
}

fn row<'d>(change: &'d Change, read: &Read) -> Row<'d> {
    let values = |place: &super::index::Place| -> Vec<String> {
        change.differing().map(|column| plain(&read.cell(place, column))).collect()
    };
    let (what, old, new) = match (&change.old, &change.new) {
        (None, _) => ("added", Vec::new(), Vec::new()),
        (_, None) => ("removed", Vec::new(), Vec::new()),
        (Some(old), Some(new)) => {
            (if change.moved { "moved" } else { "changed" }, values(old), values(new))
        }
    };
    let id = change.columns.first().map(String::as_str).unwrap_or_default();
    let place = change.new.as_ref().or(change.old.as_ref());
    Row {
        config: &change.config,
        id: place.map(|place| plain(&read.cell(place, id))).unwrap_or_default(),
        change: what,
        columns: change.differing().map(String::as_str).collect(),
        old,
        new,
    }
}

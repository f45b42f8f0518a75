//! One config of both versions.

use std::{collections::BTreeMap, path::Path, path::PathBuf, sync::Arc};

use rayon::prelude::*;
use storymill_core::{Digest, Fault};

use super::{
    Rows as Counts, TableChange,
    index::{Bits, Change, Index, Piece, Place, Rows},
};
use crate::{manifest::TableEntry, reading::open_here, shape::type_text};

/// A file of a table.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) path: Arc<PathBuf>,
    pub(super) split: String,
    rows: u64,
    digest: Digest,
}

impl File {
    pub(super) fn of(folder: &Path, entry: &TableEntry) -> Self {
        Self {
            path: Arc::new(folder.join(&entry.path)),
            split: entry.split.clone(),
            rows: entry.rows,
            digest: entry.rows_digest,
        }
    }
}

fn pieces(files: &[File]) -> Result<Vec<Piece>, Fault> {
    let mut pieces = Vec::new();
    for file in files {
        let mut first = 0;
        for (group, rows) in open_here(&file.path)?.metadata().row_groups().iter().enumerate() {
            let (path, split) = (Arc::clone(&file.path), file.split.clone());
            pieces.push(Piece { path, split, group, first });
            first += u32::try_from(rows.num_rows()).unwrap_or(0);
        }
    }
    Ok(pieces)
}

/// Names and types of columns, in their order.
type Shape = Vec<(String, String)>;

fn shape(files: &[File]) -> Result<Shape, Fault> {
    let Some(file) = files.first() else { return Ok(Shape::new()) };
    let reader = open_here(&file.path)?;
    let fields = reader.schema().fields().iter();
    Ok(fields.map(|field| (field.name().clone(), type_text(field.data_type()))).collect())
}

/// Compares the files of a config.
pub(super) fn compare(
    config: &str,
    old: &[File],
    new: &[File],
) -> Result<(TableChange, Vec<Change>), Fault> {
    let mut table = TableChange { config: config.to_owned(), ..TableChange::default() };
    let (mut read_old, mut read_new) = (old.to_vec(), Vec::new());
    for file in new {
        let same = |one: &File| one.digest == file.digest && one.split == file.split;
        if let Some(at) = read_old.iter().position(same) {
            table.splits.entry(file.split.clone()).or_default().same += file.rows;
            read_old.remove(at);
        } else {
            read_new.push(file.clone());
        }
    }
    if read_old.is_empty() && read_new.is_empty() {
        return Ok((table, Vec::new()));
    }
    let (was, is) = (shape(old)?, shape(new)?);
    let columns = common(&was, &is, &mut table);
    let mut changes = Vec::new();
    if columns.is_empty() {
        count_all(&read_old, &read_new, &mut table);
    } else {
        changes = rows(&mut table, &columns, &read_old, &read_new)?;
    }
    Ok((table, changes))
}

/// The columns that both have, of the same type; blank if the tables have not the same id.
fn common(was: &Shape, is: &Shape, table: &mut TableChange) -> Arc<[String]> {
    let kinds: BTreeMap<_, _> = was.iter().cloned().collect();
    let mut columns = Vec::new();
    for (name, kind) in is {
        match kinds.get(name) {
            Some(same) if same == kind => columns.push(name.clone()),
            Some(_) => table.columns_retyped.push(name.clone()),
            None if !was.is_empty() => table.columns_added.push(name.clone()),
            None => {}
        }
    }
    if !is.is_empty() {
        let gone = was.iter().filter(|(name, _)| is.iter().all(|(known, _)| known != name));
        table.columns_removed = gone.map(|(name, _)| name.clone()).collect();
    }
    let id = |shape: &Shape| shape.first().map(|(name, _)| name.clone());
    let one_is_new = was.is_empty() || is.is_empty();
    match (id(was), columns.first()) {
        _ if one_is_new => [id(was), id(is)].into_iter().flatten().collect(),
        (Some(id), Some(first)) if id == *first => columns.into(),
        _ => Arc::new([]),
    }
}

/// Tables without a common id: all that was is gone, all that is is new.
fn count_all(old: &[File], new: &[File], table: &mut TableChange) {
    for file in old {
        table.splits.entry(file.split.clone()).or_default().removed += file.rows;
    }
    for file in new {
        table.splits.entry(file.split.clone()).or_default().added += file.rows;
    }
}

fn rows(
    table: &mut TableChange,
    columns: &Arc<[String]>,
    old: &[File],
    new: &[File],
) -> Result<Vec<Change>, Fault> {
    let config: Arc<str> = table.config.as_str().into();
    let (old, new) = (pieces(old)?, pieces(new)?);
    let read = old.par_iter().map(|piece| Rows::read(piece, columns));
    let index = Index::of(read.collect::<Result<_, _>>()?);
    let held: Vec<_> =
        new.par_iter().map(|piece| index.hold(piece, columns)).collect::<Result<_, _>>()?;
    let change = |was, new, differing| {
        let (old, key) = index.place(was);
        let (config, columns) = (Arc::clone(&config), Arc::clone(columns));
        Change { config, key, old, new, columns, differing }
    };
    let mut changes = Vec::new();
    for (piece, held) in new.iter().zip(&held) {
        let mut counts =
            Counts { added: held.added, same: held.same, moved: held.moved, ..Counts::default() };
        for (was, row, differing) in &held.changed {
            for (_, column) in columns.iter().enumerate().filter(|(at, _)| differing.has(*at)) {
                *table.cells.entry(column.clone()).or_default() += 1;
            }
            counts.changed += u64::from(*differing != Bits::default());
            let new = Place { file: Arc::clone(&piece.path), row: *row };
            changes.push(change(*was, Some(new), *differing));
        }
        add(table.splits.entry(piece.split.clone()).or_default(), counts);
    }
    for gone in index.not_met(held.iter().flat_map(|held| held.met.iter().copied())) {
        table.splits.entry(index.split(gone).to_owned()).or_default().removed += 1;
        changes.push(change(gone, None, Bits::default()));
    }
    Ok(changes)
}

fn add(to: &mut Counts, more: Counts) {
    to.added += more.added;
    to.changed += more.changed;
    to.same += more.same;
    to.moved += more.moved;
}

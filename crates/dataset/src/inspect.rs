//! Looking into a dataset: columns, counts, statistics and sample rows, as plain structs.
//!
//! It reads folders that storymill published, folders of Parquet files laid out like them, and
//! single Parquet files. Nothing is printed here.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

use parquet::arrow::ProjectionMask;
use storymill_core::{Fault, FaultKind, did_you_mean};

use crate::{
    manifest::{MANIFEST, Manifest},
    reading::{Reader, each_batch, open},
    sampling::{Sample, SampleRow, choose, sample},
    scan::{ColumnFacts, Scan},
    shape::type_text,
    site::Site,
};

/// What to look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Only this table.
    pub config: Option<String>,
    /// Only this split.
    pub split: Option<String>,
    /// How many sample rows of each table and split.
    pub rows: usize,
    /// Which ones.
    pub sample: Sample,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The manifest, if there is one.
    pub manifest: Option<Manifest>,
    /// The tables, one entry for each split.
    pub tables: Vec<TableView>,
}

/// One table and split.
#[derive(Clone, Debug)]
pub struct TableView {
    /// The table; blank where neither manifest, folder nor file names it.
    pub config: String,
    /// The split; blank where nothing names it.
    pub split: String,
    /// Its files.
    pub files: Vec<FileView>,
    /// Rows of all files.
    pub rows: u64,
    /// The columns.
    pub columns: Vec<ColumnView>,
    /// The sample rows.
    pub sample: Vec<SampleRow>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileView {
    /// Where it is.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Its rows.
    pub rows: u64,
    /// Its row groups.
    pub row_groups: usize,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnView {
    /// Its name.
    pub name: String,
    /// Its type in the words of the docs: `list<string>`.
    pub kind: String,
    /// Whether values may be null.
    pub nullable: bool,
    /// What its values are like.
    pub facts: ColumnFacts,
}

/// A file, and what it is called.
pub(crate) struct Found {
    pub(crate) config: String,
    pub(crate) split: String,
    pub(crate) path: Site,
}

/// Looks into a folder or a file.
pub fn inspect(path: impl Into<Site>, query: &Query) -> Result<Inspection, Fault> {
    let path = &path.into();
    let (manifest, found) = wanted(path, query)?;
    let mut groups: Vec<Vec<&Found>> = Vec::new();
    for file in &found {
        let same = |group: &&mut Vec<&Found>| {
            (&group[0].config, &group[0].split) == (&file.config, &file.split)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(file),
            None => groups.push(vec![file]),
        }
    }
    let tables = groups.iter().map(|files| table(files, query)).collect::<Result<_, _>>()?;
    Ok(Inspection { manifest, tables })
}

/// The files that a query is about; that there are none is a fault.
pub(crate) fn wanted(path: &Site, query: &Query) -> Result<(Option<Manifest>, Vec<Found>), Fault> {
    let (manifest, found) = find(path)?;
    let asked = |asked: &Option<String>, name: &str| asked.as_deref().is_none_or(|a| a == name);
    let (files, others): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|file| asked(&query.config, &file.config) && asked(&query.split, &file.split));
    if files.is_empty() {
        return Err(nothing_found(path, query, &others));
    }
    Ok((manifest, files))
}

/// No table fits: which name is wrong, and which there are.
fn nothing_found(path: &Path, query: &Query, found: &[Found]) -> Fault {
    let fault = |message: String| Fault::new(FaultKind::Input, message).at(path);
    if found.is_empty() {
        return fault("no table here".to_owned()).hint("give a published folder or a Parquet file");
    }
    let configs: BTreeSet<&str> = found.iter().map(|file| file.config.as_str()).collect();
    if let Some(config) = query.config.as_deref().filter(|name| !configs.contains(name)) {
        return fault(format!("no config `{config}`"))
            .hint(did_you_mean(config, configs).unwrap_or_default());
    }
    let of_config = |file: &&Found| query.config.as_ref().is_none_or(|name| *name == file.config);
    let splits: BTreeSet<&str> =
        found.iter().filter(of_config).map(|file| file.split.as_str()).collect();
    let split = query.split.as_deref().unwrap_or_default();
    fault(format!("no split `{split}`")).hint(did_you_mean(split, splits).unwrap_or_default())
}

/// The files of a folder: those of its manifest, else every `config/*.parquet`.
fn find(path: &Site) -> Result<(Option<Manifest>, Vec<Found>), Fault> {
    let unread = |error: io::Error| {
        let missing = error.kind() == io::ErrorKind::NotFound;
        let message = if missing { "no such folder or file" } else { "cannot read it" };
        Fault::new(FaultKind::Input, message).at(path).because(error)
    };
    if path.join(MANIFEST).len().is_ok_and(|found| found.is_some()) {
        let manifest = Manifest::of(path)?;
        let found = manifest.files.iter().map(|file| Found {
            config: file.config.clone(),
            split: file.split.clone(),
            path: path.join(&file.path),
        });
        let found = found.collect();
        return Ok((Some(manifest), found));
    }
    if !std::fs::metadata(path.path()).map_err(unread)?.is_dir() {
        return Ok((None, vec![named_by_itself(path.clone())?]));
    }
    let mut files = BTreeSet::new();
    for entry in std::fs::read_dir(path.path()).map_err(unread)? {
        let entry = entry.map_err(unread)?.path();
        let hidden = entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if entry.is_dir() && !hidden {
            for inner in std::fs::read_dir(&entry).map_err(unread)? {
                files.insert(inner.map_err(unread)?.path());
            }
        } else {
            files.insert(entry);
        }
    }
    let tables = files.into_iter().filter(|file| file.extension().is_some_and(|e| e == "parquet"));
    Ok((None, tables.map(|file| named_by_itself(file.into())).collect::<Result<_, _>>()?))
}

/// A file that says itself what it is, if it is one of ours.
fn named_by_itself(path: Site) -> Result<Found, Fault> {
    let reader = open(&path)?;
    let entries = reader.metadata().file_metadata().key_value_metadata();
    let entry = |key: &str| {
        let found = entries.into_iter().flatten().find(|entry| entry.key == key);
        found.and_then(|entry| entry.value.clone()).unwrap_or_default()
    };
    Ok(Found { config: entry("storymill.config"), split: entry("storymill.split"), path })
}

fn table(files: &[&Found], query: &Query) -> Result<TableView, Fault> {
    let (config, split) = (files[0].config.clone(), files[0].split.clone());
    let mut views = Vec::new();
    let mut columns = Vec::new();
    for file in files {
        let reader = open(&file.path)?;
        if columns.is_empty() {
            columns = reader
                .schema()
                .fields()
                .iter()
                .map(|field| {
                    (
                        field.name().clone(),
                        type_text(field.data_type()),
                        field.is_nullable(),
                        Scan::new(),
                    )
                })
                .collect();
        }
        views.push(FileView {
            path: file.path.path().to_owned(),
            bytes: file.path.len().ok().flatten().unwrap_or(0),
            rows: rows_of(&reader),
            row_groups: reader.metadata().num_row_groups(),
        });
        let short = short_columns(&reader);
        let reader = reader.with_projection(short);
        each_batch(reader, &file.path, |batch| {
            for (name, _, _, scan) in &mut columns {
                scan.add(batch, name);
            }
            Ok(())
        })?;
    }
    let rows = views.iter().map(|file| file.rows).sum();
    let chosen = choose(rows, query.rows, query.sample, (&config, &split))?;
    let sample =
        sample(files.iter().zip(&views).map(|(file, view)| (&file.path, view.rows)), &chosen)?;
    let columns = columns
        .into_iter()
        .map(|(name, kind, nullable, scan)| ColumnView {
            name,
            kind,
            nullable,
            facts: scan.finish(),
        })
        .collect();
    Ok(TableView { config, split, files: views, rows, columns, sample })
}

fn rows_of(reader: &Reader) -> u64 {
    u64::try_from(reader.metadata().file_metadata().num_rows()).unwrap_or(0)
}

/// The columns that are worth reading for statistics: numbers, and texts of a short mean length.
fn short_columns(reader: &Reader) -> ProjectionMask {
    let rows = i64::try_from(rows_of(reader)).unwrap_or(i64::MAX).max(1);
    let descriptor = reader.parquet_schema();
    let short = (0..descriptor.num_columns()).filter(|leaf| {
        let groups = reader.metadata().row_groups().iter();
        let bytes: i64 = groups.map(|group| group.column(*leaf).uncompressed_size()).sum();
        bytes / rows <= LONGEST_MEAN && descriptor.column(*leaf).path().parts().len() == 1
    });
    ProjectionMask::leaves(descriptor, short)
}

/// The longest mean length of a value, in bytes, of columns read for statistics.
const LONGEST_MEAN: i64 = 256;

//! Where in the files of a folder the rows of each book stand, found by reading one column of each.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use storymill_core::Fault;

use crate::{
    manifest::Manifest,
    reading::{each_row, each_text, only, open},
    site::Site,
};

/// Neighbouring rows of a file.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) file: usize,
    from: usize,
    rows: usize,
}

impl Run {
    /// One row.
    pub(crate) fn new(file: usize, at: usize) -> Self {
        Self { file, from: at, rows: 1 }
    }

    /// Adds a row to others: to the last run, if it stands behind it.
    pub(crate) fn add(runs: &mut Vec<Self>, file: usize, at: usize) {
        match runs.last_mut() {
            Some(run) if run.file == file && run.from + run.rows == at => run.rows += 1,
            _ => runs.push(Self::new(file, at)),
        }
    }

    /// How many rows.
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// Whether one of these rows, each by its file and its place there, is among them.
    pub(crate) fn has_any(&self, rows: &BTreeSet<(usize, usize)>) -> bool {
        let ends = (self.file, self.from)..(self.file, self.from + self.rows);
        rows.range(ends).next().is_some()
    }
}

/// A table of a folder.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) path: Site,
    pub(crate) config: String,
    pub(crate) split: String,
    columns: Vec<String>,
}

impl Listed {
    /// Its columns; the first one is the id of a row.
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether it has these columns.
    pub(crate) fn has(&self, columns: &[&str]) -> bool {
        columns.iter().all(|name| self.columns.iter().any(|own| own == name))
    }
}

/// The tables of a folder, in the order of its manifest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables(pub(crate) Vec<Listed>);

impl Tables {
    pub(crate) fn of(folder: &Site, manifest: &Manifest) -> Result<Self, Fault> {
        let listed = |file: &crate::manifest::TableEntry| {
            let path = folder.join(&file.path);
            let schema = open(&path)?.schema().clone();
            let columns = schema.fields().iter().map(|field| field.name().clone()).collect();
            let (config, split) = (file.config.clone(), file.split.clone());
            Ok(Listed { path, config, split, columns })
        };
        manifest.files.iter().map(listed).collect::<Result<_, Fault>>().map(Self)
    }

    /// The configs whose tables have these columns, in order, each once.
    pub(crate) fn configs(&self, columns: &[&str]) -> Vec<&str> {
        let mut configs: Vec<&str> = Vec::new();
        for table in self.0.iter().filter(|table| table.has(columns)) {
            if !configs.contains(&&*table.config) {
                configs.push(&table.config);
            }
        }
        configs
    }

    /// Where the rows of each value of a column stand in the tables of a config.
    pub(crate) fn places(
        &self,
        config: &str,
        column: &str,
    ) -> Result<BTreeMap<String, Vec<Run>>, Fault> {
        let mut places: BTreeMap<String, Vec<Run>> = BTreeMap::new();
        for (file, table) in self.0.iter().enumerate() {
            if table.config != config || !table.has(&[column]) {
                continue;
            }
            let mut at = 0;
            each_text(open(&table.path)?, &table.path, column, |value| {
                // Rows of one value mostly stand together: then nothing is copied.
                if !places.contains_key(value) {
                    places.insert(value.to_owned(), Vec::new());
                }
                if let Some(runs) = places.get_mut(value) {
                    Run::add(runs, file, at);
                }
                at += 1;
            })?;
        }
        Ok(places)
    }

    /// Hands over the rows at some places with the table that each is of: these columns, or all of them.
    pub(crate) fn rows(
        &self,
        runs: &[Run],
        columns: Option<&[&str]>,
        mut each: impl FnMut(&Listed, Value) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        for run in runs {
            let table = &self.0[run.file];
            let mut reader = open(&table.path)?;
            if let Some(columns) = columns {
                reader = only(reader, columns.iter().filter(|name| table.has(&[**name])).copied());
            }
            let reader = reader.with_offset(run.from).with_limit(run.rows);
            each_row(reader, &table.path, |row| each(table, row))?;
        }
        Ok(())
    }
}

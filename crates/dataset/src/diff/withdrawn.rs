//! The ids of the old version that no longer stand for the same row.

use std::{collections::BTreeSet, path::Path};

use serde_json::Value;
use storymill_core::Fault;

use super::{
    Difference,
    texts::{Read, plain},
};
use crate::{
    manifest::Manifest,
    reading::{each_row, open_here},
};

impl Difference {
    /// The ids that are gone, changed or in another split. `old` is the folder of the old version.
    ///
    /// # Errors
    ///
    /// A file of the old version cannot be read any more.
    pub fn withdrawn(&self, old: &Path) -> Result<BTreeSet<String>, Fault> {
        let places = || {
            self.changes
                .iter()
                .filter_map(|change| Some((&change.old, change.columns.first().cloned()?)))
        };
        let read = Read::of(places().map(|(place, id)| (place, vec![id])))?;
        let mut ids: BTreeSet<String> =
            places().map(|(place, id)| plain(&read.cell(place, &id))).collect();
        // Tables whose ids are called otherwise cannot be held against each other row by row.
        for table in self.tables.iter().filter(|table| table.rows().removed > 0) {
            if self.changes.iter().all(|change| *change.config != *table.config) {
                all_ids(old, &table.config, &mut ids)?;
            }
        }
        Ok(ids)
    }
}

fn all_ids(folder: &Path, config: &str, ids: &mut BTreeSet<String>) -> Result<(), Fault> {
    let manifest = Manifest::of(folder)?;
    for file in manifest.files.iter().filter(|file| file.config == config) {
        let path = folder.join(&file.path);
        let reader = open_here(&path)?;
        let id = reader.schema().fields().first().map(|field| field.name().clone());
        let Some(id) = id else { continue };
        each_row(reader, &path, |row: Value| {
            ids.insert(plain(&row[&id]));
            Ok(())
        })?;
    }
    Ok(())
}

//! What a published folder must hold to, whatever changed: checked on the rows themselves.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet, btree_map::Entry},
    path::Path,
};

use arrow_array::{RecordBatch, StringArray, cast::AsArray};
use parquet::arrow::ProjectionMask;
use serde::Serialize;
use storymill_core::{Digest, Fault};

use crate::{
    column::CANARY,
    manifest::{Manifest, TableEntry},
    reading::{each_batch, open},
};

/// What a published folder must hold to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The rows of every file are as many as the manifest says.
    Counts,
    /// Ids are unique in their config.
    Ids,
    /// Every row for evaluation has the dataset's canary.
    Canary,
    /// A book, and a text, is in one split alone.
    Splits,
    /// No book is under a copyright that its catalog names.
    Rights,
    /// No text holds the licence of Project Gutenberg.
    Boilerplate,
    /// No name is left where names were replaced.
    Names,
    /// There is no table beside those of the manifest: a loader would read it.
    Strangers,
}

/// A gate that is not passed, once for each config.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which.
    pub gate: Gate,
    /// The config, or the file.
    pub place: String,
    /// How many rows.
    pub rows: u64,
    /// One of them.
    pub example: String,
}

impl Gate {
    /// What the gate is for, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Counts => "rows as many as the manifest says",
            Self::Ids => "ids unique in their config",
            Self::Canary => "the canary in every row for evaluation",
            Self::Splits => "books and texts in one split alone",
            Self::Rights => "no book that its catalog calls copyrighted",
            Self::Boilerplate => "no licence text in books",
            Self::Names => "no name left where names were replaced",
            Self::Strangers => "no tables beside the manifest's",
        }
    }
}

/// A text that only boilerplate has.
const LICENCE: [&str; 3] =
    ["Project Gutenberg License", "PROJECT GUTENBERG EBOOK", "www.gutenberg.org"];

/// Looks for rows that break a gate; none is a folder that passes.
///
/// # Errors
///
/// A folder that is no published one, or a file that cannot be read.
pub fn gates(folder: &Path) -> Result<Vec<Finding>, Fault> {
    let manifest = Manifest::of(folder)?;
    let mut found = Found::default();
    found.strangers(folder, &manifest);
    let mut seen = Seen::default();
    for file in &manifest.files {
        seen.begin(&file.config);
        found.file(folder, file, &manifest.canary, &mut seen)?;
    }
    Ok(found.0.into_values().collect())
}

/// What was met so far.
#[derive(Default)]
struct Seen {
    config: String,
    ids: HashSet<[u8; 16]>,
    /// The split of each book and of each text.
    splits: BTreeMap<String, String>,
}

impl Seen {
    fn begin(&mut self, config: &str) {
        if self.config != config {
            config.clone_into(&mut self.config);
            self.ids.clear();
        }
    }
}

#[derive(Default)]
struct Found(BTreeMap<(Gate, String), Finding>);

impl Found {
    fn add(&mut self, gate: Gate, place: &str, example: &str) {
        match self.0.entry((gate, place.to_owned())) {
            Entry::Occupied(mut known) => known.get_mut().rows += 1,
            Entry::Vacant(free) => {
                let (place, example) = (place.to_owned(), example.to_owned());
                free.insert(Finding { gate, place, rows: 1, example });
            }
        }
    }

    /// Tables in the folders of configs that the manifest does not list.
    fn strangers(&mut self, folder: &Path, manifest: &Manifest) {
        let listed: BTreeSet<_> = manifest.files.iter().map(|f| folder.join(&f.path)).collect();
        let folders: BTreeSet<_> = listed.iter().filter_map(|path| path.parent()).collect();
        for inside in folders {
            let entries = std::fs::read_dir(inside).into_iter().flatten().flatten();
            let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
            paths.sort();
            for path in paths {
                let is_table = path.extension().is_some_and(|extension| extension == "parquet");
                if is_table && !listed.contains(&path) {
                    let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
                    self.add(Gate::Strangers, &name, &name);
                }
            }
        }
    }

    fn file(
        &mut self,
        folder: &Path,
        file: &TableEntry,
        canary: &str,
        seen: &mut Seen,
    ) -> Result<(), Fault> {
        let path = folder.join(&file.path);
        let reader = open(&path)?;
        let names: Vec<String> =
            reader.schema().fields().iter().map(|field| field.name().clone()).collect();
        let id = names.first().cloned().unwrap_or_default();
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        if has("question_id") && !has(CANARY) {
            self.add(Gate::Canary, &file.config, "there is no such column");
        }
        // A book's own text stands in books and in scenes.
        let is_text = has("text_sha256") || has("scene");
        let wanted = |name: &&String| {
            **name == id
                || [CANARY, "book_id"].contains(&name.as_str())
                || (is_text && ["text_sha256", "rights", "text"].contains(&name.as_str()))
        };
        let columns = names.iter().filter(wanted).map(String::as_str);
        let mask = ProjectionMask::columns(reader.parquet_schema(), columns);
        let mut rows = 0;
        each_batch(reader.with_projection(mask), &path, |batch| {
            rows += batch.num_rows() as u64;
            self.batch(batch, &id, file, canary, seen);
            Ok(())
        })?;
        if rows != file.rows {
            let example = format!("{rows} instead of {}", file.rows);
            self.add(Gate::Counts, &file.path, &example);
        }
        Ok(())
    }

    fn batch(
        &mut self,
        batch: &RecordBatch,
        id: &str,
        file: &TableEntry,
        canary: &str,
        seen: &mut Seen,
    ) {
        let texts = |name: &str| -> Option<&StringArray> {
            batch.column_by_name(name)?.as_string_opt::<i32>()
        };
        let config = file.config.as_str();
        let name = |at: usize| texts(id).map_or("", |ids| ids.value(at));
        for at in 0..batch.num_rows() {
            let mut key = [0; 16];
            key.copy_from_slice(&Digest::of(name(at).as_bytes()).as_bytes()[..16]);
            if texts(id).is_some() && !seen.ids.insert(key) {
                self.add(Gate::Ids, config, name(at));
            }
            if texts(CANARY).is_some_and(|found| found.value(at) != canary) {
                self.add(Gate::Canary, config, name(at));
            }
            for column in ["book_id", "text_sha256"] {
                let Some(value) = texts(column).map(|found| found.value(at)) else { continue };
                let split = seen.splits.get(value);
                if split.is_some_and(|split| *split != file.split) {
                    self.add(Gate::Splits, config, name(at));
                } else if split.is_none() {
                    seen.splits.insert(value.to_owned(), file.split.clone());
                }
            }
            if texts("rights").is_some_and(|found| found.value(at).starts_with("Copyrighted")) {
                self.add(Gate::Rights, config, name(at));
            }
            // What `check-names` found, where its rows are published.
            if id == "leak_id" {
                self.add(Gate::Names, config, name(at));
            }
            let is_licence = |text: &str| LICENCE.iter().any(|licence| text.contains(licence));
            if texts("text").is_some_and(|found| is_licence(found.value(at))) {
                self.add(Gate::Boilerplate, config, name(at));
            }
        }
    }
}

//! What a published folder must hold to, whatever changed: checked on the rows themselves.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet, btree_map::Entry},
    path::Path,
    sync::{LazyLock, Mutex, PoisonError},
};

use arrow_array::{RecordBatch, StringArray, cast::AsArray, types::Int32Type};
use arrow_schema::Schema;
use memchr::memmem::Finder;
use parquet::arrow::ProjectionMask;
use rayon::prelude::*;
use serde::Serialize;
use storymill_core::{Digest, Fault};

use crate::{
    column::CANARY,
    manifest::{Manifest, TableEntry},
    reading::{each_batch, open_here},
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
    /// No two books of a config have the same text.
    Duplicates,
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
            Self::Duplicates => "no text twice in a config",
            Self::Rights => "no book that its catalog calls copyrighted",
            Self::Boilerplate => "no licence text in books",
            Self::Names => "no name left where names were replaced",
            Self::Strangers => "no tables beside the manifest's",
        }
    }
}

/// The column that tells of a leak whether it should have been replaced.
const REPLACED: &str = "has_substitute";

/// Texts that only boilerplate has.
static LICENCE: LazyLock<[Finder<'static>; 3]> = LazyLock::new(|| {
    ["Project Gutenberg License", "PROJECT GUTENBERG EBOOK", "www.gutenberg.org"].map(Finder::new)
});

/// Looks for rows that break a gate; none is a folder that passes.
///
/// # Errors
///
/// A folder that is no published one, or a file that cannot be read.
pub fn gates(folder: &Path) -> Result<Vec<Finding>, Fault> {
    let manifest = Manifest::of(folder)?;
    let ids = Ids::of(&manifest);
    let files = manifest.files.par_iter();
    let seen = files.map(|file| look(folder, file, &manifest.canary, &ids));
    let seen = seen.collect::<Result<Vec<_>, _>>()?;
    Ok(findings(folder, &manifest, seen))
}

/// What is seen in the columns that gates look at.
fn look<'m>(
    folder: &Path,
    file: &'m TableEntry,
    canary: &'m str,
    ids: &'m Ids,
) -> Result<Seen<'m>, Fault> {
    let path = folder.join(&file.path);
    let reader = open_here(&path)?;
    let mut seen = Seen::new(file, canary, ids, reader.schema());
    let mask = ProjectionMask::columns(reader.parquet_schema(), seen.columns());
    each_batch(reader.with_projection(mask), &path, |batch| {
        seen.note(batch);
        Ok(())
    })?;
    Ok(seen)
}

/// What the gates say of a folder, from what was seen in its files, in the manifest's order.
pub(crate) fn findings(folder: &Path, manifest: &Manifest, seen: Vec<Seen<'_>>) -> Vec<Finding> {
    let mut found = Found::default();
    found.strangers(folder, manifest);
    // The split of each book and of each text.
    let mut splits: BTreeMap<String, &str> = BTreeMap::new();
    let mut texts: BTreeSet<(&str, String)> = BTreeSet::new();
    for one in seen {
        let file = one.file;
        if one.rows != file.rows {
            let example = format!("{} instead of {}", one.rows, file.rows);
            found.add(Gate::Counts, &file.path, 1, &example);
        }
        for (text, (rows, example)) in &one.texts {
            let is_new = texts.insert((&file.config, text.clone()));
            let twice = rows - u64::from(is_new);
            if twice > 0 {
                found.add(Gate::Duplicates, &file.config, twice, example);
            }
        }
        for (value, (rows, example)) in one.texts.into_iter().chain(one.splits) {
            match splits.entry(value) {
                Entry::Vacant(free) => _ = free.insert(&file.split),
                Entry::Occupied(split) if *split.get() == file.split => {}
                Entry::Occupied(_) => found.add(Gate::Splits, &file.config, rows, &example),
            }
        }
        for ((gate, place), finding) in one.found.0 {
            found.add(gate, &place, finding.rows, &finding.example);
        }
    }
    found.0.into_values().collect()
}

/// The ids of each config, which all its files fill at once.
pub(crate) struct Ids(BTreeMap<String, Mutex<HashSet<[u8; 16]>>>);

impl Ids {
    pub(crate) fn of(manifest: &Manifest) -> Self {
        let configs = manifest.files.iter().map(|file| file.config.clone());
        Self(configs.map(|config| (config, Mutex::default())).collect())
    }
}

/// What was seen in one file.
pub(crate) struct Seen<'m> {
    file: &'m TableEntry,
    canary: &'m str,
    ids: &'m Mutex<HashSet<[u8; 16]>>,
    /// The columns that are looked at; the first is that of the ids.
    columns: Vec<String>,
    rows: u64,
    /// In how many rows each book stands, and the first of them.
    splits: BTreeMap<String, (u64, String)>,
    /// The same of each text.
    texts: BTreeMap<String, (u64, String)>,
    found: Found,
}

impl<'m> Seen<'m> {
    pub(crate) fn new(
        file: &'m TableEntry,
        canary: &'m str,
        ids: &'m Ids,
        columns: &Schema,
    ) -> Self {
        let names: Vec<&String> = columns.fields().iter().map(|field| field.name()).collect();
        let has = |wanted: &str| names.iter().any(|name| *name == wanted);
        let mut found = Found::default();
        if has("question_id") && !has(CANARY) {
            found.add(Gate::Canary, &file.config, 1, "there is no such column");
        }
        // A book's own text stands in pieces and in scenes; up to version 4 of the columns in books too.
        let is_text = has("text_sha256") || has("text_id") || has("scene");
        let wanted = |(at, name): &(usize, &String)| {
            *at == 0
                || [CANARY, "book_id", REPLACED].contains(&name.as_str())
                || (is_text && ["text_sha256", "rights", "text"].contains(&name.as_str()))
        };
        let columns = names.into_iter().enumerate().filter(wanted).map(|(_, name)| name.clone());
        Self {
            file,
            canary,
            ids: &ids.0[&file.config],
            columns: columns.collect(),
            rows: 0,
            splits: BTreeMap::new(),
            texts: BTreeMap::new(),
            found,
        }
    }

    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(String::as_str)
    }

    /// Looks at the rows of a batch, which has at least the columns that are looked at.
    pub(crate) fn note(&mut self, batch: &RecordBatch) {
        self.rows += batch.num_rows() as u64;
        let texts = |name: &str| -> Option<&StringArray> {
            let is_looked_at = self.columns.iter().any(|column| column == name);
            batch.column_by_name(name).filter(|_| is_looked_at)?.as_string_opt::<i32>()
        };
        let config = self.file.config.as_str();
        let id = self.columns.first().map_or("", String::as_str);
        let ids = texts(id);
        let name = |at: usize| ids.map_or("", |ids| ids.value(at));
        if let Some(ids) = ids {
            let keys = ids.iter().flatten().map(|id| {
                let mut key = [0; 16];
                key.copy_from_slice(&Digest::of(id.as_bytes()).as_bytes()[..16]);
                (id, key)
            });
            let keys: Vec<_> = keys.collect();
            let mut known = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
            for (id, key) in keys {
                if !known.insert(key) {
                    self.found.add(Gate::Ids, config, 1, id);
                }
            }
        }
        let [canaries, rights, text] = [CANARY, "rights", "text"].map(texts);
        let is_licence = |text: &str| LICENCE.iter().any(|one| one.find(text.as_bytes()).is_some());
        let [books, digests] = ["book_id", "text_sha256"].map(texts);
        let replaced = batch.column_by_name(REPLACED);
        let replaced = replaced.and_then(|column| column.as_primitive_opt::<Int32Type>());
        for at in 0..batch.num_rows() {
            if canaries.is_some_and(|found| found.value(at) != self.canary) {
                self.found.add(Gate::Canary, config, 1, name(at));
            }
            for (places, column) in [(&mut self.splits, books), (&mut self.texts, digests)] {
                let Some(place) = column.map(|column| column.value(at)) else { continue };
                if let Some((rows, _)) = places.get_mut(place) {
                    *rows += 1;
                } else {
                    places.insert(place.to_owned(), (1, name(at).to_owned()));
                }
            }
            if rights.is_some_and(|found| found.value(at).starts_with("Copyrighted")) {
                self.found.add(Gate::Rights, config, 1, name(at));
            }
            // What `check-names` found, where its rows are published. What the search without the cast found alone
            // is an estimate, with some false alarms: a release has a limit for it.
            if id == "leak_id" && replaced.is_none_or(|found| found.value(at) == 1) {
                self.found.add(Gate::Names, config, 1, name(at));
            }
            if text.is_some_and(|found| is_licence(found.value(at))) {
                self.found.add(Gate::Boilerplate, config, 1, name(at));
            }
        }
    }
}

#[derive(Default)]
struct Found(BTreeMap<(Gate, String), Finding>);

impl Found {
    /// Adds so many rows. The example that stays is the least: files are looked at in any order.
    fn add(&mut self, gate: Gate, place: &str, rows: u64, example: &str) {
        match self.0.entry((gate, place.to_owned())) {
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                known.rows += rows;
                if example < known.example.as_str() {
                    example.clone_into(&mut known.example);
                }
            }
            Entry::Vacant(free) => {
                let (place, example) = (place.to_owned(), example.to_owned());
                free.insert(Finding { gate, place, rows, example });
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
                    self.add(Gate::Strangers, &name, 1, &name);
                }
            }
        }
    }
}

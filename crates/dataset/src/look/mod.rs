//! Single rows of a published folder and pages of rows, for people who read them.
//!
//! Nothing but the manifest and the files' own metadata is read when a folder is opened; where the rows of an id or
//! of a book stand is found when somebody first asks, and kept.

mod filter;
mod ids;
mod read;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use serde_json::Value;
use storymill_core::{Fault, FaultKind, Question, did_you_mean};

use self::ids::Ids;
pub use self::{
    filter::{Filter, Listing, Row},
    read::SceneRow,
};
use crate::{
    asked,
    exams::index::{Run, Tables},
    manifest::Manifest,
    materialize::{context_of, text_of},
    reading::open,
    site::Site,
};

/// What a table of a folder holds, by its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holds {
    /// Questions about books, or long contexts with theirs.
    Questions,
    /// Books.
    Books,
    /// Texts of books in pieces.
    Texts,
    /// Scenes.
    Scenes,
    /// Retellings, true or false.
    Retellings,
    /// Anything else.
    Others,
}

/// A config of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigView {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub holds: Holds,
    /// Its splits, in the order of the manifest, and the rows of each.
    pub splits: Vec<(String, u64)>,
    /// The columns of its rows.
    pub columns: Vec<String>,
}

impl ConfigView {
    /// Rows of all splits.
    pub fn rows(&self) -> u64 {
        self.splits.iter().map(|(_, rows)| rows).sum()
    }

    /// Whether its rows have a column.
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|own| own == column)
    }
}

/// A published folder that is open for looking.
#[derive(Debug)]
pub struct Look {
    folder: Site,
    manifest: Manifest,
    tables: Tables,
    counts: Vec<u64>,
    configs: Vec<ConfigView>,
    ids: BTreeMap<String, OnceLock<Ids>>,
    places: Mutex<BTreeMap<(String, String), Places>>,
}

type Places = Arc<BTreeMap<String, Vec<Run>>>;

impl Look {
    /// Opens a folder.
    ///
    /// # Errors
    ///
    /// It has no manifest, or a file of it cannot be read.
    pub fn open(folder: impl Into<Site>) -> Result<Self, Fault> {
        let folder = folder.into();
        let manifest = Manifest::of(&folder)?;
        let tables = Tables::of(&folder, &manifest)?;
        let mut counts = Vec::new();
        let mut configs: Vec<ConfigView> = Vec::new();
        for table in &tables.0 {
            let rows = open(&table.path)?.metadata().file_metadata().num_rows();
            let rows = u64::try_from(rows).unwrap_or(0);
            counts.push(rows);
            let at = configs.iter().position(|config| config.name == table.config);
            let at = at.unwrap_or_else(|| {
                let columns = table.columns().to_vec();
                let name = table.config.clone();
                configs.push(ConfigView {
                    name,
                    holds: holds(&columns),
                    splits: Vec::new(),
                    columns,
                });
                configs.len() - 1
            });
            match configs[at].splits.iter_mut().find(|(split, _)| *split == table.split) {
                Some((_, all)) => *all += rows,
                None => configs[at].splits.push((table.split.clone(), rows)),
            }
        }
        let ids = configs.iter().map(|config| (config.name.clone(), OnceLock::new())).collect();
        let places = Mutex::default();
        Ok(Self { folder, manifest, tables, counts, configs, ids, places })
    }

    /// What the folder says of itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Its configs, in the order of the manifest.
    pub fn configs(&self) -> &[ConfigView] {
        &self.configs
    }

    /// A config by its name.
    pub fn config(&self, name: &str) -> Option<&ConfigView> {
        self.configs.iter().find(|config| config.name == name)
    }

    /// The first config of these that holds something; where none is named, of all.
    pub fn first<'s>(&'s self, holds: Holds, of: &[String]) -> Option<&'s ConfigView> {
        let named = of.iter().filter_map(|name| self.config(name));
        let mut all: Vec<&ConfigView> = named.collect();
        if all.is_empty() {
            all = self.configs.iter().collect();
        }
        all.into_iter().find(|config| config.holds == holds)
    }

    /// A row by its id, with its split; none if the config has none of this id.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn row(&self, config: &str, id: &str) -> Result<Option<Row>, Fault> {
        let Some((file, at)) = self.place(config, id)? else { return Ok(None) };
        Ok(self.at(file, at, None)?.filter(|row| row.id == id))
    }

    /// The ids of the rows before and behind one, in the order of files.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn neighbours(
        &self,
        config: &str,
        id: &str,
    ) -> Result<(Option<String>, Option<String>), Fault> {
        let Some((file, at)) = self.place(config, id)? else { return Ok((None, None)) };
        let files: Vec<usize> = self.files(config).collect();
        let own = files.iter().position(|one| *one == file).unwrap_or(0);
        let before = match at.checked_sub(1) {
            Some(at) => Some((file, at)),
            None => own.checked_sub(1).map(|one| (files[one], self.last(files[one]))),
        };
        let behind = if at < self.last(file) {
            Some((file, at + 1))
        } else {
            files.get(own + 1).map(|one| (*one, 0))
        };
        let id = |place: Option<(usize, usize)>| -> Result<Option<String>, Fault> {
            let Some((file, at)) = place else { return Ok(None) };
            let column = self.tables.0[file].columns().first().cloned().unwrap_or_default();
            Ok(self.at(file, at, Some(&[&column]))?.map(|row| row.id))
        };
        Ok((id(before)?, id(behind)?))
    }

    /// What a row asks; none if it asks nothing.
    ///
    /// # Errors
    ///
    /// The row asks something and cannot be understood.
    pub fn question(&self, row: &Value) -> Result<Option<Question>, Fault> {
        asked::question(row)
    }

    /// The text of a long context.
    ///
    /// # Errors
    ///
    /// Its passages are not published, or it cannot be made from them.
    pub fn mixed(&self, row: &Value) -> Result<String, Fault> {
        text_of(&self.folder, &self.manifest, &context_of(row.clone(), &self.folder)?)
    }

    fn place(&self, config: &str, id: &str) -> Result<Option<(usize, usize)>, Fault> {
        let Some(cell) = self.ids.get(config) else { return Ok(None) };
        if cell.get().is_none() {
            // Who comes second finds the same.
            let _first = cell.set(Ids::read(&self.tables, config)?);
        }
        let Some(ids) = cell.get() else { return Ok(None) };
        for (file, at) in ids.of(id) {
            let column = self.tables.0[file].columns().first().cloned().unwrap_or_default();
            if self.at(file, at, Some(&[&column]))?.is_some_and(|row| row.id == id) {
                return Ok(Some((file, at)));
            }
        }
        Ok(None)
    }

    fn files(&self, config: &str) -> impl Iterator<Item = usize> {
        let of = |(at, table): (usize, &crate::exams::index::Listed)| {
            (table.config == config && self.counts[at] > 0).then_some(at)
        };
        self.tables.0.iter().enumerate().filter_map(of).collect::<Vec<_>>().into_iter()
    }

    fn last(&self, file: usize) -> usize {
        usize::try_from(self.counts[file].saturating_sub(1)).unwrap_or(usize::MAX)
    }

    /// One row: these columns, or all of them.
    fn at(&self, file: usize, at: usize, columns: Option<&[&str]>) -> Result<Option<Row>, Fault> {
        Ok(self.rows_at(&[Run::new(file, at)], columns)?.pop())
    }

    /// Rows in the order of their places: these columns, or all of them.
    fn rows_at(&self, runs: &[Run], columns: Option<&[&str]>) -> Result<Vec<Row>, Fault> {
        let mut rows = Vec::new();
        self.tables.rows(runs, columns, |table, values| {
            let id = table.columns().first().and_then(|id| values[id].as_str()).unwrap_or_default();
            rows.push(Row { id: id.to_owned(), split: table.split.clone(), values });
            Ok(())
        })?;
        Ok(rows)
    }

    /// Where the rows of each value of a column stand.
    fn places(&self, config: &str, column: &str) -> Result<Places, Fault> {
        let key = (config.to_owned(), column.to_owned());
        let kept = |places: &Mutex<BTreeMap<(String, String), Places>>| {
            places.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
        };
        if let Some(found) = kept(&self.places) {
            return Ok(found);
        }
        let found = Arc::new(self.tables.places(config, column)?);
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(places.entry(key.clone()).or_insert(found)))
    }
}

fn holds(columns: &[String]) -> Holds {
    let has = |name: &str| columns.iter().any(|own| own == name);
    let first = columns.first().map_or("", String::as_str);
    match first {
        "question_id" | "context_id" => Holds::Questions,
        "book_id" if has("title") => Holds::Books,
        "text_id" if has("text") => Holds::Texts,
        "scene_id" if has("text") => Holds::Scenes,
        "summary_id" | "distortion_id" if has("text") => Holds::Retellings,
        _ => Holds::Others,
    }
}

/// The fault of a config that is not there.
fn no_config(look: &Look, name: &str) -> Fault {
    let known = look.configs.iter().map(|config| config.name.as_str());
    Fault::new(FaultKind::Input, format!("no config `{name}` here"))
        .at(&look.folder)
        .hint(did_you_mean(name, known).unwrap_or_default())
}

//! What two published versions of a dataset differ in, row by row.
//!
//! A row is known by its id, the first column of its table. Files whose rows have the same digest
//! are not read. Of all others the old rows are kept as digests, one for each cell, and the new
//! ones are held against them while they are read: memory goes by the number of rows, not by
//! their length.

mod gates;
mod index;
mod table;
mod texts;
mod verdict;
mod withdrawn;

use std::{collections::BTreeMap, path::Path};

use serde::Serialize;
use serde_json::Value;
use storymill_core::{Digest, Fault};

pub use gates::{Finding, Gate, gates};
pub(crate) use gates::{Ids, Seen, findings};
pub use verdict::{Step, Verdict};

use crate::manifest::Manifest;

/// What two versions differ in.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The old version.
    pub old: Version,
    /// The new version.
    pub new: Version,
    /// Whether users of the old version are in for a surprise.
    pub verdict: Verdict,
    /// The least step by which the version should go up.
    pub step: Step,
    /// Every config of either version.
    pub tables: Vec<TableChange>,
    /// Every changed answer.
    pub answers: Vec<AnswerChange>,
    /// Five changed rows at most, the same wherever it runs.
    pub samples: Vec<Sample>,
    /// Whether the cards differ.
    pub card: bool,
    /// The old rows that no longer stand as they did.
    #[serde(skip)]
    changes: Vec<index::Change>,
}

/// A version, as its manifest names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Version {
    /// The dataset's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The digest of all its rows.
    pub digest: Digest,
    /// Its canary.
    pub canary: String,
    /// The version of the tool that wrote it.
    pub tool: String,
}

/// What a config differs in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TableChange {
    /// The config.
    pub config: String,
    /// Columns that are new.
    pub columns_added: Vec<String>,
    /// Columns that are gone.
    pub columns_removed: Vec<String>,
    /// Columns of another type.
    pub columns_retyped: Vec<String>,
    /// Rows by split.
    pub splits: BTreeMap<String, Rows>,
    /// How many rows changed in each column.
    pub cells: BTreeMap<String, u64>,
}

/// How many rows of one split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rows {
    /// New ids.
    pub added: u64,
    /// Ids that are gone.
    pub removed: u64,
    /// The same ids with other cells.
    pub changed: u64,
    /// The same rows.
    pub same: u64,
    /// Rows, changed or not, that came here from another split.
    pub moved: u64,
}

/// An answer that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerChange {
    /// The config.
    pub config: String,
    /// The row.
    pub id: String,
    /// The column: `answer`, `reference`.
    pub column: String,
    /// Before.
    pub old: Value,
    /// Now.
    pub new: Value,
}

/// A changed row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// The config.
    pub config: String,
    /// The row.
    pub id: String,
    /// The changed columns, with what stood and what stands there.
    pub cells: Vec<(String, String, String)>,
}

/// Columns that tell what is right.
const ANSWERS: [&str; 3] = ["answer", "reference", "none_of_the_above"];

impl TableChange {
    /// The rows of all splits.
    pub fn rows(&self) -> Rows {
        self.splits.values().fold(Rows::default(), |all, one| Rows {
            added: all.added + one.added,
            removed: all.removed + one.removed,
            changed: all.changed + one.changed,
            same: all.same + one.same,
            moved: all.moved + one.moved,
        })
    }

    /// Whether nothing differs.
    pub fn is_same(&self) -> bool {
        let Rows { added, removed, changed, moved, .. } = self.rows();
        added + removed + changed + moved == 0 && self.columns_are_same()
    }

    fn columns_are_same(&self) -> bool {
        [&self.columns_added, &self.columns_removed, &self.columns_retyped]
            .iter()
            .all(|columns| columns.is_empty())
    }
}

/// Compares two published folders.
///
/// # Errors
///
/// A folder that is no published one, or a file that cannot be read.
pub fn diff(old: &Path, new: &Path) -> Result<Difference, Fault> {
    let (was, is) = (Manifest::of(old)?, Manifest::of(new)?);
    let mut tables = Vec::new();
    let mut changes = Vec::new();
    let mut configs: Vec<&str> = Vec::new();
    for file in is.files.iter().chain(&was.files) {
        if !configs.contains(&file.config.as_str()) {
            configs.push(&file.config);
        }
    }
    for config in configs {
        let files = |folder: &Path, manifest: &Manifest| {
            let own = manifest.files.iter().filter(|file| file.config == config);
            own.map(|file| table::File::of(folder, file)).collect::<Vec<_>>()
        };
        let (table, found) = table::compare(config, &files(old, &was), &files(new, &is))?;
        tables.push(table);
        changes.extend(found);
    }
    let answers = texts::answers(&changes)?;
    let samples = texts::samples(&changes)?;
    let card = was.card.sha256 != is.card.sha256;
    let (verdict, step) = verdict::of(&tables, &answers, card);
    let (old, new) = (Version::of(&was), Version::of(&is));
    Ok(Difference { old, new, verdict, step, tables, answers, samples, card, changes })
}

impl Version {
    fn of(manifest: &Manifest) -> Self {
        Self {
            name: manifest.name.clone(),
            version: manifest.version.clone(),
            digest: manifest.digest,
            canary: manifest.canary.clone(),
            tool: manifest.tool.version.clone(),
        }
    }
}

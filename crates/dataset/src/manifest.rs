//! `manifest.json`: every file of a published dataset, with its length and its digests.
//!
//! It is written last. A folder that has it is whole; what is not in it is the user's.

use std::path::{Component, PathBuf};

use serde::{Deserialize, Serialize};
use storymill_core::{Digest, Fault, FaultKind};

use crate::{hashed::sha256, site::Site};

/// The manifest's file name.
pub(crate) const MANIFEST: &str = "manifest.json";

/// Counts changes of the published columns; `docs/formats.md` says which.
pub const SCHEMA_VERSION: u32 = 5;

/// The version of this program.
pub(crate) const TOOL_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The manifest's format, less its number.
const FORMAT: &str = "storymill-dataset/";
/// Counts changes of the manifest.
pub(crate) const FORMAT_VERSION: u32 = 3;

/// What a published folder holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format of this file: `storymill-dataset/3`.
    pub format: String,
    /// The dataset's name.
    pub name: String,
    /// The dataset's version.
    pub version: String,
    /// The version of the columns.
    pub schema_version: u32,
    /// Which program made it.
    pub tool: Tool,
    /// What wrote the Parquet files.
    pub writer: Writer,
    /// A digest over all that the files follow from.
    pub made_from: Digest,
    /// One digest over the rows of all files.
    pub digest: Digest,
    /// The canary.
    pub canary: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// The lock file.
    pub lock: Document,
    /// The data card.
    pub card: Document,
    /// The figures that the card shows. There were none in format 1.
    #[serde(default)]
    pub figures: Vec<Document>,
    /// The prompts that models were asked with. There were none before format 3.
    #[serde(default)]
    pub prompts: Vec<Document>,
    /// What the dataset was released with; none of a folder that a build published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<Release>,
    /// The tables.
    pub files: Vec<TableEntry>,
}

/// What a version was released with. A folder that has it is never written to again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// The day, as the changelog has it: `2026-11-21`.
    pub date: String,
    /// The release that this one follows; none for the first.
    #[serde(default)]
    pub previous: Option<Previous>,
    /// Changelog, errata, citation and descriptions.
    pub documents: Vec<Document>,
}

/// The release before one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Previous {
    /// Its version.
    pub version: String,
    /// The digest of all its rows; none where only its lock was at hand.
    #[serde(default)]
    pub digest: Option<Digest>,
}

/// A program and its version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What decides the bytes of the same rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Writer {
    /// Counts changes of our own settings.
    pub format: u32,
    /// The library and its version.
    pub library: String,
}

/// A file that is no table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Its path in the folder.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

impl Document {
    /// A file of these bytes.
    pub(crate) fn of(path: &str, bytes: &[u8]) -> Self {
        Self { path: path.to_owned(), bytes: bytes.len() as u64, sha256: sha256(bytes) }
    }
}

/// A file of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableEntry {
    /// Its path in the folder, with `/`.
    pub path: String,
    /// The table.
    pub config: String,
    /// The split.
    pub split: String,
    /// How many rows.
    pub rows: u64,
    /// Its length.
    pub bytes: u64,
    /// The rows' length in postcard, the measure that files and row groups are cut by.
    pub row_bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// The digest of its rows, whatever wrote them.
    pub rows_digest: Digest,
}

impl Manifest {
    /// The format that this version writes.
    pub(crate) fn current_format() -> String {
        format!("{FORMAT}{FORMAT_VERSION}")
    }

    /// Reads a manifest from its bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, Fault> {
        #[derive(Deserialize)]
        struct Head {
            #[serde(default)]
            format: String,
        }
        let refused = |message: &str| Fault::new(FaultKind::Store, message);
        let head: Head = serde_json::from_slice(bytes).map_err(|error| {
            refused("the manifest is damaged")
                .because(error)
                .hint("if the folder holds nothing else that you need, remove it and build again")
        })?;
        let format = head.format.strip_prefix(FORMAT).and_then(|n| n.parse::<u32>().ok());
        match format {
            None => return Err(refused("this manifest was not written by storymill")),
            Some(newer) if newer > FORMAT_VERSION => {
                let hint = format!(
                    "its format is {newer}, this version knows {FORMAT_VERSION}: use the newer storymill"
                );
                return Err(refused("the dataset was written by a newer storymill").hint(hint));
            }
            Some(_) => {}
        }
        let manifest: Self = serde_json::from_slice(bytes)
            .map_err(|error| refused("the manifest is damaged").because(error))?;
        if let Some(outside) = manifest.listed().find(|listed| !is_inside(listed.path)) {
            let path = outside.path.escape_debug();
            return Err(refused(&format!("the manifest lists `{path}`, no file of its folder")));
        }
        Ok(manifest)
    }

    /// Reads the manifest of a folder.
    pub fn of(folder: impl Into<Site>) -> Result<Self, Fault> {
        let path = folder.into().join(MANIFEST);
        let bytes = path.read().map_err(|error| {
            let fault = |message| Fault::new(FaultKind::Input, message).at(&path);
            if error.kind() != std::io::ErrorKind::NotFound {
                return fault("cannot read the manifest").because(error);
            }
            let hint = "`storymill build` publishes into `out/NAME`, `storymill evaluate` into `results/NAME-MODEL`";
            fault("no dataset is published here: this file is missing").hint(hint)
        })?;
        Self::read(&bytes).map_err(|fault| fault.at(path))
    }

    /// Every listed file: the tables, the card, the lock, and all other documents.
    pub fn listed(&self) -> impl Iterator<Item = Listed<'_>> {
        let tables = self.files.iter().map(|file| Listed {
            path: &file.path,
            bytes: file.bytes,
            sha256: &file.sha256,
            rows_digest: Some(file.rows_digest),
        });
        let documents = [&self.card, &self.lock].into_iter().chain(&self.figures);
        let documents = documents.chain(&self.prompts);
        let released = self.release.iter().flat_map(|release| &release.documents);
        let documents = documents.chain(released);
        let documents = documents.map(|document| Listed {
            path: &document.path,
            bytes: document.bytes,
            sha256: &document.sha256,
            rows_digest: None,
        });
        tables.chain(documents)
    }

    /// One digest over the rows of all files.
    pub(crate) fn digest_of(files: &[TableEntry]) -> Digest {
        let digests = files.iter().flat_map(|file| {
            [file.config.as_bytes(), file.split.as_bytes(), file.rows_digest.as_bytes()]
        });
        Digest::of_parts("storymill 2026 dataset v1", digests)
    }

    /// The manifest as it is written: a line for each value, so that versions compare well.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, Fault> {
        let mut bytes = serde_json::to_vec_pretty(self).map_err(|error| {
            Fault::new(FaultKind::Internal, "the manifest cannot be JSON").because(error)
        })?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// What the manifest says of one file.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'m> {
    /// Its path in the folder.
    pub path: &'m str,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: &'m str,
    /// The digest of its rows, if it is a table.
    pub rows_digest: Option<Digest>,
}

/// Whether a listed path stays inside its folder. Manifests travel, and listed files are removed
/// when they are no longer produced.
pub(crate) fn is_inside(path: &str) -> bool {
    let plain = |part| matches!(part, Component::Normal(_));
    !path.is_empty()
        && !path.contains(['\\', ':', '\0'])
        && PathBuf::from(path).components().all(plain)
}

//! Does a folder still hold what its manifest lists?

use std::{
    fmt,
    fs::File,
    io,
    path::{Path, PathBuf},
};

use rayon::prelude::*;
use storymill_core::Fault;

use crate::{
    hashed::Hashed,
    manifest::{Listed, MANIFEST, Manifest, TableEntry},
    reading::{open, rows_digest},
};

/// How closely to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Every file is there with its length.
    Lengths,
    /// Every file has its bytes.
    Bytes,
    /// Every table has its rows, whatever wrote it; bytes are compared for other files alone.
    Rows,
    /// Every file has its bytes, every table its rows and its manifest's own words.
    Both,
}

/// A file that is not what the manifest says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub wrong: Wrong,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is not there.
    Missing,
    /// It is shorter or longer.
    Length {
        /// By the manifest.
        listed: u64,
        /// In the folder.
        found: u64,
    },
    /// Its length fits, its bytes do not.
    Bytes,
    /// It can be read, and its rows are others.
    Rows,
    /// What it says of itself is not what the manifest says.
    Says {
        /// What about.
        what: &'static str,
        /// By the manifest.
        listed: String,
        /// In the file.
        found: String,
    },
    /// The manifest's digest over all rows does not follow from those of its files.
    Digest,
    /// It cannot be read; why.
    Unreadable(String),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("missing"),
            Self::Length { listed, found } if found < listed => {
                write!(f, "cut short: {found} of {listed} bytes")
            }
            Self::Length { listed, found } => write!(f, "{found} bytes instead of {listed}"),
            Self::Bytes => f.write_str("changed: same length, other bytes"),
            Self::Rows => f.write_str("changed: other rows"),
            Self::Says { what, listed, found } => {
                write!(f, "its {what} is `{found}`, and `{listed}` in the manifest")
            }
            Self::Digest => f.write_str("its digest over all rows does not follow from its files"),
            Self::Unreadable(why) => write!(f, "unreadable: {why}"),
        }
    }
}

/// Compares a folder with its manifest; an empty list is a whole folder.
pub fn check(folder: &Path, depth: Depth) -> Result<Vec<Damage>, Fault> {
    let manifest = Manifest::of(folder)?;
    let listed: Vec<_> = manifest.listed().collect();
    let damage = listed.par_iter().filter_map(|file| {
        let path = folder.join(file.path);
        check_file(&path, *file, depth).map(|wrong| Damage { path, wrong })
    });
    let mut damage: Vec<_> = damage.collect();
    if depth != Depth::Lengths && manifest.digest != Manifest::digest_of(&manifest.files) {
        damage.push(Damage { path: folder.join(MANIFEST), wrong: Wrong::Digest });
    }
    if depth == Depth::Both && damage.is_empty() {
        damage.extend(
            manifest
                .files
                .par_iter()
                .filter_map(|file| {
                    let path = folder.join(&file.path);
                    says(&path, file, &manifest).map(|wrong| Damage { path, wrong })
                })
                .collect::<Vec<_>>(),
        );
    }
    Ok(damage)
}

/// What a table's file says of itself otherwise than the manifest.
fn says(path: &Path, file: &TableEntry, manifest: &Manifest) -> Option<Wrong> {
    let reader = match open(path) {
        Ok(reader) => reader,
        Err(fault) => return Some(Wrong::Unreadable(fault.message)),
    };
    let metadata = reader.metadata().file_metadata();
    let rows = u64::try_from(metadata.num_rows()).unwrap_or(0);
    let entry = |key: &str| {
        let entries = metadata.key_value_metadata().into_iter().flatten();
        let found = entries.into_iter().find(|entry| entry.key == key);
        found.and_then(|entry| entry.value.clone()).unwrap_or_default()
    };
    let held = [
        ("count of rows", file.rows.to_string(), rows.to_string()),
        ("config", file.config.clone(), entry("storymill.config")),
        ("split", file.split.clone(), entry("storymill.split")),
        ("dataset", manifest.name.clone(), entry("storymill.dataset_name")),
        ("version", manifest.version.clone(), entry("storymill.dataset_version")),
        ("canary", manifest.canary.clone(), entry("storymill.canary")),
        ("lock", manifest.lock.sha256.clone(), entry("storymill.lock_sha256")),
        (
            "version of the columns",
            manifest.schema_version.to_string(),
            entry("storymill.schema_version"),
        ),
    ];
    let mut held = held.into_iter();
    let (what, listed, found) = held.find(|(_, listed, found)| listed != found)?;
    Some(Wrong::Says { what, listed, found })
}

fn check_file(path: &Path, listed: Listed<'_>, depth: Depth) -> Option<Wrong> {
    let length = match std::fs::metadata(path) {
        Ok(found) => found.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(Wrong::Missing),
        Err(error) => return Some(Wrong::Unreadable(error.to_string())),
    };
    match listed.rows_digest {
        Some(expected) if depth == Depth::Rows => match rows_digest(path) {
            Ok(found) => (found != expected).then_some(Wrong::Rows),
            Err(fault) => Some(Wrong::Unreadable(fault.message)),
        },
        _ if length != listed.bytes => Some(Wrong::Length { listed: listed.bytes, found: length }),
        _ if depth == Depth::Lengths => None,
        expected => match sha256_of(path) {
            Ok(found) if found != listed.sha256 => Some(Wrong::Bytes),
            Ok(_) => {
                match expected.filter(|_| depth == Depth::Both).map(|of| (of, rows_digest(path))) {
                    Some((_, Err(fault))) => Some(Wrong::Unreadable(fault.message)),
                    Some((expected, Ok(found))) => (found != expected).then_some(Wrong::Rows),
                    None => None,
                }
            }
            Err(error) => Some(Wrong::Unreadable(error.to_string())),
        },
    }
}

fn sha256_of(path: &Path) -> io::Result<String> {
    let mut hashed = Hashed::new(io::sink());
    io::copy(&mut File::open(path)?, &mut hashed)?;
    Ok(hashed.finish().2)
}

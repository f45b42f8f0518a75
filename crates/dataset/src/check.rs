//! Does a folder still hold what its manifest lists?

use std::{
    fmt,
    fs::File,
    io,
    path::{Path, PathBuf},
};

use storymill_core::Fault;

use crate::{
    hashed::Hashed,
    manifest::{Listed, Manifest},
    reading::rows_digest,
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
            Self::Unreadable(why) => write!(f, "unreadable: {why}"),
        }
    }
}

/// Compares a folder with its manifest; an empty list is a whole folder.
pub fn check(folder: &Path, depth: Depth) -> Result<Vec<Damage>, Fault> {
    let manifest = Manifest::of(folder)?;
    let damage = manifest.listed().filter_map(|file| {
        let path = folder.join(file.path);
        check_file(&path, file, depth).map(|wrong| Damage { path, wrong })
    });
    Ok(damage.collect())
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
        _ => match sha256_of(path) {
            Ok(found) => (found != listed.sha256).then_some(Wrong::Bytes),
            Err(error) => Some(Wrong::Unreadable(error.to_string())),
        },
    }
}

fn sha256_of(path: &Path) -> io::Result<String> {
    let mut hashed = Hashed::new(io::sink());
    io::copy(&mut File::open(path)?, &mut hashed)?;
    Ok(hashed.finish().2)
}

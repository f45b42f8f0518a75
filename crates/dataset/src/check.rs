//! Does a folder still hold what its manifest lists?

use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Write as _},
    path::PathBuf,
    sync::Arc,
};

use arrow_schema::Schema;
use rayon::prelude::*;
use storymill_core::{Digest, Fault, FaultKind};

use crate::{
    diff::{Finding, Ids, Seen, findings},
    hashed::Hashed,
    manifest::{Listed, MANIFEST, Manifest, TableEntry},
    pages::empty_page,
    reading::{Reader, each_batch, open},
    rows::RowsDigest,
    site::Site,
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
    /// A column has a page without values, at which some readers stop.
    EmptyPage {
        /// The column.
        column: String,
    },
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
            Self::EmptyPage { column } => write!(
                f,
                "its column `{column}` has a page without values, which pyarrow and `datasets` \
                 misread; build the dataset again, or write the file with another program"
            ),
            Self::Says { what, listed, found } => {
                write!(f, "its {what} is `{found}`, and `{listed}` in the manifest")
            }
            Self::Digest => f.write_str("its digest over all rows does not follow from its files"),
            Self::Unreadable(why) => write!(f, "unreadable: {why}"),
        }
    }
}

/// What was found in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Files that are not what the manifest says.
    pub damage: Vec<Damage>,
    /// Gates that are not passed. They are asked of a folder without damage whose rows were read.
    pub findings: Vec<Finding>,
}

/// Compares a folder with its manifest; an empty list is a whole folder.
pub fn check(folder: impl Into<Site>, depth: Depth) -> Result<Vec<Damage>, Fault> {
    check_all(folder, depth).map(|checked| checked.damage)
}

/// Compares a folder with its manifest, and looks at the rows with the eyes of the gates while it
/// reads them.
pub fn check_all(folder: impl Into<Site>, depth: Depth) -> Result<Checked, Fault> {
    let folder = &folder.into();
    let manifest = Manifest::of(folder)?;
    let ids = Ids::of(&manifest);
    let tables: BTreeMap<_, _> = manifest
        .files
        .iter()
        .enumerate()
        .map(|(at, file)| (file.path.as_str(), (at, file)))
        .collect();
    let mut listed: Vec<_> = manifest.listed().collect();
    // The longest first, so that no thread is left with it alone at the end.
    listed.sort_by_key(|file| (std::cmp::Reverse(file.bytes), file.path));
    let looked = listed.par_iter().map(|file| {
        let path = folder.join(file.path);
        let table = tables.get(file.path);
        let begin = |columns: &Schema| {
            table.map(|(_, table)| Seen::new(table, &manifest.canary, &ids, columns))
        };
        let (wrong, seen) = check_file(&path, *file, depth, begin);
        let seen = seen.and_then(|seen| Some((table?.0, seen)));
        (wrong.map(|wrong| Damage { path: path.into(), wrong }), seen)
    });
    let (damage, mut seen): (Vec<_>, Vec<_>) = looked.unzip();
    let mut damage: Vec<_> = damage.into_iter().flatten().collect();
    damage.sort_by(|a, b| a.path.cmp(&b.path));
    if depth != Depth::Lengths && manifest.digest != Manifest::digest_of(&manifest.files) {
        damage.push(Damage { path: folder.join(MANIFEST).into(), wrong: Wrong::Digest });
    }
    if depth == Depth::Both && damage.is_empty() {
        damage.extend(
            manifest
                .files
                .par_iter()
                .filter_map(|file| {
                    let path = folder.join(&file.path);
                    let wrong = says(&path, file, &manifest)?;
                    Some(Damage { path: path.into(), wrong })
                })
                .collect::<Vec<_>>(),
        );
    }
    let mut checked = Checked { damage, findings: Vec::new() };
    if checked.damage.is_empty() && depth >= Depth::Rows {
        seen.sort_by_key(|seen| seen.as_ref().map(|(at, _)| *at));
        let seen = seen.into_iter().flatten().map(|(_, seen)| seen).collect();
        checked.findings = findings(folder, &manifest, seen);
    }
    Ok(checked)
}

/// What a table's file says of itself otherwise than the manifest.
fn says(path: &Site, file: &TableEntry, manifest: &Manifest) -> Option<Wrong> {
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

/// What is wrong with a file, and what the gates saw in its rows, if it was read.
fn check_file<'m>(
    path: &Site,
    listed: Listed<'_>,
    depth: Depth,
    begin: impl FnOnce(&Schema) -> Option<Seen<'m>>,
) -> (Option<Wrong>, Option<Seen<'m>>) {
    let length = match path.len() {
        Ok(Some(found)) => found,
        Ok(None) => return (Some(Wrong::Missing), None),
        Err(error) => return (Some(Wrong::Unreadable(error.to_string())), None),
    };
    let by_rows = listed.rows_digest.filter(|_| depth >= Depth::Rows);
    // Whoever wrote a table anew has other bytes.
    if by_rows.is_none() || depth == Depth::Both {
        if length != listed.bytes {
            return (Some(Wrong::Length { listed: listed.bytes, found: length }), None);
        }
        if depth == Depth::Lengths {
            return (None, None);
        }
        match sha256_of(path) {
            Ok(found) if found == listed.sha256 => {}
            Ok(_) => return (Some(Wrong::Bytes), None),
            Err(error) => return (Some(Wrong::Unreadable(error.to_string())), None),
        }
    }
    let Some(expected) = by_rows else { return (None, None) };
    let looked = open(path).and_then(|reader| {
        let metadata = Arc::clone(reader.metadata());
        Ok((look_on(reader, path, begin)?, empty_page(path, &metadata)?))
    });
    match looked {
        Ok(((found, seen), _)) if found != expected => (Some(Wrong::Rows), seen),
        Ok(((_, seen), empty)) => (empty.map(|column| Wrong::EmptyPage { column }), seen),
        Err(fault) => (Some(Wrong::Unreadable(fault.message)), None),
    }
}

/// The digest of a table's rows, and what the gates saw in them, in one reading.
fn look_on<'m>(
    reader: Reader,
    path: &Site,
    begin: impl FnOnce(&Schema) -> Option<Seen<'m>>,
) -> Result<(Digest, Option<Seen<'m>>), Fault> {
    let mut digest = RowsDigest::new(reader.schema().fields());
    let mut seen = begin(reader.schema());
    each_batch(reader, path, |batch| {
        if let Some(seen) = &mut seen {
            seen.note(batch);
        }
        digest.add(batch).map_err(|error| Fault::new(FaultKind::Input, error.to_string()).at(path))
    })?;
    Ok((digest.finish(), seen))
}

fn sha256_of(path: &Site) -> io::Result<String> {
    let mut hashed = Hashed::new(io::sink());
    path.open()?.each_piece(|piece| hashed.write_all(piece))?;
    Ok(hashed.finish().2)
}

/// The digest of a table's rows alone.
#[cfg(test)]
pub(crate) fn rows_of(path: &Site) -> Digest {
    look_on(open(path).unwrap(), path, |_| None).unwrap().0
}

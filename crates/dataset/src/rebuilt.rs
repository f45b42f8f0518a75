//! A published folder held against one that was built again from the same inputs.

use std::{collections::BTreeMap, fmt};

use storymill_core::Fault;

use crate::{
    manifest::{Document, Manifest},
    release::{ONE_FILE, config},
    site::Site,
};

/// What a second build came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// Whether both were written by the same writer, so that bytes could be compared; else the
    /// rows were.
    pub bytes: bool,
    /// Whether card, figures and prompts could be compared too: they follow from the tool.
    pub documents: bool,
    /// Every file that differs.
    pub differing: Vec<(String, Differs)>,
}

/// How a file of two builds differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Differs {
    /// Only the first build has it.
    Gone,
    /// Only the second one has it.
    New,
    /// It has other rows.
    Rows,
    /// It has the same rows, and other bytes by the same writer.
    Bytes,
    /// It is no table, and has other bytes.
    Text,
}

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gone => "not made again",
            Self::New => "made now, and not there",
            Self::Rows => "other rows",
            Self::Bytes => "the same rows in other bytes",
            Self::Text => "another text",
        })
    }
}

/// The manifest that a build had of which a release was made: the card is without the table of prompts, which a release adds.
///
/// # Errors
///
/// The card of a release cannot be read.
pub fn as_built(folder: &Site, manifest: &Manifest) -> Result<Manifest, Fault> {
    let mut built = manifest.clone();
    let Some(release) = &manifest.release else { return Ok(built) };
    let path = folder.join(&manifest.card.path);
    let bytes =
        path.read().map_err(|error| Fault::io("cannot read the card", path.path(), error))?;
    let mut card = String::from_utf8_lossy(&bytes).into_owned();
    let added = release.documents.iter();
    let added = added.filter_map(|file| file.path.strip_suffix(ONE_FILE)?.split_once('/'));
    for (name, split) in added {
        card = card.replacen(&config(name, split), "", 1);
    }
    built.card = Document::of(&manifest.card.path, card.as_bytes());
    Ok(built)
}

/// Compares two builds by their manifests. What a release adds is not built, and left out.
pub fn rebuilt(first: &Manifest, second: &Manifest) -> Rebuilt {
    let bytes = first.writer == second.writer;
    let documents = bytes && first.tool == second.tool;
    let mut differing = Vec::new();
    let tables = |manifest: &Manifest| -> BTreeMap<String, _> {
        let files = manifest.files.iter().cloned();
        files.map(|file| (file.path.clone(), file)).collect()
    };
    compare(&tables(first), &tables(second), &mut differing, |was, is| {
        if was.rows_digest == is.rows_digest {
            (bytes && was.sha256 != is.sha256).then_some(Differs::Bytes)
        } else {
            Some(Differs::Rows)
        }
    });
    if documents {
        let texts = |manifest: &Manifest| -> BTreeMap<String, Document> {
            let own = [&manifest.card, &manifest.lock].into_iter();
            let own = own.chain(&manifest.figures).chain(&manifest.prompts).cloned();
            own.map(|document| (document.path.clone(), document)).collect()
        };
        compare(&texts(first), &texts(second), &mut differing, |was, is| {
            (was.sha256 != is.sha256).then_some(Differs::Text)
        });
    }
    Rebuilt { bytes, documents, differing }
}

fn compare<T>(
    first: &BTreeMap<String, T>,
    second: &BTreeMap<String, T>,
    differing: &mut Vec<(String, Differs)>,
    differs: impl Fn(&T, &T) -> Option<Differs>,
) {
    for (path, was) in first {
        let how = match second.get(path) {
            None => Some(Differs::Gone),
            Some(is) => differs(was, is),
        };
        differing.extend(how.map(|how| (path.clone(), how)));
    }
    let new = second.keys().filter(|path| !first.contains_key(*path));
    differing.extend(new.map(|path| (path.clone(), Differs::New)));
}

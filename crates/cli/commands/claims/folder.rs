//! A set as a folder: `pairs.jsonl`, `books.jsonl`, the texts under `books`, and the ledger.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
};

use storymill_claims::{
    pair::is_book_id,
    set::{Set, lines, read_books, read_pairs},
};
use storymill_core::{Fault, FaultKind};

use super::{bytes, refused};
use crate::exit::Failure;

/// The ledger of exposures.
const LEDGER: &str = "exposures.jsonl";

/// Reads a set, and finds the pages of its books; nothing where there is no set yet.
pub(super) fn read(path: &Path) -> Result<(Set, BTreeMap<String, PathBuf>), Failure> {
    let mut set = Set::default();
    let file = path.join("pairs.jsonl");
    if file.exists() {
        read_pairs(&bytes(&file)?, &mut set)
            .map_err(|mistakes| refused(&file, "the set cannot be read", &mistakes))?;
    }
    let file = path.join("books.jsonl");
    if file.exists() {
        read_books(&bytes(&file)?, &mut set)
            .map_err(|mistakes| refused(&file, "the set's books cannot be read", &mistakes))?;
    }
    Ok((set, pages(&path.join("books"))?))
}

/// A folder that holds no set is told so.
pub(super) fn must_hold_a_set(path: &Path) -> Result<(), Fault> {
    if path.join("pairs.jsonl").is_file() {
        return Ok(());
    }
    Err(Fault::new(FaultKind::Input, "no set of claims here: `pairs.jsonl` is missing")
        .at(path)
        .hint("`storymill claims import FILE --into DIR` makes one; `--shelf DIR` names the shelf of a private set"))
}

/// Writes a set; each file is there whole, old or new.
pub(super) fn write(path: &Path, set: &Set) -> Result<(), Fault> {
    fs::create_dir_all(path).map_err(|error| Fault::io("cannot make the folder", path, error))?;
    replace(&path.join("books.jsonl"), lines(&set.books).as_bytes())?;
    replace(&path.join("pairs.jsonl"), lines(&set.pairs).as_bytes())
}

/// What the ledger holds; nothing where there is none.
pub(super) fn ledger(path: &Path) -> Result<Vec<u8>, Fault> {
    bytes_if_there(&path.join(LEDGER))
}

/// What a file holds; nothing where there is none.
pub(super) fn bytes_if_there(path: &Path) -> Result<Vec<u8>, Fault> {
    if path.exists() { bytes(path) } else { Ok(Vec::new()) }
}

/// Adds lines to the ledger.
pub(super) fn expose(path: &Path, lines: &[u8]) -> Result<(), Fault> {
    append(&path.join(LEDGER), lines)
}

/// Adds lines to a file.
pub(super) fn append(path: &Path, lines: &[u8]) -> Result<(), Fault> {
    let mut options = OpenOptions::new();
    let file = options.create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(lines))
        .map_err(|error| Fault::io("cannot add to", path, error))
}

/// The pages of a folder by the id that their names give; none if there is no folder.
pub(super) fn pages(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Fault> {
    let mut pages: BTreeMap<String, PathBuf> = BTreeMap::new();
    if !folder.is_dir() {
        return Ok(pages);
    }
    let failed = |error| Fault::io("cannot list the folder", folder, error).input();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let known = path.extension().is_some_and(|ending| {
            ["txt", "html", "htm", "xhtml", "epub"]
                .iter()
                .any(|known| ending.eq_ignore_ascii_case(known))
        });
        let id =
            path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        if !known || !path.is_file() || !is_book_id(&id) {
            continue;
        }
        if let Some(other) = pages.insert(id, path.clone()) {
            let other = other.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let message = format!("this text and `{other}` are of one book");
            return Err(Fault::new(FaultKind::Input, message).at(path));
        }
    }
    Ok(pages)
}

/// Puts new bytes in the place of a file at once.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let new = path.with_extension("new");
    let write = || -> std::io::Result<()> {
        let mut file = fs::File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&new);
        Fault::io("cannot write", path, error)
    })
}

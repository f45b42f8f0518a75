//! A set as a folder: `pairs.jsonl`, `books.jsonl`, and the texts under `books`.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
};

use storymill::pages_of_set;
use storymill_claims::set::{Set, lines, read_books, read_pairs};
use storymill_core::{Fault, FaultKind};

use super::{bytes, refused};
use crate::exit::Failure;

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
    Ok((set, pages_of_set(&path.join("books"))?))
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

/// What a file holds; nothing where there is none.
pub(super) fn bytes_if_there(path: &Path) -> Result<Vec<u8>, Fault> {
    if path.exists() { bytes(path) } else { Ok(Vec::new()) }
}

/// Adds lines to a file.
pub(super) fn append(path: &Path, lines: &[u8]) -> Result<(), Fault> {
    let mut options = OpenOptions::new();
    let file = options.create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(lines))
        .map_err(|error| Fault::io("cannot add to", path, error))
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

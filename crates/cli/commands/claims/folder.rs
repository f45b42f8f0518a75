//! A set as a folder: `pairs.jsonl`, `books.jsonl`, and the texts under `books`.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    path::Path,
};

use storymill_claims::set::{Set, lines};
use storymill_core::Fault;

/// Writes a set; each file is there whole, old or new.
pub(super) fn write(path: &Path, set: &Set) -> Result<(), Fault> {
    fs::create_dir_all(path).map_err(|error| Fault::io("cannot make the folder", path, error))?;
    replace(&path.join("books.jsonl"), lines(&set.books).as_bytes())?;
    replace(&path.join("pairs.jsonl"), lines(&set.pairs).as_bytes())
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

//! A set as a folder: `pairs.jsonl`, `books.jsonl`, and the texts under `books`.

use std::{fs::OpenOptions, io::Write, path::Path};

use storymill_claims::set::{Set, lines};
use storymill_core::Fault;

use crate::whole_file::put;

/// Writes a set; each file is there whole, old or new.
pub(super) fn write(path: &Path, set: &Set) -> Result<(), Fault> {
    put(&path.join("books.jsonl"), lines(&set.books).as_bytes())?;
    put(&path.join("pairs.jsonl"), lines(&set.pairs).as_bytes())
}

/// Adds lines to a file.
pub(super) fn append(path: &Path, lines: &[u8]) -> Result<(), Fault> {
    let mut options = OpenOptions::new();
    let file = options.create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(lines))
        .map_err(|error| Fault::io("cannot add to", path, error))
}

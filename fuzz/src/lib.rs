//! What several targets share: the laws of cleaned pages and of answer logs, and folders that are made anew.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

pub mod logs;
pub mod pages;

/// The key of age whose every byte is 0x42. It guards nothing; `seeds.py` seals with it.
pub const KEY: &str =
    "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX\n";

/// A folder of this process, where files of a target lie between its runs.
pub fn scratch() -> PathBuf {
    tempfile::tempdir().expect("a folder").keep()
}

/// Makes a folder with these files alone.
pub fn afresh<'f>(folder: &Path, files: impl IntoIterator<Item = (&'f str, &'f [u8])>) {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => panic!("{error}"),
        _ => {}
    }
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }
}

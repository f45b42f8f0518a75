//! The folder of pages on disk: which book has a file, and files that are whole or not there.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

use storymill_core::{BookId, Fault};
use storymill_sources::page_id;

/// Writes a file so that it is there whole or not at all.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = folder.join(format!(".{name}.new"));
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        // A folder can be opened and synced on Unix; elsewhere renames are the system's business.
        if cfg!(unix) {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    };
    write().map_err(|error| Fault::io("cannot write", path, error))
}

/// The folder.
#[derive(Debug)]
pub(crate) struct PageFolder {
    top: PathBuf,
    /// Beside the pages: the journal, pages on their way to their place, pages that changed.
    pub(crate) aside: PathBuf,
    files: BTreeMap<String, String>,
}

impl PageFolder {
    /// Opens the folder, and makes it where there is none.
    pub(crate) fn open(top: &Path) -> Result<Self, Fault> {
        let aside = top.join(".fetch");
        for folder in [&aside.join("part"), &aside.join("changed")] {
            fs::create_dir_all(folder)
                .map_err(|error| Fault::io("cannot make the folder of pages", folder, error))?;
        }
        let failed = |error| Fault::io("cannot read the folder of pages", top, error);
        let mut files = BTreeMap::new();
        let mut names = Vec::new();
        for entry in fs::read_dir(top).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if !entry.path().is_dir() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        for name in names {
            if let Some(id) = page_id(&name).filter(|_| !name.starts_with('.')) {
                files.entry(id.to_string()).or_insert(name);
            }
        }
        Ok(Self { top: top.to_owned(), aside, files })
    }

    /// The file of a book, if it has one.
    pub(crate) fn file(&self, id: &BookId) -> Option<&str> {
        self.files.get(id.as_str()).map(String::as_str)
    }

    /// The bytes of a file; nothing where there is none.
    pub(crate) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        read(&self.top.join(name))
    }

    /// Puts a page in its place.
    pub(crate) fn write(&mut self, id: &BookId, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        write_whole(&self.top.join(name), bytes)?;
        self.files.insert(id.to_string(), name.to_owned());
        Ok(())
    }

    /// Removes a file of a book that has another one now.
    pub(crate) fn remove(&self, name: &str) -> Result<(), Fault> {
        remove(&self.top.join(name))
    }

    /// Where a page lies that is pinned and not in its place yet.
    pub(crate) fn ready(&self, id: &BookId) -> PathBuf {
        self.aside.join("part").join(format!("{id}.page"))
    }

    /// Where a page lies that is another than the one that was pinned.
    pub(crate) fn changed(&self, name: &str) -> PathBuf {
        self.aside.join("changed").join(name)
    }
}

/// The bytes of a file; nothing where there is none.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::io("cannot read", path, error)),
    }
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), Fault> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Fault::io("cannot remove", path, error))
        }
        _ => Ok(()),
    }
}

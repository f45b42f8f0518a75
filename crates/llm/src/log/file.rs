//! The files of a log: their names, their first bytes, reading from the middle, and locks.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    io,
    path::{Path, PathBuf},
};

use storymill_core::{Disk, DiskReader, Fault, Held, Hold};

/// The first 16 bytes of a segment.
pub(crate) const SEGMENT: &[u8; 16] = b"storymill log 1\n";
/// The first 16 bytes of a pack.
pub(crate) const PACK: &[u8; 16] = b"storymill pack1\n";
/// The first 16 bytes of a file of notes.
pub(crate) const NOTES: &[u8; 16] = b"storymill note1\n";
/// Where the frames of any of them begin.
pub(crate) const FIRST: usize = 16;

/// What a file of a log is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Segment,
    Pack,
    Notes,
}

pub(crate) fn role(path: &Path) -> Option<Role> {
    match path.extension()?.to_str()? {
        "log" => Some(Role::Segment),
        "pack" => Some(Role::Pack),
        "notes" => Some(Role::Notes),
        _ => None,
    }
}

/// An open file that answers are read from.
#[derive(Debug)]
pub(crate) struct LogFile {
    pub(crate) path: PathBuf,
    file: Box<dyn DiskReader>,
}

impl LogFile {
    pub(crate) fn open(disk: &dyn Disk, path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), file: disk.open(path)? })
    }

    /// Some bytes from the middle.
    pub(crate) fn read(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        self.file.read_at(at, length)
    }
}

/// Locks the folder against sealing by others; waits for them.
pub(crate) fn lock_folder(disk: &dyn Disk, folder: &Path) -> Result<Box<dyn Held>, Fault> {
    let path = folder.join("lock");
    let lock =
        disk.lock(&path, Hold::Alone).and_then(|lock| lock.ok_or(io::ErrorKind::WouldBlock.into()));
    lock.map_err(|error| Fault::io("cannot lock the answer log", &path, error))
}

/// Locks a segment, unless its writer is alive.
pub(crate) fn try_lock(disk: &dyn Disk, path: &Path) -> io::Result<Option<Box<dyn Held>>> {
    // Locking makes a file where there is none.
    if disk.len(path)?.is_none() {
        return Err(io::ErrorKind::NotFound.into());
    }
    disk.lock(path, Hold::TryAlone)
}

/// A name that no other writer has: it is random, and in no output.
pub(crate) fn fresh_name() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{}-{random:016x}", std::process::id())
}

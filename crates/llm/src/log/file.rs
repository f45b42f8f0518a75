//! The files of a log: their names, their first bytes, reading from the middle, and locks.

use std::{
    fs::{File, OpenOptions, TryLockError},
    hash::{BuildHasher, Hasher, RandomState},
    io,
    path::{Path, PathBuf},
};

use storymill_core::Fault;

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
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
}

impl LogFile {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        Ok(Self { path: path.to_owned(), file })
    }

    /// Some bytes from the middle.
    pub(crate) fn read(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        #[cfg(unix)]
        std::os::unix::fs::FileExt::read_exact_at(&self.file, &mut bytes, at)?;
        #[cfg(not(unix))]
        {
            use std::io::{Read, Seek, SeekFrom};
            let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut bytes)?;
        }
        Ok(bytes)
    }
}

/// A lock on a file, held until it is dropped or the process dies.
#[derive(Debug)]
pub(crate) struct Locked(#[expect(dead_code, reason = "holding it is what it is for")] File);

/// Locks the folder against sealing by others; waits for them.
pub(crate) fn lock_folder(folder: &Path) -> Result<Locked, Fault> {
    let path = folder.join("lock");
    let lock = || {
        let file = OpenOptions::new().create(true).write(true).truncate(false).open(&path)?;
        file.lock()?;
        Ok(Locked(file))
    };
    lock().map_err(|error| Fault::io("cannot lock the answer log", &path, error))
}

/// Locks a segment, unless its writer is alive.
pub(crate) fn try_lock(path: &Path) -> io::Result<Option<Locked>> {
    let file = File::open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Locked(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// A name that no other writer has: it is random, and in no output.
pub(crate) fn fresh_name() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{}-{random:016x}", std::process::id())
}

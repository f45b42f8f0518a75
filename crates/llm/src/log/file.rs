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
/// Which of these bytes is the digit of the version.
const VERSION: usize = 14;
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

impl Role {
    /// The first bytes of such a file.
    pub(crate) fn magic(self) -> &'static [u8; 16] {
        match self {
            Role::Segment => SEGMENT,
            Role::Pack => PACK,
            Role::Notes => NOTES,
        }
    }
}

/// Whether a file begins as one that a later version of this program writes.
pub(crate) fn is_newer(role: Role, bytes: &[u8]) -> bool {
    let magic = role.magic();
    let Some(first) = bytes.first_chunk::<FIRST>() else { return false };
    let (version, before) = (first[VERSION], magic[VERSION]);
    first[..VERSION] == magic[..VERSION] && version > before && version.is_ascii_digit()
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

/// A name for a file that is being written.
pub(crate) fn scratch_name() -> String {
    format!(".{}.tmp", fresh_name())
}

/// Whether a file has the name of a segment, which only a writer gives.
pub(crate) fn is_segment_name(path: &Path) -> bool {
    path.file_stem().and_then(|stem| stem.to_str()).is_some_and(is_fresh_name)
}

/// Whether a name is one that [`scratch_name`] gives.
pub(crate) fn is_scratch_name(name: &str) -> bool {
    let stem = name.strip_prefix('.').and_then(|name| name.strip_suffix(".tmp"));
    stem.is_some_and(is_fresh_name)
}

/// Whether a name is one that [`fresh_name`] gives.
fn is_fresh_name(name: &str) -> bool {
    let Some((process, random)) = name.split_once('-') else { return false };
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    process.parse::<u32>().is_ok() && random.len() == 16 && random.bytes().all(is_hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_names_are_told_from_others() {
        assert!(is_scratch_name(&scratch_name()));
        assert!(is_segment_name(Path::new(&format!("answers/{}.log", fresh_name()))));
        for other in
            ["notes", "1-1", "x-0123456789abcdef", "1-0123456789ABCDEF", "0123456789abcdef"]
        {
            assert!(!is_fresh_name(other), "{other}");
        }
        assert!(!is_scratch_name(".notes.tmp"));
    }
}

//! What the store, the log and the publisher ask of a disk. A trait, so that tests can make it fail
//! and private units can have one that seals.

use std::{
    fmt::Debug,
    io::{self, Write},
    path::Path,
};

use crate::{Fault, FaultKind};

/// A file being written.
pub trait DiskFile: Write + Send {
    /// Returns once all that was written would survive a power cut.
    fn sync(&mut self) -> io::Result<()>;

    /// Whether a path leads to this very file: nobody has removed it, or put another one there. On a disk where nobody
    /// else can, it does.
    fn is_at(&self, _: &Path) -> io::Result<bool> {
        Ok(true)
    }
}

/// A file that is read from the middle. What is appended to it meanwhile can be read too.
pub trait DiskReader: Debug + Send + Sync {
    /// Some bytes; all of them, or an error.
    fn read_at(&self, at: u64, length: usize) -> io::Result<Vec<u8>>;
}

/// A lock, held until it is dropped or the process dies.
pub trait Held: Debug + Send + Sync {}

impl<T: Debug + Send + Sync> Held for T {}

/// How a file is to be locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Alone, and others are waited for.
    Alone,
    /// Alone, if nobody else holds it.
    TryAlone,
    /// Beside others that share it, if nobody holds it alone.
    TryShared,
    /// The same for a file that has to be there, by somebody who only wants to know: nothing is made, and a disk that
    /// may only be read will do.
    Look,
}

/// The few things done to files.
pub trait Disk: Debug + Send + Sync {
    /// The whole content of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// A file to be read from the middle.
    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>>;
    /// Locks a file against other processes, making an empty one where there is none; none if
    /// somebody else holds it.
    fn lock(&self, path: &Path, hold: Hold) -> io::Result<Option<Box<dyn Held>>>;
    /// A new empty file, replacing one of that name.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    /// Renames a file, replacing the target in one step.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Returns once renames inside this folder would survive a power cut.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
    /// Makes a folder and those above it.
    fn create_dir_all(&self, path: &Path) -> io::Result<()>;
    /// Removes a file; of a symbolic link the link, not what it leads to.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Removes a folder if nothing is in it; leaves it if something is.
    fn remove_empty_dir(&self, path: &Path) -> io::Result<()>;
    /// The names in a folder, sorted; none if there is no such folder.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;
    /// A file's length in bytes; none if there is no such file.
    fn len(&self, path: &Path) -> io::Result<Option<u64>>;
    /// Whether a symbolic link stands here, wherever it leads.
    fn is_link(&self, path: &Path) -> io::Result<bool>;
    /// Writes a file unless one of that name is there, and tells whether it did: of several writers exactly one
    /// does, and nobody sees half of it. `scratch` is as of [`put`](Self::put).
    fn put_new(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<bool>;

    /// Whether what lies here are objects: each is written in one request, nothing is appended to it, and a lock
    /// keeps nobody out. Who works beside others here goes by names that nobody else has, by the digests of what
    /// is written, and by [`put_new`](Self::put_new).
    fn has_objects(&self, _: &Path) -> bool {
        false
    }

    /// Writes a file so that it is there whole or not at all. On a file system that takes a temporary name,
    /// `scratch` (on the same disk, private to this process), a sync, a rename and a sync of the folder; a disk
    /// that can do it in one request does, and needs no `scratch`.
    fn put(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.create(scratch)?;
        file.write_all(bytes)?;
        file.sync()?;
        drop(file);
        self.rename(scratch, path)?;
        self.sync_dir(folder_of(path))
    }
}

/// The folder that a file lies in; that of a bare name is where we are.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

impl dyn Disk + '_ {
    /// Refuses a way into a folder of ours that leads over a symbolic link. `root` is named by the
    /// user and may be one; inside it we remove and replace, and a link would have us do so elsewhere.
    ///
    /// # Errors
    ///
    /// A part of `below` is a link, or cannot be looked at.
    pub fn refuse_links(&self, root: &Path, below: impl AsRef<Path>) -> Result<(), Fault> {
        let mut path = root.to_owned();
        for part in below.as_ref() {
            path.push(part);
            let is_link = self.is_link(&path);
            if is_link.map_err(|error| Fault::io("cannot look at", &path, error))? {
                let message = "a symbolic link stands where storymill keeps its own files";
                return Err(Fault::new(FaultKind::Store, message).at(path).hint(
                    "nothing was changed: remove the link (the whole folder may be one, what is inside may not)",
                ));
            }
        }
        Ok(())
    }
}

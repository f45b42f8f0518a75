//! The store: parts by the digest of their rows, and markers that say what made them.
//!
//! ```text
//! FORMAT                          the format of this store
//! lock                            held while a run is on
//! parts/4f/4f3a...                rows of one step for one unit: postcard, zstd
//! markers/chunk/1342/9c0d...      static key -> digest of the rows, and the trace
//! index/mine/scenes               what the markers of a step say, all in one file
//! listings                        digests of the sources' units, each with the sizes and times of its files
//! whole                           published folders that were found whole, with the looks of their files
//! jobs/mine/3-5.2-of-8/           what came of a shard of a job, and who is at it
//! answers/                        the log of answers, unless it is kept elsewhere
//! damaged/                        what was found damaged, set aside: `markers.chunk.1342.9c0d...`
//! tmp/                            files being written
//! ```
//!
//! A part is written before the marker that names it, each under a temporary name, synced and
//! renamed. So whatever a kill leaves behind, a marker that can be read is true. In a store of objects
//! each is one request; nobody holds a lock there, and runs that make the same write the same.

mod checked;
mod claim;
mod fit;
mod index;
mod jobs;
mod marker;
mod packing;
mod part;
mod scratch;
mod whole;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use storymill_core::{Digest, Disk, Fault, FaultKind};

pub use claim::Claim;
pub(crate) use index::Index;
pub use jobs::{JobId, JobRecord, JobState, Shards};
pub(crate) use marker::{KeyParts, Made, Marker};
pub(crate) use part::MOST_BYTES;

/// Where damaged files are set aside.
const DAMAGED: &str = "damaged";

/// The format of stores that this version writes.
pub(crate) const FORMAT: u32 = 1;

/// A store that is open.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    disk: Arc<dyn Disk>,
    scratch: AtomicU64,
    /// Tells the temporary names of this store from those of other processes, on other machines
    /// too: a process id alone does not.
    mark: u64,
    /// How many damaged files were set aside, and whose turn it is to do so.
    damaged: AtomicU64,
    setting_aside: Mutex<()>,
    /// Held for as long as the store is open; none when it is only looked at.
    claim: Option<claim::Held>,
}

impl Store {
    /// Opens a store for a run, making it where there is none, and claims it.
    ///
    /// # Errors
    ///
    /// Another run holds it, a newer version wrote it, it is some other folder, or the disk fails.
    pub fn open(
        root: impl Into<PathBuf>,
        disk: Arc<dyn Disk>,
        claim: Claim,
    ) -> Result<Self, Fault> {
        let root = root.into();
        let fresh = check_format(&root, disk.as_ref())?;
        disk.refuse_links(&root, DAMAGED)?;
        for folder in ["tmp", "parts", "markers"] {
            disk.refuse_links(&root, folder)?;
            let path = root.join(folder);
            disk.create_dir_all(&path)
                .map_err(|error| Fault::io("cannot make a folder of the store", path, error))?;
        }
        let held = claim.hold(&root, disk.as_ref())?;
        let alone = held.is_alone();
        let store = Self::at(root, disk, Some(held));
        if alone {
            store.clear_scratch()?;
        }
        let format = format!("storymill store {FORMAT}\n");
        if fresh && !store.put_new("FORMAT", format.as_bytes())? {
            // Another run has made it since: perhaps in a format of its own. Or it is there and empty.
            if check_format(&store.root, &*store.disk)? {
                store.put("FORMAT", format.as_bytes())?;
            }
        }
        Ok(store)
    }

    /// Opens a store to look at it; nothing is written, nothing is claimed.
    pub fn look(root: impl Into<PathBuf>, disk: Arc<dyn Disk>) -> Result<Self, Fault> {
        let root = root.into();
        check_format(&root, disk.as_ref())?;
        Ok(Self::at(root, disk, None))
    }

    fn at(root: PathBuf, disk: Arc<dyn Disk>, claim: Option<claim::Held>) -> Self {
        let (scratch, damaged, setting_aside) = Default::default();
        Self { root, disk, scratch, mark: mark(), damaged, setting_aside, claim }
    }

    fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.join(name)
    }

    fn put(&self, name: impl AsRef<Path>, bytes: &[u8]) -> Result<(), Fault> {
        let path = self.path(name);
        self.disk
            .put(&path, &self.scratch_path(), bytes)
            .map_err(|error| Fault::io("cannot write to the store", path, error))
    }

    /// Writes a file unless it is there; whether it did.
    fn put_new(&self, name: impl AsRef<Path>, bytes: &[u8]) -> Result<bool, Fault> {
        let path = self.path(name);
        self.disk
            .put_new(&path, &self.scratch_path(), bytes)
            .map_err(|error| Fault::io("cannot write to the store", path, error))
    }

    /// A temporary name.
    fn scratch_path(&self) -> PathBuf {
        let count = self.scratch.fetch_add(1, Ordering::Relaxed);
        self.path("tmp").join(scratch::name(self.mark, count))
    }

    /// Whether this store is only looked at.
    pub(crate) fn is_looked_at(&self) -> bool {
        self.claim.is_none()
    }

    /// Sets a damaged file aside, so that it is made anew.
    ///
    /// # Errors
    ///
    /// The store is only looked at, or the file cannot be moved.
    fn set_aside(&self, path: &Path, why: &str) -> Result<(), Fault> {
        let message = format!("a file of the store is damaged ({why})");
        let fault = Fault::new(FaultKind::Again, message).at(path);
        if self.is_looked_at() {
            return Err(fault.hint("run `storymill build` to rebuild the damaged file"));
        }
        let folder = self.path(DAMAGED);
        // The whole way to it: a corpus stage's markers have one key for all units.
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        let name: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
        let moved = self
            .disk
            .create_dir_all(&folder)
            .and_then(|()| self.disk.rename(path, &folder.join(name.join("."))));
        match moved {
            Ok(()) => {
                self.damaged.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
            // Another run has done so.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => {
                let hint = "remove that file and run the same command again: it is made anew";
                Err(fault.because(error).hint(hint))
            }
        }
    }

    /// How many damaged files were set aside since the store was opened.
    pub fn damaged(&self) -> u64 {
        self.damaged.load(Ordering::Relaxed)
    }

    /// The folder where they are now.
    pub fn damaged_folder(&self) -> PathBuf {
        self.path(DAMAGED)
    }

    /// Whether the file of a part is there.
    pub(crate) fn has_part(&self, digest: &Digest) -> Result<bool, Fault> {
        let path = self.path(part::name(digest));
        let len = self.disk.len(&path).map_err(|error| Fault::io("cannot look at", path, error))?;
        Ok(len.is_some_and(|len| len > 0))
    }
}

/// A number that no other store has: the seed of a hasher, which the system draws.
fn mark() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id())
}

/// Whether there is no store yet.
fn check_format(root: &Path, disk: &dyn Disk) -> Result<bool, Fault> {
    let path = root.join("FORMAT");
    let bytes = match disk.read(&path) {
        // On a file system without links: the run that took the name died before it filled the file.
        Ok(bytes) if bytes.is_empty() => return Ok(true),
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let names = disk.list(root).map_err(|error| Fault::io("cannot list", root, error))?;
            // A run killed while it made the store leaves folders without FORMAT; and answers may
            // have been imported before the first run.
            let known = ["tmp", "parts", "markers", index::FOLDER, jobs::FOLDER, "lock", "answers"];
            let foreign = names.iter().find(|name| !known.contains(&name.as_str()));
            let Some(name) = foreign else { return Ok(true) };
            // Another shard may have made the store since it was looked for.
            disk.read(&path).map_err(|_| {
                let message = format!("this folder is not a store: it holds `{name}`");
                let fault = Fault::new(FaultKind::Store, message).at(root);
                fault.hint("name another folder with `--store`")
            })?
        }
        Err(error) => return Err(Fault::io("cannot read", path, error)),
    };
    let text = String::from_utf8_lossy(&bytes);
    let format =
        text.trim().strip_prefix("storymill store ").and_then(|number| number.parse::<u32>().ok());
    match format {
        Some(format) if format <= FORMAT => Ok(false),
        Some(format) => Err(Fault::new(
            FaultKind::Store,
            format!("this store was written by a newer storymill (format {format}; this one knows {FORMAT})"),
        )
        .at(root)
        .hint("use the newer storymill, or name another folder with `--store`; nothing was changed")),
        None => Err(Fault::new(FaultKind::Store, "the store's FORMAT file says something else")
            .at(path)
            .hint("name another folder with `--store`")),
    }
}
